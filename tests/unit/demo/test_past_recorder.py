"""A story lies in the recorder's tables whole: linked, interned, described."""

import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest

from homesteward.demo.inventory import inventory
from homesteward.demo.past.recorder import fnv1a_32, write_story
from homesteward.demo.past.rooms import House
from homesteward.demo.past.shape import Shape
from homesteward.demo.past.story import STATISTICS
from unit.demo.past_homes import told

TABLES = {
    "recorder_runs": 'run_id INTEGER PRIMARY KEY, start, "end", closed_incorrect, created',
    "schema_changes": "change_id INTEGER PRIMARY KEY, schema_version, changed",
    "statistics_runs": "run_id INTEGER PRIMARY KEY, start",
    "states": """state_id INTEGER PRIMARY KEY, state, last_changed_ts, last_updated_ts, old_state_id, attributes_id,
        origin_idx, context_id_bin, context_user_id_bin, context_parent_id_bin, metadata_id""",
    "states_meta": "metadata_id INTEGER PRIMARY KEY, entity_id",
    "state_attributes": "attributes_id INTEGER PRIMARY KEY, hash, shared_attrs",
    "events": """event_id INTEGER PRIMARY KEY, origin_idx, time_fired_ts, data_id,
        context_id_bin, context_user_id_bin, context_parent_id_bin, event_type_id""",
    "event_types": "event_type_id INTEGER PRIMARY KEY, event_type",
    "event_data": "data_id INTEGER PRIMARY KEY, hash, shared_data",
    "statistics_meta": """id INTEGER PRIMARY KEY, statistic_id, source, unit_of_measurement, unit_class, has_sum,
        mean_type""",
    "statistics": "id INTEGER PRIMARY KEY, metadata_id, created_ts, start_ts, mean, min, max, state, sum",
    "statistics_short_term": "id INTEGER PRIMARY KEY, metadata_id, created_ts, start_ts, mean, min, max, state, sum",
}
SHAPE = Shape(
    version=53,
    tables=tuple(f"CREATE TABLE {name} ({columns})" for name, columns in TABLES.items()),
    indexes=("CREATE INDEX ix_states_metadata ON states (metadata_id, last_updated_ts)",),
    unit_classes={"kWh": "energy"},
    device_classes={"temperature": {"°C": "temperature"}},
)


@pytest.fixture(scope="module")
def story():
    """A week of the demo home."""
    return told(span=timedelta(days=7), reach=STATISTICS)


@pytest.fixture(scope="module")
def database(story, tmp_path_factory):
    """The same week in the recorder's tables."""
    path = tmp_path_factory.mktemp("past") / "past.db"
    path.write_bytes(b"left behind by a start that was cut short")
    write_story(path, House.of(inventory()), story, SHAPE)
    with closing(sqlite3.connect(path)) as opened:
        yield opened


def test_every_row_of_the_story_is_there(database, story):
    assert database.execute("SELECT count(*) FROM states").fetchone() == (len(story.changes),)
    assert database.execute("SELECT count(*) FROM events").fetchone() == (len(story.events),)


def test_each_state_points_back_to_the_one_before_it_of_the_same_thing(database):
    newest = {}
    rows = "SELECT state_id, old_state_id, metadata_id, last_updated_ts, last_changed_ts FROM states ORDER BY state_id"
    links = 0
    for state_id, old, thing, updated, changed in database.execute(rows):
        assert old is None or old == newest[thing]
        assert changed is None or changed < updated
        newest[thing] = state_id
        links += old is not None
    assert links > 0.9 * database.execute("SELECT count(*) FROM states").fetchone()[0]


def test_texts_are_kept_once_under_their_hash(database):
    texts = database.execute("SELECT hash, shared_attrs FROM state_attributes").fetchall()

    assert len({text for _, text in texts}) == len(texts)
    assert all(fnv1a_32(text) == number for number, text in texts)


def test_the_run_before_the_outage_was_never_closed_the_last_one_was(database, story):
    runs = database.execute('SELECT closed_incorrect, "end" FROM recorder_runs ORDER BY run_id').fetchall()

    assert [run[0] for run in runs] == [1, 0]
    assert runs[1][1].startswith("2026-11-30 20:00:00")


def test_statistics_are_described_as_home_assistant_describes_them(database):
    columns = "statistic_id, unit_of_measurement, unit_class, has_sum, mean_type"
    rows = {row[0]: row[1:] for row in database.execute(f"SELECT {columns} FROM statistics_meta")}

    assert rows["sensor.outdoor_temperature"] == ("°C", "temperature", 0, 1)
    assert rows["sensor.electricity_energy"] == ("kWh", "energy", 1, 0)


def test_hours_go_back_sixty_days_and_sums_never_fall(database):
    hours = database.execute(
        "SELECT start_ts, sum FROM statistics JOIN statistics_meta m ON m.id = metadata_id "
        "WHERE statistic_id = 'sensor.electricity_energy' ORDER BY start_ts"
    ).fetchall()

    assert (hours[-1][0] - hours[0][0]) / 86400 == pytest.approx(60, abs=0.2)
    assert [total for _, total in hours] == sorted(total for _, total in hours)


def test_the_newest_five_minutes_carry_every_sum_on(database):
    newest = database.execute(
        "SELECT statistic_id, max(start_ts) FROM statistics_short_term JOIN statistics_meta m ON m.id = metadata_id "
        "WHERE has_sum GROUP BY statistic_id"
    ).fetchall()
    run = database.execute("SELECT strftime('%s', substr(start, 1, 19)) FROM statistics_runs").fetchone()[0]

    assert newest
    assert {at for _, at in newest} == {float(run)}
