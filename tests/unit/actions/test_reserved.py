"""Calls that are no services of Home Assistant go through the same gate: judged, agreed to, carried out once, seen, taken back."""

import asyncio
from dataclasses import dataclass, field

import pytest

from homesteward.actions import Evidence, Mode, Needs, PlanState, Status, StepState, Ties, plan_json
from homesteward.actions.gate import Gate
from homesteward.actions.reserved import Performed, Prepared
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.core import HomestewardError
from homesteward.core.clock import SystemClock
from homesteward.home.calls import Call, ResolvedCall, Target
from homesteward.home.errors import CallUncertainError
from homesteward.home.model import Service
from homesteward.language.replies import describe
from homesteward.people import Caller, Channel, Role, Scope
from judging import GUEST, MEMBER, OWNER, ruled

WRITE = "homesteward.note"
LIGHT = Call("light", "turn_on", Target(entity_id=("light.kitchen",)))
ASKS = "rules: [{name: notes, when: {service: homesteward.note}, then: approve}]"
ALLOWS = "rules: [{name: notes, when: {service: homesteward.note}, then: allow}]"
BOTH = "rules: [{name: both, when: {service: [homesteward.note, light.turn_on]}, then: allow}]"


class BoardError(HomestewardError):
    """The board cannot take it."""

    code = "board_error"


@dataclass
class Board:
    """Notes by name, as a room of ours would keep them. `trouble` is raised instead of writing."""

    notes: dict[str, str] = field(default_factory=dict)
    trouble: HomestewardError | None = None
    hold: asyncio.Event | None = None
    written: list[dict[str, object]] = field(default_factory=list)
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def services(self) -> dict[str, Service]:
        return {WRITE: Service("homesteward", "note")}

    async def prepare(self, call: Call, _caller: Caller) -> Prepared:
        name = call.data.get("name")
        if not name:
            raise BoardError("A note needs a name.", next="Name it.")
        was = self.notes.get(name)
        text = call.data.get("text")
        resolved = ResolvedCall(call.domain, call.service, data=dict(call.data))
        return Prepared(resolved, {"text": was}, f"Write {text!r} on {name}", f"-{was}\n+{text}")

    async def stands(self, step) -> str:
        now = self.notes.get(step.call.data["name"])
        return "" if now == step.before["text"] else f"{step.call.data['name']} was changed since"

    async def perform(self, _plan, step) -> Performed:
        self.begun.set()
        if self.hold:
            await self.hold.wait()
        if self.trouble:
            raise self.trouble
        name, text = step.call.data["name"], step.call.data.get("text")
        self.written.append(dict(step.call.data))
        self.notes[name] = text
        seen = Evidence(f"note.{name}", str(text), str(text), Status.VERIFIED, SystemClock().now())
        return Performed((seen,), {"text": text})

    def inverse(self, step) -> Call | str:
        if step.before["text"] is None:
            return "there was no note before"
        return note(step.call.data["name"], step.before["text"])


def note(name: str, text: str, **more: object) -> Call:
    return Call("homesteward", "note", data={"name": name, "text": text, **more})


@pytest.fixture
def board() -> Board:
    return Board({"door": "closed"})


@pytest.fixture
def noted(make_gate, board):
    """Make a gate with the board, by the rules given."""

    async def make(rules: str = ALLOWS, **settings: object) -> Gate:
        return await make_gate(policy=lambda: ruled(rules), reserved=ReservedCalls(board), **settings)

    return make


async def asked(gate: Gate, *calls: Call, caller: Caller = OWNER, **more: object):
    return await gate.submit(calls or (note("door", "open"),), caller, request="change the note", **more)


async def test_a_reserved_call_that_is_allowed_is_carried_out_and_seen(noted, board):
    (plan,) = await asked(await noted())

    assert board.notes == {"door": "open"}
    assert (plan.state, plan.steps[0].state) == (PlanState.COMPLETED, StepState.DONE)
    assert plan.steps[0].evidence[0].entity_id == "note.door"


async def test_it_says_what_it_would_do_in_words_and_line_by_line(noted, board):
    gate = await noted(ASKS)
    (plan,) = await asked(gate)
    (step,) = plan_json(await gate.plan(plan.id))["steps"]

    assert (step["summary"], step["diff"]) == ("Write 'open' on door", "-closed\n+open")
    assert (step["before"], step["expected"]) == ({}, {})
    assert board.notes == {"door": "closed"}


