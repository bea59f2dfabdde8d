"""A simulated home obeys, tells its watchers and misbehaves as a real one does."""

from datetime import UTC, datetime

import pytest

from homes import small_home
from homesteward.core import FrozenClock
from homesteward.home.calls import Call, ResolvedCall, Target
from homesteward.home.errors import CallFailedError, CallUncertainError
from homesteward.home.faults import DropOut, Hold, LoseAnswer, Refuse, Vanish
from homesteward.home.model import State
from homesteward.home.simulation import SimulatedHome
from homesteward.home.targets import expand

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Diary:
    """What a watcher saw: entity and state, in order."""

    def __init__(self, home: SimulatedHome) -> None:
        self.lines: list[tuple[str, str]] = []
        home.watch(self.write)

    def write(self, old: State | None, new: State | None) -> None:
        known = new or old
        assert known is not None
        self.lines.append((known.entity_id, new.state if new else "gone"))


@pytest.fixture
def home() -> SimulatedHome:
    return small_home(FrozenClock(NOW))


def call(service: str, *entity_ids: str, **data: float) -> ResolvedCall:
    domain, _, name = service.partition(".")
    return ResolvedCall(domain, name, entity_ids, data)


async def test_a_call_changes_the_state_and_watchers_hear_it_before_the_answer(home: SimulatedHome):
    diary = Diary(home)
    answer = await home.call(call("light.turn_on", "light.kitchen", brightness_pct=40))
    assert diary.lines == [("light.kitchen", "on")]
    assert home.states["light.kitchen"].attributes["brightness"] == 102
    assert home.states["light.kitchen"].context_id == answer.context_id


async def test_a_call_that_changes_nothing_tells_nobody(home: SimulatedHome):
    diary = Diary(home)
    await home.call(call("light.turn_off", "light.kitchen"))
    assert diary.lines == []
    assert home.calls == [call("light.turn_off", "light.kitchen")]


async def test_a_group_hands_on_to_its_members_and_shows_them(home: SimulatedHome):
    diary = Diary(home)
    await home.call(call("light.turn_on", "light.upstairs"))
    assert [entity for entity, _ in diary.lines] == ["light.reading_lamp_bedroom", "light.upstairs", "light.study"]


async def test_a_script_does_what_its_body_says(home: SimulatedHome):
    await home.call(ResolvedCall("script", "let_in"))
    assert home.states["lock.front_door"].state == "unlocked"
    assert home.states["script.let_in"].attributes["last_triggered"]
    assert home.calls == [ResolvedCall("script", "let_in")]


async def test_scripts_that_start_each_other_end(home: SimulatedHome):
    again = Call("script", "turn_on", Target(entity_id=("script.welcome",)))
    home.bodies["script.welcome"] = (
        *home.bodies["script.welcome"],
        home.bodies["script.welcome"][0].__class__(again, "again"),
    )
    await home.call(call("script.turn_on", "script.welcome"))
    assert home.states["light.hall"].state == "on"


async def test_a_jam_is_a_change_even_the_second_time(home: SimulatedHome):
    diary = Diary(home)
    await home.call(call("lock.unlock", "lock.back_door"))
    await home.call(call("lock.unlock", "lock.back_door"))
    assert diary.lines == [("lock.back_door", "jammed")] * 2


async def test_a_dead_bulb_accepts_and_does_nothing(home: SimulatedHome):
    diary = Diary(home)
    assert (await home.call(call("light.turn_on", "light.old_bulb"))).context_id
    assert diary.lines == []


async def test_an_unavailable_entity_is_skipped_in_silence(home: SimulatedHome):
    await home.call(call("light.turn_on", "light.porch"))
    assert home.states["light.porch"].state == "unavailable"


