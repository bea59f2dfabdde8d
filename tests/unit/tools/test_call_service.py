"""The tool that asks for changes: it aims, the gate decides, and its answer claims what was seen and nothing more."""

import pytest

from homesteward.actions import Mode, PlanState
from homesteward.home.model import Entity
from homesteward.people import Caller, Channel, Role
from homesteward.tools import ToolContext

OWNER = ToolContext(Caller(Role.OWNER, Channel.CLI), "test")


async def call(registry, context=OWNER, **arguments):
    return await registry.call("call_service", arguments, context)


def sent(home):
    return [(made.id, made.entity_ids, dict(made.data)) for made in home.calls]


async def test_a_call_is_made_once_and_its_evidence_comes_back(registry, home):
    result = await call(registry, service="light.turn_on", target={"entity_id": "light.kitchen"})
    assert sent(home) == [("light.turn_on", ("light.kitchen",), {})]
    assert result.ok
    (step,) = result.data["plans"][0]["steps"]
    assert step["evidence"][0]["status"] == "verified"


@pytest.mark.parametrize(
    "arguments",
    [
        {"domain": "light", "service": "turn_on", "entity_id": "light.kitchen"},
        {"domain": "light", "service": "turn_on", "target": {"entity_id": ["light.kitchen"]}, "data": None},
        {"service": "light.turn_on", "target": {"name": "Kitchen light"}},
        {"service": "light.turn_on", "name": "cooking light"},
        {"service": "light.turn_on", "name": "Light", "area": "Kitchen"},
        {"service": "light.turn_on", "target": {"area_id": "Kitchen"}},
        {"service": "light.turn_on", "target": {"area": "kitchen"}},
        {"domain": "light", "service": "light.turn_on", "target": {"entity_id": "light.kitchen"}},
        {"domain": "", "service": "light.turn_on", "target": {"entity_id": "light.kitchen", "area_id": ""}},
        {"action": "light.turn_on", "data": {"entity_id": "light.kitchen"}},
    ],
)
async def test_one_wish_in_many_forms_is_one_call(registry, home, arguments):
    result = await call(registry, **arguments)
    assert result.error is None
    assert sent(home) == [("light.turn_on", ("light.kitchen",), {})]


async def test_fields_written_flat_are_not_dropped(registry, home):
    await call(registry, service="light.turn_on", entity_id="light.kitchen", brightness_pct=40)
    assert sent(home)[0][2]["brightness_pct"] == 40


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Multisocket Switch 2, Salt lamp", "switch.multi_2"),
        ("Salt lamp", "switch.multi_2"),
        ("multisocket switch 2", "switch.multi_2"),
        ("Tree, big", "switch.tree"),
    ],
)
async def test_a_joined_name_and_alias_still_finds_its_switch(registry, home, name, wanted):
    """E06: the name and its aliases come back from the model as one text."""
    home.set_state("switch.multi_2", "on", friendly_name="Multisocket Switch 2")
    home.set_state("switch.tree", "on", friendly_name="Tree, big")
    for entity_id in ("switch.multi_2", "switch.tree"):
        home.expose(entity_id)
    add_alias(home, "switch.multi_2", "Salt lamp")
    await call(registry, service="switch.turn_off", target={"name": name})
    assert sent(home) == [("switch.turn_off", (wanted,), {})]


def add_alias(home, entity_id, alias):
    home.entities[entity_id] = Entity(entity_id, aliases=(alias,))
    home.revision += 1


async def test_a_half_match_that_fits_two_asks_instead_of_choosing(registry, home):
    """E06: half a name is no choice."""
    result = await call(registry, service="light.turn_on", target={"name": "lamp"})
    assert sent(home) == []
    assert result.error.code == "ambiguous"
    assert "light.reading_lamp_bedroom" in result.error.message
    assert "light.reading_lamp_study" in result.error.message


@pytest.mark.parametrize("place", ["area_id", "area"])
async def test_an_unknown_area_moves_nothing_and_names_those_there_are(registry, home, place):
    """E04: a misheard room must not become every room."""
    result = await call(registry, domain="light", service="turn_on", target={place: "bathroom"})
    assert sent(home) == []
    assert result.error.code == "unknown_area"
    assert "bathroom" in result.error.message
    assert "bedroom" in result.error.next


@pytest.mark.parametrize(
    "target",
    [{}, {"entity_id": "all"}, {"area_id": ""}, {"area": ""}, {"entity_id": []}, {"name": ""}, None],
)
async def test_no_explicit_target_is_refused(registry, home, target):
    """E04: empty and `all` are not targets."""
    result = await call(registry, domain="light", service="turn_on", target=target)
    assert sent(home) == []
    assert result.error.code == "no_target"
    assert "no explicit target" in result.error.message


