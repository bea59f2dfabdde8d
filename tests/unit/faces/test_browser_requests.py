"""What a browser sends by itself is worth nothing without a page of ours behind it, and nothing that only looks changes anything."""

import json
import re
from datetime import timedelta

import httpx2
import pytest
from sqlalchemy import select

from homesteward.faces.web.authority import ROUTES, Authority
from homesteward.faces.web.door import HEADERS
from homesteward.people import Channel, Role, Scope
from homesteward.people.lockout import STEPS
from homesteward.people.pins import CHANGE_PIN
from homesteward.store.tables import metadata
from places import PLACES, QUERIES

GOOD_PIN = "738291"


@pytest.fixture
async def member(household):
    return await household.person(Role.MEMBER)


def without(somebody, *names):
    return {name: value for name, value in somebody.headers.items() if name not in names}


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:9000"},
        {"origin": None},
        {"x-homesteward-csrf": None},
        {"x-homesteward-csrf": "0" * 64},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
async def test_a_cross_origin_post_does_nothing(household, member, home, change):
    headers = {name: value for name, value in (member.headers | change).items() if value is not None}
    async with household.client() as client:
        answer = await client.post("/api/v1/ask", headers=headers, json={"text": "turn on the kitchen light"})
    assert (answer.status_code, answer.json()["code"]) == (403, "foreign_request")
    assert home.calls == []


async def test_a_form_of_another_site_cannot_be_taken_for_json(household, member, home):
    """A page elsewhere can send text without asking first; it is no request of ours, whatever is written in it."""
    async with household.client(member) as client:
        answer = await client.post(
            "/api/v1/ask", headers={"content-type": "text/plain"}, content=b'{"text": "turn on the kitchen light"}'
        )
    assert answer.status_code == 422
    assert home.calls == []


async def test_no_other_origin_may_read_an_answer(household, member):
    async with household.client() as client:
        asked = {"origin": "http://evil.example", "access-control-request-method": "POST"}
        preflight = await client.options("/api/v1/ask", headers=asked)
        answer = await client.get("/api/v1/me", headers=without(member, "origin") | {"origin": "http://evil.example"})
    assert preflight.status_code == 405
    for found in (preflight, answer):
        assert not [name for name in found.headers if name.startswith("access-control")]


async def test_a_program_with_a_token_needs_no_page(household, home):
    somebody = await household.token(Scope.ACT)
    async with household.client(somebody) as client:
        answer = await client.post("/api/v1/ask", json={"text": "turn on the kitchen light"})
    assert answer.json()["outcome"] == "acted"


async def test_nothing_that_only_looks_changes_anything(household, home):
    """Every GET, by an owner in a browser, from another site even: the house and the records stay as they are."""
    owner = await household.person(Role.OWNER)
    before = await records(household)
    async with household.client() as client:
        for (method, path), access in ROUTES.items():
            if method == "GET" and access.authority is not Authority.NONE:
                headers = without(owner, "origin", "x-homesteward-csrf") | {"sec-fetch-site": "cross-site"}
                await client.get(path.format(**PLACES), headers=headers, params=QUERIES.get(path))
    assert await records(household) == before
    assert home.calls == []


async def test_every_answer_tells_the_browser_to_do_no_more_than_show_it(household):
    async with household.client() as client:
        for path in ("/", "/api/v1/health", "/api/v1/plans", "/nowhere", "/static/homesteward.css", "/auth/callback"):
            headers = (await client.get(path)).headers
            assert "default-src 'none'" in headers["content-security-policy"], path
            assert "frame-ancestors 'none'" in headers["content-security-policy"], path
            assert "unsafe" not in headers["content-security-policy"], path
            assert all(headers[name] == value for name, value in HEADERS.items()), path


async def test_the_pages_hold_no_script_and_no_style_of_their_own(household):
    owner = await household.person(Role.OWNER)
    for somebody in (None, owner):
        async with household.client(somebody) as client:
            for path in ("/", "/auth/set-up", "/auth/callback"):
                text = (await client.get(path, follow_redirects=True)).text
                assert (
                    re.search(r"<script(?![^>]* src=)|<script[^>]*>(?!</script>)", text) is None
                )  # files of ours alone
                assert "<style" not in text
                assert " style=" not in text
                assert "onclick" not in text


async def test_a_file_that_is_not_one_of_ours_is_not_served(household):
    async with household.client() as client:
        for name in ("..%2fpages.py", "%2e%2e/pages.py", "frame.html", "homesteward.css%00"):
            assert (await client.get(f"/static/{name}")).status_code == 404


