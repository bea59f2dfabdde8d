"""No question reads a table from end to end, and none sorts what an index has in order."""

import re

import pytest
from sqlalchemy import event

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


async def _plans(past, name) -> list[tuple[str, str]]:
    """Ask the question, and return each statement it was asked in with each line of its plan."""
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
    return await past.database.read(
        lambda connection: [
            (statement, row[3])
            for statement, bound in selects
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", bound)
        ]
    )


@pytest.mark.parametrize("name", QUESTIONS)
async def test_no_question_reads_a_table_from_end_to_end(past, name):
    plans = await _plans(past, name)

    assert len(plans) > 3
    assert not [line for _, line in plans if re.match(rf"SCAN ({'|'.join(LARGE)}|earlier)\b", line)]


# what must be among the plan of a question: the index, with all that it can be searched by
INDEXES = {
    "an hour": "state_changes USING PRIMARY KEY (home_id=? AND at>? AND at<?)",
    "an entity's day": "state_changes USING INDEX state_changes_by_entity (home_id=? AND entity=? AND at>? AND at<?)",
    "a chain": "state_changes USING INDEX state_changes_by_context (home_id=? AND context=?)",
    "siblings": "contexts USING INDEX contexts_by_parent (home_id=? AND parent_id=?)",
    "why": "calls USING INDEX calls_by_context (home_id=? AND context=?)",
    "why a blind": "targets USING PRIMARY KEY (home_id=? AND entity=? AND at>? AND at<?)",
    "a moment": "earlier USING COVERING INDEX state_changes_by_entity (home_id=? AND entity=? AND at<?)",
    "everything": "targets USING COVERING INDEX targets_by_row (home_id=? AND at=?)",
}


@pytest.mark.parametrize("name", INDEXES)
async def test_a_question_is_answered_by_the_index_made_for_it(past, name):
    plans = await _plans(past, name)

    assert any(INDEXES[name] in line for _, line in plans), plans


@pytest.mark.parametrize("name", ["an hour", "an entity's day", "everything"])
async def test_what_an_index_has_in_order_is_not_sorted(past, name):
    plans = await _plans(past, name)

    assert not [line for statement, line in plans if "TEMP B-TREE" in line and "targets.entity" not in statement]


@pytest.mark.parametrize("name", ["a moment", "a moment of one", "an entity's day", "why", "a chain"])
async def test_rows_of_an_entity_or_a_context_are_never_looked_for_among_all_of_a_home(past, name):
    plans = await _plans(past, name)

    assert not [
        line
        for _, line in plans
        if re.search(r"(state_changes|earlier) USING PRIMARY KEY \(home_id=\?(?: AND at<\?)?\)", line)
    ]
