"""The tool `home_at`: how the house was at a moment of the past, or what differs between two."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field

from homesteward.chronicle.history import History
from homesteward.chronicle.moments import Changed, HouseAt, Known, Unknown
from homesteward.core import Clock
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.live import LiveHome
from homesteward.home.view import area_of
from homesteward.tools.beheld import Beheld
from homesteward.tools.places import area_id_of
from homesteward.tools.tool import Arguments, Tool, ToolContext, ToolResult

FEW = 12  # entities of which the attributes are told as well
MOST_UNKNOWN = 10  # named; the rest are counted


class HomeAtArguments(Arguments):
    """When, and of what."""

    at: str = Field(
        min_length=1, max_length=80, description="yesterday 18:00, NOW-2h, 2026-11-03 18:02. The home's time."
    )
    compare_with: str = Field(
        default="", max_length=80, description="A later moment, such as NOW: then what differs is answered."
    )
    entities: list[str] | str = Field(default="", description="Only these entity ids or names.")
    area: str = Field(default="", max_length=200, description="Only this area.")
    domain: str = Field(default="", max_length=50, description="Only this domain.")
    limit: int = Field(default=80, ge=1, le=100, description="The most entities.")


def home_at_tool(home: LiveHome, clock: Clock, chronicle: History) -> Tool[HomeAtArguments]:
    """Return the tool. It answers `{at, total, states: {entity_id: {state, since}}, unknown}` or `{before, after, changed}`."""

    async def run(arguments: HomeAtArguments, context: ToolContext) -> ToolResult:
        beheld = Beheld.of(home, context, clock.now())
        wanted = _Wanted(beheld, arguments)
        at, notes = beheld.moment(arguments.at)
        if arguments.compare_with:
            later, more = beheld.moment(arguments.compare_with)
            notes += more
            data = await _difference(chronicle, wanted, at, later)
        else:
            data = _house(await chronicle.home_at(at, wanted.holds), wanted)
        return ToolResult(ok=True, data=dict(data) | ({"notes": list(notes)} if notes else {}))

    return Tool(
        "home_at",
        "How the house was at a moment of the past, or what differs between two. Narrow it by area, domain or entities.",
        HomeAtArguments,
        run,
        needs_home=False,
        past=True,
    )


class _Wanted:
    """Which entities are asked about, of those that may be seen."""

    def __init__(self, beheld: Beheld, arguments: HomeAtArguments) -> None:
        self.beheld = beheld
        self.limit = arguments.limit
        names = [arguments.entities] if isinstance(arguments.entities, str) else arguments.entities
        self._entities = {beheld.one(name) for name in names if name}
        self._area = area_id_of(beheld.home, arguments.area) if arguments.area else None
        self._domain = arguments.domain

    def holds(self, entity_id: str) -> bool:
        home = self.beheld.home
        if entity_id not in home.exposed and entity_id not in self._entities:
            return False
        area = area_of(home, entity_id) if self._area else None
        return (
            (not self._entities or entity_id in self._entities)
            and (not self._domain or entity_id.startswith(f"{self._domain}."))
            and (self._area is None or (area is not None and area.area_id == self._area))
        )


async def _difference(chronicle: History, wanted: _Wanted, at: datetime, later: datetime) -> JsonObject:
    beheld = wanted.beheld
    if later <= at:
        raise HomestewardError(
            f"{beheld.local(later)} is not later than {beheld.local(at)}.",
            code="bad_window",
            next="Give the earlier moment as at.",
        )
    found = await chronicle.difference(at, later, wanted.holds)
    changed: list[JsonValue] = [_changed(each, beheld) for each in found.changed[: wanted.limit]]
    return {
        "before": beheld.local(at),
        "after": beheld.local(later),
        "total": len(found.changed),
        "changed": changed,
        **_truncated(len(found.changed), wanted),
        **_unknown(found.unknown),
    }


def _house(house: HouseAt, wanted: _Wanted) -> JsonObject:
    """Return the states; inside a time in which nobody listened, those at its beginning, and that it is so."""
    beheld, known = wanted.beheld, house.before_outage or house.states
    shown = list(known.items())[: wanted.limit]
    states = {entity_id: _state(each, beheld, whole=len(known) <= FEW) for entity_id, each in shown}
    silent: JsonObject = {}
    if house.outage:
        silent = {"not_heard_since": beheld.local(house.outage.start), "reason": house.outage.reason}
    return {
        "at": beheld.local(house.at),
        "total": len(known),
        "states": states,
        **silent,
        **_truncated(len(known), wanted),
        **({} if house.outage else _unknown(house.unknown)),
    }


def _state(known: Known, beheld: Beheld, *, whole: bool) -> JsonValue:
    attributes = {"attributes": known.attributes} if whole and known.attributes else {}
    return {"state": known.state, **attributes, "since": beheld.local(known.since)}


def _changed(changed: Changed, beheld: Beheld) -> JsonValue:
    before, after = changed.before, changed.after
    attributes = (
        {"attributes_before": before.attributes, "attributes_after": after.attributes}
        if before and after and before.state == after.state
        else {}
    )
    return {
        "entity_id": changed.entity_id,
        "name": beheld.name(changed.entity_id),
        "before": before.state if before else None,
        "after": after.state if after else None,
        **attributes,
    }


def _truncated(total: int, wanted: _Wanted) -> JsonObject:
    return {"truncated": True, "left_out": total - wanted.limit} if total > wanted.limit else {}


def _unknown(unknown: Mapping[str, Unknown]) -> JsonObject:
    if not unknown:
        return {}
    why = next(iter(unknown.values())).value
    return {"unknown": {"total": len(unknown), "entities": list(unknown)[:MOST_UNKNOWN], "why": why}}
