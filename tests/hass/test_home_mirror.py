"""The mirror of a real home is that home: names, places, services, bodies, and what changes."""

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest
from jsonschema_rs import Draft202012Validator

from hass.raw import RawSocket
from homesteward.demo import DemoHome
from homesteward.home.calls import Call, Target
from homesteward.home.catalogue import standard_services
from homesteward.home.connection import Connection
from homesteward.home.errors import NothingThereError
from homesteward.home.mirror import Mirror
from homesteward.home.names import resolve_name
from homesteward.home.services import schema_of
from homesteward.home.targets import acts_on, expand, supports
from homesteward.home.view import area_of, members_of

pytestmark = pytest.mark.hass


@pytest.fixture
async def connection(demo_home: DemoHome) -> AsyncIterator[Connection]:
    opened = await Connection.open(demo_home.address.url, demo_home.address.token)
    yield opened
    await opened.close()


@pytest.fixture
async def mirror(connection: Connection) -> AsyncIterator[Mirror]:
    started = await Mirror.start(connection)
    yield started
    await started.close()


async def test_the_mirror_has_every_state_as_home_assistant_has_it(mirror: Mirror, socket: RawSocket):
    real = {state["entity_id"]: state for state in await socket.ask("get_states")}
    assert mirror.states.keys() == real.keys()
    for entity_id, state in mirror.states.items():
        assert state.state == real[entity_id]["state"]
        assert dict(state.attributes) == real[entity_id]["attributes"]
        assert state.context_id == real[entity_id]["context"]["id"]
        assert state.last_changed
        assert state.last_changed.isoformat() == real[entity_id]["last_changed"]


async def test_names_places_and_exposure_are_the_registrys(mirror: Mirror):
    place = area_of(mirror, "light.kitchen_ceiling_light")
    assert place
    assert place.name == "Kitchen"
    assert {floor.name for floor in mirror.floors.values()} == {"Ground floor", "First floor", "Top floor"}
    assert "lounge" in mirror.areas["living_room"].aliases
    assert "light.kitchen_ceiling_light" in mirror.exposed
    assert "light.utility_service_light" not in mirror.exposed
    assert len(resolve_name(mirror, "reading lamp")) == 2
    assert "lock.front_door" in members_of(mirror, "group.night_security")
    assert (mirror.config.temperature_unit, mirror.config.time_zone) == ("°C", "Europe/Amsterdam")


async def test_bodies_show_what_reaches_a_lock(mirror: Mirror):
    reaching = {
        entity_id
        for entity_id, body in mirror.bodies.items()
        for step in body
        if step.member.startswith("lock.")
        or (step.call and any(target.startswith("lock.") for target in step.call.target.entity_id))
    }
    assert {"script.let_the_dog_out", "automation.open_up_in_the_morning", "scene.welcome_home"} <= reaching


async def test_every_service_of_a_real_home_has_a_schema(mirror: Mirror):
    for service in mirror.services.values():
        Draft202012Validator(dict(schema_of(service)))


async def test_the_catalogue_for_simulated_homes_is_the_real_one(mirror: Mirror):
    """A simulated home must not promise what Home Assistant does not have."""
    ours = standard_services()
    shared = ours.keys() & mirror.services.keys()
    assert len(shared) > 80
    for name in shared:
        assert ours[name].fields.keys() == mirror.services[name].fields.keys()
        assert (ours[name].target is None) == (mirror.services[name].target is None)
        assert (ours[name].response == "only") == (mirror.services[name].response == "only")


@pytest.mark.parametrize("kind", ["area_id", "floor_id", "label_id", "device_id"])
async def test_targets_mean_what_home_assistant_takes_them_for(mirror: Mirror, connection: Connection, kind: str):
    """Every place, label and device of the home, with services that need features and ones that do not."""
    known = {"area_id": mirror.areas, "floor_id": mirror.floors, "label_id": mirror.labels, "device_id": mirror.devices}
    services = ["light.turn_on", "cover.set_cover_position", "lock.open", "switch.turn_off", "homeassistant.toggle"]
    for name in known[kind]:
        answer = await connection.send("extract_from_target", target={kind: [name]}, expand_group=False)
        assert isinstance(answer, dict)
        real = {entity_id for entity_id in answer["referenced_entities"] if entity_id in mirror.states}
        for service_id in services:
            service = mirror.services[service_id]
            wanted = sorted(e for e in real if acts_on(mirror, service, e) and supports(mirror, service, e))
            assert found_by(mirror, service_id, Target(**{kind: (name,)})) == wanted


