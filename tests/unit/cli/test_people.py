"""People and tokens from the command line of the machine itself, whose word is an owner's."""

import io
from datetime import UTC, datetime, timedelta

import httpx2
import pytest

from homesteward.cli.words import moment
from homesteward.home.model import Device


@pytest.fixture
def types(monkeypatch):
    """Put a line on standard input, as a script does."""
    return lambda line: monkeypatch.setattr("sys.stdin", io.StringIO(line))


@pytest.fixture
async def ben(house):
    """A member, who signed in with Home Assistant."""
    await house.desk.people.signed_in_with_ha("ha_olga", "Olga", is_admin=True)
    return await house.desk.people.signed_in_with_ha("ha_ben", "Ben", is_admin=False)


async def test_a_guest_is_added_until_a_time_and_listed(homesteward, service):
    added = await homesteward("people", "add", "Gina", "--until", "3d", "--json")

    assert (added.code, added.json["role"]) == (0, "guest")
    ends = datetime.fromisoformat(added.json["ends"]) - datetime.now(UTC)
    assert timedelta(days=2, hours=23) < ends <= timedelta(days=3)
    listed = await homesteward("people", "list", "--json")
    assert [person["name"] for person in listed.json] == ["Gina"]
    assert "Gina" in (await homesteward("people", "list")).out


async def test_a_guest_without_an_end_is_bad_usage(homesteward, service):
    ended = await homesteward("people", "add", "Gina", "--json")
    assert (ended.code, ended.json["error"]["next"]) == (2, "Say until when.")


async def test_somebody_is_named_by_name_or_id_and_changed(homesteward, service, ben):
    assert (await homesteward("people", "rename", "ben", "Benjamin", "--json")).json["name"] == "Benjamin"
    assert (await homesteward("people", "role", ben.id, "guest", "--until", "2w", "--json")).json["role"] == "guest"
    assert (await homesteward("people", "disable", "Benjamin", "--json")).json["disabled"]
    assert (await homesteward("people", "enable", "Benjamin", "--json")).json["disabled"] is None
    assert (await homesteward("people", "remove", "Benjamin", "--json")).code == 0
    assert [person["name"] for person in (await homesteward("people", "list", "--json")).json] == ["Olga"]


async def test_the_last_owner_cannot_be_removed(homesteward, service, ben):
    ended = await homesteward("people", "remove", "Olga", "--json")
    assert (ended.code, ended.json["error"]["code"]) == (3, "last_owner")


async def test_whom_nobody_knows_is_answered_with_who_there_is(homesteward, service, ben):
    ended = await homesteward("people", "unlock", "Bem", "--json")
    assert (ended.code, ended.json["error"]["code"]) == (1, "unknown_person")
    assert "Ben" in ended.json["error"]["next"]


