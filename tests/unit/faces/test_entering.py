"""The way in: to Home Assistant and back, through its panel, and out again. Home Assistant is played here; tests/browser has the real one."""

from dataclasses import replace

import pytest
from starlette.datastructures import QueryParams

from homesteward.faces.web.api import create_api
from homesteward.home.sign_in import SignInFailedError
from homesteward.home.users import HaUser
from homesteward.people import Caller, Channel, Role
from homesteward.people.person import Change

PANEL = "/api/hassio_ingress/abc"
SERVICE = Caller(Role.OWNER, Channel.API, "owner")
SAM = HaUser("ha_member", "Sam", is_admin=False)
ROBIN = HaUser("ha_owner", "Robin", is_admin=True)


class Played:
    """Home Assistant's side of a sign-in: it knows one code, and whose it is."""

    def __init__(self):
        self.user, self.possible, self.asked = SAM, True, []

    def address(self, client_id, redirect_uri, state, challenge):
        query = QueryParams(client_id=client_id, redirect_uri=redirect_uri, state=state, code_challenge=challenge)
        return f"http://ha.example/auth/authorize?{query}"

    async def user_of(self, code, client_id, verifier):
        self.asked.append((code, client_id, verifier))
        if code != "good":
            raise SignInFailedError("Home Assistant did not accept the sign-in.", next="Sign in again.")
        return self.user


@pytest.fixture
def played():
    return Played()


@pytest.fixture
def household(household, played, monkeypatch):
    """The household, where Home Assistant is played, and where its panel is believed from this machine."""
    users = {user.user_id: user for user in (SAM, ROBIN, HaUser("ha_gone", "Gone", is_admin=True, is_active=False))}
    web = household.house.settings.web.model_copy(update={"ingress": True, "ingress_from": ("127.0.0.1",)})

    async def ha_user(user_id):
        return users.get(user_id)

    monkeypatch.setattr(
        "homesteward.app.house.create_api",
        lambda rooms: create_api(replace(rooms, sign_in=played, ha_user=ha_user, web=web)),
    )
    return household


async def begun(client, onward=""):
    """Begin a sign-in and return what Home Assistant is asked."""
    answer = await client.get("/auth/sign-in", params={"next": onward} if onward else {})
    assert answer.status_code == 303
    return QueryParams(answer.headers["location"].partition("?")[2])


async def back(client, asked, code="good", **changed):
    return await client.get("/auth/callback", params={"code": code, "state": asked["state"], **changed})


async def test_one_goes_to_home_assistant_and_comes_back_signed_in(household, played):
    async with household.client() as client:
        asked = await begun(client, "/actions?which=waiting")
        assert asked["client_id"] == "http://localhost/"
        assert asked["redirect_uri"] == "http://localhost/auth/callback"
        answer = await back(client, asked)
        assert (answer.status_code, answer.headers["location"]) == (303, "../actions?which=waiting")
        me = (await client.get("/api/v1/me")).json()
    assert (me["person"], me["role"], me["source"]) == ("Sam", "member", "session")
    assert me["csrf"]


@pytest.mark.parametrize("onward", ["//evil.example", "https://evil.example/", "/auth/sign-out", "\\\\evil.example"])
async def test_after_it_nobody_is_sent_elsewhere(household, onward):
    async with household.client() as client:
        answer = await back(client, await begun(client, onward))
    assert answer.headers["location"] == "../"


async def test_another_browser_cannot_finish_a_sign_in_nor_can_it_be_finished_twice(household, played):
    async with household.client() as mine, household.client() as theirs:
        asked = await begun(mine)
        assert (await back(theirs, asked)).status_code == 400
        assert (await back(mine, asked, state="wrong")).status_code == 400
        assert (await back(mine, asked)).status_code == 400
    assert played.asked == []


async def test_a_code_that_home_assistant_does_not_know_signs_nobody_in_and_is_on_record(household):
    async with household.client() as client:
        answer = await back(client, await begun(client), code="bad")
        assert answer.status_code == 503
        assert "did not accept" in answer.text
        assert (await client.get("/api/v1/me")).status_code == 401
    [entry, *_] = await household.house.audit.entries(kind="sign_in.failed")
    assert entry.data["why"] == "sign_in_failed"


async def test_whoever_is_kept_out_is_not_signed_in(household):
    async with household.client() as client:
        await back(client, await begun(client))
        [person] = await household.desk.people.list()
        await household.desk.people.change(SERVICE, person.id, Change(disabled=True))
        answer = await back(client, await begun(client))
        assert answer.status_code == 401
        assert (await client.get("/api/v1/me")).status_code == 401


async def test_signing_in_again_ends_the_session_before(household):
    async with household.client() as client:
        await back(client, await begun(client))
        before = client.cookies["homesteward-session-80"]
        await back(client, await begun(client))
        assert client.cookies["homesteward-session-80"] != before
        headers = {"cookie": f"homesteward-session-80={before}"}
    async with household.client() as other:
        assert (await other.get("/api/v1/me", headers=headers)).status_code == 401


