"""What happened, page by page: asked by entity, area, state, user, kind, word and time."""

from itertools import pairwise

import pytest

from homesteward.chronicle.query import BadCursorError, BadQueryError, Query, UnknownUserError
from homesteward.chronicle.record import Kind, Source
from homesteward.home.errors import UnknownAreaError, UnknownEntityError
from pasts import ANNA, acted, after, called, change, context, ran


async def _ids(past, **asked) -> list[str]:
    page = await past.history.rows(Query(**asked))
    return [row.subject for row in page.rows]


async def _an_evening(past) -> None:
    motion = context(after(0), "motion")
    run = context(after(1), "run", motion)
    anna = context(after(10), "anna", user=ANNA)
    await past.tell(
        change(after(0), "binary_sensor.hall", "off", "on", motion),
        ran(after(1), "automation.hall_motion", run, "state of binary_sensor.hall", "Hall motion"),
        called(after(1.1), "light.turn_on", run, "light.hall"),
        change(after(1.2), "light.hall", "off", "on", run, {"brightness": 200}),
        called(after(10), "light.turn_on", anna, "light.kitchen", "light.porch", brightness=100),
        change(after(10.1), "light.kitchen", "off", "on", anna),
        change(after(20), "sensor.power", "5", "95"),
        acted(after(30), "light.turn_off", context(after(30), "act"), "light.hall", person="Ben"),
        users={ANNA: "Anna"},
    )


async def test_the_newest_comes_first_and_every_kind_is_there(past):
    await _an_evening(past)

    assert await _ids(past) == [
        "light.turn_off", "sensor.power", "light.kitchen", "light.turn_on", "light.hall", "light.turn_on",
        "automation.hall_motion", "binary_sensor.hall",
    ]  # fmt: skip


async def test_a_row_has_the_form_of_the_contract(past):
    await _an_evening(past)

    page = await past.history.rows(Query(entities=("light.hall",), kinds=frozenset({Kind.STATE})))

    row = page.rows[0].as_json()
    assert row == {
        "id": 4,
        "ref": page.rows[0].ref,
        "at": "2026-11-03T17:02:01.200000+00:00",
        "kind": "state",
        "entity_id": "light.hall",
        "old": "off",
        "new": "on",
        "attributes": {"brightness": 200},
        "context_id": context(after(1), "run").id,
        "parent_id": context(after(0), "motion").id,
        "user": None,
        "source": "heard",
    }


async def test_what_was_asked_of_an_entity_belongs_to_it(past):
    await _an_evening(past)

    assert await _ids(past, entities=("light.porch",)) == ["light.turn_on"]
    assert await _ids(past, entities=("light.hall",)) == ["light.turn_off", "light.hall", "light.turn_on"]


@pytest.mark.parametrize(
    ("asked", "subjects"),
    [
        ({"entities": ("light.*",), "kinds": frozenset({Kind.STATE})}, ["light.kitchen", "light.hall"]),
        ({"entities": ("*hall*",), "kinds": frozenset({Kind.STATE})}, ["light.hall", "binary_sensor.hall"]),
        ({"domains": ("sensor",)}, ["sensor.power"]),
        ({"domains": ("sensor", "binary_sensor")}, ["sensor.power", "binary_sensor.hall"]),
        ({"areas": ("Kitchen",), "kinds": frozenset({Kind.STATE})}, ["sensor.power", "light.kitchen"]),
        ({"areas": ("hall",), "domains": ("light",), "kinds": frozenset({Kind.STATE})}, ["light.hall"]),
        ({"states": ("on",)}, ["light.kitchen", "light.hall", "binary_sensor.hall"]),
        ({"users": ("Anna",)}, ["light.kitchen", "light.turn_on"]),
        ({"users": (ANNA,), "kinds": frozenset({Kind.STATE})}, ["light.kitchen"]),
        ({"users": ("ben",)}, ["light.turn_off"]),
        ({"kinds": frozenset({Kind.AUTOMATION})}, ["automation.hall_motion"]),
        ({"kinds": frozenset({Kind.SCRIPT})}, []),
        ({"text": "Hall motion"}, ["automation.hall_motion"]),
        ({"text": "95"}, ["sensor.power"]),
        ({"text": "kitchen light"}, ["light.turn_off", "light.kitchen", "light.turn_on"]),
        ({"since": after(10), "until": after(20)}, ["light.kitchen", "light.turn_on"]),
        ({"states": ("on",), "entities": ("light.hall",)}, ["light.hall"]),
    ],
)
async def test_rows_are_found_by_what_is_known_of_them(past, asked, subjects):
    await _an_evening(past)

    assert await _ids(past, **asked) == subjects


