"""Settings: one's own PIN, sessions and tokens; people and devices; how the house is connected, what it remembers."""

import re
from datetime import timedelta

import pytest

from homesteward.faces.web.authority import ROUTES
from homesteward.people import Caller, Channel, Role
from places import PLACES

HTML = {"accept": "text/html"}
PIN = "738291"
SERVICE = Caller(Role.OWNER, Channel.API, "owner")


PATHS = [
    path
    for (method, path) in ROUTES
    if method == "GET" and path.startswith(("/settings", "/policy")) and "{" not in path
]


@pytest.fixture
async def somebody(household):
    return await household.person(Role.OWNER)


@pytest.fixture
async def owner(household, somebody):
    async with household.client(somebody) as client:
        yield client


@pytest.fixture
def later(household, monkeypatch):
    """Two days on: no sign-in is fresh any more."""

    def go() -> None:
        then = household.house.clock.now() + timedelta(days=2)
        monkeypatch.setattr(type(household.house.clock), "now", lambda _: then)

    return go


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


async def page(client, path: str) -> str:
    return (await client.get(path, headers=HTML)).text


async def post(client, path: str, **fields):
    return await client.post(path, headers=HTML, data=fields)


async def has_pin(household, who) -> bool:
    return (await household.desk.pins.state(who.person_id)).is_set


async def test_a_pin_is_chosen_right_after_signing_in_without_an_old_one(owner, household, somebody):
    assert "You have none." in words(await page(owner, "/settings"))
    assert (await post(owner, "/settings/pin", pin=PIN, again=PIN)).status_code == 303
    assert await has_pin(household, somebody)
    assert "It is set." in words(await page(owner, "/settings"))


async def test_a_pin_that_is_written_differently_the_second_time_is_not_set(owner, household, somebody):
    answer = await post(owner, "/settings/pin", pin=PIN, again="738292")
    assert "The two are not the same." in answer.text
    assert not await has_pin(household, somebody)


async def test_a_pin_that_is_too_simple_is_said_to_be(owner, household, somebody):
    answer = await post(owner, "/settings/pin", pin="1111", again="1111")
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert not await has_pin(household, somebody)


async def test_days_after_signing_in_the_old_pin_opens_the_way_to_a_new_one(owner, household, somebody, later):
    await post(owner, "/settings/pin", pin=PIN, again=PIN)
    later()
    assert "The PIN you have" in await page(owner, "/settings")
    without = await post(owner, "/settings/pin", pin="491827", again="491827")
    assert without.status_code == 403
    wrong = await post(owner, "/settings/pin", proof="111213", pin="491827", again="491827")
    assert wrong.status_code == 403
    right = await post(owner, "/settings/pin", proof=PIN, pin="491827", again="491827")
    assert right.status_code == 303


async def test_no_pin_stands_in_any_answer(owner, later):
    await post(owner, "/settings/pin", pin=PIN, again=PIN)
    later()
    for answer in (
        await post(owner, "/settings/pin", proof="555777", pin="491827", again="491828"),
        await post(owner, "/settings/pin", proof="555777", pin="491827", again="491827"),
    ):
        assert not re.search("555777|491827|491828", answer.text)


async def test_a_pin_is_taken_away(owner, household, somebody):
    await post(owner, "/settings/pin", pin=PIN, again=PIN)
    assert (await post(owner, "/settings/pin/remove")).status_code == 303
    assert not await has_pin(household, somebody)


async def test_a_guest_has_a_pin_of_their_own_and_sees_no_other_part_of_the_settings(household):
    async with household.client(await household.person(Role.GUEST)) as guest:
        text = await page(guest, "/settings")
    assert "Your PIN" in text
    assert "settings/people" not in text
    assert "settings/privacy" not in text


async def test_one_is_shown_where_one_is_signed_in_and_ends_another_session(owner, household, somebody):
    other = await household.person(Role.OWNER)
    text = await page(owner, "/settings")
    assert "this browser" in text
    [session] = re.findall(r'action="\./settings/sessions/(\w+)"', text.replace("../", "./"))
    assert (await post(owner, f"/settings/sessions/{session}")).status_code == 303
    async with household.client(other) as client:
        assert (await client.get("/api/v1/me")).status_code == 401
    assert (await owner.get("/api/v1/me")).status_code == 200


async def test_signing_out_everywhere_ends_every_session_of_ones_own_and_nobody_elses(owner, household):
    others = [await household.person(Role.OWNER), await household.person(Role.MEMBER)]
    assert (await post(owner, "/settings/sessions")).status_code == 303
    assert (await owner.get("/api/v1/me")).status_code == 401
    for who, status in zip(others, (401, 200), strict=True):
        async with household.client(who) as client:
            assert (await client.get("/api/v1/me")).status_code == status


