"""Answering what no state tells: from the chronicle, and from what Home Assistant tells by a service. In the language asked, in local time."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from homesteward.chronicle import History
from homesteward.chronicle.sight import Visible
from homesteward.core.json import JsonObject
from homesteward.home.model import EMPTY, State
from homesteward.home.view import HomeView
from homesteward.language.coming import events_text, forecast_text, items_text, timer_text
from homesteward.language.names import called
from homesteward.language.past import how_long, how_often, last_time
from homesteward.language.reading import Recalls, Says
from homesteward.language.spans import span_of
from homesteward.language.texts import Texts, texts


class Reads(Protocol):
    """What can be read of a home by calling a service that changes nothing."""

    async def read(self, domain: str, service: str, entity_id: str, data: JsonObject = EMPTY) -> JsonObject:
        """Return what the service tells of the entity."""
        ...


@dataclass(frozen=True, slots=True)
class Sources:
    """Where answers are looked up; None where there is no such source. `visible` is what exists for whoever asks."""

    history: History | None = None
    reads: Reads | None = None
    visible: Visible | None = None


async def retell(asked: Recalls, view: HomeView, sources: Sources, language: str, now: datetime) -> Says:
    """Return the answer to what was asked. `now` is in the home's time zone.

    What the chronicle or Home Assistant cannot tell is said; raises what asking them raises where they are out of reach.
    """
    said = texts(language)
    told = [await _told(asked, name, view, sources, said, now) for name in asked.entity_ids]
    return Says(" ".join(dict.fromkeys(told)), asked.entity_ids)


async def _told(asked: Recalls, entity_id: str, view: HomeView, sources: Sources, said: Texts, now: datetime) -> str:
    state = view.states.get(entity_id) or State(entity_id, "unavailable")
    name = called(view, entity_id)
    if asked.kind == "timers":
        return timer_text(state, name, said, now)
    if asked.kind in SERVICES:
        if sources.reads is None:
            return said("recall.no_reads")
        return await SERVICES[asked.kind](asked, state, name, sources.reads, said, now)
    if sources.history is None:
        return said("recall.no_memory")
    if asked.kind == "why":
        return (await sources.history.why(entity_id, language=said.language, visible=sources.visible)).text
    return await PAST[asked.kind](asked, state, name, sources.history, sources.visible, said, now)


type _Past = Callable[[Recalls, State, str, History, Visible | None, Texts, datetime], Awaitable[str]]
type _Service = Callable[[Recalls, State, str, Reads, Texts, datetime], Awaitable[str]]
PAST: Mapping[str, _Past] = {"last": last_time, "how_long": how_long, "how_often": how_often}
OF_THE_PAST = frozenset({"why", *PAST})
"""The kinds of question whose answer tells what was done, when or by whom."""


async def _events(asked: Recalls, state: State, name: str, reads: Reads, said: Texts, now: datetime) -> str:
    since, until = span_of(asked.span, now)
    span = {"start_date_time": since.isoformat(), "end_date_time": until.isoformat()}
    found = await reads.read("calendar", "get_events", state.entity_id, span)
    return events_text(found, name, asked.span, said, now)


async def _items(_asked: Recalls, state: State, name: str, reads: Reads, said: Texts, _now: datetime) -> str:
    found = await reads.read("todo", "get_items", state.entity_id, {"status": ["needs_action"]})
    return items_text(found, name, said)


async def _forecast(asked: Recalls, state: State, name: str, reads: Reads, said: Texts, now: datetime) -> str:
    found = await reads.read("weather", "get_forecasts", state.entity_id, {"type": "daily"})
    return forecast_text(found, state, name, asked.span, said, now)


SERVICES: Mapping[str, _Service] = {"events": _events, "items": _items, "forecast": _forecast}
