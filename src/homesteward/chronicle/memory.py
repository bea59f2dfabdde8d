"""What was kept last of each entity: what the next change is measured against."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from homesteward.core.json import JsonObject
from homesteward.home.model import EMPTY

UNIT = "unit_of_measurement"


@dataclass(frozen=True, slots=True)
class Logged:
    """The state kept last, None where the entity was gone, what was kept of its attributes, and the moment of it."""

    state: str | None
    kept: JsonObject = EMPTY
    at: datetime | None = None

    @property
    def unit(self) -> str:
        """Return the unit that the state was in, empty where it had none."""
        return str(self.kept.get(UNIT, ""))


class Memory:
    """One `Logged` per entity. It holds as many entities as the home has ever shown since the start."""

    def __init__(self, logged: Mapping[str, Logged] | None = None) -> None:
        """Begin with what is stored already."""
        self._logged: dict[str, Logged] = dict(logged or {})

    def __getitem__(self, entity_id: str) -> Logged:
        return self._logged[entity_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._logged)

    def __len__(self) -> int:
        return len(self._logged)

    def get(self, entity_id: str) -> Logged | None:
        """Return what was kept last of the entity, None where nothing ever was."""
        return self._logged.get(entity_id)

    def put(self, entity_id: str, logged: Logged) -> None:
        """Take what is kept of the entity now."""
        self._logged[entity_id] = logged
