"""What somebody may not see is nowhere in what they are told: not in rows, chains, texts, counts or errors."""

import json

from hypothesis import given
from hypothesis import strategies as st

from homesteward.chronicle.chains import NothingThereError, Start
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Act, Call, Context, Kind, Run, StateChange
from homesteward.chronicle.rows import Row
from homesteward.chronicle.sight import Sight
from homesteward.home.errors import UnknownEntityError
from pasts import ANNA, acted, after, called, change, context, ran

ENTITIES = (
    "binary_sensor.hall", "automation.hall_motion", "script.evening", "light.hall", "light.kitchen", "cover.blinds", "lock.door",
)  # fmt: skip


async def _a_day(past) -> None:
    motion = context(after(0), "motion")
    run = context(after(0.1), "run", motion)
    anna = context(after(50), "anna", user=ANNA)
    await past.tell(
        change(after(0), "binary_sensor.hall", "off", "on", motion),
        ran(after(0.1), "automation.hall_motion", run, "state of binary_sensor.hall", "Hall motion"),
        ran(after(0.13), "script.evening", run, name="Evening"),
        called(after(0.15), "light.turn_on", run, "light.hall", "light.kitchen"),
        change(after(0.2), "light.hall", "off", "on", run),
        change(after(0.2), "light.kitchen", "off", "on", run),
        called(
            after(50),
            "scene.apply",
            anna,
            "cover.blinds",
            "lock.door",
            entities={"lock.door": "locked"},
            words="lock the Door lock",
        ),
        change(after(50.1), "cover.blinds", "closed", "opening", anna),
        change(after(50.2), "lock.door", "unlocked", "locked", anna),
        acted(
            after(60),
            "light.turn_off",
            context(after(60), "ours"),
            "light.hall",
            "lock.door",
            request="lock.door and Kitchen light",
        ),
        users={ANNA: "Anna"},
    )


async def _everything(past, visible) -> str:
    history = past.history
    page = await history.rows(Query(), visible)
    told: list[object] = [
        [row.as_json() for row in page.rows],
        (await history.recent(Query(), visible=visible)).as_json(),
    ]
    told += [
        (await history.recent(Query(), visible=visible)).markdown,
        (await history.home_at(after(100), visible)).as_json(),
    ]
    told.append((await history.difference(after(0.05), after(100), visible)).as_json())
    for start in [row.ref for row in page.rows] + [row.context.id for row in page.rows if row.context]:
        told.append((await history.chain(Start(start), visible)).as_json())
    for entity_id in ENTITIES:
        try:
            told.append((await history.why(entity_id, visible=visible)).as_json())
        except UnknownEntityError as error:
            told.append(error.next)
    return json.dumps(told, default=dict)


async def test_no_answer_names_what_is_not_seen(past):
    await _a_day(past)
    names = {entity_id: past.home.states[entity_id].name for entity_id in ENTITIES}

    for seen in (
        {"light.hall"},
        {"light.kitchen", "automation.hall_motion"},
        {"cover.blinds"},
        {"binary_sensor.hall", "lock.door"},
        set(),
    ):
        told = await _everything(past, seen.__contains__)
        hidden = [entity_id for entity_id in ENTITIES if entity_id not in seen]
        assert not [entity_id for entity_id in hidden if entity_id in told or f"{names[entity_id]} " in told]


async def test_a_start_that_is_not_seen_is_as_unknown_as_any(past):
    await _a_day(past)
    row = (await past.history.rows(Query(("binary_sensor.hall",)))).rows[0]

    messages = set()
    for start in (row.ref, "1-1"):
        try:
            await past.history.chain(Start(start), set().__contains__)
        except NothingThereError as error:
            messages.add((error.code, error.message, error.next))

    assert len(messages) == 1


SEEN = st.sets(st.sampled_from(ENTITIES))
WORDS = st.sampled_from([*ENTITIES, "21.5", "light", "state of lock.door", "light.hall and lock.door"])
DATA = st.recursive(WORDS | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner), max_leaves=8)
OF = Context("one", "two", None)
RECORDS = st.one_of(
    st.builds(StateChange, st.just(after(0)), st.sampled_from(ENTITIES), st.just("off"), st.just("on"), st.dictionaries(WORDS, DATA), st.just(OF)),
    st.builds(
        Run, st.just(after(0)), st.just(Kind.SCRIPT), st.sampled_from(ENTITIES), st.just("name"), WORDS,
        st.none() | st.sampled_from(ENTITIES), context=st.just(OF),
    ),
    st.builds(lambda ids, data: Call(after(0), "light", "turn_on", data, tuple(ids), OF), st.sets(st.sampled_from(ENTITIES)), st.dictionaries(WORDS, DATA)),
    st.builds(lambda ids, words: acted(after(0), "light.turn_on", OF, *ids, request=words), st.sets(st.sampled_from(ENTITIES)), WORDS),
)  # fmt: skip


@given(RECORDS, SEEN)
def test_any_row_is_shown_without_what_is_not_seen(record, seen):
    shown = Sight(seen.__contains__).row(Row(record, OF))

    told = json.dumps(shown.as_json(), default=dict) if shown else ""
    assert not [entity_id for entity_id in ENTITIES if entity_id in told and entity_id not in seen]


@given(RECORDS)
def test_who_sees_everything_is_shown_the_row_as_it_is(record):
    row = Row(record, OF)

    assert Sight().row(row) is row
    assert isinstance(record, StateChange | Run | Call | Act)
