"""Two locks, each with its code: no edit, restore or edit by somebody else gives one the code of the other, or loses one."""

import pytest

from homesteward.core import HomestewardError
from homesteward.home.calls import Call
from judging import OWNER


def unlock(name, code):
    return {"action": "lock.unlock", "target": {"entity_id": f"lock.{name}"}, "data": {"code": code}}


FRONT, BACK = unlock("front_door", "4711"), unlock("back_door", "0815")


@pytest.fixture
def both(paper, home):
    home.states["lock.back_door"] = home.states["lock.front_door"]
    paper.add("automation", "both", {"id": "both", "alias": "Both", "triggers": [], "actions": [FRONT, BACK]})

    def now():
        return paper.files["automation"]["both"]["actions"]

    return now


async def shown(room):
    return (await room.show("automation", "both")).config


def written(config, **fields):
    data = {"kind": "automation", "id": "both", "config": {**config, **fields}, "edit": True}
    return Call("ha_config", "write", data=data)


async def test_deleting_the_first_action_leaves_the_other_its_code(agreed, room, both):
    there = await shown(room)
    await agreed(written(there, actions=there["actions"][1:]), OWNER)
    assert both() == [BACK]


async def test_another_order_takes_the_codes_along(agreed, room, both):
    there = await shown(room)
    await agreed(written(there, actions=there["actions"][::-1]), OWNER)
    assert both() == [BACK, FRONT]


async def test_a_version_is_restored_with_the_codes_that_it_had(agreed, room, both):
    there = await shown(room)
    await agreed(written(there, actions=there["actions"][1:]), OWNER)
    await agreed(await room.restoring("automation", "both", 1), OWNER)
    assert both() == [FRONT, BACK]


async def test_a_code_that_was_replaced_comes_back_with_its_version(agreed, room, both):
    there = await shown(room)
    await agreed(written(there, actions=[unlock("front_door", "9999"), there["actions"][1]]), OWNER)
    assert both() == [unlock("front_door", "9999"), BACK]
    await agreed(await room.restoring("automation", "both", 1), OWNER)
    assert both() == [FRONT, BACK]


async def test_after_an_edit_by_somebody_else_a_version_still_has_its_codes(agreed, room, both, paper):
    there = await shown(room)
    await agreed(written(there, mode="queued"), OWNER)
    paper.files["automation"]["both"]["actions"] = [unlock("back_door", "1111")]
    await agreed(await room.restoring("automation", "both", 1), OWNER)
    assert both() == [FRONT, BACK]


async def test_a_code_that_somebody_else_changes_meanwhile_is_not_written_over(configured, room, both, paper):
    (plan,) = await configured.submit([written(await shown(room), mode="queued")], OWNER, request="change it")
    paper.files["automation"]["both"]["actions"] = [unlock("front_door", "1111"), BACK]
    done = await configured.approve(plan.id, OWNER)
    assert "was changed by somebody else" in done.steps[0].error
    assert both() == [unlock("front_door", "1111"), BACK]


async def test_the_code_of_one_lock_under_another_is_refused_and_says_why(configured, room, both):
    there = await shown(room)
    swapped = [{**there["actions"][1], "data": there["actions"][0]["data"]}]
    with pytest.raises(HomestewardError, match="something else than it would be for"):
        await configured.submit([written(there, actions=swapped)], OWNER, request="change it")
    assert both() == [FRONT, BACK]
