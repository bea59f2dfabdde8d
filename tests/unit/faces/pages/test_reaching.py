"""What reaches a thing, through what; and a drawing that holds each row once."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from homesteward.chronicle.graph import Certainty, Evidence, Link
from homesteward.chronicle.record import StateChange
from homesteward.chronicle.rows import Row
from homesteward.faces.web.pages.drawn import MOST_LANES, drawn
from homesteward.faces.web.pages.local import Local
from homesteward.faces.web.pages.reaching import MOST_WAYS, ways_to
from homesteward.faces.web.pages.texts import Words
from homesteward.home.calls import BodyStep, Call, Target
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def runs(entity_id: str) -> BodyStep:
    return BodyStep(Call("homeassistant", "turn_on", Target(entity_id=(entity_id,))), f"turn on {entity_id}")


def test_a_way_through_a_place_and_a_script_is_found_with_what_lies_between():
    hall = BodyStep(Call("light", "turn_on", Target(area_id=("hall",))), "the hall")
    home = SimulatedHome.build(
        [
            Thing("light.hall", "Hall light", "hall"),
            Thing("script.arrive", "Arrive", body=(hall,)),
            Thing("automation.door", "Door", body=(runs("script.arrive"),)),
            Thing("scene.evening", "Evening", body=(BodyStep(None, "", "light.hall"),)),
        ],
        areas=["hall"],
    )
    ways, more = ways_to("light.hall", home)
    assert {way.path for way in ways} == {
        ("script.arrive",),
        ("scene.evening",),
        ("automation.door", "script.arrive"),
    }
    assert more == 0


def test_things_that_reach_each_other_end():
    home = SimulatedHome.build(
        [Thing("script.a", body=(runs("script.b"),)), Thing("script.b", body=(runs("script.a"),))]
    )
    ways, _ = ways_to("script.a", home)
    assert [way.path for way in ways] == [("script.b",)]


def test_very_many_ways_are_counted_and_not_all_named():
    scripts = [Thing(f"script.s{n}", body=(runs("light.hall"),)) for n in range(MOST_WAYS + 5)]
    ways, more = ways_to("light.hall", SimulatedHome.build([Thing("light.hall"), *scripts]))
    assert (len(ways), more) == (MOST_WAYS, 5)


@given(
    st.lists(st.tuples(st.integers(0, 600), st.integers(0, 12)), min_size=1, max_size=60),
    st.lists(st.tuples(st.integers(0, 70), st.integers(0, 70)), max_size=40),
)
def test_each_row_has_one_place_of_its_own_and_arrows_only_join_what_is_drawn(happened, joined):
    rooms = [f"room_{n}" for n in range(13)]
    home = SimulatedHome.build([Thing(f"light.l{n}", area=room) for n, room in enumerate(rooms)], areas=rooms)
    visit = SimpleNamespace(home=home, say=Words("en"), local=Local("en", "GB", "UTC"))
    rows = [
        Row(StateChange(NOW + timedelta(seconds=second), f"light.l{room}", "off", "on", id=n))
        for n, (second, room) in enumerate(happened)
    ]
    refs = [row.ref for row in rows]
    links = [
        Link(
            refs[a] if a < len(refs) else "0-0",
            refs[b] if b < len(refs) else "0-1",
            Certainty.CERTAIN,
            (Evidence.CONTEXT,),
        )
        for a, b in joined
    ]
    made = drawn(rows, links, {}, visit)
    assert sorted(spot.ref for spot in made.spots) == sorted(refs)
    assert len({spot.x for spot in made.spots}) == len(rows)
    assert len(made.lanes) <= MOST_LANES
    assert all(0 < spot.x < made.width and spot.y in {lane.y for lane in made.lanes} for spot in made.spots)
    assert len(made.arrows) == sum(a < len(refs) and b < len(refs) for a, b in joined)
