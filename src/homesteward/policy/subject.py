"""One thing that a call does: what rules and limits are asked about."""

from dataclasses import dataclass

from homesteward.core.json import JsonObject, JsonValue
from homesteward.policy.decision import Kind


class Member(dict[str, JsonValue]):
    """The data of one member of a scene that is written in the call: the state and the attributes it is put into."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that a call does: a service on an entity (None: it names none), and the way on which it is reached."""

    domain: str
    service: str
    data: JsonObject
    entity_id: str | None
    kind: Kind
    trail: tuple[str, ...] = ()

    @property
    def set_by_scene(self) -> bool:
        """Return whether a scene sets the thing itself, by no service of the thing's own."""
        return self.domain == "scene" and self.service in {"apply", "create"} and self.entity_id is not None

    @property
    def told(self) -> bool:
        """Return whether it stands in the data what the thing is put into; a stored scene keeps it to itself."""
        return not self.set_by_scene or isinstance(self.data, Member)

    @property
    def id(self) -> str:
        """Return `domain.service`."""
        return f"{self.domain}.{self.service}"
