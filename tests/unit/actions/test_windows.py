"""How long an effect is watched for: as the table says, or longer where this home has taught it."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.actions import Ties
from homesteward.actions.windows import FEWEST, LONGEST_S, MARGIN, NEWEST, Learned, Windows, learned, watched_for
from homesteward.chronicle.taking import Took
from homesteward.core import HomestewardError
from homesteward.home.calls import Call, ResolvedCall, Target
from homesteward.home.effects import effect_of
from homesteward.home.effects.effect import WINDOWS
from homesteward.home.faults import Hold
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Action, Decision, Impact, Level, Policy, Preset
from judging import ruled

pytestmark = pytest.mark.above_store

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")
LAMP, BLINDS, OTHERS = "light.hall", "cover.bedroom_blinds", "cover.study_blinds"
ALLOWED = Decision(Action.ALLOW, "", "", Impact(Level.ROUTINE, ""))


def took(entity_id: str, service: str, *seconds: float) -> list[Took]:
    return [Took(entity_id, service, each) for each in seconds]


async def taught(home, clock, *effects: Took) -> Windows:
    async def seen(since):
        assert since == clock.now() - timedelta(days=90)
        return effects

    windows = Windows(home, seen, clock)
    await windows.look()
    return windows


def watched(home, windows, service, entity_id, decision=ALLOWED, **data):
    domain, name = service.split(".")
    call = ResolvedCall(domain, name, (entity_id,), data)
    return watched_for(effect_of(call, entity_id, home), entity_id, name, decision, windows.of).window_s


async def test_a_thing_that_takes_long_is_watched_for_longer(home, clock):
    windows = await taught(home, clock, *took(LAMP, "turn_on", *[10.0] * FEWEST))
    assert watched(home, windows, "light.turn_on", LAMP) == 10 * MARGIN
    assert watched(home, windows, "homeassistant.turn_on", LAMP) == 10 * MARGIN
    assert watched(home, windows, "light.turn_off", LAMP) == WINDOWS["light"], "of another service nothing is known"


async def test_too_few_teach_nothing(home, clock):
    windows = await taught(home, clock, *took(LAMP, "turn_on", *[10.0] * (FEWEST - 1)))
    assert watched(home, windows, "light.turn_on", LAMP) == WINDOWS["light"]
    assert windows.told() == []


async def test_a_quick_thing_is_never_watched_for_less_than_usual(home, clock):
    windows = await taught(home, clock, *took(BLINDS, "open_cover", *[2.0] * 20))
    assert watched(home, windows, "cover.open_cover", BLINDS) == WINDOWS["cover"]


async def test_nothing_is_watched_for_longer_than_five_minutes(home, clock):
    windows = await taught(home, clock, *took(BLINDS, "open_cover", *[290.0] * 20))
    assert watched(home, windows, "cover.open_cover", BLINDS) == LONGEST_S


async def test_one_time_of_ten_that_took_far_longer_does_not_count(home, clock):
    windows = await taught(home, clock, *took(LAMP, "turn_on", 280.0, *[6.0] * 9))
    assert watched(home, windows, "light.turn_on", LAMP) == 6 * MARGIN


async def test_a_thing_seldom_asked_goes_by_its_kind_and_one_often_asked_by_itself(home, clock):
    slow, quick = took(BLINDS, "open_cover", *[80.0] * 20), took(OTHERS, "open_cover", 3.0)
    windows = await taught(home, clock, *slow, *quick)
    assert watched(home, windows, "cover.open_cover", OTHERS) == 80 * MARGIN
    assert windows.of(OTHERS, "open_cover").of == "cover blind"
    assert watched(home, windows, "cover.open_cover", "cover.garage_door") == WINDOWS["cover"], "a garage is no blind"

    windows = await taught(home, clock, *slow, *took(OTHERS, "open_cover", *[3.0] * FEWEST))
    assert watched(home, windows, "cover.open_cover", OTHERS) == WINDOWS["cover"]


async def test_a_transition_that_was_asked_for_goes_on_top_of_the_table_and_counts_beside_what_was_learned(home, clock):
    windows = await taught(home, clock, *took(LAMP, "turn_on", *[10.0] * FEWEST))
    assert watched(home, windows, "light.turn_on", LAMP, transition=60) == WINDOWS["light"] + 60


async def test_the_window_of_a_rule_wins(home, clock):
    windows = await taught(home, clock, *took(LAMP, "turn_on", *[10.0] * FEWEST))
    decision = replace(ALLOWED, window=timedelta(seconds=1))
    assert watched(home, windows, "light.turn_on", LAMP, decision) == 1


async def test_what_cannot_be_seen_is_not_waited_for(home, clock):
    windows = await taught(home, clock, *took("light.hall", "nonsense", *[10.0] * FEWEST))
    assert watched(home, windows, "light.nonsense", LAMP) == 0


@given(st.lists(st.floats(0, 300), min_size=FEWEST, max_size=NEWEST))
def test_nine_of_ten_effects_that_were_seen_are_within_what_is_learned(seconds):
    found = learned((LAMP, each) for each in took(LAMP, "turn_on", *seconds))[LAMP, "turn_on"]
    within = sum(each <= found.usual_s for each in seconds)
    assert within >= 0.9 * len(seconds)
    assert min(found.usual_s * MARGIN, LONGEST_S) == found.window_s <= LONGEST_S
    assert found.samples == len(seconds)


def test_how_it_was_long_ago_counts_no_more():
    newest, old = took(LAMP, "turn_on", *[2.0] * NEWEST), took(LAMP, "turn_on", *[200.0] * 500)
    assert learned((LAMP, each) for each in [*newest, *old])[LAMP, "turn_on"].usual_s == 2


async def test_a_lamp_that_taught_that_it_is_slow_is_seen_to_be_on(make_gate, home, clock):
    """Without what was learned it would be told as not done: its 3 s are over long before."""
    windows = await taught(home, clock, *took(LAMP, "turn_on", *[200.0] * FEWEST))
    home.faults[LAMP] = Hold()
    gate = await make_gate(ties=Ties(windows=windows.of), window_factor=0.1)  # 0.3 s, and 30 s
    acting = asyncio.create_task(gate.submit([Call("light", "turn_on", Target((LAMP,)))], OWNER, request=""))
    while not home.calls:  # noqa: ASYNC110 - the simulated home has no event for it
        await asyncio.sleep(0)
    await asyncio.sleep(0.5)  # more than the table gives it
    home.release(LAMP)
    (plan,) = await acting
    assert (plan.state, plan.steps[0].evidence[0].status) == ("completed", "verified")


async def test_what_is_learned_is_told_only_where_it_makes_the_time_longer(make_gate, home, clock):
    windows = await taught(
        home, clock, *took(LAMP, "turn_on", *[10.0] * FEWEST), *took(BLINDS, "open_cover", *[1.0] * FEWEST)
    )
    gate = await make_gate(ties=Ties(windows=windows.of), policy=lambda: Policy(Preset.OPEN))
    for service, entity_id, found in (
        ("light.turn_on", LAMP, {LAMP: Learned(LAMP, "turn_on", FEWEST, 10, 15)}),
        ("cover.open_cover", BLINDS, {}),
    ):
        domain, name = service.split(".")
        ((call, decision),) = await gate.explain(Call(domain, name, Target((entity_id,))), OWNER)
        assert gate.learned(call, decision) == found
    slow = ruled("rules: [{name: slow, then: allow, window: 1h}]")
    gate = await make_gate(ties=Ties(windows=windows.of), policy=lambda: slow)
    ((call, decision),) = await gate.explain(Call("light", "turn_on", Target((LAMP,))), OWNER)
    assert gate.learned(call, decision) == {}


async def test_it_is_listed_with_the_window_that_holds(home, clock):
    windows = await taught(home, clock, *took(BLINDS, "open_cover", *[2.0] * FEWEST))
    assert windows.told() == [
        {
            "of": of,
            "service": "open_cover",
            "samples": FEWEST,
            "usual_s": 2.0,
            "window_s": 3.0,
            "table_s": 60,
            "holds_s": 60,
        }
        for of in (BLINDS, "cover blind")
    ]


@pytest.mark.parametrize("error", [HomestewardError("The chronicle is busy.", next="Wait."), RuntimeError("broken")])
async def test_a_past_that_cannot_be_read_is_read_another_time_and_what_was_known_stays(
    home, clock, monkeypatch, caplog, error
):
    monkeypatch.setattr("homesteward.actions.windows.FIRST", timedelta(0))
    monkeypatch.setattr("homesteward.actions.windows.EVERY", timedelta(0))
    answers, again = [took(LAMP, "turn_on", *[10.0] * FEWEST), error], asyncio.Event()

    async def seen(_since):
        if not answers:
            again.set()
            return await asyncio.Event().wait()
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    windows = Windows(home, seen, clock)
    undo = windows.start()
    await again.wait()
    undo()
    assert windows.of(LAMP, "turn_on").samples == FEWEST
    assert "could not be learned" in caplog.text
