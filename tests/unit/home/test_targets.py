"""Targets become exactly the entities that Home Assistant would act on, or an error that names what is there."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homes import empty_home, large_home, small_home
from homesteward.home.calls import Call, Target
from homesteward.home.errors import (
    CallError,
    NoTargetError,
    NothingThereError,
    NotSupportedError,
    TakesNoTargetError,
    TooManyTargetsError,
    UnknownAreaError,
    UnknownDeviceError,
    UnknownEntityError,
    UnknownFloorError,
    UnknownLabelError,
    UnknownServiceError,
    WrongDomainError,
)
from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Device, Label, Service
from homesteward.home.simulation import SimulatedHome
from homesteward.home.targets import expand
from homesteward.home.view import area_of, leaves_of

HOME = small_home()


def reached(home: SimulatedHome, service: str, **target: tuple[str, ...]) -> tuple[str, ...]:
    domain, _, name = service.partition(".")
    return expand(home, Call(domain, name, Target(**target))).entity_ids


def test_a_named_entity_stays_as_it_is():
    assert reached(HOME, "light.turn_on", entity_id=("light.kitchen",)) == ("light.kitchen",)


def test_an_entity_may_be_named_by_the_id_of_its_registry_entry():
    """Home Assistant's editor writes that id, and it stays the same when the entity gets another one."""
    home = SimulatedHome.build([Thing("lock.front")])
    home.entities["lock.front"] = replace(home.entities["lock.front"], registry_id="0" * 32)
    assert reached(home, "lock.unlock", entity_id=("0" * 32,)) == ("lock.front",)
    with pytest.raises(UnknownEntityError):
        reached(home, "lock.unlock", entity_id=("1" * 32,))


def test_a_group_stays_one_entity():
    assert reached(HOME, "light.turn_on", entity_id=("light.upstairs",)) == ("light.upstairs",)


def test_an_area_stands_for_what_the_service_acts_on_there():
    assert reached(HOME, "light.turn_on", area_id=("study",)) == ("light.reading_lamp_study", "light.study")


def test_a_floor_stands_for_its_areas():
    assert reached(HOME, "cover.open_cover", floor_id=("upper",)) == ("cover.bedroom_blinds", "cover.study_blinds")


def test_a_label_reaches_entities_and_areas_that_carry_it():
    assert reached(HOME, "lock.lock", label_id=("security",)) == ("lock.back_door", "lock.front_door")
    assert reached(HOME, "light.turn_on", label_id=("entrance",)) == ("light.hall",)


def test_a_generic_service_takes_every_domain_that_has_it():
    assert reached(HOME, "homeassistant.turn_off", area_id=("kitchen",)) == ("light.kitchen", "switch.coffee")


def test_named_entities_come_first_and_none_twice():
    found = reached(HOME, "light.turn_on", entity_id=("light.study", "light.kitchen"), area_id=("study",))
    assert found == ("light.study", "light.kitchen", "light.reading_lamp_study")


def test_an_entitys_own_area_wins_over_its_devices():
    home = SimulatedHome.build(
        [
            Thing("light.moved", area="hall", device="box"),
            Thing("light.stayed", device="box"),
        ],
        areas=["Hall", "Kitchen"],
        devices=[Device("box", "Box", "kitchen")],
    )
    assert reached(home, "light.turn_on", area_id=("kitchen",)) == ("light.stayed",)
    assert reached(home, "light.turn_on", area_id=("hall",)) == ("light.moved",)
    assert reached(home, "light.turn_on", device_id=("box",)) == ("light.moved", "light.stayed")


def test_a_device_is_targeted_together_with_its_children():
    home = SimulatedHome.build(
        [Thing("switch.plug_1", device="child")],
        devices=[Device("strip", "Strip"), Device("child", "Plug 1", parent_id="strip")],
    )
    assert reached(home, "switch.turn_on", device_id=("strip",)) == ("switch.plug_1",)


def test_hidden_and_diagnostic_entities_are_not_part_of_an_area():
    home = SimulatedHome.build(
        [
            Thing("light.plain", area="hall"),
            Thing("light.hidden", area="hall", hidden=True),
            Thing("light.status", area="hall", category="diagnostic"),
        ],
        areas=["Hall"],
    )
    assert reached(home, "light.turn_on", area_id=("hall",)) == ("light.plain",)


def test_a_label_on_a_diagnostic_entity_reaches_it_as_in_home_assistant():
    home = SimulatedHome.build(
        [Thing("light.status", category="diagnostic", labels=frozenset({"x"}))], labels=[Label("x", "X")]
    )
    assert reached(home, "light.turn_on", label_id=("x",)) == ("light.status",)


def test_an_area_leaves_out_what_cannot_do_it_and_a_name_is_told_so():
    home = SimulatedHome.build(
        [
            Thing("cover.blind", area="hall"),
            Thing("cover.old", area="hall", attributes={"supported_features": 3}),
        ],
        areas=["Hall"],
    )
    assert reached(home, "cover.set_cover_position", area_id=("hall",)) == ("cover.blind",)
    with pytest.raises(NotSupportedError, match=r"cover\.old"):
        reached(home, "cover.set_cover_position", entity_id=("cover.old",))


def test_an_unknown_area_is_an_error_that_lists_the_known_ones():
    """E04: the misheard room is named, the known ones are listed, nothing is resolved instead."""
    with pytest.raises(UnknownAreaError, match="bathroom") as told:
        reached(HOME, "light.turn_on", area_id=("bathroom",))
    assert told.value.code == "unknown_area"
    for known in ("bedroom", "kitchen", "outside"):
        assert known in told.value.next