async def test_where_a_browser_cannot_find_home_assistant_it_is_said(household, played):
    played.possible = False
    async with household.client() as client:
        assert "web.ha_url" in (await client.get("/")).text
        assert (await client.get("/auth/sign-in")).status_code == 404


async def test_signing_in_too_often_is_refused(household, played):
    async with household.client() as client:
        answers = [await client.get("/auth/sign-in") for _ in range(20)]
    assert answers[-1].status_code == 429


def panel(user_id="ha_member", **more):
    return {"x-ingress-path": PANEL, "x-remote-user-id": user_id, "x-remote-user-display-name": "Sam", **more}


async def test_in_the_panel_home_assistant_says_who_it_is_and_what_they_may_do_there(household):
    async with household.client() as client:
        for user_id, role in (("ha_member", "member"), ("ha_owner", "owner")):
            me = (await client.get("/api/v1/me", headers=panel(user_id))).json()
            assert (me["role"], me["source"], me["channel"]) == (role, "ingress", "ingress")


async def test_in_the_panel_a_session_of_somebody_else_on_the_same_screen_is_not_theirs(household, played):
    """A tablet in the hall: Robin proved who they are in the panel, then Sam opens it."""
    played.user = ROBIN
    here = {"x-forwarded-host": "homeassistant.local:8123"}
    async with household.client() as client:
        asked = await client.get("/auth/sign-in", headers=panel("ha_owner", **here))
        query = QueryParams(asked.headers["location"].partition("?")[2])
        signing = asked.headers["set-cookie"].partition(";")[0]
        back = await client.get(
            "/auth/callback",
            params={"code": "good", "state": query["state"]},
            headers=panel("ha_owner", **here, cookie=signing),
        )
        session = back.headers["set-cookie"].partition(";")[0]
        robin = await client.get("/api/v1/me", headers=panel("ha_owner", **here, cookie=session))
        sam = await client.get("/api/v1/me", headers=panel("ha_member", **here, cookie=session))
    assert (robin.json()["person"], robin.json()["source"]) == ("Robin", "session")
    assert (sam.json()["person"], sam.json()["role"], sam.json()["source"]) == ("Sam", "member", "ingress")


async def test_a_failed_sign_in_is_on_record_once_and_not_for_every_further_try(household):
    async with household.client() as client:
        for _ in range(30):
            await client.get("/auth/callback", params={"code": "x", "state": "x"})
    assert len(await household.house.audit.entries(kind="sign_in.failed")) <= 10


async def test_a_cookie_of_a_session_that_is_over_is_taken_back_at_the_front_page(household):
    async with household.client() as client:
        answer = await client.get("/", headers={"cookie": "homesteward-session-80=a.b.c"})
    assert answer.status_code == 200
    assert 'homesteward-session-80=""' in answer.headers["set-cookie"]


@pytest.mark.parametrize("user_id", ["ha_nobody", "ha_gone", ""])
async def test_somebody_whom_home_assistant_does_not_know_is_nobody_in_the_panel(household, user_id):
    async with household.client() as client:
        assert (await client.get("/api/v1/me", headers=panel(user_id))).status_code == 401
    assert await household.desk.people.list() == ()


async def test_the_panel_changes_nothing_without_a_page_of_ours_behind_it(household, home):
    here = {"x-forwarded-host": "homeassistant.local:8123", "origin": "http://homeassistant.local:8123"}
    asked = {"text": "turn on the kitchen light"}
    async with household.client() as client:
        csrf = (await client.get("/api/v1/me", headers=panel(**here))).json()["csrf"]
        for wrong in ({}, {"x-homesteward-csrf": csrf, "origin": "http://evil.example"}):
            answer = await client.post("/api/v1/ask", headers=panel(**(here | wrong)), json=asked)
            assert (answer.status_code, answer.json()["code"]) == (403, "foreign_request")
        assert home.calls == []
        right = panel(**here, **{"x-homesteward-csrf": csrf})
        assert (await client.post("/api/v1/ask", headers=right, json=asked)).json()["outcome"] == "acted"


async def test_the_panel_shows_us_in_its_frame_and_nobody_else_does(household):
    async with household.client() as client:
        inside, outside = await client.get("/", headers=panel()), await client.get("/")
    assert "frame-ancestors 'self'" in inside.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in outside.headers["content-security-policy"]


async def test_a_cookie_of_the_panel_stays_under_its_path(household):
    async with household.client() as client:
        there = panel(**{"x-forwarded-host": "home.example", "x-forwarded-proto": "https"})
        answer = await client.get("/auth/sign-in", headers=there)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Secure-homesteward-sign-in=")
    assert f"Path={PANEL}/" in cookie
    assert "Secure" in cookie
    query = QueryParams(answer.headers["location"].partition("?")[2])
    assert query["redirect_uri"] == f"https://home.example{PANEL}/auth/callback"
