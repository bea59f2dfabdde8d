"""The owner's rule file: it holds as soon as it changes, a broken one holds everything, and nothing of its history is lost."""

import asyncio
import os
import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homesteward.actions.errors import NotAllowedError
from homesteward.actions.rule_keeper import HAND, RuleKeeper, RulesNotWrittenError, UnknownVersionError
from homesteward.home.calls import ResolvedCall
from homesteward.people import Caller, Channel, Role, Scope
from homesteward.policy import Action, BadRuleFileError, Preset, decide, parse_rules
from judging import MEMBER, NOON, OWNER

NIGHT = "version: 1\nrules: [{name: Dark, when: {domain: light}, then: deny}]\n"
OPEN = "version: 1\npreset: cautious\n"
BROKEN = "version: 1\nrules: [{name: Dark, then: perhaps}]\n"
LAMP = ("light.turn_on", "light.kitchen")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "policy.yaml"


@pytest.fixture
async def keeper(file, database, clock):
    keeper = RuleKeeper(file, database, "home_1", clock)
    undo = await keeper.start()
    yield keeper
    undo()


def judged(keeper, home, call=LAMP, caller=MEMBER):
    service, entity_id = call
    return decide(ResolvedCall(*service.split("."), (entity_id,)), caller, home, keeper.policy(), NOON)


async def test_without_a_file_the_preset_decides(keeper, home):
    assert judged(keeper, home).action is Action.ALLOW
    assert keeper.told() == {"rules": 0, "limits": 0, "preset": "family", "preset_from": "settings", "held": ""}
    assert await keeper.versions() == ()


async def test_a_file_holds_from_the_very_next_decision(keeper, file, home):
    assert judged(keeper, home).action is Action.ALLOW
    file.write_text(NIGHT)
    assert judged(keeper, home).rule == "rule Dark"
    assert keeper.told()["rules"] == 1


async def test_a_preset_in_the_file_goes_before_that_of_the_settings(keeper, file, home):
    file.write_text(OPEN)
    assert judged(keeper, home).rule == "preset cautious: routine"
    assert (keeper.told()["preset"], keeper.told()["preset_from"]) == ("cautious", "rules")


async def test_a_broken_file_holds_everything_but_reading_for_an_owner_and_says_the_line(keeper, file, home):
    file.write_text(NIGHT)
    keeper.policy()
    file.write_text(BROKEN)
    held = judged(keeper, home, caller=OWNER)
    assert (held.action, held.by_owner, held.rule) == (Action.APPROVE, True, "unreadable policy")
    assert "line 2" in held.reason
    assert judged(keeper, home, ("homeassistant.update_entity", "light.kitchen")).action is Action.ALLOW
    assert "line 2" in keeper.problem
    assert keeper.rules is None


async def test_a_mended_file_holds_again(keeper, file, home):
    file.write_text(BROKEN)
    assert keeper.problem
    file.write_text(NIGHT)
    assert (keeper.problem, judged(keeper, home).rule) == ("", "rule Dark")


async def test_a_file_that_vanishes_holds_everything(keeper, file, home):
    file.write_text(NIGHT)
    await keeper.look()
    file.unlink()
    assert judged(keeper, home).rule == "unreadable policy"
    assert "gone" in keeper.problem


async def test_a_file_that_vanished_while_nobody_ran_holds_everything_at_the_next_start(
    keeper, file, database, clock, home
):
    file.write_text(NIGHT)
    await keeper.look()
    file.unlink()
    other = RuleKeeper(file, database, "home_1", clock)
    (await other.start())()
    assert judged(other, home).rule == "unreadable policy"


async def test_what_lies_there_and_cannot_be_read_holds_everything(keeper, file, home):
    file.mkdir()  # as a file without permission: it is there, and reading it fails
    assert judged(keeper, home).rule == "unreadable policy"
    assert "cannot be read" in keeper.problem


async def test_text_that_is_no_text_holds_everything(keeper, file, home):
    file.write_bytes(b"version: 1 \xff")
    assert "UTF-8" in keeper.problem


async def test_permissions_that_were_mended_are_seen_without_a_change_of_the_text(keeper, file, monkeypatch, home):
    file.write_text(NIGHT)
    refused = PermissionError(13, "Permission denied")
    monkeypatch.setattr("homesteward.actions.rule_keeper._at_once", lambda *_: (_ for _ in ()).throw(refused))
    assert "Permission denied" in keeper.problem
    monkeypatch.undo()
    file.chmod(0o640)
    assert (keeper.problem, judged(keeper, home).rule) == ("", "rule Dark")


async def test_a_change_of_one_instant_and_one_length_is_seen(keeper, file, home):
    file.write_text(NIGHT)
    assert judged(keeper, home).action is Action.DENY
    before = file.stat()
    beside = file.with_name("new")
    beside.write_text(NIGHT.replace("deny", "allow").replace("Dark", "Dar"))
    beside.replace(file)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert judged(keeper, home).action is Action.ALLOW