async def test_a_refusing_device_carries_home_assistants_code(home: SimulatedHome):
    home.faults["light.kitchen"] = Refuse("No.", "home_assistant_error")
    with pytest.raises(CallFailedError, match="No") as told:
        await home.call(call("light.turn_on", "light.kitchen"))
    assert told.value.code == "home_assistant_error"
    assert home.states["light.kitchen"].state == "off"


@pytest.mark.parametrize(("obeys", "state"), [(True, "on"), (False, "off")])
async def test_a_lost_answer_says_nothing_about_the_deed(home: SimulatedHome, state: str, *, obeys: bool):
    home.faults["light.kitchen"] = LoseAnswer(obeys=obeys)
    with pytest.raises(CallUncertainError):
        await home.call(call("light.turn_on", "light.kitchen"))
    assert home.states["light.kitchen"].state == state


async def test_a_held_effect_comes_when_it_is_released(home: SimulatedHome):
    home.faults["cover.garage_door"] = Hold("opening")
    await home.call(call("cover.open_cover", "cover.garage_door"))
    assert home.states["cover.garage_door"].state == "opening"
    home.release("cover.garage_door")
    assert home.states["cover.garage_door"].state == "open"


async def test_an_entity_can_vanish_or_drop_out_when_called(home: SimulatedHome):
    home.faults |= {"light.kitchen": Vanish(), "light.hall": DropOut()}
    await home.call(call("light.turn_on", "light.kitchen", "light.hall"))
    assert "light.kitchen" not in home.states
    assert home.states["light.hall"].state == "unavailable"


async def test_a_watcher_hears_only_of_its_entities_until_it_leaves(home: SimulatedHome):
    heard: list[str] = []
    undo = home.watch(lambda _old, new: heard.append(new.entity_id if new else "-"), ["light.hall"])
    await home.call(call("light.turn_on", "light.hall", "light.kitchen"))
    undo()
    await home.call(call("light.turn_off", "light.hall"))
    assert heard == ["light.hall"]


async def test_a_watcher_that_fails_does_not_stop_the_others(home: SimulatedHome):
    def fails(_old: State | None, _new: State | None) -> None:
        raise RuntimeError

    home.watch(fails)
    diary = Diary(home)
    await home.call(call("light.turn_on", "light.hall"))
    assert ("light.hall", "on") in diary.lines


def test_a_service_call_is_expanded_as_in_a_real_home(home: SimulatedHome):
    assert expand(home, Call("script", "let_in")) == ResolvedCall("script", "let_in")


async def test_whoever_listens_hears_calls_and_runs_as_home_assistant_fires_them(home: SimulatedHome):
    events: list[tuple[str, str]] = []
    undos = [
        await home.listen(kind, lambda event: events.append((event["event_type"], event["data"].get("entity_id", ""))))
        for kind in ("call_service", "automation_triggered", "script_started")
    ]
    await home.call(call("automation.trigger", "automation.on_arrival"))
    await home.call(call("script.let_in"))
    assert events == [
        ("call_service", ""),
        ("automation_triggered", "automation.on_arrival"),
        ("call_service", ""),
        ("call_service", ""),
        ("script_started", "script.let_in"),
        ("call_service", ""),
        ("call_service", ""),
    ]
    for undo in undos:
        undo()
    await home.call(call("light.turn_on", "light.hall"))
    assert len(events) == 7


async def test_only_an_automation_makes_a_context_of_its_own(home: SimulatedHome):
    await home.call(call("automation.trigger", "automation.on_arrival"))
    lock = home.states["lock.front_door"]
    assert lock.context_parent_id
    assert lock.context_parent_id != lock.context_id
    await home.call(call("script.let_in"))
    lamp = home.states["light.hall"]
    assert (lamp.context_parent_id, lamp.context_user_id) == (None, None)


def test_whoever_waits_for_the_home_is_told_when_it_is_within_reach_again(home: SimulatedHome):
    told: list[object] = []
    undo = home.on_known(told.append)
    home.reconnect()
    undo()
    home.reconnect()
    assert told == [None]
    assert home.connected