async def test_a_member_does_not_end_somebody_elses_session(household, owner):
    [session] = await household.desk.sessions.list(SERVICE, "")
    async with household.client(await household.person(Role.MEMBER)) as member:
        assert session.id not in await page(member, "/settings")
        assert (await post(member, f"/settings/sessions/{session.id}")).status_code == 403
    assert (await owner.get("/api/v1/me")).status_code == 200


async def test_a_token_is_shown_once_works_and_is_revoked(owner, household):
    made = await post(owner, "/settings/tokens", name="Dashboard", days="30", **{"scope-read": "on"})
    [token] = set(re.findall(r"hs_[\w-]+", made.text))
    listed = await page(owner, "/settings/tokens")
    assert token not in listed
    assert "Dashboard" in listed
    async with household.client() as program:
        headers = {"authorization": f"Bearer {token}"}
        assert (await program.get("/api/v1/me", headers=headers)).status_code == 200
        [token_id] = re.findall(r'settings/tokens/(\w+)"', listed)
        await post(owner, f"/settings/tokens/{token_id}")
        assert (await program.get("/api/v1/me", headers=headers)).status_code == 401
    assert "revoked" in words(await page(owner, "/settings/tokens"))


async def test_a_token_that_may_do_nothing_is_not_made_and_its_name_is_not_lost(owner):
    answer = await post(owner, "/settings/tokens", name="Dashboard", days="30")
    assert answer.status_code == 400
    assert 'value="Dashboard"' in answer.text
    assert "hs_" not in answer.text


async def test_a_guest_makes_no_token(household):
    async with household.client(await household.person(Role.GUEST)) as guest:
        assert "made by people who live here" in await page(guest, "/settings/tokens")
        answer = await post(guest, "/settings/tokens", name="Mine", **{"scope-read": "on"})
        assert answer.status_code == 403


async def test_a_guest_is_added_until_the_end_of_a_day_and_removed(owner, household):
    day = f"{household.house.clock.now() + timedelta(days=3):%Y-%m-%d}"
    assert (await post(owner, "/settings/people", name="Kim", ends=day)).status_code == 303
    [kim] = [person for person in await household.desk.people.list() if person.name == "Kim"]
    assert kim.role is Role.GUEST
    assert "Kim" in await page(owner, "/settings/people")
    assert (await post(owner, f"/settings/people/{kim.id}/remove")).status_code == 303
    assert "Kim" not in await page(owner, "/settings/people")


@pytest.mark.parametrize("ends", ["", "nonsense", "2020-01-01"])
async def test_a_stay_that_cannot_be_is_told_where_it_was_asked_for(owner, household, ends):
    answer = await post(owner, "/settings/people", name="Kim", ends=ends)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert [person.name for person in await household.desk.people.list()] == ["Owner"]


async def test_somebody_is_shut_out_and_let_in_again(owner, household):
    member = await household.person(Role.MEMBER)
    await post(owner, f"/settings/people/{member.person_id}/disable")
    async with household.client(member) as client:
        assert (await client.get("/api/v1/me")).status_code == 401
    assert "shut out" in words(await page(owner, "/settings/people"))
    await post(owner, f"/settings/people/{member.person_id}/enable")
    assert "shut out" not in words(await page(owner, "/settings/people"))


async def test_a_role_and_a_name_are_changed_together(owner, household):
    member = await household.person(Role.MEMBER)
    await post(owner, f"/settings/people/{member.person_id}/change", name="Robin", role="owner")
    changed = await household.desk.people.get(member.person_id)
    assert (changed.name, changed.role) == ("Robin", Role.OWNER)


async def test_the_last_owner_stays_one_and_is_told_why(owner, somebody):
    answer = await post(owner, f"/settings/people/{somebody.person_id}/change", name="Owner", role="member")
    assert answer.status_code == 409
    assert 'role="alert"' in answer.text


async def test_a_pin_given_by_an_owner_has_to_be_changed_first(owner, household):
    member = await household.person(Role.MEMBER)
    await post(owner, f"/settings/people/{member.person_id}/pin", pin=PIN)
    assert "has to choose a PIN" in words(await page(owner, "/settings/people"))
    async with household.client(member) as client:
        assert "Somebody chose it for you." in words(await page(client, "/settings"))


