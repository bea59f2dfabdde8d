"""The house at a moment, and what differs between two: known, or said not to be."""

import pytest

from homesteward.chronicle.moments import Unknown
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind, Outage, Source
from pasts import after, called, change, context, ran


async def _two_lights(past) -> None:
    await past.tell(
        change(after(0), "light.hall", None, "off", source=Source.FOUND),
        change(after(10), "light.hall", "off", "on", None, {"brightness": 200}),
        change(after(10), "light.kitchen", "off", "on"),
        change(after(20), "light.kitchen", "on", "off"),
        change(after(30), "light.porch", "on", None),
    )


async def test_the_house_is_told_as_it_was(past):
    await _two_lights(past)

    house = await past.history.home_at(after(15))

    assert {entity_id: known.state for entity_id, known in house.states.items()} == {
        "light.hall": "on",
        "light.kitchen": "on",
    }
    assert house.states["light.hall"].attributes == {"brightness": 200}
    assert house.states["light.hall"].since == after(10)


async def test_a_moment_includes_what_happened_at_it_the_last_of_several_last(past):
    await past.tell(change(after(5), "light.hall", "off", "on"), change(after(5), "light.hall", "on", "off"))

    assert (await past.history.home_at(after(5))).states["light.hall"].state == "off"


async def test_before_its_first_row_nothing_is_known_of_an_entity(past):
    await _two_lights(past)

    house = await past.history.home_at(after(5))

    assert house.states["light.hall"].source is Source.FOUND
    assert house.unknown["light.kitchen"] is Unknown.NOT_YET
    assert "light.kitchen" not in house.states


async def test_what_was_gone_is_neither_there_nor_unknown(past):
    await _two_lights(past)

    house = await past.history.home_at(after(40))

    assert "light.porch" not in house.states
    assert "light.porch" not in house.unknown


async def test_inside_an_outage_that_nobody_filled_nothing_is_known(past):
    await _two_lights(past)
    await past.tell(outages=(Outage(after(12), after(18), "cut"), Outage(after(60), after(70), "cut", after(75), 3)))

    inside = await past.history.home_at(after(15))
    filled = await past.history.home_at(after(65))

    assert inside.states == {}
    assert inside.unknown["light.hall"] is Unknown.OUTAGE
    assert inside.before_outage["light.hall"].state == "on"
    assert inside.outage.start == after(12)
    assert filled.states["light.kitchen"].state == "off"
    assert filled.outage is None


async def test_an_outage_that_has_not_ended_reaches_to_now(past):
    await _two_lights(past)
    await past.tell(outages=(Outage(after(50), None, "cut"),))

    assert (await past.history.home_at(after(3000))).outage is not None
    assert (await past.history.home_at(after(49))).outage is None


async def test_two_moments_differ_in_what_changed_between_them(past):
    await _two_lights(past)

    difference = await past.history.difference(after(15), after(40))

    assert [(each.entity_id, each.before.state, each.after.state) for each in difference.changed] == [
        ("light.kitchen", "on", "off")
    ]


async def test_what_is_unknown_at_one_of_two_moments_is_not_compared(past):
    await _two_lights(past)

    difference = await past.history.difference(after(5), after(40))

    assert [each.entity_id for each in difference.changed] == ["light.hall"]
    assert difference.unknown["light.kitchen"] is Unknown.NOT_YET


async def test_whoever_sees_one_room_sees_its_part_of_the_house(past):
    await _two_lights(past)

    house = await past.history.home_at(after(15), {"light.kitchen"}.__contains__)

    assert (list(house.states), dict(house.unknown)) == (["light.kitchen"], {})


async def test_the_form_of_the_contract_has_the_moment_and_the_states(past):
    await _two_lights(past)

    answer = (await past.history.home_at(after(15))).as_json()

    assert answer["at"] == after(15).isoformat()
    assert answer["states"]["light.hall"]["state"] == "on"


async def test_recent_activity_reads_by_day_in_home_time(past):
    run = context(after(0.1), "run")
    await past.tell(
        change(after(-86_400), "binary_sensor.door", "off", "on"),
        ran(after(0.1), "automation.dusk", run, "sunset"),
        called(after(0.2), "light.turn_on", run, "light.porch"),
        change(after(0.3), "light.porch", "off", "on", run),
    )

    recent = await past.history.recent(Query())

    assert recent.text == (
        "2026-11-03\n"
        "  18:02:00  Porch light turned on\n"
        "  18:02:00  light.turn_on: Porch light\n"
        "  18:02:00  Dusk ran, triggered by sunset\n"
        "2026-11-02\n"
        "  18:02:00  Front door opened"
    )


@pytest.mark.parametrize("name", ["<b>*x*</b>", "a_b_c [link](x)", "# Head"])
async def test_a_name_is_never_taken_for_markup(past, name):
    past.home.states["light.hall"] = past.home.states["light.hall"].__class__(
        "light.hall", "on", {"friendly_name": name}
    )
    await past.tell(change(after(0), "light.hall", "off", "on"))

    markdown = (await past.history.recent(Query())).markdown

    assert f" {name} " not in markdown
    assert markdown.startswith("### 2026-11-03\n\n- **18:02:00** ")


async def test_recent_activity_says_that_there_is_more(past):
    await past.tell(change(after(0), "light.hall", "off", "on"), change(after(1), "light.hall", "on", "off"))

    recent = await past.history.recent(Query(limit=1, kinds=frozenset({Kind.STATE})))

    assert recent.text.endswith("There is more.")
    assert recent.as_json()["truncated"] is True
    assert recent.as_json()["rows"][0]["text"] == "Hall light turned off"
