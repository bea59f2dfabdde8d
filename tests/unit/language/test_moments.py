"""Sentences for later: which moment they mean, what is left of them, and that what is no single moment plans nothing."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from homesteward.core import FrozenClock
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Asks, Declines, Understander
from homesteward.language.moments import timed
from homesteward.language.wall_clock import Part, TimeOfDay, next_at
from spoken_cases import now

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2026, 11, 30, 13, tzinfo=BERLIN)
TIMES = yaml.safe_load((Path(__file__).parent / "times.yaml").read_text(encoding="utf-8"))


def shown(moment: datetime | None) -> str:
    return f"{moment.astimezone(BERLIN):%m-%d %H:%M}" if moment else "-"


@pytest.fixture
def read_at(demo_house):
    """Say something in the demo home at a moment, in Berlin."""

    def read(text, language="en", at=MONDAY):
        return Understander(demo_house, FrozenClock(at)).read(text, language, time_zone="Europe/Berlin")

    return read


@pytest.mark.parametrize(
    ("language", "words", "begins", "ends"),
    [pytest.param(language, *row, id=f"{language}-{row[0]}") for language in TIMES for row in TIMES[language]["times"]],
)
def test_a_time_is_the_next_moment_that_it_names(read_at, language, words, begins, ends):
    reading = read_at(TIMES[language]["request"].format(words), language)
    assert isinstance(reading, Acts), reading
    assert (shown(reading.at), shown(reading.until)) == (begins, ends)
    assert [call.target.entity_id for call in reading.calls] == [("light.hall_light",)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("turn on the hall light tonight", "en"),
        ("turn on the hall light in a few minutes", "en"),
        ("turn on the hall light every day at five", "en"),
        ("turn on the hall light at five or at six", "en"),
        ("turn on the hall light at five in ten minutes", "en"),
        ("turn on the hall light in 31 days", "en"),
        ("turn on the hall light in 0 minutes", "en"),
        ("turn on the hall light today at five in the morning", "en"),
        ("turn on the hall light on the 5th of march at five", "en"),
        ("turn on the hall light at five, and open the garage door", "en"),
        ("turn on the hall light and open the garage door at five", "en"),
        ("schalte Hall light jeden Tag um fünf ein", "de"),
        ("schalte Hall light heute Abend ein", "de"),
        ("schalte Hall light in ein paar Minuten ein", "de"),
        ("allume Hall light tous les jours à cinq heures", "fr"),
        ("zet Hall light elke dag om vijf uur aan", "nl"),
        ("включи Hall light каждый день в пять", "ru"),
        ("enciende Hall light todos los días a las cinco", "es"),
        ("accendi Hall light ogni giorno alle cinque", "it"),
        ("włącz Hall light codziennie o piątej", "pl"),
    ],
)
def test_what_is_no_single_moment_within_a_month_plans_nothing(read_at, text, language):
    reading = read_at(text, language)
    assert isinstance(reading, Declines), reading
    assert reading.code == "later"


@pytest.mark.parametrize(
    ("text", "language", "code"),
    [
        ("don't open the garage door at five", "en", "negation"),
        ("if it rains, close the garage door at five", "en", "condition"),
        ("I will open the garage door at five", "en", "statement"),
        ("remind me at five to close the garage door", "en", "reminder"),
        ("öffne das Garagentor nicht um fünf", "de", "negation"),
        ("wenn es regnet, schließe das Garagentor um fünf", "de", "condition"),
        ("n'ouvre pas le portail à cinq heures", "fr", "negation"),
        ("non aprire il cancello alle cinque", "it", "negation"),
    ],
)
def test_a_time_takes_no_other_guard_away(read_at, text, language, code):
    reading = read_at(text, language)
    assert isinstance(reading, Declines), reading
    assert reading.code == code


def test_a_time_for_a_thing_that_is_not_there_names_the_thing(read_at):
    reading = read_at("turn on the sauna heater lamp at five")
    assert isinstance(reading, Declines)
    assert reading.code.startswith("unknown")


def test_a_question_which_one_keeps_the_time(speaking_to, furnished):
    reading = speaking_to(furnished)("turn on the lamp in ten minutes")
    if isinstance(reading, Asks):
        assert reading.at == datetime(2026, 11, 30, 12, 10, tzinfo=UTC)
    else:
        assert not now(reading)


def test_words_of_a_time_inside_a_name_are_the_name(speaking_to, calls):

    read = speaking_to(SimulatedHome.build([Thing("switch.five", "Radio at five"), Thing("light.a", "Lamp")]))
    reading = read("turn on radio at five in ten minutes")
    assert calls(reading) == [("switch.turn_on", ["switch.five"], {})]
    assert reading.at == datetime(2026, 11, 30, 12, 10, tzinfo=UTC)


def test_an_hour_that_the_clock_skips_is_as_much_later():
    night = datetime(2027, 3, 28, 0, 30, tzinfo=BERLIN)
    assert next_at(TimeOfDay(150, exact=True), night) == datetime(2027, 3, 28, 1, 30, tzinfo=UTC)


def test_an_hour_that_the_clock_shows_twice_is_the_first_to_come():
    before = datetime(2026, 10, 25, 0, 30, tzinfo=BERLIN)
    between = datetime(2026, 10, 25, 2, 45, tzinfo=BERLIN)
    assert next_at(TimeOfDay(150, exact=True), before) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert next_at(TimeOfDay(150, exact=True), between) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_a_delay_runs_on_through_a_change_of_the_clock(read_at):
    reading = read_at("turn on the hall light in 2 hours", at=datetime(2027, 3, 28, 1, 30, tzinfo=BERLIN))
    assert reading.at == datetime(2027, 3, 28, 2, 30, tzinfo=UTC)


@given(
    st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC)),  # noqa: DTZ001 - hypothesis adds the zone
    st.integers(0, 1439),
    st.sampled_from(Part),
    st.booleans(),
)
def test_a_time_of_day_is_within_the_next_day_and_shown_by_the_clock(after, minutes, part, exact):
    moment = next_at(TimeOfDay(minutes, part, exact), after.astimezone(BERLIN))
    assert moment is not None
    assert timedelta() < moment - after <= timedelta(hours=25)
    assert moment.astimezone(BERLIN).minute == minutes % 60


@given(st.text(max_size=50), st.sampled_from(sorted(TIMES)))
def test_any_words_are_looked_at_without_an_error(text, language):
    assert timed(text, language, MONDAY) is None or text
