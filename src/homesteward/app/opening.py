"""Opening a house: every room built over one home, and given back at the end."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from homesteward.actions import Gate, Mode, Ties
from homesteward.actions.doings import Doings
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.actions.rule_keeper import RuleKeeper
from homesteward.app.configuring import open_configuration
from homesteward.app.entry import open_entry
from homesteward.app.folder import data_folder, kept_home_id
from homesteward.app.guarded import cleaned, secrets_in
from homesteward.app.house import House, sources_of, steward_settings
from homesteward.app.later import Later
from homesteward.app.logs import clean_logs
from homesteward.app.memory import Memory, looking_after, open_memory, windows_of
from homesteward.app.offering import open_offers
from homesteward.app.telling import telling
from homesteward.core import Clock, SystemClock
from homesteward.core.errors import HomestewardError
from homesteward.core.redaction import Redactor
from homesteward.home.access import Access, access_of
from homesteward.home.connection import socket_url
from homesteward.home.dispatch import Dispatcher, HaDispatcher
from homesteward.home.errors import AuthFailedError, NeedsAdminError, UnexpectedAnswerError
from homesteward.home.life import Limits
from homesteward.home.link import HomeLink
from homesteward.home.live import HeardHome
from homesteward.home.mirror import Mirror
from homesteward.home.snapshot import Keeper, load
from homesteward.language import Understander
from homesteward.models import build_model
from homesteward.policy import Preset
from homesteward.settings import Settings, load_settings
from homesteward.steward import RunStore, Steward
from homesteward.store import Database
from homesteward.tools import standard_tools

DATABASE = "homesteward.db"
FIRST_S = 5.0  # how long a service that waits for its home holds back its own start: a home that runs is read by then
NOT_MENDED_BY_WAITING = (
    AuthFailedError,
    NeedsAdminError,
    UnexpectedAnswerError,
)  # settings are read once, at the start


class NoHomeError(HomestewardError):
    """No Home Assistant is set up."""

    code = "not_connected"


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
                witness=doings,
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
            sources=partial(sources_of, memory, link),
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
            doings=doings,
        )
        if built := build_model(settings.model):
            from homesteward.app.discreet import DiscreetModel  # noqa: PLC0415 - the model library, only where there is one

            model = await undo.enter_async_context(DiscreetModel(built, redactor))
            house = replace(house, steward=house.with_model(lambda: model))
        undo.push_async_callback(house.steward.close)
        yield house


def _language(settings: Settings, home: HeardHome) -> str:
    return settings.language or home.config.language
