"""The tool `find`: which exposed entities fit some words, a domain or an area."""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import cast

from pydantic import Field

from homesteward.core.json import JsonValue
from homesteward.core.text import forms, neighbours
from homesteward.home.live import LiveHome
from homesteward.home.view import HomeView, area_of, names_of
from homesteward.people.scoped import VIEWS, scoped
from homesteward.tools.places import area_id_of
from homesteward.tools.tool import Arguments, Tool, ToolContext, ToolResult
from homesteward.tools.words import SHORTEST_STEM, Entry, WordIndex, alike, words_of

CLOSEST = 5  # near misses shown where nothing fits


class FindArguments(Arguments):
    """What to look for."""

    query: str = Field(
        "", max_length=200, description="Words of a name, an area or a kind of device. Empty finds everything."
    )
    domain: str = Field(default="", description="Only this domain, for example light.")
    area: str = Field(default="", description="Only this area: its id or its name.")
    limit: int = Field(default=25, ge=1, le=100, description="The most rows to return.")


def find_tool(home: LiveHome) -> Tool[FindArguments]:
    """Return the tool on `home`. It answers `{total, shown, entities: [{entity_id, name, aliases, area, state}]}`."""

    @lru_cache(maxsize=VIEWS)
    def index_of(view: Hashable) -> WordIndex:
        """Return the words of one view that callers have of the home."""
        return WordIndex(cast("HomeView", view))

    async def run(arguments: FindArguments, context: ToolContext) -> ToolResult:
        view = scoped(home, context.caller)
        index = index_of(cast("Hashable", view))
        area_id = area_id_of(view, arguments.area) if arguments.area else None
        entries = [entry for entry in index.entries.values() if _within(view, entry, arguments.domain, area_id)]
        found = _ranked(entries, arguments.query)
        closest = [] if found else _closest(entries, arguments.query)
        return ToolResult(ok=True, data=_answer(view, found, arguments.limit, closest))

    return Tool(
        "find",
        "Find devices and sensors of this home by words, domain or area. Use it to learn entity ids before anything else.",
        FindArguments,
        run,
    )


def row(home: HomeView, entity_id: str) -> dict[str, JsonValue]:
    """Return what tells one entity from another; aliases stay apart from the name."""
    name, *aliases = names_of(home, entity_id) or (entity_id,)
    area, state = area_of(home, entity_id), home.states.get(entity_id)
    return {
        "entity_id": entity_id,
        "name": name,
        "aliases": list(aliases),
        "area": area.name if area else None,
        "state": state.state if state else None,
    }


def _answer(home: HomeView, found: Sequence[str], limit: int, closest: Sequence[str]) -> JsonValue:
    shown: list[JsonValue] = [row(home, entity_id) for entity_id in found[:limit]]
    near: list[JsonValue] = [row(home, entity_id) for entity_id in closest]
    answer: dict[str, JsonValue] = {"total": len(found), "shown": len(shown), "entities": shown}
    return answer | ({"closest": near} if near else {})


def _within(home: HomeView, entry: Entry, domain: str, area_id: str | None) -> bool:
    if domain and entry.entity_id.partition(".")[0] != domain:
        return False
    area = area_of(home, entry.entity_id) if area_id else None
    return area_id is None or (area is not None and area.area_id == area_id)


def _ranked(entries: Sequence[Entry], query: str) -> list[str]:
    """Return the entities that fit every word of `query`: first those named so, then those whose name holds it, then the rest."""
    spellings = forms(query)
    wanted = [words_of([word]) for word in query.split()]
    ranks = {}
    for entry in entries:
        if entry.names & spellings or entry.entity_id == query:
            ranks[entry.entity_id] = 0
        elif all(any(_fits(form, entry.words) for form in word) for word in wanted):
            ranks[entry.entity_id] = 1 if any(form in name for form in spellings for name in entry.names) else 2
    return sorted(ranks, key=lambda entity_id: (ranks[entity_id], entity_id))


def _fits(wanted: str, words: frozenset[str]) -> bool:
    return alike(wanted, words) or (len(wanted) > SHORTEST_STEM and any(word.startswith(wanted) for word in words))


def _closest(entries: Sequence[Entry], query: str) -> list[str]:
    """Return the nearest misses, by the look of a name or of the entity id."""
    spelled = {name: entry.entity_id for entry in entries for name in (*entry.names, entry.entity_id)}
    return list(dict.fromkeys(spelled[name] for name in neighbours(query, spelled, CLOSEST)))
