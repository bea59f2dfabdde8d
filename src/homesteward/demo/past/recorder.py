"""A story in the recorder's own tables, in bulk: rows first, indexes when they are all there."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from homesteward.demo.past.rooms import House, Thing
from homesteward.demo.past.shape import Shape
from homesteward.demo.past.statistics import FIVE_MINUTES, HOUR, stretches
from homesteward.demo.past.story import Story

DATABASE = "home-assistant_v2.db"
SHORT_TERM = 24 * 3600  # seconds of five-minute statistics that are written; the newest carry every sum on

type Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """How much was written."""

    states: int
    events: int
    statistics: int


def write_story(path: Path, house: House, story: Story, shape: Shape) -> Written:
    """Make the database at `path`, in place of what was left there."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = OFF")  # nobody reads it before it is whole
        database.execute("PRAGMA synchronous = OFF")
        for statement in shape.tables:
            database.execute(statement)
        written = _Writer(database, house, story, shape).write()
        for statement in shape.indexes:
            database.execute(statement)
        database.commit()
    return written


@dataclass(slots=True)
class _Interned:
    """Texts that rows share, each with an id from 1 on."""

    ids: dict[str, int] = field(default_factory=dict)

    def id(self, value: str) -> int:
        return self.ids.setdefault(value, len(self.ids) + 1)

    def rows(self, *more: Callable[[str], object]) -> Iterator[Row]:
        for value, number in self.ids.items():
            yield (number, *(make(value) for make in more), value)


class _Writer:
    def __init__(self, database: sqlite3.Connection, house: House, story: Story, shape: Shape) -> None:
        self._database, self._house, self._story, self._shape = database, house, story, shape

    def write(self) -> Written:
        self._runs()
        statistics = self._statistics()
        return Written(self._states(), self._events(), statistics)

    def _insert(self, table: str, columns: str, rows: Iterator[Row]) -> int:
        places = ", ".join("?" * len(columns.split(",")))
        # Table and column names are the literals of this module.
        return self._database.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows).rowcount  # noqa: S608

    def _runs(self) -> None:
        story = self._story
        runs: list[Row] = [(_text(story.start), _text(story.end), 0, _text(story.start))]
        if story.outage is not None:
            # Nobody closed the first run: Home Assistant did that when it came back.
            begun = _text(story.outage.end)
            runs = [(runs[0][0], begun, 1, runs[0][0]), (begun, _text(story.end), 0, begun)]
        self._insert("recorder_runs", 'start, "end", closed_incorrect, created', iter(runs))
        self._insert("schema_changes", "schema_version, changed", iter([(self._shape.version, _text(story.start))]))
        newest = (int(story.end) // FIVE_MINUTES - 1) * FIVE_MINUTES
        self._insert("statistics_runs", "start", iter([(_text(newest),)]))

    def _states(self) -> int:
        things, attributes, newest = _Interned(), _Interned(), dict[str, int]()

        def rows() -> Iterator[Row]:
            for number, change in enumerate(self._story.changes, 1):
                thing = change.entity_id
                yield (
                    number,
                    change.state,
                    None if change.changed_at == change.at else change.changed_at,
                    change.at,
                    None if change.begins else newest[thing],
                    attributes.id(change.attributes),
                    0,
                    *change.cause,
                    things.id(thing),
                )
                newest[thing] = number

        columns = (
            "state_id, state, last_changed_ts, last_updated_ts, old_state_id, attributes_id, origin_idx, "
            "context_id_bin, context_user_id_bin, context_parent_id_bin, metadata_id"
        )
        count = self._insert("states", columns, rows())
        self._insert("states_meta", "metadata_id, entity_id", things.rows())
        self._insert("state_attributes", "attributes_id, hash, shared_attrs", attributes.rows(fnv1a_32))
        return count

    def _events(self) -> int:
        kinds, data = _Interned(), _Interned()
        rows = (
            (number, 0, event.at, data.id(event.data) if event.data else None, *event.cause, kinds.id(event.kind))
            for number, event in enumerate(self._story.events, 1)
        )
        columns = (
            "event_id, origin_idx, time_fired_ts, data_id, "
            "context_id_bin, context_user_id_bin, context_parent_id_bin, event_type_id"
        )
        count = self._insert("events", columns, rows)
        self._insert("event_types", "event_type_id, event_type", kinds.rows())
        self._insert("event_data", "data_id, hash, shared_data", data.rows(fnv1a_32))
        return count

    def _statistics(self) -> int:
        count = 0
        for number, (entity_id, series) in enumerate(self._story.series.items(), 1):
            thing = self._house[entity_id]
            self._describe(number, thing)
            first = series[0][0] if series else self._story.end
            end = self._story.end
            for table, length, start in (
                ("statistics", HOUR, first),
                ("statistics_short_term", FIVE_MINUTES, max(first, end - SHORT_TERM)),
            ):
                made = stretches(thing, series, length, start, end, self._story.outage)
                rows = ((number, row[0] + length + 10, *row) for row in made)
                count += self._insert(table, "metadata_id, created_ts, start_ts, mean, min, max, state, sum", rows)
        return count

    def _describe(self, number: int, thing: Thing) -> None:
        counts = thing.state_class != "measurement"
        columns = "id, statistic_id, source, unit_of_measurement, unit_class, has_sum, mean_type"
        unit_class = self._shape.unit_class(thing)
        row = (number, thing.entity_id, "recorder", thing.unit, unit_class, counts, 0 if counts else 1)
        self._insert("statistics_meta", columns, iter([row]))


def fnv1a_32(text: str) -> int:
    """Return the 32-bit FNV-1a hash that the recorder finds shared texts by."""
    number = 0x811C9DC5
    for byte in text.encode():
        number = ((number ^ byte) * 0x01000193) & 0xFFFFFFFF
    return number


def _text(at: float) -> str:
    """Return a moment as the recorder's few text columns have it."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
