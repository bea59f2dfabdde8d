"""The tool `overview`: the house at a glance, per area."""

from collections import Counter
from collections.abc import Iterable, Mapping

from homesteward.core.json import JsonValue
from homesteward.home.live import LiveHome
from homesteward.home.model import State
from homesteward.home.view import area_of
from homesteward.people.scoped import scoped
from homesteward.tools.tool import Arguments, Tool, ToolContext, ToolResult

NOTABLE = frozenset(
    {
        "on",
        "open",
        "opening",
        "closing",
        "unlocked",
        "unlocking",
        "jammed",
        "playing",
        "cleaning",
        "mowing",
        "triggered",
    }
)
MOST_NOTABLE = 12  # per area; the counts say how many there are


class OverviewArguments(Arguments):
    """Nothing to choose."""


def overview_tool(home: LiveHome) -> Tool[OverviewArguments]:
    """Return the tool on `home`. It answers `{home, entities, areas: [{area, floor, counts, notable}], unavailable}`."""

    async def run(_: OverviewArguments, context: ToolContext) -> ToolResult:
        return ToolResult(ok=True, data=_overview(scoped(home, context.caller)))

    return Tool(
        "overview",
        "See the whole home at a glance: per area how many devices of each kind, and what is on, open, unlocked or unavailable.",
        OverviewArguments,
        run,
    )


def _overview(home: LiveHome) -> JsonValue:
    by_area: dict[str, list[State]] = {}
    for entity_id in sorted(home.exposed & home.states.keys()):
        area = area_of(home, entity_id)
        by_area.setdefault(area.area_id if area else "", []).append(home.states[entity_id])
    everything = [state for states in by_area.values() for state in states]
    return {
        "home": home.config.name,
        "entities": len(everything),
        "areas": [_area(home, area_id, by_area[area_id]) for area_id in sorted(by_area, key=lambda a: (a == "", a))],
        "unavailable": [_said(state) for state in everything if state.state == "unavailable"],
    }


def _area(home: LiveHome, area_id: str, states: Iterable[State]) -> Mapping[str, JsonValue]:
    states = list(states)
    area = home.areas.get(area_id)
    floor = home.floors.get(area.floor_id or "") if area else None
    notable = [_said(state) for state in states if state.state in NOTABLE]
    return {
        "area": area.name if area else None,
        "area_id": area_id or None,
        "floor": floor.name if floor else None,
        "counts": dict(sorted(Counter(state.domain for state in states).items())),
        "notable": notable[:MOST_NOTABLE],
        "notable_total": len(notable),
    }


def _said(state: State) -> Mapping[str, JsonValue]:
    return {"entity_id": state.entity_id, "name": state.name, "state": state.state}
