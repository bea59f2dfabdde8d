"""No question reads a table from end to end, and none sorts what an index has in order."""

import re

import pytest
from sqlalchemy import event, text

from homesteward.chronicle.chains import Direction, Start
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind
from homesteward.chronicle.tables import acts, attributes, calls, contexts, runs, state_changes, targets
from pasts import ANNA, acted, after, called, change, context, ran

LARGE = {table.name for table in (state_changes, runs, calls, acts, targets, contexts, attributes)}
RUN = context(after(0.1), "run", context(after(0), "motion"))
QUESTIONS = {
    "everything": lambda history: history.rows(Query()),
    "an hour": lambda history: history.rows(Query(since=after(-3600), until=after(60))),
    "an entity's day": lambda history: history.rows(Query(("light.hall",), since=after(-86_400), until=after(60))),
    "a pattern": lambda history: history.rows(Query(("light.*",), limit=2)),
    "a state": lambda history: history.rows(Query(states=("on",))),
    "an entity's state": lambda history: history.rows(Query(("light.hall",), states=("on",))),
    "a user": lambda history: history.rows(Query(users=("Anna",))),
    "a word": lambda history: history.rows(Query(text="hall")),
    "a domain": lambda history: history.rows(Query(domains=("light",))),
    "a kind": lambda history: history.rows(Query(kinds=frozenset({Kind.ACT}))),
    "what one sees": lambda history: history.rows(Query(), {"light.hall"}.__contains__),
    "a chain": lambda history: history.chain(Start(RUN.id)),
    "siblings": lambda history: history.chain(Start(RUN.id, Direction.SIBLINGS)),
    "why": lambda history: history.why("light.hall"),
    "why a blind": lambda history: history.why("cover.blinds"),
    "a moment": lambda history: history.home_at(after(5)),
    "a moment of one": lambda history: history.home_at(after(5), {"light.hall"}.__contains__),
}


@pytest.fixture
def engine() -> str:
    return "sqlite"


@pytest.mark.parametrize("name", QUESTIONS)
async def test_a_question_is_answered_by_an_index(past, name):
    await past.tell(
        change(after(0), "binary_sensor.hall", "off", "on", context(after(0), "motion")),
        ran(after(0.1), "automation.hall_motion", RUN, "state of binary_sensor.hall"),
        called(after(0.2), "light.turn_on", RUN, "light.hall"),
        change(after(0.3), "light.hall", "off", "on", RUN, {"brightness": 7}),
        called(after(1), "light.turn_on", context(after(1), "anna", user=ANNA), "light.kitchen", brightness=7),
        acted(after(2), "cover.open_cover", context(after(2), "ours"), "cover.blinds"),
        change(after(20), "cover.blinds", "opening", "open"),
        users={ANNA: "Anna"},
    )
    asked: list[tuple[str, object]] = []
    reading = past.database._reading
    event.listen(
        reading, "before_cursor_execute", lambda _c, _k, statement, bound, *_: asked.append((statement, bound))
    )

    await QUESTIONS[name](past.history)

    selects = [(statement, bound) for statement, bound in asked if statement.startswith("SELECT")]
    plans = await past.database.read(
        lambda connection: [
            (statement, row[3])
            for statement, bound in selects
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", bound)
        ]
    )
    assert len(plans) > 3
    scans = [(line, statement) for statement, line in plans if re.match(rf"SCAN ({'|'.join(LARGE)}|earlier)\b", line)]
    assert not scans


async def test_a_page_in_the_order_of_time_is_not_sorted(past):
    await past.tell(change(after(0), "light.hall", "off", "on"))
    statement = text(
        "EXPLAIN QUERY PLAN SELECT * FROM state_changes WHERE home_id = 1 AND entity = 1 AND at < 9 ORDER BY at DESC, id DESC"
    )

    plan = await past.database.read(lambda connection: [row[3] for row in connection.execute(statement)])

    assert not any("TEMP B-TREE" in line for line in plan)