async def test_what_is_done_with_people_takes_fresh_proof(owner, household, later):
    member = await household.person(Role.MEMBER)
    await post(owner, "/settings/pin", pin=PIN, again=PIN)
    later()
    path = f"/settings/people/{member.person_id}/disable"
    assert (await post(owner, path)).status_code == 403
    assert (await household.desk.people.get(member.person_id)).disabled is None
    assert (await post(owner, path, proof=PIN)).status_code == 303


async def test_every_check_is_told_with_what_to_do_and_the_settings_with_no_secret(owner):
    text = words(await page(owner, "/settings/connection"))
    assert "Home Assistant" in text
    assert re.search(r"Clock \S+ \S+ UTC", text)
    assert "policy.preset family" in text


async def test_no_model_is_told_as_none(owner):
    text = words((await post(owner, "/settings/connection/model")).text)
    assert "No model is set up." in text


async def test_what_is_remembered_is_counted_and_forgotten_on_purpose(owner, household):
    await household.chronicle.flush()
    assert "For 90 days" in words(await page(owner, "/settings/privacy"))
    answer = await post(owner, "/settings/privacy/purge", before="2020-01-01")
    assert "0 records were forgotten" in words(answer.text)
    entries = await household.house.audit.entries()
    assert "chronicle.purged" in {entry.kind for entry in entries}


@pytest.mark.parametrize("before", ["", "2099-01-01", "no day"])
async def test_what_cannot_be_forgotten_is_told_beside_the_form(owner, before):
    answer = await post(owner, "/settings/privacy/purge", before=before)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


async def test_forgetting_takes_fresh_proof(owner, later):
    later()
    assert (await post(owner, "/settings/privacy/purge", before="2020-01-01")).status_code == 403


@pytest.mark.parametrize("path", ["/settings/backup", "/settings/about"])
async def test_plain_pages_are_there(owner, path):
    assert (await owner.get(path, headers=HTML)).status_code == 200


@pytest.mark.parametrize("role", [Role.MEMBER, Role.GUEST])
async def test_the_houses_settings_are_for_owners(household, role):
    async with household.client(await household.person(role)) as client:
        for path in ("people", "connection", "privacy", "backup"):
            assert (await client.get(f"/settings/{path}", headers=HTML)).status_code == 403


@pytest.mark.parametrize("path", PATHS)
async def test_each_page_speaks_german(owner, path):
    text = (await owner.get(path, headers={**HTML, "accept-language": "de-AT"})).text
    assert '<html lang="de"' in text
    assert "Einstellungen" in text


FORMS = [(path, access) for (method, path), access in ROUTES.items() if method == "POST" and access.in_form]


@pytest.mark.parametrize(("path", "access"), FORMS)
async def test_a_form_that_brings_its_own_proof_does_nothing_without_one(
    owner, household, somebody, later, path, access
):
    """These routes ask themselves: the guard lets them through, so each is held to it here."""
    member = await household.person(Role.MEMBER)
    later()
    places = {**PLACES, "person_id": member.person_id, "deed": "disable"}
    await household.house.rules.replace("version: 1\n", SERVICE)
    fields = {"name": "Kim", "ends": "2027-01-01", "pin": PIN, "again": PIN, "scope-read": "on", "before": "2020-01-01"}
    answer = await post(owner, path.format(**places), **fields, rules="version: 1\nrules: []\n")
    assert answer.status_code == (409 if path == "/policy" and "changed meanwhile" in answer.text else 403), path
    assert "PIN" in words(answer.text)


@pytest.mark.parametrize(
    ("path", "kept"),
    [("/", True), ("/actions", True), ("/settings", False), ("/settings/people", False), ("/settings/tokens", False)],
)
async def test_no_page_about_people_and_their_keys_is_kept_for_a_time_without_a_connection(household, path, kept):
    async with household.client(await household.person(Role.OWNER)) as client:
        answer = await client.get(path, headers=HTML)
    assert (answer.status_code, answer.headers.get("x-homesteward-page") == "kept") == (200, kept)


async def test_what_is_refused_hides_no_session_from_an_owner(owner, household):
    """An owner who was refused was told that nobody is signed in."""
    async with household.client(await household.person(Role.MEMBER)) as member:
        assert (await member.get("/settings", headers=HTML)).status_code == 200
        before = words(await page(owner, "/settings"))
        refused = words((await post(owner, "/settings/pin", pin=PIN, again="738292")).text)
    assert "The two are not the same." in refused
    for text in (before, refused):
        assert ("this browser" in text, "Nobody is signed in" in text) == (True, False)
    assert refused.count(" used ") == before.count(" used ") == 2
