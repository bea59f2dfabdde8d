"""What every kind of object of Home Assistant's configuration can do: be read whole, checked, written, removed, and looked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from homesteward.core.json import JsonObject


@dataclass(frozen=True, slots=True)
class Sight:
    """What Home Assistant shows of an object: whether it is as wanted, which thing was looked at, and what was seen in words."""

    there: bool
    subject: str
    observed: str


class Kind(Protocol):
    """One kind of object. Ids are Home Assistant's own; reading and checking change nothing."""

    @property
    def name(self) -> str:
        """Return how the kind is called, such as `automation`."""
        ...

    @property
    def patches(self) -> bool:
        """Return whether what is written are single fields of an object that is always there, such as a registry entry."""
        ...

    def address(self, object_id: str) -> str:
        """Return the id of the object that a person or a model names, also by its entity; raise BadConfigError for what is none."""
        ...

    def new_id(self, config: JsonObject) -> str:
        """Return the id for a new object; raise BadConfigError where the kind has no new ones, or needs a name for it."""
        ...

    async def read(self, object_id: str) -> JsonObject | None:
        """Return the whole object, None where there is none; raise NotEditableError for one that is written by hand elsewhere."""
        ...

    def checked(self, object_id: str, config: JsonObject) -> JsonObject:
        """Return the configuration in the form that is written; raise BadConfigError, or OtherIdError for another's id in it."""
        ...

    async def validate(self, config: JsonObject) -> None:
        """Raise BadConfigError with Home Assistant's own words where it says that it would not take it."""
        ...

    async def body(self, config: JsonObject) -> JsonObject | None:
        """Return what will run in place of the configuration, where that is something else: a blueprint, filled in."""
        ...

    async def write(self, object_id: str, config: JsonObject, old: JsonObject | None) -> None:
        """Put `config` in the place of `old`; raises as `home.write.Writer` does."""
        ...

    async def remove(self, object_id: str) -> None:
        """Take the object away; raises as `home.write.Writer` does."""
        ...

    def entity_of(self, object_id: str) -> str | None:
        """Return the entity that the object is, None where it is none."""
        ...

    async def seen(self, object_id: str, config: JsonObject | None) -> Sight:
        """Look whether Home Assistant really has it so; None looks whether it is gone."""
        ...


type Kinds = Mapping[str, Kind]
