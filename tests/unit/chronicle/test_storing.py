from functools import partial
from random import Random

import pytest
from sqlalchemy import select

from chronicles import HOME, START, act, after, change, readings, ulid
from homesteward.chronicle.contexts import own_of, pack
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.outages import stored_outages
from homesteward.chronicle.record import Call, Context, Kind, Outage, Run, Source, StateChange
from homesteward.chronicle.stamps import micros
from homesteward.chronicle.storing import Batch, Storing
from homesteward.chronicle.tables import (
    acts,
    attributes,
    calls,
    contexts,
    entities,
    homes,
    runs,
    state_changes,
    targets,
    users,
)

LAMP, MOTION, HALL = "light.lamp", "binary_sensor.motion", "automation.hall"
LONG_AGO = Random(7)


@pytest.fixture
async def database(open_database):
    return await open_database(CHRONICLE)


@pytest.fixture
def store(database):
    storing = Storing(HOME)

    async def put(*records, anew=False, **more):
        nonlocal storing
        if anew:
            storing = Storing(HOME)
        await database.write(partial(storing.store, batch=Batch(records, **more)))

    return put


@pytest.fixture
def rows(database):
    async def read(table):
        order = [column for column in (table.c.get("at"), table.c.get("id"), table.c.get("key")) if column is not None]
        return (await database.read(lambda c: c.execute(select(table).order_by(*order)).all()))  # fmt: skip

    return read


async def test_ids_grow_by_one_over_every_kind_and_every_start(store, rows):
    call = Call(START, "light", "turn_on", entity_ids=(LAMP,))
    await store(change(0, MOTION, "on"), Run(after(1), Kind.AUTOMATION, HALL), call)
    await store(act(2, LAMP), change(3, LAMP, "on"), anew=True)

    ids = [row.id for table in (state_changes, runs, calls, acts) for row in await rows(table)]
    assert sorted(ids) == [1, 2, 3, 4, 5]


async def test_two_homes_keep_apart(database, store, rows):
    await store(change(0, LAMP, "on"))
    await database.write(partial(Storing("another").store, batch=Batch([change(0, LAMP, "off")])))

    assert [(row.id, row.state) for row in await rows(state_changes)] == [(1, "on"), (1, "off")]
    assert len({row.home_id for row in await rows(state_changes)}) == 2
    assert [(row.home_id, row.last_id) for row in await rows(homes)] == [(HOME, 1), ("another", 1)]


async def test_what_was_before_is_not_kept_where_the_row_before_says_it(store, rows):
    await store(change(0, LAMP, "on", "off"), change(1, LAMP, "off", "on"))
    await store(change(2, LAMP, "on", "off"), anew=True)

    assert [row.old for row in await rows(state_changes)] == ["off", None, None]


async def test_what_was_before_is_kept_where_the_row_before_says_something_else(store, rows):
    await store(change(0, LAMP, "20.0"), change(1, LAMP, "20.6", "20.3"), change(2, LAMP, None, "20.6"))

    assert [(row.state, row.old) for row in await rows(state_changes)] == [
        ("20.0", None),
        ("20.6", "20.3"),
        (None, None),
    ]


async def test_a_row_read_afterwards_leaves_the_newest_state_alone(store, rows):
    await store(change(0, LAMP, "on"), change(10, LAMP, "off", "on"))
    await store(change(5, LAMP, "dim", "on", source=Source.BACKFILL), change(11, LAMP, "on", "off"), anew=True)

    found = [(row.at, row.state, row.old, row.source) for row in await rows(state_changes)]
    assert found == [
        (after(0), "on", None, 0),
        (after(5), "dim", "on", 1),
        (after(10), "off", None, 0),
        (after(11), "on", None, 0),
    ]


async def test_a_clock_set_back_keeps_its_times_and_ids_still_grow(store, rows):
    await store(change(0, LAMP, "on"), change(-3600, LAMP, "off", "on"))

    assert [(row.at, row.id, row.old) for row in await rows(state_changes)] == [
        (after(-3600), 2, "on"),
        (after(0), 1, None),
    ]


