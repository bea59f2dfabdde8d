"""What a place, a device and a label stand for: as Home Assistant takes them, whatever the registries look like."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Device, Entity, Floor, Label
from homesteward.home.simulation import SimulatedHome
from homesteward.home.whereabouts import Whereabouts

AREAS, DEVICES, LABELS = ("a1", "a2", "a3"), ("d1", "d2", "d3"), ("l1", "l2")
labels = st.frozensets(st.sampled_from(LABELS))


def maybe(names):
    return st.one_of(st.none(), st.sampled_from(names))


areas = st.tuples(*(st.builds(Area, st.just(a), st.just(a), maybe(["f1", "f2"]), st.just(()), labels) for a in AREAS))
devices = st.tuples(
    *(st.builds(Device, st.just(d), st.just(d), maybe(AREAS), labels, parent_id=maybe(DEVICES)) for d in DEVICES)
)
entities = st.lists(
    st.tuples(
        st.sampled_from(["light", "lock", "sensor"]),
        maybe(DEVICES),
        maybe(AREAS),
        labels,
        st.booleans(),
        maybe(["config"]),
    ),
    max_size=12,
)


def built(areas, devices, entities) -> SimulatedHome:
    home = SimulatedHome.build(
        areas=areas,
        devices=devices,
        floors=[Floor("f1", "F1"), Floor("f2", "F2")],
        labels=[Label(n, n) for n in LABELS],
    )
    for n, (domain, device, area, carried, hidden, category) in enumerate(entities):
        name = f"{domain}.x{n}"
        home.entities[name] = Entity(name, None, device, area, carried, hidden=hidden, category=category)
    home.revision += 1
    return home


def flat(*found) -> set[str]:
    return {entity_id for by_domain in found for ids in by_domain.values() for entity_id in ids}


@given(areas, devices, entities)
def test_every_entity_is_where_its_entry_says(areas, devices, entities):
    home = built(areas, devices, entities)
    there, device_of = Whereabouts.of_home(home), {device.device_id: device for device in devices}

    def lies_in(entity: Entity) -> str | None:
        return entity.area_id or (device_of[entity.device_id].area_id if entity.device_id else None)

    primary = [e for e in home.entities.values() if not e.hidden and e.category is None]
    for area in areas:
        assert flat(there.in_area(area.area_id)) == {e.entity_id for e in primary if lies_in(e) == area.area_id}
    for floor in ("f1", "f2"):
        on = {area.area_id for area in areas if area.floor_id == floor}
        assert flat(*there.on_floor(floor)) == {e.entity_id for e in primary if lies_in(e) in on}
    for device in devices:
        family = {device.device_id, *(d.device_id for d in devices if d.parent_id == device.device_id)}
        assert flat(there.of_device(device.device_id)) == {e.entity_id for e in primary if e.device_id in family}
    for label in LABELS:
        carriers = {d.device_id for d in devices if label in d.labels}
        carriers |= {d.device_id for d in devices if d.parent_id in carriers}
        places = {area.area_id for area in areas if label in area.labels}
        own = {e.entity_id for e in home.entities.values() if label in e.labels and not e.hidden}
        by_others = {e.entity_id for e in primary if e.device_id in carriers or lies_in(e) in places}
        assert flat(there.with_label(label)) == own | by_others


def test_a_thing_that_moves_is_found_where_it_is_now():
    home = SimulatedHome.build([Thing("light.a", area="a1")], areas=[Area("a1", "A"), Area("a2", "B")])
    assert flat(Whereabouts.of_home(home).in_area("a1")) == {"light.a"}
    home.entities["light.a"] = replace(home.entities["light.a"], area_id="a2")
    home.revision += 1
    there = Whereabouts.of_home(home)
    assert (flat(there.in_area("a1")), flat(there.in_area("a2"))) == (set(), {"light.a"})
