"""`policy explain` without a service: the call and what the file says of its entities, judged by the same rules."""

import pytest

from homesteward.core.json import dumps


@pytest.fixture
def explain(homesteward, tmp_path):
    async def run(document, *words):
        file = tmp_path / "call.json"
        file.write_text(document if isinstance(document, str) else dumps(document))
        return await homesteward("policy", "explain", str(file), *words, "--json")

    return run


def on(service, target, /, **attributes):
    call = {"service": service, "target": {"entity_id": target}}
    return {"call": call, "attributes": {target: attributes}} if attributes else call


@pytest.mark.parametrize(
    ("document", "action", "impact"),
    [
        (on("lock.unlock", "lock.front_door"), "approve", "sensitive"),
        (on("cover.open_cover", "cover.garage_door", device_class="garage"), "approve", "sensitive"),
        (on("cover.open_cover", "cover.blinds", device_class="blind"), "allow", "routine"),
        (on("light.turn_on", "light.kitchen"), "allow", "routine"),
        (on("script.turn_on", "script.leave"), "approve", "sensitive"),
        (on("homeassistant.turn_on", "group.doors", entity_id=["lock.front_door"]), "approve", "sensitive"),
        ({"service": "shell_command.backup"}, "deny", "critical"),
        ({"domain": "homeassistant", "service": "restart"}, "deny", "critical"),
    ],
)
async def test_a_call_is_judged_by_what_it_would_do(explain, document, action, impact):
    ended = await explain(document)
    assert ended.code == 0
    assert (ended.json[0]["action"], ended.json[0]["impact"]) == (action, impact)
    assert ended.json[0]["reason"]
    assert ended.json[0]["rule"]


def later(service, target, **described):
    inner = {"service": service, "target": {"entity_id": target}}
    return {"call": {"service": "homesteward.schedule", "data": {"call": inner, "in": 600}}, "attributes": described}


def written(action):
    data = {"kind": "automation", "id": "x", "config": {"actions": [action]}}
    return {
        "call": {"service": "ha_config.write", "data": data},
        "attributes": {"lock.front_door": {}, "light.hall": {}},
    }


@pytest.mark.parametrize(
    ("document", "action", "by_owner", "end"),
    [
        (later("light.turn_on", "light.hall", **{"light.hall": {}}), "allow", False, "light.hall"),
        (later("lock.unlock", "lock.front_door", **{"lock.front_door": {}}), "approve", False, "lock.front_door"),
        (written({"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}), "approve", True, "lock.front_door"),
        (written({"action": "shell_command.wipe"}), "deny", False, "ha_config.write"),
    ],
)  # fmt: skip
async def test_a_call_that_carries_others_is_judged_by_them(explain, document, action, by_owner, end):
    (found,) = (await explain(document)).json
    assert (found["action"], found["by_owner"]) == (action, by_owner)
    assert end in found["path"]


async def test_one_decision_for_each_verdict(explain):
    found = await explain(
        {
            "call": {"service": "cover.open_cover", "target": {"entity_id": ["cover.blinds", "cover.garage_door"]}},
            "attributes": {"cover.garage_door": {"device_class": "garage"}, "cover.blinds": {"device_class": "blind"}},
        }
    )
    assert {tuple(one["entity_ids"]): one["action"] for one in found.json} == {
        ("cover.blinds",): "allow",
        ("cover.garage_door",): "approve",
    }


async def test_a_guest_and_a_stricter_preset_may_less(explain):
    lock = on("lock.unlock", "lock.front_door")
    assert (await explain(lock, "--as", "guest")).json[0]["action"] == "deny"
    assert (await explain(on("light.turn_on", "light.x"), "--policy", "read_only")).json[0]["action"] == "deny"


async def test_nobody_is_raised_by_a_word(explain):
    ended = await explain(on("lock.unlock", "lock.front_door"), "--as", "system")
    assert (ended.code, ended.json["error"]["code"]) == (3, "cannot_raise_role")


@pytest.mark.parametrize(
    "document",
    [
        on("cover.open_cover", "cover.garage_door"),
        on("homeassistant.turn_on", "group.doors"),
        on("light.turn_on", "all"),
        {"service": "light.turn_on", "target": {"area_id": "kitchen"}},
    ],
)
async def test_what_only_the_home_knows_is_not_guessed(explain, document):
    ended = await explain(document)
    assert (ended.code, ended.json["error"]["code"]) == (5, "not_connected")
    assert "service" in ended.json["error"]["next"]


@pytest.mark.parametrize(
    ("document", "code", "said"),
    [
        ({"domain": "Light", "service": "turn_on"}, "invalid_call", "'Light' is not a domain"),
        ({"service": "turn_on"}, "invalid_call", "is not a domain"),
        (on("light.turn_on", "kitchen"), "invalid_call", "'kitchen' is not an entity id"),
        ({"service": "light.turn_on", "target": {"room": "kitchen"}}, "invalid_call", "room"),
        ({"call": 7}, "bad_usage", "The call must be an object"),
        ({"call": {"service": "light.turn_on"}, "attributes": 7}, "bad_usage", "attributes must be an object"),
        (on("light.turn_on", "group.all", entity_id="light.kitchen"), "bad_usage", "must be a list of entity ids"),
        ("[]", "bad_usage", "must be a JSON object"),
        ("{", "bad_usage", "is not JSON"),
        ("", "bad_usage", "is not JSON"),
    ],
)
async def test_a_call_that_is_none_is_bad_usage(explain, document, code, said):
    ended = await explain(document)
    assert (ended.code, ended.json["error"]["code"]) == (2, code)
    assert said in ended.json["error"]["message"]


async def test_a_preset_that_does_not_exist_is_bad_usage(explain):
    ended = await explain(on("light.turn_on", "light.x"), "--policy", "lenient")
    assert (ended.code, ended.json["error"]["code"]) == (2, "bad_usage")
    assert "family" in ended.json["error"]["next"]


async def test_a_file_that_is_not_there_is_bad_usage(homesteward, tmp_path):
    for file in (tmp_path / "none.json", tmp_path):
        ended = await homesteward("policy", "explain", str(file), "--json")
        assert (ended.code, ended.json["error"]["code"]) == (2, "bad_usage")