async def test_the_user_is_named_although_only_the_parents_context_knows_them(past):
    """E34: the user behind a phone button, with an automation in between, also outside the time that is asked for."""
    button = context(after(0), "button", user=ANNA)
    run = context(after(100), "run", button)
    await past.tell(
        change(after(0), "light.porch", "off", "on", button),
        ran(after(100), "automation.hall_motion", run, "event 'mobile_app_action'"),
        called(after(100), "input_boolean.toggle", run, "input_boolean.guests"),
        change(after(100.1), "input_boolean.guests", "off", "on", run),
        users={ANNA: "Anna"},
    )

    page = await past.history.rows(Query(since=after(50)))

    assert [row.user for row in page.rows] == ["Anna", "Anna", "Anna"]
    assert await _ids(past, users=("Anna",), since=after(100.1)) == ["input_boolean.guests"]


async def test_contexts_that_name_each_other_as_parent_have_no_user_and_end(past):
    """E34: a loop of contexts ends."""
    one, two = context(after(0), "one"), context(after(1), "two")
    one, two = context(after(0), "one", two), context(after(1), "two", one)
    await past.tell(change(after(0), "light.hall", "off", "on", one), change(after(1), "light.hall", "on", "off", two))

    page = await past.history.rows(Query())

    assert [row.user for row in page.rows] == [None, None]


async def test_pages_stay_where_they_are_while_rows_arrive(past):
    await past.tell(*(change(after(n), "light.hall", "off", str(n)) for n in range(7)))

    first = await past.history.rows(Query(limit=3))
    await past.tell(*(change(after(n), "light.hall", "off", str(n)) for n in range(7, 9)))
    second = await past.history.rows(Query(limit=3, cursor=first.cursor))
    third = await past.history.rows(Query(limit=3, cursor=second.cursor))

    assert [[row.record.new for row in page.rows] for page in (first, second, third)] == [
        ["6", "5", "4"], ["3", "2", "1"], ["0"],
    ]  # fmt: skip
    assert [page.truncated for page in (first, second, third)] == [True, True, False]
    assert third.cursor is None


async def test_what_came_in_since_a_page_is_found_through_its_other_end(past):
    await past.tell(*(change(after(n), "light.hall", "off", str(n)) for n in range(3)))
    page = await past.history.rows(Query())

    await past.tell(*(change(after(n), "light.hall", "off", str(n)) for n in range(3, 6)))
    newer = await past.history.rows(Query(cursor=page.newer, limit=2))
    newest = await past.history.rows(Query(cursor=newer.newer))
    nothing = await past.history.rows(Query(cursor=newest.newer))

    assert [row.record.new for row in newer.rows] == ["4", "3"]
    assert [row.record.new for row in newest.rows] == ["5"]
    assert (nothing.rows, nothing.newer) == ((), newest.newer)


async def test_four_lights_in_one_moment_are_four_rows_on_any_page(past):
    lights = ["light.hall", "light.kitchen", "light.porch", "light.more"]
    await past.tell(*(change(after(0), light, "off", "on") for light in lights))

    first = await past.history.rows(Query(limit=3))
    rest = await past.history.rows(Query(limit=3, cursor=first.cursor))

    assert sorted(row.subject for row in (*first.rows, *rest.rows)) == sorted(lights)


@pytest.mark.parametrize("asked", [{}, {"states": ("0", "1", "2", "3")}, {"entities": ("light.hall",)}, {"limit": 2}])
async def test_the_state_before_is_told_also_where_only_the_row_before_holds_it(past, asked):
    states = ["off", "0", "1", "2", "3"]
    for n, (old, new) in enumerate(pairwise(states)):
        await past.tell(change(after(n), "light.hall", old, new), change(after(n), "light.porch", old, new))

    page = await past.history.rows(Query(**asked))

    assert all(int(row.record.new) == (int(row.record.old) + 1 if row.record.old != "off" else 0) for row in page.rows)


async def test_an_unknown_entity_is_told_with_what_is_near(past):
    with pytest.raises(UnknownEntityError) as caught:
        await past.history.rows(Query(entities=("light.hal",)))

    assert "light.hall" in caught.value.next


