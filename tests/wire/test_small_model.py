"""A real small language model: a constrained choice gives the same plan and the same evidence as a script."""

import pytest

from homesteward.core import SystemClock
from homesteward.kernel import Kernel, KernelRequest
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role
from homesteward.settings import ToolMode
from wire.servers import run

pytestmark = [pytest.mark.wire, pytest.mark.model, pytest.mark.timeout(300)]

SCRIPT = [
    {"tool_call": {"arguments": {"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}}}},
    {"text": "On."},
]


async def test_a_chosen_call_makes_the_same_plan_and_evidence_as_a_scripted_one(home, registry, small_model):
    chosen = await run(home, registry, small_model, "turn on the kitchen light", tool_mode=ToolMode.CHOICE)
    assert [(call.id, call.entity_ids) for call in home.calls] == [("light.turn_on", ("light.kitchen",))]
    home.set_state("light.kitchen", "off")
    request = KernelRequest("turn on the kitchen light", Caller(Role.OWNER, Channel.CLI), "run")
    scripted = await Kernel(registry, home, SystemClock()).run(request, ScriptedModel(SCRIPT))
    assert [plan.hash for plan in chosen.plans] == [plan.hash for plan in scripted.plans]
    assert seen(chosen) == seen(scripted) == [("light.kitchen", "verified")]
    assert chosen.usage.measured == 1


async def test_whatever_the_model_picks_a_lock_waits(home, registry, small_model):
    result = await run(home, registry, small_model, "unlock the front door", tool_mode=ToolMode.CHOICE)
    assert home.calls == []
    assert {plan.state.value for plan in result.plans} == {"waiting"}


def seen(result):
    return [(e.entity_id, e.status.value) for plan in result.plans for step in plan.steps for e in step.evidence]