async def test_what_was_there_and_what_is_there_now_are_kept_with_the_step(noted):
    gate = await noted()
    (plan,) = await asked(gate)
    (step,) = (await gate.plan(plan.id)).steps

    assert (step.before, step.after) == ({"text": "closed"}, {"text": "open"})


async def test_one_that_waits_is_carried_out_by_the_yes_and_by_that_alone(noted, board):
    gate = await noted(ASKS)
    (plan,) = await asked(gate)
    assert (plan.state, plan.needs) == (PlanState.WAITING, Needs.APPROVE)
    assert not board.written

    done = await gate.approve(plan.id, OWNER)
    again = await gate.approve(plan.id, MEMBER)

    assert done.state is PlanState.COMPLETED
    assert again.id == plan.id
    assert len(board.written) == 1


async def test_two_who_say_yes_at_once_have_it_done_once(noted, board):
    gate = await noted(ASKS)
    (plan,) = await asked(gate)
    board.hold = asyncio.Event()
    both = asyncio.gather(gate.approve(plan.id, OWNER), gate.approve(plan.id, MEMBER))
    board.hold.set()
    await both

    assert len(board.written) == 1


async def test_one_that_does_not_stand_any_more_ends_with_the_reason_and_nothing_of_the_plan_runs(noted, board, home):
    gate = await noted(BOTH.replace("allow", "approve"))
    (plan,) = await asked(gate, LIGHT, note("door", "open"))
    board.notes["door"] = "ajar"

    done = await gate.approve(plan.id, OWNER)

    assert (done.state, [step.state for step in done.steps]) == ("failed", ["skipped", "failed"])
    assert done.steps[1].error == "door was changed since."
    assert (board.notes, home.calls) == ({"door": "ajar"}, [])


async def test_it_is_looked_at_once_more_right_before_it_is_carried_out(noted, board):
    gate = await noted()
    plans = await asked(gate, note("door", "open"), note("door", "shut"))

    (plan,) = plans
    assert [step.state for step in plan.steps] == ["done", "failed"]
    assert board.notes == {"door": "open"}


async def test_one_that_fails_says_why_and_the_steps_after_it_do_not_run(noted, board, home):
    board.trouble = BoardError("The board is full.", next="Clean it.")
    gate = await noted(BOTH)
    (plan,) = await asked(gate, note("door", "open"), LIGHT)

    assert [step.state for step in plan.steps] == ["failed", "skipped"]
    assert plan.steps[0].error == "The board is full."
    assert not home.calls


async def test_one_of_which_nobody_knows_is_uncertain(noted, board):
    board.trouble = CallUncertainError("No answer came.")
    (plan,) = await asked(await noted())

    assert (plan.state, plan.steps[0].state) == (PlanState.COMPLETED, StepState.UNCERTAIN)


async def test_one_that_does_not_fit_is_no_plan(noted):
    gate = await noted()
    with pytest.raises(BoardError, match="needs a name"):
        await asked(gate, Call("homesteward", "note", data={"text": "x"}))
    assert await gate.plans() == ()


@pytest.mark.parametrize("name", ["homesteward.nothing", "ha_config.write", "mcp_lamp.blink"])
async def test_a_reserved_name_that_nobody_carries_out_never_reaches_home_assistant(make_gate, home, name):
    gate = await make_gate(policy=lambda: ruled(BOTH))
    domain, service = name.split(".")
    with pytest.raises(HomestewardError) as refused:
        await asked(gate, Call(domain, service))
    assert (refused.value.code, home.calls) == ("unknown_service", [])


@pytest.mark.parametrize("mode", [Mode.OBSERVE, Mode.PLAN])
async def test_a_mode_binds_it_like_any_other_call(noted, board, mode):
    (plan,) = await asked(await noted(mode=mode))
    assert plan.state is (PlanState.REJECTED if mode is Mode.OBSERVE else PlanState.WAITING)
    assert not board.written


async def test_a_dry_run_carries_nothing_out(noted, board):
    (plan,) = await asked(await noted(dry_run=True))
    assert (plan.state, board.written) == (PlanState.SIMULATED, [])


