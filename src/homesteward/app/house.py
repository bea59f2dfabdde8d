"""A whole Homesteward: every room, wired to one home."""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from homesteward import __version__
from homesteward.actions import Gate, Mode, Ties
from homesteward.actions.doings import Doings
from homesteward.actions.notices import Notices
from homesteward.actions.rule_keeper import RuleKeeper
from homesteward.actions.strongbox import Strongbox
from homesteward.app.doctor import examine_house
from homesteward.app.entry import open_entry
from homesteward.app.logs import clean_logs
from homesteward.app.memory import Memory, looking_after, open_memory
from homesteward.app.model_trial import try_model
from homesteward.app.telling import telling
from homesteward.app.told_settings import told_settings
from homesteward.core import Clock, SystemClock
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject
from homesteward.core.redaction import Redactor
from homesteward.faces.web import Rooms, create_api
from homesteward.home.access import SUPERVISOR_TOKEN, Access, access_of
from homesteward.home.connection import socket_url
from homesteward.home.dispatch import Dispatcher, HaDispatcher
from homesteward.home.errors import AuthFailedError, NeedsAdminError, UnexpectedAnswerError
from homesteward.home.life import Limits
from homesteward.home.link import HomeLink
from homesteward.home.live import HeardHome, LiveHome, Undo
from homesteward.home.mirror import Mirror, id_of
from homesteward.home.sign_in import HaSignIn
from homesteward.home.snapshot import Keeper, load
from homesteward.home.users import HaUser, users_of
from homesteward.kernel import Kernel
from homesteward.language import Understander
from homesteward.models import build_model
from homesteward.people.desk import FrontDesk
from homesteward.policy import Preset
from homesteward.settings import Settings, load_settings
from homesteward.steward import Reasoner, RunStore, Steward, StewardSettings
from homesteward.store import Database, DataFolder
from homesteward.store.audit import Audit
from homesteward.store.postgres import password_of
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


class DataFolderUnusableError(HomestewardError):
    """The data folder cannot be made or written."""

    code = "data_folder_unusable"


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
    rules: RuleKeeper | None = None
    notices: Notices | None = None
    strongbox: Strongbox | None = None
    doings: Doings = field(default_factory=Doings)
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where each setting was set that is not a default."""

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
                notices=self.notices,
                doings=self.doings,
                run_store=self.run_store,
                watch_connection=self._watch_connection,
                strongbox=self.strongbox,
                sign_in=HaSignIn(access_of(self.settings.ha), self.settings.web.ha_url),
                ha_user=self._ha_user,
                values=lambda: told_settings(self.settings, self.sources),
                try_model=lambda: try_model(self.settings.model, self.clock, self.redactor),
                registry_of=lambda home: standard_tools(home, self.gate, *self.memory.rooms, clock=self.clock),
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

    def _watch_connection(self, callback: Callable[[], None]) -> Undo:
        """Call `callback` with each new phase of the connection, where there is one."""
        return self.link.life.watch(lambda _: callback()) if self.link else lambda: None

    def _door_redactor(self) -> Redactor:
        """Return what takes our secrets out of a request, where they have no business."""
        redactor = Redactor()
        for secret in (self.token, *_secrets(self.settings)):
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
    loaded = load_settings(config, overrides)
    settings, redactor = loaded.settings, Redactor()
    for secret in _secrets(settings):
        redactor.add(secret)
    clean_logs(redactor, settings.log_level)
    async with AsyncExitStack() as undo:
        undo.enter_context(_cleaned(redactor))
        folder = undo.enter_context(_data_folder(settings.data))
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
        wired = wire(settings, mirror, dispatcher, folder.path, clock, redactor, link=link)
        yield replace(await undo.enter_async_context(wired), sources=loaded.sources)


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


def kept_home_id(folder: Path, url: str) -> str:
    """Return the id that this data folder knows its home by, so that a new address does not lose the home's plans."""
    file = folder / "home_id"
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(id_of(url))
    return file.read_text().strip()


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
        entry = await open_entry(
            settings, database, home.home_id, folder, clock, redactor, lambda: settings.language or home.config.language
        )
        undo.push_async_callback(entry.notices.close)
        memory = Memory()
        if remember:
            memory = await undo.enter_async_context(open_memory(settings, home, folder, clock, redactor, link))
        if link:
            await undo.enter_async_context(looking_after(link.mirror, link, entry.desk))
        policy, doings = settings.policy, Doings(entry.witness)
        rules = RuleKeeper(
            folder / policy.file,
            database,
            home.home_id,
            clock,
            preset=Preset(policy.preset),
            witness=entry.witness,
        )
        undo.callback(await rules.start())
        gate = Gate(
            home,
            dispatcher,
            database,
            clock=clock,
            policy=lambda: replace(rules.policy(), notify=settings.notices.target),
            mode=Mode(policy.mode),
            dry_run=policy.dry_run,
            window_factor=policy.verify_factor,
            ties=Ties(
                entry.has_pin,
                record=memory.record,
                witness=doings,
                tell=entry.notices.tell,
                codes=entry.strongbox,
                still=entry.desk.still.require,
            ),
        )
        await gate.start()
        undo.push_async_callback(gate.close)
        undo.enter_context(telling(settings, home, gate, entry, rules, clock, redactor))
        understander, run_store = Understander(home, clock), RunStore(database, home.home_id, clock)
        steward = Steward(
            home,
            gate,
            understander,
            clock,
            run_store,
            settings=steward_settings(settings),
            prover=entry.desk.step_up,
        )
        token = secrets.token_urlsafe(32)
        redactor.add(token)
        house = House(
            settings=settings,
            clock=clock,
            home=home,
            gate=gate,
            registry=standard_tools(home, gate, *memory.rooms, clock=clock),
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
            memory=memory,
            doings=doings,
        )
        if built := build_model(settings.model):
            from homesteward.app.discreet import DiscreetModel  # noqa: PLC0415 - the model library, only where there is one

            model = await undo.enter_async_context(DiscreetModel(built, redactor))
            house = replace(house, steward=house.with_model(lambda: model))
        undo.push_async_callback(house.steward.close)
        yield house


def steward_settings(settings: Settings) -> StewardSettings:
    """Return what the steward needs of the settings."""
    return StewardSettings(Mode(settings.policy.mode), settings.language, settings.profile)


def _secrets(settings: Settings) -> tuple[str, ...]:
    given = os.environ.get(SUPERVISOR_TOKEN, "")
    keys = settings.store.key.get_secret_value().replace(",", " ").split()
    password = password_of(settings.store.url.get_secret_value())
    own = (settings.ha.token, settings.ha.refresh_token, settings.model.api_key)
    return (given, password, *keys, *(secret.get_secret_value() for secret in own))


@contextmanager
def _cleaned(redactor: Redactor) -> Iterator[None]:
    """Take every secret out of an error that passes: a token pasted for the address would be repeated in it."""
    try:
        yield
    except HomestewardError as error:
        error.message, error.next = redactor.clean(error.message), redactor.clean(error.next)
        error.args = (error.message,)
        raise


def _data_folder(path: Path) -> DataFolder:
    try:
        return DataFolder.open(path)
    except OSError as error:
        raise DataFolderUnusableError(
            f"The data folder {path} cannot be used: {error.strerror}.",
            next="Set another with HOMESTEWARD_DATA, or make this one yours.",
        ) from error