async def test_the_context_of_a_change_that_came_by_itself_is_ten_bytes(store, rows):
    context_id = ulid(START, LONG_AGO)
    await store(change(0, LAMP, "on", context=Context(context_id)))

    [row] = await rows(state_changes)
    assert (bytes(row.own), row.context) == (own_of(context_id, micros(START)), None)
    assert await rows(contexts) == []


async def test_a_context_with_a_parent_or_a_user_is_kept_once(store, rows):
    context = Context(ulid(START, LONG_AGO), ulid(after(-1), LONG_AGO), "ada")
    await store(change(0, LAMP, "on", context=context), change(0.5, "light.other", "on", context=context))
    await store(change(0.7, "light.third", "on", context=context), anew=True)

    [kept] = await rows(contexts)
    [user] = await rows(users)
    assert (bytes(kept.context_id), bytes(kept.parent_id), kept.user) == (
        pack(context.id),
        pack(context.parent_id),
        user.key,
    )
    assert (user.user_id, kept.at) == ("ada", START)
    assert [(row.context, row.own) for row in await rows(state_changes)] == [(kept.key, None)] * 3


async def test_a_context_used_again_later_is_kept_then(store, rows):
    context = Context(ulid(START, LONG_AGO))
    await store(change(0, LAMP, "on", context=context), change(2, LAMP, "off", context=context))

    [kept] = await rows(contexts)
    first, second = await rows(state_changes)
    assert (bytes(first.own), first.context) == (own_of(context.id, micros(START)), None)
    assert (second.own, second.context) == (None, kept.key)


async def test_a_context_whose_user_is_heard_of_later_is_completed(store, rows):
    context_id = ulid(START, LONG_AGO)
    await store(act(0, LAMP, context_id=context_id))
    await store(change(0.2, LAMP, "on", context=Context(context_id, None, "ada")), anew=True)

    [kept] = await rows(contexts)
    [row], [done], [user] = await rows(state_changes), await rows(acts), await rows(users)
    assert row.context == done.context == kept.key
    assert kept.user == user.key


async def test_a_change_without_a_context_has_none(store, rows):
    await store(change(0, LAMP, "on", source=Source.BACKFILL))

    [row] = await rows(state_changes)
    assert (row.own, row.context) == (None, None)


async def test_a_run_keeps_what_started_it(store, rows):
    run = Run(
        START,
        Kind.AUTOMATION,
        HALL,
        "Hall",
        f"state of {MOTION}",
        MOTION,
        "hall",
        "abc",
        Context(ulid(START, LONG_AGO)),
    )
    await store(run)

    [row], keys = await rows(runs), {row.entity_id: row.key for row in await rows(entities)}
    assert (row.kind, row.entity, row.trigger_entity) == ("automation", keys[HALL], keys[MOTION])
    assert (row.name, row.trigger, row.item_id, row.run_id) == ("Hall", f"state of {MOTION}", "hall", "abc")
    assert row.context == (await rows(contexts))[0].key


async def test_a_call_and_an_act_are_aimed_at_their_entities(store, rows):
    data = {"brightness_pct": 40}
    await store(Call(START, "light", "turn_on", data, (LAMP, "light.other", LAMP)), act(1, LAMP))

    keys = {row.key: row.entity_id for row in await rows(entities)}
    assert [(keys[row.entity], row.id) for row in await rows(targets)] == [(LAMP, 1), ("light.other", 1), (LAMP, 2)]
    [call], [done], [body] = await rows(calls), await rows(acts), await rows(attributes)
    assert call.data == done.data == body.key
    assert (call.service, done.service, done.person, done.rule) == ("light.turn_on", "light.turn_on", "Ada", "routine")


async def test_equal_attributes_are_kept_once_over_every_start(store, rows):
    bright = {"brightness": 255, "color_temp_kelvin": 2700}
    await store(
        change(0, LAMP, "on", attributes=bright),
        change(1, "light.other", "on", attributes=dict(reversed(bright.items()))),
    )
    await store(
        change(2, LAMP, "on", attributes=bright), change(3, LAMP, "on", attributes={"brightness": 3}), anew=True
    )

    keys = [row.attributes for row in await rows(state_changes)]
    assert keys == [1, 1, 1, 2]
    assert len(await rows(attributes)) == 2


