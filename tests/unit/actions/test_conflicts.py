"""What excludes each other: inside one request nothing of either is sent, and against a plan under way the later one waits or is refused."""

import asyncio

import pytest

from homesteward.actions import Gate
from homesteward.actions.conflicts import ConflictError
from homesteward.actions.underway import Underway
from homesteward.home.calls import Call, Target
from homesteward.home.effects.effect import WINDOWS
from homesteward.home.faults import Hold
from homesteward.people import Caller, Channel, Role

pytestmark = pytest.mark.above_store

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")
THERMOSTAT, BLINDS, LAMP, SPEAKER = "climate.thermostat", "cover.bedroom_blinds", "light.study", "media_player.speaker"


def call(service: str, *entity_ids: str, **data: object) -> Call:
    domain, name = service.split(".")
    return Call(domain, name, Target(entity_id=entity_ids), data)


async def act(gate: Gate, *calls: Call):
    return await gate.submit(calls, OWNER, request="")


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (
            call("climate.set_hvac_mode", THERMOSTAT, hvac_mode="heat"),
            call("climate.set_hvac_mode", THERMOSTAT, hvac_mode="cool"),
            "heat and cool",
        ),
        (
            call("climate.set_temperature", THERMOSTAT, temperature=20),
            call("climate.set_temperature", THERMOSTAT, temperature=22),
            "temperature 20 and temperature 22",
        ),
        (call("cover.open_cover", BLINDS), call("cover.close_cover", BLINDS), "open and closed"),
        (call("light.turn_on", "light.upstairs"), call("light.turn_off", LAMP), "on and off"),
        (call("homeassistant.turn_off", LAMP), call("light.turn_on", LAMP, brightness_pct=10), "off and brightness"),
        (
            call("media_player.volume_set", SPEAKER, volume_level=0.1),
            call("media_player.volume_set", SPEAKER, volume_level=0.9),
            "volume 10% and volume 90%",
        ),
        (call("lock.open", "lock.front_door"), call("lock.lock", "lock.front_door"), "open and locked"),
    ],
    ids=lambda value: value.id if isinstance(value, Call) else value,
)
async def test_a_request_at_odds_with_itself_is_refused_with_both_steps(gate, home, one, other, why):
    home.set_state(THERMOSTAT, "heat", temperature=21)
    with pytest.raises(ConflictError, match=r"Steps 2 .* and 3 ") as refused:
        await act(gate, call("light.turn_on", "light.hall"), one, other)

    assert why in refused.value.message
    assert (home.calls, await gate.plans()) == ([], ())


@pytest.mark.parametrize(
    "calls",
    [
        (call("light.turn_on", LAMP), call("light.turn_on", LAMP, brightness_pct=10)),
        (call("media_player.turn_on", SPEAKER), call("media_player.media_play", SPEAKER)),
        (call("light.turn_on", LAMP), call("light.turn_off", "light.hall")),
        (call("cover.open_cover", BLINDS), call("cover.stop_cover", BLINDS)),
        (call("script.turn_on", "script.welcome"), call("light.turn_off", "light.hall")),
    ],
    ids=lambda calls: " then ".join(each.id for each in calls),
)
async def test_what_can_both_come_true_is_no_conflict(gate, home, calls):
    home.set_state("light.hall", "on")
    assert [plan.state for plan in await act(gate, *calls)] == ["completed"]


@pytest.fixture
def waits(monkeypatch):
    """Set as soon as a step has found another in its way, and waits for it."""
    found = asyncio.Event()
    against = Underway.against

    def noted(*given):
        if busy := against(*given):
            found.set()
        return busy

    monkeypatch.setattr(Underway, "against", noted)
    return found


async def test_what_follows_at_once_waits_until_the_lamp_has_obeyed(make_gate, home, waits):
    home.faults[LAMP] = Hold()
    gate = await make_gate(window_factor=10)
    first = asyncio.create_task(act(gate, call("light.turn_on", LAMP)))
    while not home.calls:  # noqa: ASYNC110 - the simulated home has no event for it
        await asyncio.sleep(0)
    second = asyncio.create_task(act(gate, call("light.turn_off", LAMP)))
    await waits.wait()  # still off, and yet not settled
    assert [sent.id for sent in home.calls] == ["light.turn_on"]
    home.release(LAMP)
    del home.faults[LAMP]

    assert [plan.state for (plan,) in (await first, await second)] == ["completed", "completed"]
    assert home.states[LAMP].state == "off"


async def test_what_would_come_true_much_later_is_refused_with_the_plan_that_is_in_the_way(
    make_gate, home, monkeypatch
):
    home.faults[BLINDS] = Hold("opening")
    gate = await make_gate(window_factor=0.01)
    monkeypatch.setitem(WINDOWS, "cover", 6000)  # it goes on for as long as this test needs
    first = asyncio.create_task(act(gate, call("cover.open_cover", BLINDS)))
    while not home.calls:  # noqa: ASYNC110 - the simulated home has no event for it
        await asyncio.sleep(0)
    (refused,) = await act(gate, call("cover.close_cover", BLINDS))
    home.release(BLINDS)
    (opened,) = await first

    assert (refused.state, len(home.calls)) == ("failed", 1)
    assert f"is busy: plan {opened.id} is still on its way" in refused.steps[0].error


async def test_a_stop_is_never_held_up(make_gate, home):
    home.faults[BLINDS] = Hold("opening")
    gate = await make_gate(window_factor=0.01)
    first = asyncio.create_task(act(gate, call("cover.open_cover", BLINDS)))
    while not home.calls:  # noqa: ASYNC110 - the simulated home has no event for it
        await asyncio.sleep(0)
    await act(gate, call("cover.stop_cover", BLINDS))

    assert [sent.id for sent in home.calls] == ["cover.open_cover", "cover.stop_cover"]
    await first


TOGGLE, LOUDER = call("light.toggle", LAMP), call("media_player.volume_up", SPEAKER)


async def test_two_toggles_at_once_are_done_one_after_the_other_and_told_as_they_were(make_gate, home):
    gate = await make_gate(window_factor=10)
    (one,), (other,) = await asyncio.gather(act(gate, TOGGLE), act(gate, TOGGLE))

    told = [plan.steps[0].evidence[0].observed for plan in (one, other)]
    assert (sorted(told), home.states[LAMP].state) == (["off", "on"], "off")


async def test_what_hangs_on_where_it_begins_waits_for_what_is_on_its_way(make_gate, home, waits):
    home.faults[LAMP] = Hold()
    gate = await make_gate(window_factor=10)
    first = asyncio.create_task(act(gate, TOGGLE))
    while not home.calls:  # noqa: ASYNC110 - the simulated home has no event for it
        await asyncio.sleep(0)
    second = asyncio.create_task(act(gate, call("light.turn_on", LAMP)))
    await waits.wait()
    assert [sent.id for sent in home.calls] == ["light.toggle"]
    home.release(LAMP)
    del home.faults[LAMP]

    assert [plan.state for (plan,) in (await first, await second)] == ["completed", "completed"]
    assert home.states[LAMP].state == "on"


async def test_what_touches_something_else_of_it_does_not_wait(make_gate, home):
    home.set_state(SPEAKER, "playing", volume_level=0.3, media_title="One")
    home.faults[SPEAKER] = Hold()
    gate = await make_gate(window_factor=0.01)
    both = await asyncio.gather(act(gate, LOUDER), act(gate, call("media_player.media_pause", SPEAKER)))

    assert {sent.id for sent in home.calls} == {LOUDER.id, "media_player.media_pause"}
    assert "busy" not in " ".join(step.error for (plan,) in both for step in plan.steps)
