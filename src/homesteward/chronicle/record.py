"""What the chronicle keeps: one frozen record per kind of thing that happens, each with the context Home Assistant gave it."""

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum

from homesteward.core.json import JsonObject
from homesteward.home.model import EMPTY


class Kind(StrEnum):
    """The kinds of records, as faces and filters name them."""

    STATE = "state"
    AUTOMATION = "automation"
    SCRIPT = "script"
    SCENE = "scene"
    CALL = "call"
    ACT = "act"


class Source(IntEnum):
    """How a record came to be known. The numbers are stored."""

    HEARD = 0
    BACKFILL = 1
    """Read afterwards from Home Assistant's own history, which has no contexts: its cause is unknown."""
    FOUND = 2
    """The state an entity was found in when listening began: it is older than that, and nobody saw it change."""

    @property
    def word(self) -> str:
        """Return the source as the contract writes it."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Context:
    """Home Assistant's context of an event: its id, that of what caused it, and the user behind it."""

    id: str
    parent_id: str | None = None
    user_id: str | None = None


@dataclass(frozen=True, slots=True)
class StateChange:
    """One entity's state, or the attributes that matter, became another. `new` is None where the entity is gone, `old` where none was known."""

    at: datetime
    entity_id: str
    old: str | None
    new: str | None
    attributes: JsonObject = EMPTY
    """Those that matter for the domain, as they are after the change."""
    context: Context | None = None
    source: Source = Source.HEARD
    id: int = 0
    """Given by the writer; grows with every record of every kind."""


@dataclass(frozen=True, slots=True)
class Run:
    """An automation or a script began to run, or a scene was applied."""

    at: datetime
    kind: Kind
    entity_id: str
    name: str = ""
    trigger: str = ""
    """Home Assistant's own words for what started it, such as "state of binary_sensor.hall"."""
    trigger_entity_id: str | None = None
    item_id: str = ""
    run_id: str = ""
    """The two that lead to its trace, while Home Assistant still has it."""
    context: Context | None = None
    source: Source = Source.HEARD
    id: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """A service was called, by whomever. `data` is without its targets and without secrets."""

    at: datetime
    domain: str
    service: str
    data: JsonObject = EMPTY
    entity_ids: tuple[str, ...] = ()
    """The concrete targets, as far as the call named them or they could be expanded when it was heard."""
    context: Context | None = None
    source: Source = Source.HEARD
    id: int = 0


@dataclass(frozen=True, slots=True)
class Act:
    """One step of a plan of ours, sent: who asked for it, under which rule, and what was seen."""

    at: datetime
    ended: datetime
    plan_id: str
    step: int
    run_id: str
    person: str
    role: str
    channel: str
    rule: str
    request: str
    domain: str
    service: str
    data: JsonObject
    entity_ids: tuple[str, ...]
    outcome: str
    """The step's state at its end: done, failed or uncertain."""
    context_id: str | None = None
    id: int = 0


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which nobody listened. `end` is None while it goes on; `filled` is when it was read afterwards, None where it was not (yet)."""

    start: datetime
    end: datetime | None
    reason: str
    filled: datetime | None = None
    rows: int = 0


type Record = StateChange | Run | Call | Act