async def test_sets_of_the_same_hash_are_told_apart(store, rows, monkeypatch):
    monkeypatch.setattr("homesteward.chronicle.interning.hash_of", lambda _body: 42)
    await store(*(change(n, LAMP, "on", attributes={"brightness": n}) for n in range(3)))
    await store(change(4, LAMP, "on", attributes={"brightness": 1}), anew=True)

    assert [row.attributes for row in await rows(state_changes)] == [1, 2, 3, 2]


async def test_a_set_is_in_use_a_day_longer_than_its_newest_record(store, rows):
    bright = {"brightness": 255}
    await store(change(0, LAMP, "on", attributes=bright))
    await store(change(60, LAMP, "on", attributes=bright))
    [kept] = await rows(attributes)
    assert kept.used == after(86_400)

    await store(change(86_401, LAMP, "on", attributes=bright), anew=True)
    [kept] = await rows(attributes)
    assert kept.used == after(2 * 86_400 + 1)


async def test_a_user_gets_a_name_whether_heard_of_before_or_not(store, rows):
    await store(change(0, LAMP, "on", context=Context("x", None, "ada")), names={"ada": "Ada", "ben": "Ben"})
    await store(names={"ada": "Ada L."})

    assert [(row.user_id, row.name) for row in await rows(users)] == [("ada", "Ada L."), ("ben", "Ben")]


async def test_an_outage_is_kept_once_as_it_is_known_last(database, store):
    await store(outages=[Outage(START, None, "cut")])
    await store(outages=[Outage(START, after(5), "cut"), Outage(after(50), after(51), "restart", after(60), 3)])

    assert await database.read(partial(stored_outages, home_id=HOME)) == [
        Outage(START, after(5), "cut"),
        Outage(after(50), after(51), "restart", after(60), 3),
    ]
    assert await database.read(partial(stored_outages, home_id=HOME, unfilled=True)) == [Outage(START, after(5), "cut")]
    assert await database.read(partial(stored_outages, home_id="another")) == []


async def test_what_was_undone_is_not_taken_for_stored(database, rows):
    storing = Storing(HOME)
    context = Context(ulid(START, LONG_AGO), "parent", "ada")
    good = change(0, LAMP, "on", attributes={"brightness": 3}, context=context)
    bad = StateChange(after(1), "light.bad", None, "\ud800")

    with pytest.raises(Exception):  # noqa: B017, PT011 - whatever the driver says of such a text
        await database.write(partial(storing.store, batch=Batch([good, bad])))
    await database.write(partial(storing.store, batch=Batch([good])))

    [row], [home] = await rows(state_changes), await rows(homes)
    assert (row.id, home.last_id) == (1, 1)
    assert row.entity == (await rows(entities))[0].key
    assert row.attributes == (await rows(attributes))[0].key
    assert row.context == (await rows(contexts))[0].key


async def test_a_batch_whose_commit_went_unanswered_is_stored_once(database, rows):
    storing, batch = Storing(HOME), Batch(readings(10))
    await database.write(partial(storing.store, batch=batch))
    await database.write(partial(storing.store, batch=batch))

    assert len(await rows(state_changes)) == 10


async def test_more_entities_and_contexts_than_are_remembered_are_still_one_row_each(store, rows, monkeypatch):
    for bound in ("MAX_ENTITIES", "MAX_CONTEXTS", "MAX_BODIES", "MAX_USERS"):
        monkeypatch.setattr(f"homesteward.chronicle.interning.{bound}", 2)
    for round_ in range(3):
        await store(
            *(
                change(
                    100 * round_ + n,
                    f"light.l{n}",
                    "on",
                    attributes={"brightness": n},
                    context=Context(f"c{n}", "p", f"u{n}"),
                )
                for n in range(7)
            )
        )

    assert [len(await rows(table)) for table in (entities, contexts, attributes, users)] == [7, 7, 7, 7]


async def test_texts_beyond_every_measure_are_cut(store, rows):
    await store(change(0, LAMP, "x" * 300), act(1, LAMP, request="x" * 100_000))

    assert len((await rows(state_changes))[0].state) == 255
    assert len((await rows(acts))[0].request) == 2_000