async def test_targets_of_several_kinds_mean_what_home_assistant_takes_them_for(mirror: Mirror, connection: Connection):
    """A seeded sample: an entity named itself, an area, a floor, a label and a device, in every mixture."""
    pick = Random(20261130)
    known = {
        "entity_id": sorted(e for e in mirror.states if e.startswith("light.")),
        "area_id": sorted(mirror.areas),
        "floor_id": sorted(mirror.floors),
        "label_id": sorted(mirror.labels),
        "device_id": sorted(mirror.devices),
    }
    compared = 0
    for _ in range(80):
        kinds = pick.sample(sorted(known), pick.randint(1, 4))
        target = {kind: tuple(pick.sample(known[kind], pick.randint(1, 2))) for kind in kinds}
        if found := found_by(mirror, "light.turn_on", Target(**target)):
            compared += 1
            answer = await connection.send("extract_from_target", target=target, expand_group=False)
            assert isinstance(answer, dict)
            assert set(found) == {
                entity_id for entity_id in answer["referenced_entities"] if entity_id in known["entity_id"]
            }
    assert compared > 10


def found_by(mirror: Mirror, service: str, target: Target) -> list[str]:
    domain, _, name = service.partition(".")
    try:
        return list(expand(mirror, Call(domain, name, target)).entity_ids)
    except NothingThereError:
        return []


async def test_a_renamed_area_and_a_new_alias_arrive(mirror: Mirror, socket: RawSocket):
    before = mirror.revision
    await socket.ask("config/area_registry/update", area_id="study", name="Den")
    await socket.ask("config/entity_registry/update", entity_id="light.study_lamp", aliases=[None, "Book light"])
    try:
        async with asyncio.timeout(30):
            while mirror.areas["study"].name != "Den" or not mirror.entities["light.study_lamp"].aliases:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert mirror.revision > before
        assert resolve_name(mirror, "book light") == ("light.study_lamp",)
    finally:
        await socket.ask("config/area_registry/update", area_id="study", name="Study")
        await socket.ask("config/entity_registry/update", entity_id="light.study_lamp", aliases=[None])


async def test_hiding_an_entity_from_the_assistant_arrives(mirror: Mirror, socket: RawSocket):
    def expose(*, exposed: bool) -> dict[str, object]:
        return {"assistants": ["conversation"], "entity_ids": ["light.study_lamp"], "should_expose": exposed}

    await socket.ask("homeassistant/expose_entity", **expose(exposed=False))
    try:
        async with asyncio.timeout(30):
            while "light.study_lamp" in mirror.exposed:  # noqa: ASYNC110 - the mirror has no event for it
                await asyncio.sleep(0.02)
    finally:
        await socket.ask("homeassistant/expose_entity", **expose(exposed=True))


async def test_a_state_that_changes_is_told_with_its_context(mirror: Mirror, socket: RawSocket):
    context = await socket.call("light", "turn_on", "light.landing_light", brightness_pct=50)
    state = await mirror.wait_for("light.landing_light", lambda now: now.state == "on", 5)
    assert state
    assert state.context_id == context
    assert state.attributes["brightness"] == 128


async def test_home_assistants_own_demo_is_mirrored_as_well(ha_demo_home: DemoHome):
    """A home that is not ours: other integrations, entities without a registry entry, everything exposed."""
    connection = await Connection.open(ha_demo_home.address.url, ha_demo_home.address.token)
    mirror = await Mirror.start(connection)
    assert len(mirror.states) > 100
    assert mirror.exposed >= {
        entity_id for entity_id in mirror.states if entity_id.startswith(("light.", "cover.", "lock."))
    }
    assert mirror.states.keys() - mirror.entities.keys()
    for service in mirror.services.values():
        Draft202012Validator(dict(schema_of(service)))
    await mirror.close()
    await connection.close()
