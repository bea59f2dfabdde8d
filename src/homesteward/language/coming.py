"""Calendars, lists, forecasts and timers in words. What a service told is read with care: no field of it is certain."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.model import State
from homesteward.language.clock_words import day_text, length_text, moment_text
from homesteward.language.spans import span_of
from homesteward.language.texts import Texts

LISTED = 12  # entries told; more are counted
LONGEST = 120  # characters of what somebody wrote


def events_text(found: JsonObject, name: str, span: str, said: Texts, now: datetime) -> str:
    """Return what a calendar holds, as `calendar.get_events` told it."""
    shown = [_event(each, said, now) for each in _entries(found, "events")]
    if not shown:
        return said("recall.no_events", name=name, span=said.word("span", span or "today"))
    return said("recall.events", name=name, items=_listed(shown, said))


def items_text(found: JsonObject, name: str, said: Texts) -> str:
    """Return what is still to do on a list, as `todo.get_items` told it."""
    shown = [_short(each.get("summary")) for each in _entries(found, "items")]
    key = "recall.items" if shown else "recall.no_items"
    return said(key, name=name, items=_listed(shown, said))


def forecast_text(found: JsonObject, state: State, name: str, span: str, said: Texts, now: datetime) -> str:
    """Return the forecast of each day of the stretch, as `weather.get_forecasts` told it."""
    since, until = span_of(span, now)
    days = [
        (day, each)
        for each in _entries(found, "forecast")
        if (day := _moment(each.get("datetime"), now)) and since <= day < until
    ]
    told = [_day(day, each, state, name, said, now) for day, each in days]
    return " ".join(told) or said("recall.no_forecast", name=name)


def timer_text(state: State, name: str, said: Texts, now: datetime) -> str:
    """Return how long a timer still runs."""
    ends = _moment(state.attributes.get("finishes_at"), now)
    if state.state != "active" or ends is None:
        return said("recall.timer_off", name=name)
    return said("recall.timer", name=name, length=length_text(max(ends - now, ends - ends), said))


def _day(day: datetime, told: JsonObject, state: State, name: str, said: Texts, now: datetime) -> str:
    ahead = (day.astimezone(now.tzinfo).date() - now.date()).days
    span = {0: said.word("span", "today"), 1: said.word("span", "tomorrow")}.get(ahead) or day_text(
        day.astimezone(now.tzinfo), said
    )
    unit = str(state.attributes.get("temperature_unit") or "")
    low, high = told.get("templow"), told.get("temperature")
    degrees = f"{high} {unit}" if low is None else f"{low}\u2013{high} {unit}"
    percent = told.get("precipitation_probability")
    rain = said("recall.rain", percent=percent) if isinstance(percent, int | float) else ""
    condition = said.word("state", str(told.get("condition") or "unknown"))
    return said("recall.forecast", name=name, span=span, condition=condition, temperature=degrees.strip(), rain=rain)


def _event(told: JsonObject, said: Texts, now: datetime) -> str:
    summary, start = _short(told.get("summary")), str(told.get("start") or "")
    moment = _moment(start, now)
    if moment is None:
        return summary
    if "T" not in start:
        return said("recall.all_day", summary=summary, day=day_text(moment, said))
    return said("recall.event", summary=summary, when=moment_text(moment, now, said))


def _moment(value: JsonValue, now: datetime) -> datetime | None:
    """Return the moment that a text names, None for one that names none; a day begins at the home's midnight."""
    try:
        text = str(value or "")
        if "T" in text:
            moment = datetime.fromisoformat(text)
        else:
            day = date.fromisoformat(text)
            moment = datetime(day.year, day.month, day.day, tzinfo=now.tzinfo)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def _entries(found: JsonObject, key: str) -> Iterator[JsonObject]:
    entries = found.get(key)
    if isinstance(entries, list | tuple):
        yield from (entry for entry in entries if isinstance(entry, Mapping))


def _short(text: JsonValue) -> str:
    """Return what somebody wrote, on one line and not too long: it is content, and never more than told."""
    plain = " ".join(str(text or "").split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"


def _listed(shown: list[str], said: Texts) -> str:
    more = [said("more", count=len(shown) - LISTED)] if len(shown) > LISTED else []
    return said.joined([*shown[:LISTED], *more])
