"""A caller who reaches the kitchen only: everything else is answered as if it were not there, however it is named."""

from dataclasses import replace

import pytest

from homesteward.actions import PlanState
from homesteward.actions.reach import require_reach
from homesteward.core import HomestewardError
from homesteward.home.calls import BodyStep, Call, ResolvedCall, Target
from homesteward.people import Caller, Channel, Reach, Role, Scope

pytestmark = pytest.mark.above_store

COOK = Caller(
    Role.MEMBER,
    Channel.API,
    "Cook",
    person_id="cook",
    token_id="t1",
    scopes=frozenset({Scope.READ, Scope.ACT}),
    reach=Reach(frozenset({"kitchen"})),
)


def on(*entity_ids, **target):
    return Call("light", "turn_on", Target(entity_id=entity_ids, **target))


async def refused(gate, call, caller=COOK):
    with pytest.raises(HomestewardError) as error:
        await gate.submit([call], caller, request="")
    with pytest.raises(HomestewardError) as explained:
        await gate.explain(call, caller)
    assert explained.value.info == error.value.info
    return error.value.info


async def test_what_is_within_reach_is_done(gate, home):
    (plan,) = await gate.submit([on("light.kitchen")], COOK, request="")
    assert (plan.state, len(home.calls)) == (PlanState.COMPLETED, 1)


@pytest.mark.parametrize("there", ["light.hall", "light.study"])
async def test_an_entity_out_of_reach_is_as_unknown_as_one_that_is_none(gate, home, there):
    told = await refused(gate, on(there))
    nothing = await refused(gate, on("light.nowhere"))
    assert told.code == nothing.code == "unknown_entity"
    assert told.message.replace(there, "") == nothing.message.replace("light.nowhere", "")
    assert "hall" not in told.next.casefold()
    assert home.calls == []


@pytest.mark.parametrize("target", [{"area_id": ("hall",)}, {"floor_id": ("upper",)}, {"label_id": ("entrance",)}])
async def test_a_place_out_of_reach_is_unknown_too(gate, home, target):
    kind, (name,) = next(iter(target.items()))
    told = await refused(gate, on(**target))
    nothing = await refused(gate, on(**{kind: ("nowhere",)}))
    assert told.code == nothing.code
    assert told.message.replace(name, "") == nothing.message.replace("nowhere", "")


async def test_a_floor_means_what_of_it_is_within_reach(gate, home):
    await gate.submit([on(floor_id=("ground",))], COOK, request="")
    assert {entity for call in home.calls for entity in call.entity_ids} == {"light.kitchen"}


async def test_of_a_group_only_the_members_within_reach_are_sent(gate, home):
    upper = replace(COOK, reach=Reach(frozenset({"bedroom"}), entities=frozenset({"light.upstairs"})))
    await gate.submit([on("light.upstairs")], upper, request="")
    assert [call.entity_ids for call in home.calls] == [("light.reading_lamp_bedroom",)]


async def test_a_script_within_reach_that_does_something_beyond_is_not_run(gate, home):
    runner = replace(COOK, reach=Reach(entities=frozenset({"script.welcome", "light.kitchen"})))
    told = await refused(gate, Call("script", "turn_on", Target(entity_id=("script.welcome",))), runner)
    assert (told.code, home.calls) == ("not_allowed", [])
    assert "hall" not in f"{told.message} {told.next}"

    home.bodies["script.welcome"] = (BodyStep(on("light.kitchen"), "turn on the kitchen light"),)
    (plan,) = await gate.submit([Call("script", "turn_on", Target(entity_id=("script.welcome",)))], runner, request="")
    assert plan.state is not PlanState.REJECTED


@pytest.mark.parametrize(
    "call", [Call("notify", "phone", data={"message": "hello"}), Call("script", "welcome")], ids=str
)
async def test_a_call_without_a_target_may_end_anywhere_and_is_refused(gate, home, call):
    assert (await refused(gate, call)).code in {"not_allowed", "unknown_service"}
    assert home.calls == []


async def test_an_entity_hidden_in_the_data_is_unknown_whether_there_is_one_or_not(gate, home):
    def scene(entity_id):
        return Call("scene", "apply", data={"entities": {entity_id: "on"}})

    told = {(await refused(gate, scene(name))).code for name in ("light.hall", "light.nowhere")}
    assert len(told) == 1
    assert home.calls == []


async def test_plans_about_something_out_of_reach_do_not_exist(gate):
    person = replace(COOK, token_id="", scopes=None, reach=None)
    (plan,) = await gate.submit([on("light.hall")], person, request="")
    (mine,) = await gate.submit([on("light.kitchen")], COOK, request="")
    narrow = replace(person, reach=COOK.reach)

    assert [listed.id for listed in await gate.plans(by=narrow)] == [mine.id]
    for decide in (gate.approve, gate.confirm, gate.reject):
        with pytest.raises(HomestewardError, match="There is no plan"):
            await decide(plan.id, narrow)


def test_taking_back_what_one_scheduled_is_within_any_reach(home):
    require_reach(home, COOK, ResolvedCall("homesteward", "unschedule", data={"id": "s1"}))


@pytest.mark.parametrize("service", ["ha_config.write", "homesteward.enable_offer"])
def test_a_change_of_the_set_up_is_within_no_part_of_the_home(home, service):
    with pytest.raises(HomestewardError, match="more than you may reach"):
        require_reach(home, COOK, ResolvedCall(*service.split("."), data={"kind": "label"}))