async def test_a_yes_in_a_dry_run_carries_nothing_out(noted, board):
    gate = await noted(ASKS, dry_run=True)
    (plan,) = await asked(gate)
    assert (plan.state, board.written) == (PlanState.SIMULATED, [])


async def test_a_token_without_the_scope_for_configuration_only_asks(noted, board):
    token = Caller(Role.TOKEN, Channel.API, "shelf", token_id="t1", scopes=frozenset({Scope.ACT, Scope.PROPOSE}))
    (plan,) = await asked(await noted(), caller=token)
    assert (plan.state, board.written) == (PlanState.WAITING, [])


async def test_a_token_that_may_only_act_is_refused(noted, board):
    token = Caller(Role.TOKEN, Channel.API, "shelf", token_id="t1", scopes=frozenset({Scope.ACT}))
    (plan,) = await asked(await noted(), caller=token)
    assert (plan.state, board.written) == (PlanState.REJECTED, [])


async def test_a_code_in_it_reaches_its_room_and_is_kept_nowhere(noted, board, database):
    gate = await noted(ASKS)
    (plan,) = await asked(gate, note("door", "open", code="4711"))
    assert "4711" not in str(plan_json(plan))

    await gate.approve(plan.id, OWNER)
    assert board.written == [{"name": "door", "text": "open", "code": "4711"}]


async def test_a_code_in_an_error_of_the_room_is_not_repeated(noted, board):
    board.trouble = BoardError("4711 is no code of mine.")
    (plan,) = await asked(await noted(), note("door", "open", code="4711"))
    assert "4711" not in plan.steps[0].error


async def test_an_undo_is_a_plan_of_the_call_that_takes_it_back(noted, board):
    gate = await noted()
    (plan,) = await asked(gate)
    undone = await gate.undo(plan.id, OWNER)

    assert board.notes == {"door": "closed"}
    assert (undone.left, undone.plans[0].undoes) == ((), plan.id)


async def test_an_undo_takes_the_steps_of_both_sorts_back(noted, board, home):
    gate = await noted(BOTH)
    (plan,) = await asked(gate, LIGHT, note("door", "open"))
    await gate.undo(plan.id, OWNER)

    assert (board.notes["door"], home.states["light.kitchen"].state) == ("closed", "off")


async def test_what_has_no_way_back_says_why(noted):
    gate = await noted()
    (plan,) = await asked(gate, note("window", "open"))
    with pytest.raises(HomestewardError, match="there was no note before"):
        await gate.undo(plan.id, OWNER)


async def test_a_step_that_failed_and_left_nothing_needs_no_way_back(noted, board):
    board.trouble = BoardError("The board is full.")
    gate = await noted()
    (plan,) = await asked(gate)
    with pytest.raises(HomestewardError) as refused:
        await gate.undo(plan.id, OWNER)
    assert refused.value.code == "cannot_undo"


async def test_one_cut_off_between_claim_and_end_is_interrupted_told_and_never_repeated(noted, make_gate, board, home):
    board.hold = asyncio.Event()
    told: list[tuple[str, ...]] = []
    first = await noted()
    running = asyncio.create_task(asked(first))
    await board.begun.wait()
    await first.close()
    running.cancel()

    board.hold = None
    ties = Ties(tell=lambda *said: told.append(said))
    second = await noted(ties=ties)
    (plan,) = await second.plans()
    assert plan.state is PlanState.INTERRUPTED
    assert (told[0][0], "Write 'open' on door" in told[0][2]) == ("plan_interrupted", True)

    resumed = await second.resume(plan.id, OWNER)
    assert (resumed.steps[0].state, board.written) == (StepState.UNCERTAIN, [])


async def test_a_reply_tells_it_in_its_own_words(noted, home):
    gate = await noted(ASKS)
    waits = await asked(gate)
    assert describe(waits, home, "en") == "Write 'open' on door waits for approval."

    done = await gate.approve(waits[0].id, OWNER)
    assert describe([done], home, "en") == "Write 'open' on door: done."


async def test_what_would_happen_to_it_can_be_asked_without_doing_it(noted, board):
    ((call, decision),) = await (await noted(ASKS)).explain(note("door", "open"), GUEST)
    assert (call.id, decision.rule, board.written) == (WRITE, "rule notes", [])