async def test_a_pin_is_read_from_standard_input_and_never_shown(homesteward, service, ben, types):
    types("7391\n")
    ended = await homesteward("people", "pin", "Ben", "--json")
    assert (ended.code, ended.json["pin"], ended.json["pin_must_change"]) == (0, True, True)
    assert "7391" not in ended.out + ended.err

    types("1234\n")
    refused = await homesteward("people", "pin", "Ben", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (2, "pin_refused")
    assert "1234" not in refused.out + refused.err

    assert (await homesteward("people", "pin", "Ben", "--remove", "--json")).json["pin"] is False


async def test_no_command_takes_a_pin_as_an_argument(homesteward, service, ben):
    assert (await homesteward("people", "pin", "Ben", "7391", "--json")).code == 2


async def test_a_lockout_is_shown_and_lifted(homesteward, service, house, ben):
    for _ in range(5):
        await house.desk.lockouts.count(f"pin:{ben.id}")
    listed = (await homesteward("people", "list", "--json")).json
    assert [bool(person["locked_until"]) for person in listed] == [False, True]
    assert (await homesteward("people", "unlock", "Ben", "--json")).json["locked_until"] is None


async def test_a_device_of_home_assistant_may_ask_by_itself(homesteward, service, home):
    home.devices["d1"] = Device("d1", "Kitchen satellite", "kitchen")
    added = await homesteward("people", "devices", "add", "d1", "--json")
    assert (added.code, added.json["role"], added.json["area_id"]) == (0, "guest", "kitchen")
    assert "Kitchen satellite" in (await homesteward("people", "devices", "list")).out
    assert (await homesteward("people", "devices", "remove", "kitchen satellite", "--json")).code == 0
    assert (await homesteward("people", "devices", "list", "--json")).json == []
    unknown = await homesteward("people", "devices", "add", "d2", "--json")
    assert (unknown.code, unknown.json["error"]["code"]) == (1, "unknown_device")


async def test_a_token_is_shown_once_and_works_until_it_is_revoked(homesteward, service):
    words = ("--scope", "read", "--area", "Kitchen", "--until", "12h", "--json")
    made = (await homesteward("tokens", "add", "Panel", *words)).json
    assert (made["scopes"], made["reach"]["areas"], made["role"]) == (["read"], ["kitchen"], "token")

    async def asked():
        async with httpx2.AsyncClient(base_url=service, trust_env=False) as client:
            answer = await client.get("/api/v1/plans", headers={"authorization": f"Bearer {made['token']}"})
        return answer.status_code

    assert await asked() == 200
    listed = await homesteward("tokens", "list", "--json")
    assert made["token"] not in listed.out
    assert [token["name"] for token in listed.json] == ["Panel"]
    assert (await homesteward("tokens", "revoke", "panel", "--json")).json["revoked"]
    assert await asked() == 401


async def test_a_token_alone_stands_on_standard_output(homesteward, service):
    made = await homesteward("tokens", "add", "Panel", "--scope", "read")
    assert made.out.startswith("hs_")
    assert made.out.count("\n") == 1
    assert "not shown again" in made.err


@pytest.mark.parametrize(
    "words",
    [(), ("--scope", "everything"), ("--scope", "read", "--area", "attic"), ("--scope", "read", "--until", "soon")],
)
async def test_a_token_that_cannot_be_made_is_bad_usage(homesteward, service, words):
    assert (await homesteward("tokens", "add", "Panel", *words, "--json")).code == 2


async def test_a_member_is_refused(homesteward, service, ben):
    listed = await homesteward("people", "list", "--token", "hs_0000000000000000_none", "--url", service, "--json")
    assert (listed.code, listed.json["error"]["code"]) == (3, "not_signed_in")


@pytest.mark.parametrize(("typed", "hours"), [("12h", 12), ("3d", 72), ("2 w", 336)])
def test_a_time_from_now_is_a_moment(typed, hours):
    found = datetime.fromisoformat(moment(typed)) - datetime.now(UTC)
    assert abs(found - timedelta(hours=hours)) < timedelta(seconds=5)


def test_a_date_is_a_moment_of_the_local_zone():
    assert moment("2027-01-05T11:00") == datetime(2027, 1, 5, 11).astimezone().isoformat()


async def test_what_is_shown_of_a_person_says_until_when_and_whether_they_are_let_in(homesteward, service, ben):
    added = await homesteward("people", "add", "Gina", "--until", "3d")
    assert "guest, until 2" in added.out
    disabled = await homesteward("people", "disable", "Gina")
    assert "until 2" in disabled.out
    assert "disabled since 2" in disabled.out
    assert "disabled" not in (await homesteward("people", "enable", "Gina")).out


async def test_a_list_of_tokens_says_how_far_each_reaches_and_whose_it_is(homesteward, service, ben):
    await homesteward("tokens", "add", "Panel", "--scope", "read", "--area", "kitchen", "--person", "Ben")
    await homesteward("tokens", "add", "Script", "--scope", "read")
    _, panel, script = (await homesteward("tokens", "list")).out.splitlines()
    assert "kitchen" in panel
    assert "Ben" in panel
    assert "whole home" in script
    assert "nobody" in script


async def test_it_is_said_of_an_admins_token_that_belongs_to_nobody_that_it_can_prove_nothing(
    homesteward, service, ben
):
    nobodys = await homesteward("tokens", "add", "Script", "--scope", "admin", "--role", "owner")
    assert "belongs to nobody" in nobodys.err
    assert "--person" in nobodys.err
    olgas = await homesteward("tokens", "add", "Other", "--scope", "admin", "--role", "owner", "--person", "Olga")
    assert "belongs to nobody" not in olgas.err


async def test_a_token_for_a_part_of_the_home_is_not_made_for_the_whole_of_it(homesteward, service, ben):
    ended = await homesteward(
        "tokens", "add", "P", "--scope", "admin", "--role", "owner", "--area", "kitchen", "--json"
    )
    assert (ended.code, ended.json["error"]["code"]) == (2, "invalid_request")