async def test_an_entity_that_is_gone_from_the_home_is_still_remembered(past):
    await past.tell(change(after(0), "light.old", "on", None))

    assert await _ids(past, entities=("light.old",)) == ["light.old"]


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"areas": ("cellar",)}, UnknownAreaError),
        ({"users": ("Zoe",)}, UnknownUserError),
        ({"cursor": "x"}, BadCursorError),
        ({"cursor": "öä"}, BadCursorError),
        ({"cursor": "bzktMQ!"}, BadCursorError),
    ],
)
async def test_what_is_not_known_is_an_error_and_not_an_empty_page(past, asked, error):
    with pytest.raises(error):
        await past.history.rows(Query(**asked))


@pytest.mark.parametrize("limit", [0, -1, 5001])
def test_a_page_has_bounds(limit):
    with pytest.raises(BadQueryError):
        Query(limit=limit)


async def test_whoever_sees_one_room_finds_nothing_of_another(past):
    await _an_evening(past)

    page = await past.history.rows(Query(), lambda entity_id: entity_id == "light.kitchen")

    assert [row.subject for row in page.rows] == ["light.kitchen", "light.turn_on"]
    assert page.rows[1].record.entity_ids == ("light.kitchen",)
    assert page.rows[1].record.data == {}


async def test_an_entity_that_somebody_does_not_see_is_as_unknown_to_them_as_any_other(past):
    await _an_evening(past)

    messages = []
    for entity_id in ("light.hall", "light.none"):
        with pytest.raises(UnknownEntityError) as caught:
            await past.history.rows(Query(entities=(entity_id,)), lambda entity_id: entity_id == "light.kitchen")
        messages.append(caught.value.message.replace(entity_id, "X") + caught.value.next)

    assert messages[0] == messages[1]
    assert "hall" not in messages[0].replace("light.kitchen", "")


async def test_a_chronicle_in_which_nothing_is_written_has_an_empty_page(past):
    page = await past.history.rows(Query())

    assert (page.rows, page.truncated, page.cursor) == ((), False, None)


async def test_a_row_read_afterwards_says_so(past):
    await past.tell(change(after(0), "light.hall", "off", "on", source=Source.BACKFILL))

    row = (await past.history.rows(Query())).rows[0].as_json()

    assert (row["source"], row["context_id"]) == ("backfill", None)


async def test_what_a_plan_did_is_put_down_to_whoever_asked_for_it_and_not_to_the_owner_of_our_token(past):
    of_plan = context(after(5), "plan", user=ANNA)  # Home Assistant knows only whose token it was
    automation = context(after(6), "next", of_plan)
    await past.tell(
        acted(after(5), "light.turn_on", of_plan, "light.hall", person="Ben"),
        change(after(5.1), "light.hall", "off", "on", of_plan),
        ran(after(6), "automation.hall_motion", automation, "state of light.hall", "Hall motion"),
        users={ANNA: "Anna"},
    )
    page = await past.history.rows(Query())
    assert {row.subject: row.user for row in page.rows} == {
        "light.turn_on": "Ben",
        "light.hall": "Ben",
        "automation.hall_motion": "Ben",
    }


async def test_what_a_plan_did_is_found_by_whoever_asked_for_it_and_not_by_whose_token_it_was(past):
    of_plan, own = context(after(0), "plan", user=ANNA), context(after(9), "own", user=ANNA)
    await past.tell(
        acted(after(0), "light.turn_on", of_plan, "light.hall", person="Éva"),
        called(after(0.1), "light.turn_on", of_plan, "light.hall"),
        change(after(0.2), "light.hall", "off", "on", of_plan),
        change(after(9), "light.hall", "on", "off", own),
        users={ANNA: "Owner"},
    )
    rows = (await past.history.rows(Query())).rows

    for asked in ("Éva", "éva", "E\u0301va", "owner", ANNA):
        shown = "Owner" if asked in {"owner", ANNA} else "Éva"
        assert await _ids(past, users=(asked,)) == [
            row.entity_ids[0] if row.kind is Kind.STATE else row.subject for row in rows if row.user == shown
        ]


async def test_whether_there_is_a_user_is_not_told_to_somebody_bound(past):
    await past.tell(
        change(after(0), "light.hall", "off", "on", context(after(0), "a", user=ANNA)), users={ANNA: "Anna"}
    )

    for user in ("Anna", ANNA, "Zoe"):
        page = await past.history.rows(Query(users=(user,)), {"light.kitchen"}.__contains__)
        assert (page.rows, page.cursor, page.newer) == ((), None, None)
