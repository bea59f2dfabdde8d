"""Settings of the house: how it is connected, what is remembered and for how long, backups, and how healthy all of it is."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from homesteward import __version__
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject
from homesteward.faces.web.authority import Purpose
from homesteward.faces.web.fields import fields_of
from homesteward.faces.web.forgetting import chronicle_of, forgotten
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.proving import Proving, Refused, proven, proving, refused
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.states import Look, Tone
from homesteward.faces.web.pages.tabs import Tab, settings_tabs
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.rooms import Check, Value

HERE = "settings"
CHECK_LOOKS = {
    "ok": Look(N_("Fine"), "check", Tone.GOOD),
    "warn": Look(N_("Look at this"), "alert", Tone.WAITS),
    "fail": Look(N_("Broken"), "alert", Tone.BAD),
}
CHECK_NAMES = {
    "settings": N_("Settings"),
    "rules": N_("Rules"),
    "home assistant": N_("Home Assistant"),
    "exposure": N_("What Assist may reach"),
    "model": N_("Language model"),
    "database": N_("Database"),
    "chronicle": N_("Memory"),
    "audit": N_("Audit"),
    "disk": N_("Disk"),
    "clock": N_("Clock"),
}
ROWS = {
    "state": N_("Changes of states"),
    "call": N_("Calls that Home Assistant made"),
    "act": N_("What Homesteward did"),
    "automation": N_("Runs of automations"),
    "script": N_("Runs of scripts"),
    "scene": N_("Scenes set"),
}


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One thing that was looked at."""

    name: str
    look: Look
    message: str
    next: str


@dataclass(frozen=True, slots=True)
class ConnectionPage:
    """How the house hangs together: every check, and the settings behind it with where each was set."""

    checks: tuple[CheckRow, ...]
    values: tuple[Value, ...]
    model: Check | None
    tabs: tuple[Tab, ...]
    tab: str = "connection"


@dataclass(frozen=True, slots=True)
class Kept:
    """What the chronicle holds."""

    rows: tuple[tuple[str, int], ...]
    size_mb: float
    oldest: Moment | None
    keep_days: int
    outages: int


@dataclass(frozen=True, slots=True)
class PrivacyPage:
    """What is stored, for how long; and how to have it forgotten."""

    kept: Kept | None
    trouble: str
    purged: int | None
    before: str
    proving: Proving
    refused: Refused | None
    tabs: tuple[Tab, ...]
    tab: str = "privacy"


@dataclass(frozen=True, slots=True)
class PlainPage:
    """A page that needs little: the version, and how much of the health document is for whoever looks."""

    health: JsonObject
    version: str
    tabs: tuple[Tab, ...]
    tab: str


def settings_home(stage: Stage) -> APIRouter:
    """Return the routes of the house's own settings."""
    router = APIRouter(include_in_schema=False)
    _connection(router, stage)
    _privacy(router, stage)
    _plain(router, stage)
    return router


def _connection(router: APIRouter, stage: Stage) -> None:
    visitor = Depends(stage.visitor())

    async def shown(visit: Visit, model: Check | None = None) -> Response:
        rooms = stage.rooms
        checks = tuple(_check_row(each) for each in await rooms.examine())
        view = ConnectionPage(checks, tuple(rooms.values()), model, settings_tabs(visit.caller.role))
        return await stage.page(visit, "settings_connection", view, here=HERE, kept=False)

    @router.get("/settings/connection")
    async def connection(visit: Annotated[Visit, visitor]) -> Response:
        """Examine everything, and show how it is set."""
        return await shown(visit)

    @router.post("/settings/connection/model")
    async def model(visit: Annotated[Visit, visitor]) -> Response:
        """Ask the model one word, and show whether it answers."""
        return await shown(visit, await stage.rooms.try_model())


def _privacy(router: APIRouter, stage: Stage) -> None:
    visitor = Depends(stage.visitor())

    async def shown(
        visit: Visit, *, wrong: Refused | None = None, before: str = "", purged: int | None = None
    ) -> Response:
        kept, trouble = await _kept(stage, visit)
        prove = await proving(stage, visit, Purpose.PURGE)
        view = PrivacyPage(kept, trouble, purged, before, prove, wrong, settings_tabs(visit.caller.role))
        return await stage.page(
            visit, "settings_privacy", view, here=HERE, kept=False, status=wrong.status if wrong else 200
        )

    @router.get("/settings/privacy")
    async def privacy(visit: Annotated[Visit, visitor]) -> Response:
        """Show what is stored."""
        return await shown(visit)

    @router.post("/settings/privacy/purge")
    async def purge(visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Forget what happened before a day; that it was done stays in the audit."""
        fields = await fields_of(request)
        before = fields.get("before", "")[:100]
        try:
            by = await proven(stage, visit, Purpose.PURGE, fields)
            purged = await forgotten(chronicle_of(stage.rooms), stage.rooms.audit, by, before)
        except HomestewardError as error:
            return await shown(visit, wrong=refused(error), before=before)
        return await shown(visit, before=before, purged=sum(purged.rows.values()))


def _plain(router: APIRouter, stage: Stage) -> None:
    visitor = Depends(stage.visitor())

    async def shown(visit: Visit, tab: str) -> Response:
        view = PlainPage(stage.rooms.describe(), __version__, settings_tabs(visit.caller.role), tab)
        return await stage.page(visit, f"settings_{tab}", view, here=HERE, kept=False)

    @router.get("/settings/backup")
    async def backup(visit: Annotated[Visit, visitor]) -> Response:
        """Say how the whole state is kept elsewhere and put back."""
        return await shown(visit, "backup")

    @router.get("/settings/about")
    async def about(visit: Annotated[Visit, visitor]) -> Response:
        """Say what this is, in which version, and how it does."""
        return await shown(visit, "about")


def _check_row(check: Check) -> CheckRow:
    look = CHECK_LOOKS.get(check.status, CHECK_LOOKS["warn"])
    return CheckRow(CHECK_NAMES.get(check.check, check.check), look, check.message, check.next)


async def _kept(stage: Stage, visit: Visit) -> tuple[Kept | None, str]:
    try:
        stats = await chronicle_of(stage.rooms).stats()
    except HomestewardError as error:
        return None, f"{error.message} {error.next}".strip()
    rows = stats["rows"] if isinstance(stats["rows"], dict) else {}
    told = tuple((ROWS.get(str(kind), str(kind)), int(str(count))) for kind, count in rows.items())
    oldest = visit.when(datetime.fromisoformat(str(stats["oldest"]))) if stats["oldest"] else None
    size = float(str(stats["size_bytes"] or 0)) / 1e6
    return Kept(told, size, oldest, int(str(stats["keep_days"])), int(str(stats["outages_total"]))), ""
