"""What a caller with an entity set sees of the home: that, and nothing else, by whatever name it goes."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import count

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from homes import large_home, small_home
from homesteward.home.calls import BodyStep, Call, Target, parse_call
from homesteward.home.errors import CallError, UnknownEntityError
from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Device, Floor, Label
from homesteward.home.simulation import SimulatedHome
from homesteward.home.targets import expand
from homesteward.home.view import area_of
from homesteward.people import Caller, Channel, Reach, Role
from homesteward.people.beyond import BLANK
from homesteward.people.scoped import scoped

KITCHEN = Reach.of(areas=["kitchen"])


def caller(reach):
    return Caller(Role.TOKEN, Channel.API, "Wall panel", token_id="t", reach=reach)


def seen(home, reach=KITCHEN):
    return scoped(home, caller(reach))


def everything(view):
    """All that can be read of a home, in one text."""
    services = {key: service for key, service in view.services.items() if key.startswith("script.")}
    parts = (view.states, view.entities, view.devices, view.areas, view.floors, view.labels, view.bodies, services)
    return repr([[dict(part) for part in parts], view.exposed])


def test_who_reaches_everything_is_given_the_home_itself(home):
    assert scoped(home, Caller(Role.MEMBER, Channel.PAGE)) is home


def test_a_token_of_the_kitchen_sees_the_kitchen(home):
    view = seen(home)
    assert set(view.states) == {"light.kitchen", "switch.coffee", "lock.back_door"}
    assert (set(view.areas), set(view.floors), set(view.labels)) == ({"kitchen"}, {"ground"}, {"security"})
    assert view.exposed == set(view.states)
    assert len(view.states) == 3


@pytest.mark.parametrize("entity_id", ["light.hall", "light.none"])
def test_what_is_beyond_is_as_unknown_as_what_does_not_exist(home, entity_id):
    with pytest.raises(UnknownEntityError) as refused:
        expand(seen(home), parse_call({"service": "light.turn_on", "target": {"entity_id": entity_id}}))
    assert refused.value.message == f"There is no entity {entity_id}."
    assert refused.value.next == "Did you mean light.kitchen?"


def test_an_error_offers_no_place_from_beyond(home):
    with pytest.raises(CallError) as refused:
        expand(seen(home), parse_call({"service": "light.turn_on", "target": {"area_id": "hall"}}))
    assert refused.value.next == "Known: kitchen."


def test_a_floor_stands_for_what_is_in_reach_of_it(home):
    call = expand(seen(home), parse_call({"service": "light.turn_on", "target": {"floor_id": "ground"}}))
    assert call.entity_ids == ("light.kitchen",)


def test_a_group_shows_only_its_members_in_reach(home):
    view = seen(home, Reach.of(entities=["light.upstairs", "light.study"]))
    assert view.states["light.upstairs"].attributes["entity_id"] == ["light.study"]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("light.hall", None),
        ("light.kitchen", "light.kitchen"),
        ("light.kitchen, light.hall", "light.kitchen, "),
        ("{{ states.light.hall.state }}", "{{  }}"),
        ("/api/camera_proxy/LIGHT.HALL?x=1", "/api/camera_proxy/?x=1"),
        (["light.kitchen", "light.hall"], ["light.kitchen"]),
        ({"light.hall": 1, "light.kitchen": {"of": ["light.hall"]}}, {"light.kitchen": {"of": []}}),
        ("21.5", "21.5"),
        ("1.2.3", "1.2.3"),
        ("www.example.com/light.html", "www.example.com/"),
        (21.5, 21.5),
        ("", ""),
    ],
)
def test_an_id_from_beyond_is_taken_out_of_every_attribute(home, said, shown):
    home.set_state("light.kitchen", "on", extra=said)
    assert seen(home).states["light.kitchen"].attributes.get("extra") == shown


def test_a_state_that_is_the_name_of_something_beyond_is_unknown(home):
    home.set_state("switch.coffee", "light.hall")
    assert seen(home).states["switch.coffee"].state == "unknown"


def test_a_script_in_reach_that_does_something_beyond_is_not_shown_as_harmless(home):
    view = seen(home, Reach.of(entities=["script.let_in", "light.hall"]))
    lamp, unlock = view.bodies["script.let_in"]
    assert lamp.call.target == Target(entity_id=("light.hall",))
    assert unlock == BLANK


def test_a_script_beyond_reach_is_no_service_either(home):
    assert "script.welcome" not in seen(home).services
    assert "script.welcome" in seen(home, Reach.of(entities=["script.welcome"])).services
    assert seen(home).services.keys() >= {"light.turn_on", "script.turn_on"}


def test_a_device_in_reach_says_nothing_of_another_room():
    home = SimulatedHome.build(
        [Thing("light.a", area="kitchen", device="d1"), Thing("light.b", device="d1")],
        areas=["Kitchen", "Hall"],
        labels=[Label("secret", "Secret")],
        devices=[Device("d1", "Two lamps", "hall", frozenset({"secret"}), parent_id="d2"), Device("d2", "Hub", "hall")],
    )
    device = seen(home).devices["d1"]
    assert (device.area_id, device.parent_id, set(seen(home).devices)) == (None, None, {"d1"})


def test_an_entity_moved_into_the_area_is_in_reach_from_then_on(home):
    view = seen(home)
    assert "light.hall" not in view.states
    home.entities["light.hall"] = replace(home.entities["light.hall"], area_id="kitchen")
    home.revision += 1
    assert "light.hall" in view.states
    assert view.revision == home.revision


def test_a_watcher_hears_of_what_is_in_reach_and_of_nothing_else(home):
    heard = []
    undo = seen(home).watch(lambda old, new: heard.append((old and old.entity_id, new and new.entity_id)))
    home.set_state("light.hall", "on")
    home.set_state("light.kitchen", "on", others=["light.hall"])
    undo()
    home.set_state("light.kitchen", "off")
    assert heard == [("light.kitchen", "light.kitchen")]


def test_a_watcher_is_told_no_more_than_the_view_shows(home):
    told = []
    seen(home).watch(lambda _old, new: told.append(new.attributes["others"]))
    home.set_state("light.kitchen", "on", others=["light.hall", "switch.coffee"])
    assert told == [["switch.coffee"]]


def test_a_watcher_of_something_beyond_hears_nothing(home):
    heard = []
    seen(home).watch(lambda *change: heard.append(change), ["light.hall"])
    home.set_state("light.hall", "on")
    assert heard == []


def test_what_is_removed_is_told_as_gone(home):
    heard = []
    seen(home).watch(lambda old, new: heard.append((old.entity_id, new)))
    home.remove("light.kitchen")
    home.remove("light.hall")
    assert heard == [("light.kitchen", None)]


async def test_only_bodies_in_reach_are_read_anew(home):
    asked = []

    async def freshen(entity_ids):
        asked.extend(entity_ids)

    home.freshen = freshen
    await seen(home, Reach.of(entities=["script.welcome"])).freshen(["script.welcome", "script.let_in"])
    assert asked == ["script.welcome"]


def test_an_empty_reach_sees_nothing(home):
    view = seen(home, Reach())
    assert (dict(view.states), dict(view.areas), view.exposed) == ({}, {}, frozenset())


NUMBERS = st.integers(0, 5)


@dataclass(frozen=True)
class Furnished:
    """A home in which every word is used once, so that a word from beyond can only have come from there."""

    home: SimulatedHome
    reach: Reach


@st.composite
def furnished(draw):
    """Draw a home in which things name each other in every way they can, and a reach over some of it."""
    words = (f"w{n}w" for n in count())
    floors = [Floor(next(words), next(words), (next(words),)) for _ in range(draw(st.integers(1, 2)))]
    labels = [Label(next(words), next(words)) for _ in range(2)]
    some_labels = st.frozensets(st.sampled_from([label.label_id for label in labels]))
    areas = [
        Area(next(words), next(words), draw(st.sampled_from(floors)).floor_id, (next(words),), draw(some_labels))
        for _ in range(3)
    ]
    area_ids = [area.area_id for area in areas]
    places = st.sampled_from([None, *area_ids])
    devices: list[Device] = []
    for _ in range(3):
        parent = draw(st.sampled_from([None, *(device.device_id for device in devices)]))
        devices.append(Device(next(words), next(words), draw(places), draw(some_labels), parent_id=parent))
    device_ids = [device.device_id for device in devices]
    domains = st.sampled_from(["light", "sensor", "script", "group", "lock"])
    ids = [f"{draw(domains)}.{next(words)}" for _ in range(draw(st.integers(3, 7)))]
    names = st.sampled_from([*ids, *device_ids])
    mention = st.one_of(
        names,
        st.lists(names, max_size=4),
        st.dictionaries(names, st.one_of(NUMBERS, names, st.lists(names, max_size=2)), max_size=3),
        st.lists(st.sampled_from(ids), min_size=1, max_size=3).map(", ".join),
        st.sampled_from(ids).map(lambda name: f"{{{{ states.{name}.state }}}}"),
    )
    things = [
        Thing(
            entity_id,
            next(words),
            draw(places),
            draw(st.sampled_from(["on", "off", *ids])),
            {"mention": draw(mention)},
            (next(words),),
            draw(some_labels),
            draw(st.sampled_from([None, *device_ids])),
            members=tuple(draw(st.lists(st.sampled_from(ids), max_size=3))) if entity_id.startswith("group") else (),
            body=tuple(draw(st.lists(_steps(ids, device_ids, area_ids), max_size=3)))
            if entity_id.startswith("script")
            else None,
            registered=draw(st.booleans()),
        )
        for entity_id in ids
    ]
    reach = Reach(
        draw(st.frozensets(st.sampled_from(area_ids), max_size=1)),
        draw(st.frozensets(st.sampled_from([label.label_id for label in labels]), max_size=1)),
        draw(st.frozensets(st.sampled_from(ids), max_size=2)),
    )
    home = SimulatedHome.build(things, areas=areas, floors=floors, labels=labels, devices=devices)
    return Furnished(home, reach)


def _steps(ids, device_ids, area_ids):
    targets = st.one_of(
        st.sampled_from(ids).map(lambda name: Target(entity_id=(name,))),
        st.sampled_from(device_ids).map(lambda name: Target(device_id=(name,))),
        st.sampled_from(area_ids).map(lambda name: Target(area_id=(name,))),
    )
    data = st.sampled_from([{}, *({"snapshot": [name]} for name in ids)])
    calls = st.builds(
        lambda target, given: BodyStep(Call("light", "turn_on", target, given), "turns it on"), targets, data
    )
    members = st.sampled_from(ids).map(lambda name: BodyStep(None, f"set {name}", member=name))
    scripts = st.sampled_from(ids).map(lambda name: BodyStep(Call(*name.split(".")), f"calls {name}"))
    return st.one_of(calls, members, scripts)


@given(furnished())
def test_no_id_name_area_or_alias_from_beyond_occurs_anywhere_in_the_view(drawn):
    """The law that a token scoped to the kitchen lives by: every word of the rest of the home is absent from all that can be read."""
    home, reach, view = drawn.home, drawn.reach, seen(drawn.home, drawn.reach)
    held = {entity_id for entity_id in home.states if reach.holds(home, entity_id)}
    assert set(view.states) == held

    shown = set(re.findall(r"w\d+w", everything(view)))

    known = set(view.areas) | set(view.floors) | set(view.labels) | set(view.devices)
    allowed = {word for entity_id in held for word in re.findall(r"w\d+w", entity_id)}
    for part in (view.areas, view.floors, view.labels, view.devices):
        for thing in part.values():
            allowed |= {thing.name, *getattr(thing, "aliases", ())}
    for entity_id in held:
        allowed |= {home.states[entity_id].name}
        allowed |= set(home.entities[entity_id].aliases) if entity_id in home.entities else set()
    assert shown <= allowed | known
    in_areas = {area.area_id for area in (area_of(home, entity_id) for entity_id in held) if area} | reach.areas
    assert set(view.areas) == in_areas
    assert set(view.devices) == {entry.device_id for e, entry in home.entities.items() if e in held and entry.device_id}


@given(furnished(), st.data())
def test_the_view_follows_whatever_changes_in_the_home(drawn, data):
    home, view = drawn.home, seen(drawn.home, drawn.reach)
    everything(view)  # what is cached now must not be shown later
    domains = Counter(entity_id.partition(".")[0] for entity_id in home.states)
    victims = [entity_id for entity_id in sorted(home.states) if domains[entity_id.partition(".")[0]] > 1]
    assume(victims)  # of a domain that the home no longer has, nothing tells an id from any other dotted text
    victim = data.draw(st.sampled_from(victims))
    home.remove(victim)
    assert victim not in everything(view)


def test_a_narrower_reach_never_sees_more():
    home = small_home()
    wide, narrow = seen(home, Reach.of(areas=["kitchen", "hall"])), seen(home)
    for part in ("states", "entities", "areas", "floors", "labels", "services", "bodies"):
        assert getattr(narrow, part).keys() <= getattr(wide, part).keys(), part


def test_a_state_is_read_through_a_reach_without_a_walk_through_the_whole_home():
    class Walked(dict):
        """States that count how often somebody goes through them all."""

        walks = 0

        def __iter__(self):
            self.walks += 1
            return super().__iter__()

        def items(self):
            self.walks += 1
            return super().items()

        def values(self):
            self.walks += 1
            return super().values()

        def keys(self):
            self.walks += 1
            return super().keys()

    home = large_home(5000)
    home.states, home.entities = Walked(home.states), Walked(home.entities)
    view = seen(home, Reach.of(areas=["area_7"]))
    assert len(view.states) == 50
    assert home.states.walks + home.entities.walks > 0
    home.states.walks = home.entities.walks = 0
    for n in range(7, 5000, 100):
        assert view.states[f"light.lamp_{n}"].state == "off"
    assert (home.states.walks, home.entities.walks) == (0, 0)