async def test_every_version_is_kept_with_its_author_also_one_that_cannot_be_used(keeper, file):
    file.write_text(NIGHT)
    await keeper.look()
    file.write_text(BROKEN)
    await keeper.look()
    await keeper.replace(OPEN, replace(OWNER, person="Ada"))
    newest, broken, first = await keeper.versions()
    assert [(each.n, each.author, each.text) for each in (first, broken, newest)] == [
        (1, HAND, NIGHT),
        (2, HAND, BROKEN),
        (3, "Ada", OPEN),
    ]
    assert (first.problem, newest.problem, "line 2" in broken.problem) == ("", "", True)


async def test_a_file_that_did_not_change_is_no_new_version(keeper, file, database, clock):
    file.write_text(NIGHT)
    await keeper.look()
    file.write_text(NIGHT)
    await keeper.look()
    other = RuleKeeper(file, database, "home_1", clock)
    (await other.start())()
    assert len(await other.versions()) == 1


async def test_a_version_is_put_back_as_a_new_one(keeper, file, home):
    file.write_text(NIGHT)
    await keeper.look()
    await keeper.replace(OPEN, OWNER)
    restored = await keeper.restore(1, OWNER)
    assert (restored.n, file.read_text(), judged(keeper, home).rule) == (3, NIGHT, "rule Dark")


async def test_a_version_that_is_not_there_says_so(keeper):
    with pytest.raises(UnknownVersionError):
        await keeper.restore(7, OWNER)


async def test_rules_with_a_mistake_change_nothing(keeper, file):
    await keeper.replace(NIGHT, OWNER)
    with pytest.raises(BadRuleFileError):
        await keeper.replace(BROKEN, OWNER)
    assert (file.read_text(), len(await keeper.versions())) == (NIGHT, 1)


@pytest.mark.parametrize(
    "by",
    [
        MEMBER,
        Caller(Role.GUEST, Channel.PAGE),
        Caller(Role.TOKEN, Channel.API, token_id="t"),
        Caller(Role.OWNER, Channel.API, token_id="t", scopes=frozenset({Scope.ACT})),
    ],
)
async def test_nobody_but_an_owner_changes_the_rules(keeper, file, by):
    with pytest.raises(NotAllowedError):
        await keeper.replace(NIGHT, by)
    with pytest.raises(NotAllowedError):
        await keeper.restore(1, by)
    assert not file.exists()


async def test_rules_that_cannot_be_written_leave_those_before(database, clock, tmp_path, home):
    keeper = RuleKeeper(tmp_path / "none" / "policy.yaml", database, "home_1", clock)
    undo = await keeper.start()
    with pytest.raises(RulesNotWrittenError):
        await keeper.replace(NIGHT, OWNER)
    assert (await keeper.versions(), judged(keeper, home).action) == ((), Action.ALLOW)
    undo()


async def test_of_many_writers_at_once_each_has_a_version_and_the_last_one_holds(keeper, file):
    texts = [NIGHT.replace("Dark", f"Dark {n}") for n in range(20)]
    versions = await asyncio.gather(*(keeper.replace(text, OWNER) for text in texts))
    kept = await keeper.versions()
    assert sorted(version.n for version in versions) == list(range(1, 21)) == sorted(version.n for version in kept)
    assert file.read_text() == kept[0].text
    assert {version.text for version in kept} == set(texts)
    assert [each.name for each in file.parent.iterdir() if each.name.endswith(".new")] == []


async def test_the_file_is_for_its_owner_alone(keeper, file):
    await keeper.replace(NIGHT, OWNER)
    assert file.stat().st_mode & 0o077 == 0


async def test_every_version_is_in_the_audit_by_its_hash(file, database, clock):
    seen = []
    keeper = RuleKeeper(file, database, "home_1", clock, witness=lambda *entry: seen.append(entry[1:]))
    undo = await keeper.start()
    version = await keeper.replace(NIGHT, replace(OWNER, person_id="person_1"))
    file.write_text(BROKEN)
    await keeper.look()
    undo()
    assert [(kind, actor, subject) for kind, actor, subject, _ in seen] == [
        ("policy.changed", "person:person_1", "policy:1"),
        ("policy.unreadable", HAND, "policy:2"),
    ]
    assert seen[0][3]["sha256"] == version.hash


async def test_the_watch_keeps_a_version_that_nobody_asked_about(file, database, clock, monkeypatch):
    monkeypatch.setattr("homesteward.actions.rule_keeper.LOOK_S", 0.001)
    kept = asyncio.Event()
    keeper = RuleKeeper(file, database, "home_1", clock, witness=lambda *_: kept.set())
    undo = await keeper.start()
    file.write_text(NIGHT)
    async with asyncio.timeout(30):
        await kept.wait()
    undo()


