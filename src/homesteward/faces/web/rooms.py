"""What the HTTP face is handed by the composition root."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from homesteward.actions.doings import Doings
from homesteward.actions.gate import Gate
from homesteward.actions.ha_config import ConfigRoom
from homesteward.actions.notices import Notices
from homesteward.actions.offers import Offers
from homesteward.actions.rule_keeper import RuleKeeper
from homesteward.actions.schedule import ScheduleStore
from homesteward.actions.strongbox import Strongbox
from homesteward.actions.windows import Windows
from homesteward.chronicle.chronicle import Chronicle
from homesteward.core import Clock, SystemClock
from homesteward.core.json import JsonObject
from homesteward.faces.web.streams import BEAT_S
from homesteward.home.live import LiveHome, Undo
from homesteward.home.sign_in import SignIn
from homesteward.home.users import HaUser
from homesteward.people.desk import FrontDesk
from homesteward.settings.settings import WebSettings
from homesteward.steward import RunStore, Steward
from homesteward.store.audit import Audit
from homesteward.tools import ToolRegistry


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor: `status` is ok, warn or fail; `next` says what to do."""

    check: str
    status: str
    message: str
    next: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """One setting: its path, its value as a text (of a secret only whether there is one), and where it was set; empty for a default."""

    path: str
    value: str
    source: str = ""


def no_values() -> Sequence[Value]:
    """Tell of no settings."""
    return ()


async def no_model() -> Check:
    """Have no model to try."""
    return Check("model", "warn", "No model is set up.", "Set model.kind, model.base_url and model.model.")


async def knows_nobody(_user_id: str) -> HaUser | None:
    """Know no user of Home Assistant."""
    return None


def watches_nothing(_callback: Callable[[], None]) -> Undo:
    """Watch a connection that never changes."""
    return lambda: None


def no_tools(_home: LiveHome) -> ToolRegistry:
    """Offer nothing."""
    return ToolRegistry()


@dataclass(frozen=True, slots=True)
class Rooms:
    """The rooms behind the face. `examine` runs the doctor's checks; `describe` gives the health document; `clean` takes secrets out of a text.

    `desk` knows who is asking, and without it there is only the service's own token. `ha_user` reads a user of Home Assistant's,
    for whom ingress names; `registry_of` makes the tools for a caller who reaches only a part of the home.
    """

    token: str
    home: LiveHome
    gate: Gate
    registry: ToolRegistry
    steward: Steward
    describe: Callable[[], JsonObject]
    examine: Callable[[], Awaitable[Sequence[Check]]]
    clean: Callable[[str], str]
    web: WebSettings = field(default_factory=WebSettings)
    clock: Clock = field(default_factory=SystemClock)
    desk: FrontDesk | None = None
    sign_in: SignIn | None = None
    ha_user: Callable[[str], Awaitable[HaUser | None]] = knows_nobody
    audit: Audit | None = None
    notices: Notices | None = None
    strongbox: Strongbox | None = None
    offers: Offers | None = None
    configuration: ConfigRoom | None = None
    schedules: ScheduleStore | None = None
    rules: RuleKeeper | None = None
    chronicle: Chronicle | None = None
    windows: Windows | None = None
    registry_of: Callable[[LiveHome], ToolRegistry] = no_tools
    doings: Doings = field(default_factory=Doings)
    """Tells at once that something became of a plan."""
    run_store: RunStore | None = None
    watch_connection: Callable[[Callable[[], None]], Undo] = watches_nothing
    """Calls back whenever the connection to the home is another; returns the way off."""
    values: Callable[[], Sequence[Value]] = no_values
    """The settings as they hold, no secret among them."""
    try_model: Callable[[], Awaitable[Check]] = no_model
    """Asks the model one word, and says whether it answers."""
    beat_s: float = BEAT_S
