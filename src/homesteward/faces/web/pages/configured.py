"""How an automation, script or scene is written: its YAML as it is now, and its versions."""

from collections.abc import Iterator
from dataclasses import dataclass

from homesteward.actions.ha_config import ConfigRoom
from homesteward.actions.ha_config.text import written
from homesteward.actions.ha_config.versions import FOUND, Version
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.authority import GRANTED, Authority
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.visit import Visit

KINDS = frozenset({"automation", "script", "scene"})  # whose entities have an object of their own behind them


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version. `found`: it was found in Home Assistant, and nobody here wrote it; `there`: there was such an object."""

    n: int
    at: Moment
    author: str
    found: bool
    plan_id: str
    there: bool
    present: bool


@dataclass(frozen=True, slots=True)
class Configured:
    """How it is written now, and how it was; `trouble` says why it cannot be shown."""

    yaml: str
    versions: tuple[VersionRow, ...]
    trouble: str = ""


def room_for(stage: Stage, visit: Visit, entity_id: str) -> ConfigRoom | None:
    """Return where the entity's configuration is kept, None where it has none, or whoever looks has no say in it."""
    may = Authority.CONFIGURE in GRANTED[visit.caller.role] and visit.caller.reach is None
    return stage.rooms.configuration if may and kind_of(entity_id) in KINDS else None


def kind_of(entity_id: str) -> str:
    """Return the kind of configuration that an entity is made by."""
    return entity_id.partition(".")[0]


async def configured(stage: Stage, visit: Visit, entity_id: str) -> Configured | None:
    """Return how the entity is written, None where that is not told."""
    room = room_for(stage, visit, entity_id)
    if room is None:
        return None
    kind = kind_of(entity_id)
    try:
        shown, versions = await room.show(kind, entity_id), await room.listed(kind, entity_id)
    except HomestewardError as error:
        return Configured("", (), f"{error.message} {error.next}".strip())
    return Configured(written(shown.config), tuple(_rows(versions, shown.hash, visit)))


def _rows(versions: tuple[Version, ...], now: str, visit: Visit) -> Iterator[VersionRow]:
    newest = next((version.n for version in versions if version.hash == now), 0)
    for version in versions:
        yield version_row(version, visit, present=version.n == newest)


def version_row(version: Version, visit: Visit, *, present: bool) -> VersionRow:
    """Return a version as a row."""
    return VersionRow(
        version.n,
        visit.when(version.at),
        version.author,
        version.author == FOUND,
        version.plan_id,
        version.config is not None,
        present,
    )