async def test_rules_that_are_tried_take_the_settings_preset_where_they_name_none(file, database, clock):
    keeper = RuleKeeper(file, database, "home_1", clock, preset=Preset.READ_ONLY)
    assert keeper.policy_of(parse_rules(NIGHT)).preset is Preset.READ_ONLY
    assert keeper.policy_of(parse_rules(OPEN)).preset is Preset.CAUTIOUS


@pytest.mark.parametrize(
    "text",
    [
        "version: !secret rules",
        "? [a, b]\n: 3",
        "version: 2026-13-45",
        '"\\ud800": 1',
        f"version: {'9' * 5000}",
        "version: 1\nrules: [{name: a, then: confirm, expires: 99999999999d}]",
        "[" * 100_000,
        "\0",
    ],
)
async def test_a_file_broken_in_whatever_way_ends_the_rules_before(keeper, file, home, text):
    file.write_text("version: 1\nrules: [{name: All, then: allow}]\n")
    assert judged(keeper, home).action is Action.ALLOW
    file.write_text(text)
    for _ in range(2):  # the second look must not take it for unchanged and good
        assert judged(keeper, home).rule == "unreadable policy"
    assert keeper.told()["held"]
    await keeper.look()


async def test_a_failure_that_nobody_foresaw_ends_the_rules_before(keeper, file, home, monkeypatch):
    file.write_text("version: 1\nrules: [{name: All, then: allow}]\n")
    assert judged(keeper, home).action is Action.ALLOW
    file.write_text("version: 1\n")
    with monkeypatch.context() as broken:
        broken.setattr("homesteward.actions.rule_keeper.parse_rules", lambda _: 1 / 0)
        assert [judged(keeper, home).rule for _ in range(2)] == ["unreadable policy"] * 2


@given(raw=st.binary(max_size=300))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_bytes_lie_there_the_rules_before_are_gone(raw, tmp_path):
    file = tmp_path / "policy.yaml"
    keeper = RuleKeeper(file, None, "home_1", None)
    file.write_text("version: 1\nrules: [{name: All, then: allow}]\n")
    before = keeper.policy()
    file.write_bytes(raw)
    assert keeper.policy() is not before
    assert keeper.policy().held


async def test_a_file_that_is_gone_before_its_version_was_kept_holds_everything(keeper, file, home):
    file.write_text(NIGHT)
    keeper.policy()
    file.unlink()
    assert judged(keeper, home).rule == "unreadable policy"
    assert "gone" in keeper.problem


async def test_a_pipe_or_a_huge_file_is_not_waited_for_and_not_taken(keeper, file, home):
    os.mkfifo(file)
    assert "no regular file" in keeper.problem
    file.unlink()
    with file.open("wb") as out:
        out.truncate(10 * 1024**3)
    tracemalloc.start()
    try:
        assert "longer than 256 KiB" in keeper.problem
        assert tracemalloc.get_traced_memory()[1] < 8 * 1024**2
    finally:
        tracemalloc.stop()


async def test_of_what_cannot_be_used_the_beginning_and_the_hash_are_kept_once(keeper, file, database, clock):
    for raw in (b"x" * 300_000, b"\xff" * 100_000, b"version: 2 #" + b"y" * 100_000):
        file.write_bytes(raw)
        newest = (await keeper.versions())[0]
        assert newest.problem
        assert len(newest.text) < 5000
        assert "sha256" in newest.text
    again = RuleKeeper(file, database, "home_1", clock)
    (await again.start())()
    assert len(await again.versions()) == 3


async def test_only_so_many_versions_are_kept(keeper, file, monkeypatch):
    monkeypatch.setattr("homesteward.actions.rule_keeper.MOST_VERSIONS", 3)
    for n in range(5):
        await keeper.replace(f"version: 1 # {n}\n", OWNER)
    assert [version.n for version in await keeper.versions()] == [5, 4, 3]


async def test_rules_that_name_nothing_in_this_home_are_warned_of(keeper, file, home):
    file.write_text("""version: 1
rules:
- {name: Fine, when: {area: kitchen, domain: LIGHT, service: Light.Turn_On, entity: Light.Kit*}, then: deny}
- {name: Nowhere, when: {area: [Boathouse, Hangar]}, then: deny}
- {name: No such thing, when: {not: {entity: light.none_*}}, then: deny}
- {name: No such state, when: {state: {alarm_control_panel.none: armed}}, then: deny}
- {name: Dormant, enabled: false, when: {area: Boathouse}, then: deny}
""")
    warned = keeper.told(home)["warnings"]
    assert [sentence.split("'")[1] for sentence in warned] == ["Nowhere", "No such thing", "No such state"]
    assert "the area Boathouse, Hangar" in warned[0]
    assert (
        judged(keeper, home).rule == "rule Fine"
    )  # capital letters in what Home Assistant writes small match all the same
