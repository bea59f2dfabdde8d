"""What the HTTP face is handed by the composition root."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from homesteward.actions.gate import Gate
from homesteward.core.json import JsonObject
from homesteward.home.live import LiveHome
from homesteward.policy import Preset
from homesteward.steward import Steward
from homesteward.tools import ToolRegistry


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor: `status` is ok, warn or fail; `next` says what to do."""

    check: str
    status: str
    message: str
    next: str = ""


@dataclass(frozen=True, slots=True)
class Rooms:
    """The rooms behind the face. `examine` runs the doctor's checks; `describe` gives the health document; `clean` takes secrets out of a text."""

    token: str
    hosts: Sequence[str]
    home: LiveHome
    preset: Preset
    gate: Gate
    registry: ToolRegistry
    steward: Steward
    describe: Callable[[], JsonObject]
    examine: Callable[[], Awaitable[Sequence[Check]]]
    clean: Callable[[str], str]
