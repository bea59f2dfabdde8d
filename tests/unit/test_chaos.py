"""Whatever is asked, by whomever, of a home where anything may break: what matters is never sent without a yes, and nothing is claimed
that was not seen."""

import asyncio
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from homes import small_home
from homesteward.actions.plan import PlanState, Status, StepState
from homesteward.app import wire
from homesteward.core import SystemClock
from homesteward.core.redaction import Redactor
from homesteward.home.faults import Dead, DropOut, Jam, LoseAnswer, Refuse, Vanish
from homesteward.home.view import device_class_of, leaves_of
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings
from homesteward.steward import Outcome, Request, Route

ROOMS = small_home()
ENTITIES = sorted(ROOMS.states)
SERVICES = sorted(ROOMS.services)
PLACES = [*ROOMS.areas, *ROOMS.floors, *ROOMS.labels, "", "all", "nowhere"]
SENSITIVE_DOMAINS = {"lock", "alarm_control_panel", "camera", "siren", "valve"}
SENSITIVE_COVERS = {"door", "garage", "gate"}

entities = st.one_of(
    st.sampled_from(ENTITIES), st.lists(st.sampled_from(ENTITIES), min_size=1, max_size=4), st.just("all")
)
targets = st.one_of(
    st.fixed_dictionaries({"entity_id": entities}),
    *(st.fixed_dictionaries({key: st.sampled_from(PLACES)}) for key in ("area_id", "floor_id", "label_id")),
    st.just({}),
)
data = st.sampled_from(
    [
        {},
        {"brightness_pct": 40},
        {"position": 100},
        {"position": 0},
        {"temperature": 21},
        {"entity_id": "lock.front_door"},
    ]
)
wild = st.fixed_dictionaries({"service": st.sampled_from(SERVICES), "target": targets, "data": data})


def fitting(entity):
    """Calls that make sense for `entity`: most of what reaches a home does, and only such a call can do harm."""
    own = [name for name in SERVICES if name.startswith(f"{entity.partition('.')[0]}.")] or ["homeassistant.toggle"]
    return st.fixed_dictionaries(
        {
            "service": st.sampled_from([*own, "homeassistant.toggle"]),
            "target": st.just({"entity_id": entity}),
            "data": data,
        }
    )


calls = st.one_of(wild, st.sampled_from(ENTITIES).flatmap(fitting))
faults = st.dictionaries(
    st.sampled_from(ENTITIES), st.sampled_from([Dead(), Jam(), DropOut(), Vanish(), Refuse(), LoseAnswer()]), max_size=4
)
callers = st.sampled_from([Role.OWNER, Role.MEMBER, Role.GUEST, Role.TOKEN, Role.TRIGGER])


@given(st.lists(calls, min_size=1, max_size=4), faults, callers)
def test_nothing_sensitive_is_sent_without_a_yes_and_nothing_unseen_is_claimed(proposed, broken, role):
    asyncio.run(_one_request(proposed, broken, role))


async def _one_request(proposed, broken, role):
    home = small_home()
    home.faults.update(broken)
    script = [*({"tool_call": {"arguments": call}} for call in proposed), {"text": "All done."}]
    with tempfile.TemporaryDirectory() as folder:
        policy = PolicySettings(dry_run=False, verify_factor=0.01)
        settings = Settings(policy=policy, data=Path(folder))
        async with wire(settings, home, home, Path(folder), SystemClock(), Redactor(), remember=False) as house:
            model = ScriptedModel(script)
            caller = Caller(role, Channel.TRIAL, "somebody")
            answer = await house.with_model(lambda: model).ask(Request("do it", caller, route=Route.KERNEL))
            stored = await house.gate.plans()
    reached = {entity for call in home.calls for entity in leaves_of(ROOMS, call.entity_ids)}
    assert not {entity for entity in reached if _sensitive(entity)}
    assert not {
        call.id for call in home.calls if call.domain in {"script", "scene", "automation"} and _reaches_lock(call)
    }
    assert answer.error is None or answer.error.code != "internal"
    for plan in stored:
        assert plan.state not in {PlanState.PROPOSED, PlanState.APPROVED, PlanState.EXECUTING}
        for step in plan.steps:
            if step.state is StepState.DONE:
                assert all(seen.status is Status.VERIFIED for seen in step.evidence)
    if answer.outcome is Outcome.ACTED:
        assert home.calls


def _sensitive(entity):
    domain = entity.partition(".")[0]
    return domain in SENSITIVE_DOMAINS or (domain == "cover" and device_class_of(ROOMS, entity) in SENSITIVE_COVERS)


def _reaches_lock(call):
    named = {*call.entity_ids, call.id}
    return bool(named & {"scene.arrival", "script.let_in", "automation.on_arrival"})
