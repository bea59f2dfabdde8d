"""A whole Homesteward: every room, wired to one home."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from homesteward import __version__
from homesteward.actions import Gate, Mode, Ties
from homesteward.actions.ha_config import ConfigRoom
from homesteward.actions.notices import Notices
from homesteward.actions.offers import Offers
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.actions.rule_keeper import RuleKeeper
from homesteward.actions.schedule import ScheduleStore
from homesteward.actions.strongbox import Strongbox
from homesteward.actions.windows import Windows
from homesteward.app.configuring import open_configuration
from homesteward.app.doctor import examine_house
from homesteward.app.entry import open_entry
from homesteward.app.folder import data_folder, kept_home_id
from homesteward.app.guarded import cleaned, secrets_in
from homesteward.app.later import Later
from homesteward.app.logs import clean_logs
from homesteward.app.memory import Memory, looking_after, open_memory, windows_of
from homesteward.app.offering import open_offers
from homesteward.app.telling import telling
from homesteward.core import Clock, SystemClock
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject
from homesteward.core.redaction import Redactor
from homesteward.faces.web import Rooms, create_api
from homesteward.home.access import Access, access_of
from homesteward.home.connection import socket_url
from homesteward.home.dispatch import Dispatcher, HaDispatcher
from homesteward.home.errors import AuthFailedError, NeedsAdminError, UnexpectedAnswerError
from homesteward.home.life import Limits
from homesteward.home.link import HomeLink
from homesteward.home.live import HeardHome, LiveHome
from homesteward.home.mirror import Mirror
from homesteward.home.service_reads import ServiceReads
from homesteward.home.sign_in import HaSignIn
from homesteward.home.snapshot import Keeper, load
from homesteward.home.users import HaUser, users_of
from homesteward.kernel import Kernel
from homesteward.language import Sources, Understander
from homesteward.models import build_model
from homesteward.people.desk import FrontDesk
from homesteward.policy import Preset
from homesteward.settings import Settings, load_settings
from homesteward.steward import Reasoner, RunStore, Steward, StewardSettings
from homesteward.store import Database
from homesteward.store.audit import Audit
from homesteward.tools import ToolRegistry, standard_tools

if TYPE_CHECKING:
    from fastapi import FastAPI
    from pydantic_ai.models import Model

DATABASE = "homesteward.db"
FIRST_S = 5.0  # how long a service that waits for its home holds back its own start: a home that runs is read by then
NOT_MENDED_BY_WAITING = (
    AuthFailedError,
    NeedsAdminError,
    UnexpectedAnswerError,
)  # settings are read once, at the start
MIN_DOOR_SECRET = 12  # characters; a shorter key, such as a local model's "none", may be a word that somebody means


class NoHomeError(HomestewardError):
    """No Home Assistant is set up."""

    code = "not_connected"


@dataclass(frozen=True, slots=True)
class House:
    """Everything that is built, for whoever serves it or asks it directly. `token` opens its API as the owner."""

    settings: Settings
    clock: Clock
    home: LiveHome
    gate: Gate
    registry: ToolRegistry
    understander: Understander
    steward: Steward
    token: str
    redactor: Redactor
    run_store: RunStore
    link: HomeLink | None = None
    """What keeps `home` connected, where it is a real one."""
    desk: FrontDesk | None = None
    audit: Audit | None = None
    memory: Memory = field(default_factory=Memory)
    windows: Windows | None = None
    rules: RuleKeeper | None = None
    notices: Notices | None = None
    strongbox: Strongbox | None = None
    offers: Offers | None = None
    configuration: ConfigRoom | None = None
    schedules: ScheduleStore | None = None

    @property
    def api(self) -> FastAPI:
        """Return a new HTTP face over these rooms."""
        return create_api(
            Rooms(
                token=self.token,
                home=self.home,
                gate=self.gate,
                rules=self.rules,
                registry=self.registry,
                steward=self.steward,
                describe=self.describe,
                examine=lambda: examine_house(
                    self.settings, self.home, self.clock, self.link, self.rules, self.memory, self.audit
                ),
                clean=self._door_redactor().clean,
                web=self.settings.web,
                clock=self.clock,
                desk=self.desk,
                audit=self.audit,
                chronicle=self.memory.chronicle,
                windows=self.windows,
                notices=self.notices,
                strongbox=self.strongbox,
                offers=self.offers,
                configuration=self.configuration,
                schedules=self.schedules,
                sign_in=HaSignIn(access_of(self.settings.ha), self.settings.web.ha_url),
                ha_user=self._ha_user,
                registry_of=lambda home: standard_tools(
                    home,
                    self.gate,
                    *self.memory.rooms,
                    clock=self.clock,
                    schedules=self.schedules,
                    configuration=self.configuration,
                ),
            )
        )

    def describe(self) -> JsonObject:
        """Return what this Homesteward is connected to and how it is set; no secret is in it."""
        return {
            "version": __version__,
            "home": self.home.config.name,
            "home_id": self.home.home_id,
            "connected": self.home.connected,
            "ha_version": self.home.config.version,
            "entities": len(self.home.states),
            "exposed": len(self.home.exposed),
            "mode": self.settings.policy.mode,
            "preset": self.gate.policy().preset.value,
            "dry_run": self.settings.policy.dry_run,
            "model": self.settings.model.kind.value,
            **({"rules": self.rules.told()} if self.rules else {}),
            "chronicle": self.memory.health(),
            **({"connection": self.link.health(), "mirror": self.link.mirror.health()} if self.link else {}),
        }

    async def _ha_user(self, user_id: str) -> HaUser | None:
        """Return the user as Home Assistant knows them now, None for one that it does not know."""
        users = await users_of(self.link) if self.link else ()
        return next((user for user in users if user.user_id == user_id), None)

    def _door_redactor(self) -> Redactor:
        """Return what takes our secrets out of a request, where they have no business."""
        redactor = Redactor()
        for secret in (self.token, *secrets_in(self.settings)):
            if len(secret) >= MIN_DOOR_SECRET:
                redactor.add(secret)
        return redactor

    def with_model(self, model: Callable[[], Model]) -> Steward:
        """Return another steward over the same rooms whose model is what `model` gives for each run."""
        reasoner = Reasoner(Kernel(self.registry, self.home, self.clock), model)
        return Steward(
            self.home,
            self.gate,
            self.understander,
            self.clock,
            self.run_store,
            settings=steward_settings(self.settings),
            reasoner=reasoner,
            prover=self.desk.step_up if self.desk else None,
            offers=self.offers,
            schedules=self.schedules,
            sources=partial(_sources, self.memory, self.link),
        )


@asynccontextmanager
async def open_house(
    config: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    clock: Clock | None = None,
    *,
    through: Callable[[Dispatcher], Dispatcher] = lambda dispatcher: dispatcher,
    patient: bool = False,
    limits: Limits | None = None,
) -> AsyncIterator[House]:
    """Read the settings, take the data folder, connect to Home Assistant and build the rooms; undo it all at the end.

    `through` may stand between the gate and the home, as a trial does to see what is sent. A `patient` house opens also while
    Home Assistant cannot be reached or still starts, with what was kept of it, and is connected when it is there.

    Raises the error of whatever is missing: bad_settings, data_folder_locked, auth_failed and, unless it is patient,
    not_connected. None holds a secret, wherever in the settings it stands.
    """
    settings = load_settings(config, overrides).settings
    redactor = Redactor()
    for secret in secrets_in(settings):
        redactor.add(secret)
    clean_logs(redactor, settings.log_level)
    async with AsyncExitStack() as undo:
        undo.enter_context(cleaned(redactor))
        folder = undo.enter_context(data_folder(settings.data))
        access = access_of(settings.ha)
        _require_address(access)
        clock = clock or SystemClock()
        mirror = Mirror(kept_home_id(folder.path, access.url), clock)
        if known := await asyncio.to_thread(load, folder.path, mirror.home_id):
            mirror.restore(known)
        link = HomeLink(access, mirror, limits=limits, clock=clock, redactor=redactor)
        keeper = Keeper(mirror, link.life, folder.path)
        undo.push_async_callback(keeper.close)  # once more when the link has ended
        undo.push_async_callback(link.close)
        await link.start()
        keeper.start()
        try:
            await link.settled(FIRST_S if patient else None)
        except HomestewardError as error:
            if not patient or isinstance(error, NOT_MENDED_BY_WAITING):
                raise
        dispatcher = through(HaDispatcher(link, mirror))
        yield await undo.enter_async_context(
            wire(settings, mirror, dispatcher, folder.path, clock, redactor, link=link)
        )


def _sources(memory: Memory, link: HomeLink | None) -> Sources:
    """Return where the past, calendars, lists and forecasts can be looked up at present."""
    return Sources(memory.rooms[0], ServiceReads(link) if link else None)


def _require_address(access: Access) -> None:
    """Raise the error of an address that is none: waiting would not mend it."""
    if not access.url:
        raise NoHomeError(
            "No Homesteward runs here, and no Home Assistant is set up (ha.url and ha.token).",
            next="Start the demo home with 'homesteward demo up', or set up your own: docs/install.md.",
        )
    try:
        socket_url(access.socket)
    except ValueError:
        raise NoHomeError(
            f"{access.url} is no address of a Home Assistant.",
            next="Set ha.url, such as http://homeassistant.local:8123.",
        ) from None


@asynccontextmanager
async def wire(
    settings: Settings,
    home: HeardHome,
    dispatcher: Dispatcher,
    folder: Path,
    clock: Clock,
    redactor: Redactor,
    *,
    link: HomeLink | None = None,
    remember: bool = True,
) -> AsyncIterator[House]:
    """Build every room over `home`; what they hold is given back at the end. Without `remember` there is no chronicle."""
    async with AsyncExitStack() as undo:
        database = await Database.open(settings.store.url.get_secret_value() or folder / DATABASE)
        undo.push_async_callback(database.close)
        language = partial(_language, settings, home)
        entry = await open_entry(settings, database, home.home_id, folder, clock, redactor, language)
        undo.push_async_callback(entry.notices.close)
        memory = Memory()
        if remember:
            memory = await undo.enter_async_context(open_memory(settings, home, folder, clock, redactor, link))
        if link:
            await undo.enter_async_context(looking_after(link.mirror, link, entry.desk))
        windows = windows_of(memory, home, clock)
        undo.callback(windows.start())
        policy = settings.policy
        rules = RuleKeeper(
            folder / policy.file,
            database,
            home.home_id,
            clock,
            preset=Preset(policy.preset),
            witness=entry.witness,
        )
        undo.callback(await rules.start())
        reserved = ReservedCalls()
        later = Later.of(home, database, clock, reserved)
        offers = undo.enter_context(open_offers(home, database, clock, entry, reserved, language))
        access = access_of(settings.ha)
        configuration = await undo.enter_async_context(
            open_configuration(access, link, database, clock, entry, reserved)
        )
        gate = Gate(
            home,
            dispatcher,
            database,
            clock=clock,
            reserved=reserved,
            policy=lambda: replace(rules.policy(), notify=settings.notices.target),
            mode=Mode(policy.mode),
            dry_run=policy.dry_run,
            window_factor=policy.verify_factor,
            ties=Ties(
                entry.has_pin,
                record=memory.record,
                witness=entry.witness,
                tell=entry.notices.tell,
                codes=entry.strongbox,
                still=entry.desk.still.require,
                windows=windows.of,
            ),
        )
        await gate.start()
        undo.push_async_callback(gate.close)
        undo.enter_context(telling(settings, home, gate, entry, rules, clock, redactor))
        await undo.enter_async_context(later.running(gate, entry, language))
        understander, run_store = Understander(home, clock), RunStore(database, home.home_id, clock)
        steward = Steward(
            home,
            gate,
            understander,
            clock,
            run_store,
            settings=steward_settings(settings),
            prover=entry.desk.step_up,
            offers=offers,
            schedules=later.store,
            sources=partial(_sources, memory, link),
        )
        token = secrets.token_urlsafe(32)
        redactor.add(token)
        house = House(
            settings=settings,
            clock=clock,
            home=home,
            gate=gate,
            registry=standard_tools(
                home, gate, *memory.rooms, clock=clock, schedules=later.store, configuration=configuration
            ),
            understander=understander,
            steward=steward,
            token=token,
            redactor=redactor,
            run_store=run_store,
            link=link,
            desk=entry.desk,
            audit=entry.audit,
            rules=rules,
            notices=entry.notices,
            strongbox=entry.strongbox,
            offers=offers,
            schedules=later.store,
            configuration=configuration,
            memory=memory,
            windows=windows if remember else None,
        )
        if built := build_model(settings.model):
            from homesteward.app.discreet import DiscreetModel  # noqa: PLC0415 - the model library, only where there is one

            model = await undo.enter_async_context(DiscreetModel(built, redactor))
            house = replace(house, steward=house.with_model(lambda: model))
        undo.push_async_callback(house.steward.close)
        yield house


def _language(settings: Settings, home: HeardHome) -> str:
    return settings.language or home.config.language


def steward_settings(settings: Settings) -> StewardSettings:
    """Return what the steward needs of the settings."""
    return StewardSettings(Mode(settings.policy.mode), settings.language, settings.profile)