@pytest.mark.parametrize("target", [Target(), Target(entity_id=("all",)), Target(entity_id=("none",))])
def test_an_empty_or_all_target_is_no_explicit_target(target: Target):
    """E04: variants of the misheard room that would act on the whole house."""
    with pytest.raises(NoTargetError, match="no explicit target"):
        expand(HOME, Call("light", "turn_on", target))


def test_an_empty_area_name_is_refused():
    """E04: `area: ""`."""
    with pytest.raises(CallError):
        reached(HOME, "light.turn_on", area_id=("",))


def test_an_entity_that_is_not_there_names_its_nearest():
    """E10: refused before it is sent, and the neighbour is named."""
    home = SimulatedHome.build([Thing("light.lounge", "Lounge")])
    with pytest.raises(UnknownEntityError) as told:
        reached(home, "light.turn_on", entity_id=("light.longue",))
    assert "light.lounge" in told.value.next
    assert not home.calls


@pytest.mark.parametrize(
    ("target", "error"),
    [
        (Target(floor_id=("attic",)), UnknownFloorError),
        (Target(label_id=("nope",)), UnknownLabelError),
        (Target(device_id=("nope",)), UnknownDeviceError),
    ],
)
def test_every_kind_of_unknown_place_has_its_own_error(target: Target, error: type[CallError]):
    with pytest.raises(error):
        expand(HOME, Call("light", "turn_on", target))


@pytest.mark.parametrize(("service", "near"), [("light.turn_onn", "light.turn_on"), ("ligt.turn_on", "light")])
def test_an_unknown_service_names_its_nearest(service: str, near: str):
    with pytest.raises(UnknownServiceError) as told:
        reached(HOME, service, entity_id=("light.kitchen",))
    assert near in told.value.next


def test_a_place_with_nothing_of_the_kind_is_an_error_even_beside_others():
    with pytest.raises(NothingThereError, match="Garage"):
        reached(HOME, "light.turn_on", area_id=("study", "garage"))


def test_an_entity_of_another_domain_is_refused():
    with pytest.raises(WrongDomainError):
        reached(HOME, "cover.open_cover", entity_id=("light.kitchen",))


def test_a_target_for_a_service_without_one_is_refused():
    with pytest.raises(TakesNoTargetError):
        reached(HOME, "homeassistant.restart", entity_id=("light.kitchen",))


def test_a_service_that_carries_entities_in_a_field_keeps_them():
    assert reached(HOME, "homeassistant.update_entity", entity_id=("light.kitchen",)) == ("light.kitchen",)


def test_a_call_that_reaches_too_much_is_refused():
    home = large_home(600)
    with pytest.raises(TooManyTargetsError):
        reached(home, "light.turn_on", floor_id=tuple(home.floors))


def test_a_home_without_floors_says_so():
    with pytest.raises(UnknownFloorError) as told:
        reached(empty_home(), "light.turn_on", floor_id=("ground",))
    assert "no floors" in told.value.next


def test_a_service_of_an_integration_takes_only_its_entities():
    snapshot = Service("sonos", "snapshot", target={"entity": [{"integration": "sonos", "domain": ["media_player"]}]})
    home = SimulatedHome.build([Thing("media_player.radio")], services=[snapshot])
    with pytest.raises(WrongDomainError):
        reached(home, "sonos.snapshot", entity_id=("media_player.radio",))


NAMES = {
    "entity_id": st.sampled_from(sorted(HOME.states)),
    "area_id": st.sampled_from(sorted(HOME.areas)),
    "floor_id": st.sampled_from(sorted(HOME.floors)),
    "label_id": st.sampled_from(sorted(HOME.labels)),
}
TARGETS = st.builds(Target, **{key: st.lists(names, max_size=2).map(tuple) for key, names in NAMES.items()})
SERVICES = st.sampled_from(
    ["light.turn_on", "lock.unlock", "cover.open_cover", "homeassistant.toggle", "switch.turn_off"]
)


@given(TARGETS, SERVICES)
def test_expansion_stays_within_what_was_named(target: Target, service: str):
    domain, _, name = service.partition(".")
    try:
        found = expand(HOME, Call(domain, name, target)).entity_ids
    except CallError:
        return
    for entity_id in found:
        area = area_of(HOME, entity_id)
        labels = HOME.entities[entity_id].labels | (area.labels if area else frozenset())
        assert (
            entity_id in target.entity_id
            or entity_id in leaves_of(HOME, (group for group in target.entity_id if group.startswith("group.")))
            or (area and (area.area_id in target.area_id or area.floor_id in target.floor_id))
            or labels & set(target.label_id)
        )


@given(TARGETS, SERVICES)
def test_expanding_what_was_expanded_changes_nothing(target: Target, service: str):
    domain, _, name = service.partition(".")
    try:
        once = expand(HOME, Call(domain, name, target))
    except CallError:
        return
    assert expand(HOME, Call(domain, name, Target(entity_id=once.entity_ids))) == once


def test_an_area_with_the_same_name_as_its_id_is_listed_once():
    home = SimulatedHome.build(areas=[Area("hall", "hall")])
    with pytest.raises(UnknownAreaError) as told:
        reached(home, "light.turn_on", area_id=("hal",))
    assert told.value.next == "Did you mean hall? Known: hall."


def test_a_plain_group_stands_for_its_members_that_the_service_acts_on():
    home = small_home()
    resolved = expand(home, Call("lock", "unlock", Target(entity_id=("group.going_out",))))
    assert resolved.entity_ids == ("lock.front_door",)


def test_a_plain_group_with_nothing_for_the_service_is_refused():
    home = small_home()
    with pytest.raises(WrongDomainError):
        expand(home, Call("fan", "turn_on", Target(entity_id=("group.going_out",))))
