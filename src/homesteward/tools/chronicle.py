"""The tool `chronicle`: search what happened in the house, and follow what led to what."""

from collections.abc import Collection, Iterator, Sequence

from pydantic import Field

from homesteward.chronicle.chains import Direction, Start
from homesteward.chronicle.graph import Certainty, Graph
from homesteward.chronicle.history import History
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind
from homesteward.core import Clock
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.live import LiveHome
from homesteward.tools.beheld import Beheld
from homesteward.tools.told import line_of, told
from homesteward.tools.tool import Arguments, Tool, ToolContext, ToolResult

MOST_IN_CHAIN = 50


class ChronicleArguments(Arguments):
    """What to look for. Everything that is given must hold."""

    text: str = Field(default="", max_length=200, description="Words in a name, a state, a trigger, a service.")
    entities: list[str] | str = Field(default="", description="Entity ids, names, or patterns such as light.*")
    domain: str = Field(default="", max_length=50, description="Only this domain.")
    area: str = Field(default="", max_length=200, description="Only this area.")
    kinds: list[Kind] = Field(default_factory=list, description="Only these kinds; act is what was done through here.")
    state: str = Field(default="", max_length=200, description="Only changes to this state.")
    user: str = Field(default="", max_length=200, description="Only what this person did.")
    since: str = Field(default="NOW-24h", max_length=80, description="NOW-2h, yesterday 18:00. The home's time.")
    until: str = Field(default="NOW", max_length=80, description="As since.")
    limit: int = Field(default=30, ge=1, le=60, description="The most rows, the newest.")
    cursor: str = Field(default="", max_length=100, description="To go on from an earlier answer.")
    chain: str = Field(default="", max_length=80, description="The ref of a row: what led to it and what it led to.")


def chronicle_tool(home: LiveHome, clock: Clock, chronicle: History) -> Tool[ChronicleArguments]:
    """Return the tool. It answers `{since, until, rows: [{at, kind, text, ref, by}], truncated, cursor}`, or a chain."""

    async def run(arguments: ChronicleArguments, context: ToolContext) -> ToolResult:
        beheld = Beheld.of(home, context, clock.now())
        if arguments.chain:
            graph = await chronicle.chain(Start(arguments.chain, Direction.BOTH), beheld.sees)
            return ToolResult(ok=True, data=_chain(graph, chronicle, beheld, context.language))
        return ToolResult(ok=True, data=await _search(arguments, chronicle, beheld, context.language))

    return Tool(
        "chronicle",
        "Search what happened in the house: changes, automations, scripts, scenes, calls and acts, by words, place, kind, person and "
        "time, the newest first. With chain: what led to a row and what it led to.",
        ChronicleArguments,
        run,
        needs_home=False,
        past=True,
    )


async def _search(arguments: ChronicleArguments, chronicle: History, beheld: Beheld, language: str) -> JsonObject:
    span = beheld.span(arguments.since, arguments.until)
    query = Query(
        entities=tuple(_entity(beheld, asked) for asked in _several(arguments.entities)),
        domains=_several(arguments.domain),
        areas=_several(arguments.area),
        states=_several(arguments.state),
        users=_several(arguments.user),
        kinds=frozenset(arguments.kinds),
        text=arguments.text,
        since=span.since,
        until=span.until,
        limit=arguments.limit,
        cursor=arguments.cursor,
    )
    recent = await chronicle.recent(query, language=language, visible=beheld.sees)
    page = recent.page
    rows: list[JsonValue] = [line_of(row, line, beheld) for row, line in zip(page.rows, recent.lines, strict=True)]
    notes: list[JsonValue] = [*span.notes, *page.notes]
    found: dict[str, JsonValue] = {
        "since": beheld.local(span.since),
        "until": beheld.local(span.until),
        "rows": rows,
        "truncated": page.truncated,
    }
    if page.truncated:
        found["cursor"] = page.cursor
    if notes:
        found["notes"] = notes
    return found


def _chain(graph: Graph, chronicle: History, beheld: Beheld, language: str) -> JsonObject:
    """Return the rows in the order in which they led to each other, and the links between them by place in that order."""
    rows = graph.story[:MOST_IN_CHAIN]
    places = {row.ref: place for place, row in enumerate(rows)}
    links: list[JsonValue] = [
        {"cause": places[cause], "effect": place, "certainty": certainty.value}
        for ref, place in places.items()
        for cause, certainty in _nearest(graph, ref, places)
    ]
    return {
        "rows": told(rows, chronicle, beheld, language),
        "links": links,
        "complete": graph.complete,
        "truncated": graph.truncated or graph.deeper or len(graph.story) > len(rows),
    }


def _nearest(graph: Graph, ref: str, told_of: Collection[str]) -> Iterator[tuple[str, Certainty]]:
    """Yield the nearest causes of a row that are told of, past those that are not, each as sure as the least sure link to it."""
    order = list(Certainty)
    seen, waiting = {ref}, [(ref, Certainty.CERTAIN)]
    while waiting:
        at, sure = waiting.pop()
        for link in graph.causes(at):
            certainty = max(sure, link.certainty, key=order.index)
            if link.cause in told_of:
                yield link.cause, certainty
            elif link.cause not in seen:
                seen.add(link.cause)
                waiting.append((link.cause, certainty))


def _entity(beheld: Beheld, asked: str) -> str:
    return asked if "*" in asked or "?" in asked else beheld.one(asked)


def _several(value: Sequence[str] | str) -> tuple[str, ...]:
    """Return one or several as a tuple, empty for nothing."""
    return tuple(each for each in ([value] if isinstance(value, str) else value) if each)
