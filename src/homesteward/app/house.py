"""A whole Homesteward: every room, wired to one home."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from homesteward import __version__
from homesteward.actions import Gate, Mode
from homesteward.actions.doings import Doings
from homesteward.actions.ha_config import ConfigRoom
from homesteward.actions.notices import Notices
from homesteward.actions.offers import Offers
from homesteward.actions.rule_keeper import RuleKeeper
from homesteward.actions.schedule import ScheduleStore
from homesteward.actions.strongbox import Strongbox
from homesteward.actions.windows import Windows
from homesteward.app.doctor import examine_house
from homesteward.app.guarded import secrets_in
from homesteward.app.memory import Memory
from homesteward.app.model_trial import try_model
from homesteward.app.told_settings import told_settings
from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.core.redaction import Redactor
from homesteward.faces.web import Rooms, create_api
from homesteward.home.access import access_of
from homesteward.home.link import HomeLink
from homesteward.home.live import LiveHome, Undo
from homesteward.home.service_reads import ServiceReads
from homesteward.home.sign_in import HaSignIn
from homesteward.home.users import HaUser, users_of
from homesteward.kernel import Kernel
from homesteward.language import Sources, Understander
from homesteward.people.desk import FrontDesk
from homesteward.settings import Settings
from homesteward.steward import Reasoner, RunStore, Steward, StewardSettings
from homesteward.store.audit import Audit
from homesteward.tools import ToolRegistry, standard_tools

if TYPE_CHECKING:
    from fastapi import FastAPI
    from pydantic_ai.models import Model

MIN_DOOR_SECRET = 12  # characters; a shorter key, such as a local model's "none", may be a word that somebody means


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
                windows=self.windows,
                notices=self.notices,
                doings=self.doings,
                run_store=self.run_store,
                watch_connection=self._watch_connection,
                strongbox=self.strongbox,
                offers=self.offers,
                configuration=self.configuration,
                schedules=self.schedules,
                sign_in=HaSignIn(access_of(self.settings.ha), self.settings.web.ha_url),
                ha_user=self._ha_user,
                values=lambda: told_settings(self.settings, self.sources),
                try_model=lambda: try_model(self.settings.model, self.clock, self.redactor),
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

    def _watch_connection(self, callback: Callable[[], None]) -> Undo:
        """Call `callback` with each new phase of the connection, where there is one."""
        return self.link.life.watch(lambda _: callback()) if self.link else lambda: None

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
            sources=partial(sources_of, self.memory, self.link),
        )


def sources_of(memory: Memory, link: HomeLink | None) -> Sources:
    """Return where the past, calendars, lists and forecasts can be looked up at present."""
    return Sources(memory.rooms[0], ServiceReads(link) if link else None)


def steward_settings(settings: Settings) -> StewardSettings:
    """Return what the steward needs of the settings."""
    return StewardSettings(Mode(settings.policy.mode), settings.language, settings.profile)