async def test_a_stream_without_a_session_is_refused(household, member):
    async with household.client(member) as client:
        run = (await client.post("/api/v1/runs", json={"text": "which lights are on?"})).json()["run_id"]
        assert (await client.get(f"/api/v1/runs/{run}/events")).status_code == 200
    async with household.client() as client:
        assert (await client.get(f"/api/v1/runs/{run}/events")).status_code == 401


async def test_a_stream_of_somebody_elses_run_does_not_exist(household, member):
    guest = await household.person(Role.GUEST)
    async with household.client(member) as client:
        run = (await client.post("/api/v1/runs", json={"text": "which lights are on?"})).json()["run_id"]
        there = await client.get("/api/v1/runs/run_none")
    async with household.client(guest) as client:
        for path in (f"/api/v1/runs/{run}/events", f"/api/v1/runs/{run}"):
            answer = await client.get(path)
            assert answer.status_code == 404
            assert answer.json()["message"].replace(run, "run_none") == there.json()["message"]


async def test_a_sign_out_ends_the_session_for_the_api_too(household, member):
    async with household.client(member) as client:
        answer = await client.post("/auth/sign-out", data={"csrf": member.headers["x-homesteward-csrf"]})
        assert (answer.status_code, answer.headers["location"]) == (303, "../")
        assert 'homesteward-session-80=""' in answer.headers["set-cookie"]
        assert (await client.get("/api/v1/me")).status_code == 401


async def test_a_sign_out_from_another_site_signs_nobody_out(household, member):
    async with household.client() as client:
        for headers, csrf in (
            (member.headers | {"origin": "http://evil.example"}, member.headers["x-homesteward-csrf"]),
            (member.headers, "0" * 64),
        ):
            answer = await client.post("/auth/sign-out", headers=headers, data={"csrf": csrf})
            assert answer.status_code == 403
        assert (await client.get("/api/v1/me", headers=member.headers)).status_code == 200


async def test_an_owner_ends_anybodys_session_and_nobody_else_does(household, member):
    guest, owner = await household.person(Role.GUEST), await household.person(Role.OWNER)
    async with household.client(member) as client:
        [mine] = (await client.get("/api/v1/sessions")).json()
        assert mine["current"]
    async with household.client(guest) as client:
        theirs, none = [await client.delete(f"/api/v1/sessions/{found}") for found in (mine["id"], "none")]
        assert (theirs.status_code, theirs.json()) == (none.status_code, none.json())
    async with household.client(owner) as client:
        assert len((await client.get("/api/v1/sessions")).json()) == 3
        assert (await client.delete(f"/api/v1/sessions/{mine['id']}")).status_code == 204
    async with household.client(member) as client:
        assert (await client.get("/api/v1/me")).status_code == 401


async def test_what_changes_people_needs_a_fresh_proof_and_a_sign_in_is_one_for_five_minutes(household, monkeypatch):
    owner = await household.person(Role.OWNER)
    guest = {"name": "Kim", "ends": (household.house.clock.now() + timedelta(days=2)).isoformat()}
    async with household.client(owner) as client:
        assert (await client.post("/api/v1/people", json=guest)).status_code == 201
        later = household.house.clock.now() + timedelta(minutes=6)
        monkeypatch.setattr(type(household.house.clock), "now", lambda _: later)
        answer = await client.post("/api/v1/people", json=guest)
        assert (answer.status_code, answer.json()["code"]) == (403, "proof_needed")
        assert "people" in answer.json()["next"]


async def test_a_pin_proves_it_too_for_one_purpose(household, monkeypatch):
    owner = await household.person(Role.OWNER)
    guest = {"name": "Kim", "ends": (household.house.clock.now() + timedelta(days=2)).isoformat()}
    async with household.client(owner) as client:
        assert (await client.put(f"/api/v1/people/{owner.person_id}/pin", json={"pin": GOOD_PIN})).status_code == 204
        later = household.house.clock.now() + timedelta(minutes=6)
        monkeypatch.setattr(type(household.house.clock), "now", lambda _: later)
        proof = await client.post("/api/v1/step-up", json={"purpose": "people", "pin": GOOD_PIN})
        assert proof.json()["kind"] == "pin"
        assert GOOD_PIN not in proof.text
        assert (await client.post("/api/v1/people", json=guest)).status_code == 201
        answer = await client.post("/api/v1/tokens", json={"name": "program", "scopes": ["read"]})
        assert answer.json()["code"] == "proof_needed"


