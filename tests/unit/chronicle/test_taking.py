"""How long our own acts took to show their effect: seen in the chronicle, and only what was our doing."""

import pytest

from homesteward.chronicle.record import Act, Context, Source
from homesteward.chronicle.taking import FOLLOWED, Took, effects_seen
from homesteward.home.inventory import Thing
from pasts import acted, after, change, context

BLIND, LAMP = "cover.blind", "light.lamp"


@pytest.fixture
def past(past):
    for thing in (Thing(BLIND, state="closed"), Thing(LAMP, state="off"), Thing("group.both", members=(BLIND, LAMP))):
        past.home._place(thing)
    return past


def sent(seconds: float, service: str, *entity_ids: str, of: Context | None = None) -> Act:
    return acted(after(seconds), service, of, *entity_ids)


async def seen(past):
    return await effects_seen(past.history, past.home, after(-3600))


async def test_it_took_until_the_effect_was_there_and_not_until_it_was_on_its_way(past):
    ours = context(after(0), "ours")
    await past.tell(
        sent(0, "cover.open_cover", BLIND, of=ours),
        change(after(0.2), BLIND, "closed", "opening", ours),
        change(after(71), BLIND, "opening", "open"),
    )
    assert await seen(past) == (Took(BLIND, "open_cover", 71.0),)


async def test_several_things_and_several_acts_are_told_apart_the_newest_first(past):
    await past.tell(
        sent(0, "homeassistant.turn_on", LAMP, "switch.none"),
        change(after(2), LAMP, "off", "on"),
        sent(60, "light.turn_off", LAMP),
        change(after(64), LAMP, "on", "off"),
    )
    assert await seen(past) == (Took(LAMP, "turn_off", 4.0), Took(LAMP, "turn_on", 2.0))


async def test_what_never_showed_teaches_nothing(past):
    await past.tell(sent(0, "light.turn_on", LAMP), change(after(FOLLOWED.total_seconds() + 1), LAMP, "off", "on"))
    assert await seen(past) == ()


async def test_what_was_so_before_teaches_nothing(past):
    await past.tell(sent(0, "light.turn_on", LAMP), change(after(30), LAMP, "on", "on"))
    assert await seen(past) == ()


async def test_what_came_by_the_next_act_is_not_put_down_to_the_one_before(past):
    await past.tell(
        sent(0, "light.turn_on", LAMP),
        sent(100, "light.turn_on", LAMP),
        change(after(101), LAMP, "off", "on"),
    )
    assert await seen(past) == (Took(LAMP, "turn_on", 1.0),)


@pytest.mark.parametrize("how", ["a person", "an automation", "read afterwards"])
async def test_what_others_did_or_nobody_heard_teaches_nothing(past, how):
    ours, theirs = context(after(0), "ours"), context(after(40), "theirs")
    made = {
        "a person": (context(after(40), "hers", user="a" * 32), Source.HEARD),
        "an automation": (context(after(40), "child", theirs), Source.HEARD),
        "read afterwards": (None, Source.BACKFILL),
    }[how]
    await past.tell(
        sent(0, "light.turn_on", LAMP, of=ours),
        change(after(40), LAMP, "off", "on", made[0], source=made[1]),
    )
    assert await seen(past) == ()


async def test_the_members_of_a_group_are_seen_each_for_itself(past):
    await past.tell(
        sent(0, "homeassistant.turn_on", "group.both"),
        change(after(3), LAMP, "off", "on"),
    )
    assert await seen(past) == (Took(LAMP, "turn_on", 3.0),)


async def test_acts_before_the_span_and_things_that_are_gone_are_left_out(past):
    await past.tell(
        sent(-7200, "light.turn_on", LAMP),
        change(after(-7199), LAMP, "off", "on"),
        sent(0, "light.turn_on", "light.gone"),
        change(after(1), "light.gone", "off", "on"),
    )
    assert await seen(past) == ()
    assert await effects_seen(past.history, past.home, after(-7300)) == (Took(LAMP, "turn_on", 1.0),)


async def test_clocks_that_differ_a_little_make_no_time_negative(past):
    ours = context(after(0), "ours")
    await past.tell(sent(0, "light.turn_on", LAMP, of=ours), change(after(-1), LAMP, "off", "on", ours))
    assert await seen(past) == (Took(LAMP, "turn_on", 0.0),)
