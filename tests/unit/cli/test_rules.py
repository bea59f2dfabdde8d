"""`homesteward policy`: rules tested without a service, and shown, changed, put back and held against the past with one."""

from homesteward.actions.rule_keeper import RuleKeeper

RULES = """version: 1
rules:
- name: The garage stays shut at night
  when: {device_class: garage, time: "22:00-06:00"}
  then: deny
"""
TESTS = """home:
  cover.garage: {device_class: garage}
cases:
- name: at night
  call: {service: cover.open_cover, target: {entity_id: cover.garage}}
  at: 2026-11-30 23:30:00
  expect: {action: deny, rule: rule The garage stays shut at night}
- name: by day
  call: {service: cover.open_cover, target: {entity_id: cover.garage}}
  expect: approve
"""


def put(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return [str(folder / f"{name}.yaml") for name in files]


async def test_tests_are_judged_without_a_service_by_the_file_that_they_name(homesteward, tmp_path):
    tests, _ = put(tmp_path, tests=f"policy: rules.yaml\n{TESTS}", rules=RULES)
    ended = await homesteward("policy", "test", tests, "--json")
    assert (ended.code, [each["passed"] for each in ended.json]) == (0, [True, True])
    assert ended.json[0]["path"] == ["cover.open_cover", "cover.garage"]
    assert "2 of 2 as expected" in (await homesteward("policy", "test", tests)).out


async def test_a_test_that_is_decided_otherwise_ends_with_1_and_says_how(homesteward, tmp_path):
    (tests,) = put(tmp_path, tests=TESTS)
    ended = await homesteward("policy", "test", tests)
    assert ended.code == 1
    assert "action should be deny and is approve" in ended.out


async def test_another_rule_file_can_be_tried(homesteward, tmp_path):
    tests, rules = put(tmp_path, tests=TESTS, rules=RULES)
    assert (await homesteward("policy", "test", tests, "--rules", rules, "--json")).code == 0


async def test_a_file_that_cannot_be_read_is_bad_usage(homesteward, tmp_path):
    bad, broken, good = put(tmp_path, bad="cases: 3", broken="version: 1\nrules: 3", good=TESTS)
    for words, code in (
        ((bad,), "bad_policy_test"),
        ((good, "--rules", broken), "bad_policy"),
        ((str(tmp_path / "none"),), "bad_usage"),
    ):
        ended = await homesteward("policy", "test", *words, "--json")
        assert (ended.code, ended.json["error"]["code"]) == (2, code)


async def test_rules_are_set_shown_compared_and_put_back(homesteward, service, tmp_path):
    first, second = put(tmp_path, first=RULES, second=RULES.replace("deny", "approve"))
    assert (await homesteward("policy", "set", first, "--json")).json["n"] == 1
    assert "version 2" in (await homesteward("policy", "set", second)).out
    shown = await homesteward("policy", "show", "--language", "de")
    assert (
        "Wenn es von der Klasse garage ist und es zwischen 22:00 und 06:00 ist: es wartet auf eine Freigabe."
        in shown.out
    )
    assert (await homesteward("policy", "show", "--file")).out == RULES.replace("deny", "approve")
    listed = await homesteward("policy", "versions", "--json")
    assert [version["n"] for version in listed.json] == [2, 1]
    assert {"-  then: deny", "+  then: approve"} < set((await homesteward("policy", "diff", "--json")).json["diff"])
    assert (await homesteward("policy", "restore", "1", "--json")).json["n"] == 3
    assert (await homesteward("policy", "diff", "1", "3")).out == "They are the same.\n"


async def test_a_mistake_is_told_with_its_line_and_nothing_is_set(homesteward, service, house, tmp_path):
    (broken,) = put(tmp_path, broken=RULES.replace("deny", "perhaps"))
    ended = await homesteward("policy", "set", broken, "--json")
    assert (ended.code, ended.json["error"]["code"], "line 5" in ended.json["error"]["message"]) == (
        2,
        "bad_policy",
        True,
    )
    assert isinstance(house.rules, RuleKeeper)
    assert not house.rules.file.exists()


async def test_explain_judges_by_the_rules_that_hold_and_shows_the_way(homesteward, service, house, tmp_path):
    house.rules.file.write_text(
        "version: 1\nrules: [{name: Nobody lets in, when: {service: lock.unlock}, then: deny}]\n"
    )
    call = tmp_path / "call.json"
    call.write_text('{"service": "script.turn_on", "target": {"entity_id": "script.let_in"}}')
    ended = await homesteward("policy", "explain", str(call))
    assert "script.turn_on > script.let_in > lock.front_door" in ended.out
    assert "rule Nobody lets in" in ended.out


async def test_without_a_service_explain_goes_by_the_rule_file_that_lies_here(homesteward, data, tmp_path):
    call = tmp_path / "call.json"
    call.write_text('{"service": "light.turn_on", "target": {"entity_id": "light.a"}}')
    data.mkdir()
    said = {}
    for name, text in (
        ("none", None),
        ("rule", "version: 1\nrules: [{name: Dark, when: {domain: light}, then: deny}]"),
        ("preset", "version: 1\npreset: cautious"),
        ("broken", "version: 1\nrules: 3"),
    ):
        if text:
            (data / "policy.yaml").write_text(text)
        said[name] = (await homesteward("policy", "explain", str(call), "--json")).json[0]["rule"]
    assert said == {
        "none": "preset family: routine",
        "rule": "rule Dark",
        "preset": "preset cautious: routine",
        "broken": "unreadable policy",
    }


async def test_without_a_chronicle_there_is_no_past_to_judge(homesteward, service):
    ended = await homesteward("policy", "simulate", "--since", "30d", "--json")
    assert (ended.code, ended.json["error"]["code"]) == (1, "not_enabled")