async def test_an_empty_area_beside_the_service_is_no_target_either(registry, home):
    """E04: the variant written flat."""
    result = await call(registry, domain="light", service="turn_on", area="")
    assert (sent(home), result.error.code) == ([], "no_target")


async def test_an_entity_that_does_not_exist_is_refused_with_its_neighbour(registry, home):
    """E10: Home Assistant answers success for an entity that it does not have."""
    result = await call(registry, service="light.turn_on", target={"entity_id": "light.kitchne"})
    assert sent(home) == []
    assert result.error.code == "unknown_entity"
    assert "light.kitchen" in result.error.next


async def test_neighbours_are_never_things_that_are_not_exposed(registry):
    result = await call(registry, service="light.turn_on", target={"entity_id": "light.cella"})
    assert "light.cellar" not in result.error.next


@pytest.mark.parametrize(
    "arguments",
    [
        {"domain": "shell_command/../light", "service": "turn_on"},
        {"domain": "../../api/config", "service": "x"},
        {"domain": "light", "service": "turn_on?x=1", "target": {"entity_id": "light.a/../b"}},
        {"domain": "light", "service": "turn_on", "target": {"entity_id": "light.a/../b"}},
    ],
)
async def test_a_crafted_name_is_refused_on_its_form(registry, home, caplog, arguments):
    """E16: nothing that is no name reaches a table, a path or the home."""
    caplog.set_level("INFO", "homesteward.tools")
    result = await call(registry, **arguments)
    assert sent(home) == []
    assert result.error.code == "invalid_call"
    assert "invalid_call" in caplog.text


async def test_all_covers_move_but_the_garage_waits(registry, home):
    """E19: one sentence, two verdicts, both told."""
    result = await call(
        registry, service="cover.open_cover", target={"entity_id": ["cover.bedroom_blinds", "cover.garage_door"]}
    )
    assert sent(home) == [("cover.open_cover", ("cover.bedroom_blinds",), {})]
    assert sorted(plan.state for plan in result.plans) == [PlanState.COMPLETED, PlanState.WAITING]
    meanings = " ".join(plan["meaning"] for plan in result.data["plans"])
    assert "waits for somebody" in meanings
    assert "Done" in meanings


async def test_what_is_named_and_not_exposed_is_refused(registry, home):
    result = await call(registry, service="light.turn_on", target={"entity_id": "light.cellar"})
    assert (sent(home), result.error.code) == ([], "not_exposed")


async def test_an_area_reaches_only_what_is_exposed_in_it(registry, home):
    await call(registry, service="light.turn_on", target={"area_id": "cellar"})
    assert [entity_ids for _, entity_ids, _ in sent(home)] == [("light.old_bulb",)]


async def test_a_place_where_nothing_is_exposed_is_an_error(registry, home):
    home.expose("light.old_bulb", exposed=False)
    result = await call(registry, service="light.turn_on", target={"area_id": "cellar"})
    assert (sent(home), result.error.code) == ([], "nothing_there")


async def test_a_script_called_by_its_own_service_must_be_exposed_too(registry, home):
    home.expose("script.welcome", exposed=False)
    result = await call(registry, service="script.welcome")
    assert (sent(home), result.error.code) == ([], "not_exposed")


async def test_a_bulb_that_does_nothing_is_not_reported_as_done(registry):
    result = await call(registry, service="light.turn_on", target={"entity_id": "light.old_bulb"})
    assert not result.ok
    assert result.error.code == "not_done"
    assert "verified" not in str(result.data)


async def test_observing_refuses_every_change(registry, home):
    watching = ToolContext(OWNER.caller, "test", mode=Mode.OBSERVE)
    result = await call(registry, watching, service="light.turn_on", target={"entity_id": "light.kitchen"})
    assert (sent(home), result.error.code) == ([], "refused")


async def test_a_dry_run_says_that_it_only_simulated(registry, home):
    dry = ToolContext(OWNER.caller, "test", dry_run=True)
    result = await call(registry, dry, service="light.turn_on", target={"entity_id": "light.kitchen"})
    assert sent(home) == []
    assert result.data["plans"][0]["meaning"] == "Only simulated; nothing was sent."


async def test_a_denied_service_is_refused_with_its_reason(registry, home):
    result = await call(registry, service="shell_command.backup")
    assert (sent(home), result.error.code) == ([], "refused")
    assert result.error.message
