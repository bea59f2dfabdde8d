"""Notices and secrets from the command line."""

import io

import pytest

from homesteward.actions.notice import NoticeKind


@pytest.fixture
def types(monkeypatch):
    """Put a line on standard input, as a script does."""
    return lambda line: monkeypatch.setattr("sys.stdin", io.StringIO(line))


async def test_what_is_to_be_told_is_listed_and_seen(homesteward, service, house):
    assert "nothing to be told" in (await homesteward("notices", "list")).out
    await house.notices.add(NoticeKind.RULE_DECIDED, "plan_1", "The rule Coffee decided.")
    (listed,) = (await homesteward("notices", "list", "--language", "de", "--json")).json
    assert (listed["title"], listed["text"]) == ("Eine Regel hat entschieden", "The rule Coffee decided.")
    assert "The rule Coffee decided." in (await homesteward("notices", "list")).out
    assert (await homesteward("notices", "seen", listed["id"], "--json")).json["seen"]
    assert (await homesteward("notices", "list", "--json")).json == []
    assert len((await homesteward("notices", "list", "--all", "--json")).json) == 1
    unknown = await homesteward("notices", "seen", "notice_none", "--json")
    assert (unknown.code, unknown.json["error"]["code"]) == (1, "unknown_notice")


async def test_a_secret_is_read_from_standard_input_and_never_shown(homesteward, service, house, types):
    types("58203941\n")
    kept = await homesteward("secrets", "set", "lock.front_door")
    assert (kept.code, "58203941" in kept.out + kept.err) == (0, False)
    assert (await homesteward("secrets", "list", "--json")).json == [{"name": "lock.front_door"}]
    assert await house.strongbox.code_of("lock.front_door") == "58203941"
    assert (await homesteward("secrets", "remove", "lock.front_door")).code == 0
    assert (await homesteward("secrets", "remove", "lock.front_door", "--json")).json["error"][
        "code"
    ] == "secret_missing"


async def test_no_command_takes_a_secret_as_an_argument(homesteward, service):
    assert (await homesteward("secrets", "set", "lock.front_door", "58203941")).code == 2
