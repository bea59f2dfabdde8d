"""Questions about the past, calendars, lists and forecasts: what they ask, and how the answer is told."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml

from homesteward.chronicle.record import Outage, Source
from homesteward.home.model import State
from homesteward.language import Recalls, Sources, retell
from homesteward.language.coming import timer_text
from homesteward.language.spans import SPANS, span_of
from homesteward.language.texts import texts
from pasts import EVENING, Past, after, change

BERLIN = ZoneInfo("Europe/Berlin")
ASKED = yaml.load((Path(__file__).parent / "recalls.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
LANGUAGES = ["de", "en", "es", "fr", "it", "nl", "pl", "ru"]


class Told:
    """Answers of services, by service."""

    def __init__(self, **answers):
        self.answers, self.asked = answers, []

    async def read(self, domain, service, entity_id, data=None):
        self.asked.append((domain, service, entity_id, dict(data or {})))
        return self.answers[service]


@pytest.mark.parametrize(
    ("language", "text", "kind", "ids", "word", "span"),
    [pytest.param(language, *row, id=f"{language}-{row[0]}") for language, rows in ASKED.items() for row in rows],
)
def test_a_question_asks_for_what_it_says(demo_house, speaking_to, language, text, kind, ids, word, span):
    reading = speaking_to(demo_house)(text, language)
    assert isinstance(reading, Recalls), reading
    assert (reading.kind, list(reading.entity_ids), reading.word, reading.span) == (kind, ids, word, span)


async def ask(past: Past, kind: str, entity_id: str, word: str, span: str = "", language: str = "en") -> str:
    now = past.clock.now().astimezone(BERLIN)
    return (await retell(Recalls(kind, (entity_id,), word, span), past.home, Sources(past.history), language, now)).text


async def test_the_last_time_is_told_in_local_time(past: Past):
    await past.tell(
        change(after(-7200), "binary_sensor.door", "off", "on"), change(after(-7100), "binary_sensor.door", "on", "off")
    )
    assert await ask(past, "last", "binary_sensor.door", "open") == "Front door was last open today at 16:02."
    assert await ask(past, "last", "binary_sensor.door", "open", language="de") == (
        "Front door war zuletzt offen: heute um 16:02 Uhr."
    )


async def test_what_was_so_before_anybody_looked_is_told_so(past: Past):
    await past.tell(change(after(-86400), "light.hall", None, "on", source=Source.FOUND))
    assert await ask(past, "last", "light.hall", "on") == (
        "Hall light has been on since before yesterday at 18:02, when I began to look."
    )


async def test_what_was_found_so_and_is_otherwise_by_now_is_not_told_to_be_still_so(past: Past):
    await past.tell(
        change(after(-86400), "light.hall", None, "off", source=Source.FOUND),
        change(after(-3600), "light.hall", "off", "on"),
    )
    assert await ask(past, "last", "light.hall", "off") == (
        "Hall light was already off yesterday at 18:02, when I began to look; since when, I do not know."
    )


async def test_more_changes_than_are_looked_through_are_no_reason_to_say_never(past: Past, monkeypatch):
    monkeypatch.setattr("homesteward.language.past.LOOKED_THROUGH", 2)
    for minutes in range(4):
        await past.tell(change(after(60 * minutes), "binary_sensor.door", "on" if minutes % 2 else "off", "off"))
    assert await ask(past, "last", "binary_sensor.door", "open") == (
        "In the last 2 changes that I looked through, Front door did not become open."
    )


@pytest.mark.parametrize("kind", ["how_long", "how_often"])
async def test_a_time_of_which_nothing_is_known_is_not_told_to_have_been_without_it(past: Past, kind):
    assert await ask(past, kind, "light.hall", "on", "yesterday") == (
        "I do not know whether Hall light was on yesterday: I remember nothing of that time."
    )


@pytest.mark.parametrize("kind", ["how_long", "how_often"])
async def test_a_time_of_which_only_a_part_is_known_is_told_as_far_as_it_is(past: Past, kind):
    await past.tell(change(after(-1800), "light.hall", None, "off", source=Source.FOUND))
    assert await ask(past, kind, "light.hall", "on", "today") == (
        "As far as I remember, Hall light was not on today. Part of that time is missing from what I remember."
    )


async def test_what_never_was_is_not_invented(past: Past):
    assert await ask(past, "last", "light.hall", "on") == "I do not remember that Hall light was on."


async def test_how_long_sums_up_the_day_also_what_began_before_it(past: Past):
    await past.tell(
        change(EVENING - timedelta(days=2), "light.hall", "off", "on"),
        change(EVENING - timedelta(days=1, hours=10), "light.hall", "on", "off"),
        change(EVENING - timedelta(days=1, hours=1), "light.hall", "off", "on"),
        change(EVENING - timedelta(days=1), "light.hall", "on", "off"),
    )
    assert await ask(past, "how_long", "light.hall", "on", "yesterday") == "Hall light was on for 9 h 2 min yesterday."
    assert await ask(past, "how_long", "light.hall", "on", "today") == "Hall light was not on today."


async def test_how_often_counts_each_time_it_became_so(past: Past):
    for minutes in (1, 3, 5):
        await past.tell(change(after(60 * minutes), "binary_sensor.door", "off", "on"))
        await past.tell(change(after(60 * minutes + 30), "binary_sensor.door", "on", "off"))
    assert await ask(past, "how_often", "binary_sensor.door", "open") == "Front door was open 3 times today."


async def test_a_gap_in_the_memory_is_told(past: Past):
    await past.tell(
        change(after(-60), "light.hall", "off", "on"), outages=(Outage(after(-3600), after(-1800), "connection"),)
    )
    assert "Part of that time is missing" in await ask(past, "how_long", "light.hall", "on", "today")


async def test_why_is_told_by_the_chronicle(past: Past):
    await past.tell(change(after(0), "light.hall", "off", "on"))
    assert (await ask(past, "why", "light.hall", "on")).startswith("Hall light turned on at 18:02")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_language_has_words_for_every_answer(past: Past, language):
    await past.tell(change(after(-60), "light.hall", "off", "on"), change(after(0), "light.hall", "on", "off"))
    for kind in ("last", "how_long", "how_often"):
        assert "Hall light" in await ask(past, kind, "light.hall", "on", "today", language)
    for span in SPANS:
        assert texts(language).word("span", span) != span or language == "en"


async def test_without_a_chronicle_or_a_connection_it_is_said(past: Past):
    now = past.clock.now().astimezone(BERLIN)
    told = await retell(Recalls("last", ("light.hall",), "on"), past.home, Sources(), "en", now)
    assert told.text == "I keep no memory of what happens here, so I cannot tell."
    told = await retell(Recalls("items", ("todo.x",)), past.home, Sources(), "en", now)
    assert told.text == "That cannot be looked up here at present."


async def test_a_calendar_is_asked_for_the_day_and_told_in_local_time(past: Past):
    reads = Told(
        get_events={
            "events": [
                {"summary": "Dentist", "start": "2026-11-04T08:30:00+01:00", "end": "2026-11-04T09:00:00+01:00"},
                {"summary": "Bin day", "start": "2026-11-04", "end": "2026-11-05"},
                "nonsense",
            ]
        }
    )
    now = past.clock.now().astimezone(BERLIN)
    asked = Recalls("events", ("calendar.family",), "", "tomorrow")
    told = await retell(asked, past.home, Sources(reads=reads), "en", now)
    assert told.text == "calendar.family: Dentist (on 2026-11-04 at 08:30) and Bin day (2026-11-04, all day)."
    [(_, _, _, data)] = reads.asked
    assert data == {"start_date_time": "2026-11-03T23:00:00+00:00", "end_date_time": "2026-11-04T23:00:00+00:00"}


async def test_a_list_tells_what_is_still_to_do(past: Past):
    reads = Told(get_items={"items": [{"summary": "Milk"}, {"summary": "x" * 500}]})
    now = past.clock.now().astimezone(BERLIN)
    told = await retell(Recalls("items", ("todo.shopping",)), past.home, Sources(reads=reads), "en", now)
    assert told.text.startswith("todo.shopping: Milk and xxx")
    assert len(told.text) < 200


async def test_a_forecast_is_told_for_the_day_that_was_asked_about(past: Past):
    reads = Told(
        get_forecasts={
            "forecast": [
                {"datetime": "2026-11-03T12:00:00+00:00", "condition": "sunny", "temperature": 9},
                {
                    "datetime": "2026-11-04T12:00:00+00:00",
                    "condition": "rainy",
                    "temperature": 7,
                    "templow": 3,
                    "precipitation_probability": 80,
                },
            ]
        }
    )
    now = past.clock.now().astimezone(BERLIN)
    told = await retell(Recalls("forecast", ("weather.x",), "", "tomorrow"), past.home, Sources(reads=reads), "en", now)
    assert told.text == "weather.x, tomorrow: rainy, 3\u20137, chance of rain 80 %."


def test_a_running_timer_tells_how_long_it_still_runs():
    now = datetime(2026, 11, 3, 18, 0, tzinfo=BERLIN)
    running = State("timer.tea", "active", {"finishes_at": "2026-11-03T17:03:20+00:00"})
    assert timer_text(running, "Tea", texts("en"), now) == "Tea has 3 min 20 s left."
    assert timer_text(State("timer.tea", "idle"), "Tea", texts("en"), now) == "Tea is not running."


def test_days_are_the_homes_own_also_when_the_clock_changes():
    since, until = span_of("today", datetime(2026, 10, 25, 12, tzinfo=BERLIN))
    assert until - since == timedelta(hours=25)
    assert since == datetime(2026, 10, 24, 22, tzinfo=UTC)