async def test_guessing_a_pin_is_locked_out_whatever_door_and_however_often_it_is_tried(household):
    """Over the browser, a token and a new face after a restart: the tries are those of one person."""
    owner = await household.person(Role.OWNER)
    proven = household.desk.people.caller_of(await household.desk.people.get(owner.person_id), Channel.PAGE)
    await household.desk.step_up.with_sign_in(proven, household.house.clock.now(), CHANGE_PIN, holder="here")
    own = household.desk.step_up.carried(proven, CHANGE_PIN, holder="here")
    await household.desk.pins.put(own, owner.person_id, GOOD_PIN)
    codes = []
    for face in range(3):  # each time as after a restart, and with the rate limits forgotten
        household.desk.rates._buckets.clear()
        del household._api
        somebody = await household.person(Role.OWNER)
        async with household.client(somebody) as client:
            for n in range(3):
                wrong = {"purpose": "people", "pin": f"90{face}{n}55"}
                codes.append((await client.post("/api/v1/step-up", json=wrong)).json()["code"])
    assert codes[:5] == ["wrong_pin"] * 5
    assert set(codes[5:]) == {"locked_out"}
    household.desk.rates._buckets.clear()
    async with household.client(somebody) as client:
        right = await client.post("/api/v1/step-up", json={"purpose": "people", "pin": GOOD_PIN})
    assert (right.status_code, right.json()["code"]) == (429, "locked_out")
    assert 0 < int(right.headers["retry-after"]) <= STEPS[0].total_seconds() + 1


async def test_asking_too_often_is_refused_with_when_to_come_back(household, member):
    async with household.client(member) as client:
        answers = [await client.post("/api/v1/ask", json={"text": "which lights are on?"}) for _ in range(40)]
    late = [answer for answer in answers if answer.status_code == 429]
    assert late
    assert all(answer.json()["code"] == "rate_limited" and int(answer.headers["retry-after"]) >= 1 for answer in late)


async def test_an_ingress_header_opens_nothing_where_the_supervisor_did_not_send_it(household):
    forged = {
        "x-ingress-path": "/api/hassio_ingress/x", "x-remote-user-id": "ha_owner", "x-remote-user-name": "owner",
        "x-hass-source": "core.ingress", "x-forwarded-for": "172.30.32.2",
    }  # fmt: skip
    await household.person(Role.OWNER)
    async with household.client() as client:
        assert (await client.get("/api/v1/me", headers=forged)).status_code == 401


async def test_a_new_session_begins_with_a_secret_that_nobody_planted(household):
    """Session fixation: the cookie that was there before opens nothing after a sign-in, nor does its id go on."""
    desk = household.desk
    person = await desk.people.signed_in_with_ha("ha_member", "Member", is_admin=False)
    planted = (await desk.sessions.begin(person, Channel.PAGE)).cookie
    fresh = await desk.sessions.begin(person, Channel.PAGE, instead_of=planted)
    async with household.client() as client:
        for cookie, status in ((planted, 401), (fresh.cookie, 200)):
            answer = await client.get("/api/v1/me", headers={"cookie": f"homesteward-session-80={cookie}"})
            assert answer.status_code == status


async def test_a_rotated_cookie_arrives_with_whatever_is_answered(household, monkeypatch):
    member = await household.person(Role.MEMBER)
    later = household.house.clock.now() + timedelta(minutes=20)
    monkeypatch.setattr(type(household.house.clock), "now", lambda _: later)
    async with household.client(member) as client:
        answer = await client.get("/api/v1/plans/plan_none")
    assert answer.status_code == 404
    cookie = httpx2.Cookies()
    cookie.extract_cookies(answer)
    assert cookie["homesteward-session-80"] not in member.headers["cookie"]
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "samesite=lax" in answer.headers["set-cookie"].lower()


async def test_setting_up_is_open_on_this_machine_alone_and_only_with_the_code(household, caplog):
    await household.desk.setup.begin()
    code = caplog.text.rpartition("code: ")[2][:9]
    form = {"name": "Robin", "code": code}
    async with household.client() as client:
        outside = await client.post(
            "/auth/set-up", data=form, headers={"origin": "http://localhost", "x-forwarded-for": "6.6.6.6"}
        )
        foreign = await client.post("/auth/set-up", data=form, headers={"origin": "http://evil.example"})
        wrong = await client.post(
            "/auth/set-up", data=form | {"code": "AAAA-AAAA"}, headers={"origin": "http://localhost"}
        )
        assert [answer.status_code for answer in (outside, foreign, wrong)] == [403, 403, 403]
        right = await client.post("/auth/set-up", data=form, headers={"origin": "http://localhost"})
        assert right.status_code == 303
        assert (await client.get("/api/v1/me")).json()["role"] == "owner"
        again = await client.post("/auth/set-up", data=form, headers={"origin": "http://localhost"})
        assert again.status_code == 403


async def records(household) -> str:
    """Return everything that is kept, as text."""
    tables = metadata.sorted_tables

    def read(connection):
        return [[list(map(str, row)) for row in connection.execute(select(table)).all()] for table in tables]

    return json.dumps(await household.desk.people._database.read(read))
