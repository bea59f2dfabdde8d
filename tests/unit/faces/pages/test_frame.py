"""What every page keeps to: who sees it, how it is protected, and that it works from wherever it lies."""

import re

import pytest

from homesteward.people import Role, Scope

HTML = {"accept": "text/html,application/xhtml+xml"}
PAGES = ("/", "/ask", "/actions", "/house")
FIELDS = {"content-type": "application/x-www-form-urlencoded"}


def sent(household, somebody):
    """The headers of a browser that knows its session and nothing of our own header."""
    return {name: value for name, value in somebody.headers.items() if name != "x-homesteward-csrf"}


@pytest.mark.parametrize("role", [Role.OWNER, Role.MEMBER, Role.GUEST])
@pytest.mark.parametrize("page", PAGES)
async def test_everybody_who_lives_here_sees_it(household, role, page):
    async with household.client(await household.person(role)) as client:
        answer = await client.get(page, headers=HTML)
    assert answer.status_code == 200
    assert f"<dd>{role.value.title()}</dd>" in answer.text


@pytest.mark.parametrize("page", ["/ask", "/plans/plan_none", "/home/waiting"])
async def test_whoever_is_not_signed_in_is_asked_to_and_led_back(household, page):
    async with household.client() as client:
        answer = await client.get(page, headers=HTML)
    assert answer.status_code == 401
    assert "Sign in" in answer.text
    assert "Front door" not in answer.text


async def test_a_program_is_told_in_its_own_form(household):
    async with household.client() as client:
        answer = await client.get("/ask")
    assert (answer.status_code, answer.headers["content-type"]) == (401, "application/problem+json")


async def test_a_page_that_is_not_there_says_so_to_a_person(household):
    async with household.client(await household.person(Role.OWNER)) as client:
        answer = await client.get("/nowhere", headers=HTML)
    assert answer.status_code == 404
    assert 'role="alert"' in answer.text


async def test_a_part_asked_for_by_somebody_who_was_put_out_has_the_page_loaded_anew(household):
    async with household.client() as client:
        answer = await client.get("/home/waiting", headers={**HTML, "hx-request": "true"})
    assert (answer.status_code, answer.headers["hx-refresh"]) == (401, "true")


async def test_the_policy_of_a_page_lets_in_nothing_from_elsewhere_and_nothing_written_into_it(household):
    async with household.client(await household.person(Role.OWNER)) as client:
        headers = (await client.get("/", headers=HTML)).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"


async def test_a_form_without_the_pages_token_changes_nothing(household, home):
    member = await household.person(Role.MEMBER)
    async with household.client() as client:
        for fields in ("text=turn+on+the+hall+light", "text=turn+on+the+hall+light&csrf=wrong"):
            answer = await client.post("/ask", content=fields, headers={**sent(household, member), **FIELDS, **HTML})
            assert answer.status_code == 403
    assert home.calls == []


async def test_a_form_from_another_sites_page_changes_nothing_even_with_the_token(household, home):
    member = await household.person(Role.MEMBER)
    fields = f"text=turn+on+the+hall+light&csrf={member.headers['x-homesteward-csrf']}"
    headers = {**sent(household, member), **FIELDS, "origin": "http://evil.example"}
    async with household.client() as client:
        assert (await client.post("/ask", content=fields, headers=headers)).status_code == 403
    assert home.calls == []


async def test_every_form_that_posts_carries_the_token(household):
    owner = await household.person(Role.OWNER)
    async with household.client(owner) as client:
        await client.post("/api/v1/ask", json={"text": "unlock the front door"})
        for page in PAGES:
            for form in re.findall(
                r'<form[^>]*method="post".*?</form>', (await client.get(page, headers=HTML)).text, re.DOTALL
            ):
                assert f'name="csrf" value="{owner.headers["x-homesteward-csrf"]}"' in form or "/look" in form


@pytest.mark.parametrize("page", ["/", "/ask", "/plans/{plan}"])
async def test_every_address_is_relative_so_that_a_page_works_under_any_prefix(household, page):
    async with household.client(await household.person(Role.OWNER)) as client:
        answer = await client.post("/api/v1/ask", json={"text": "unlock the front door"})
        text = (await client.get(page.format(plan=answer.json()["plan"]["id"]), headers=HTML)).text
    named = re.findall(r'(?:href|src|action|hx-get|hx-post|hx-sse:connect)="([^"#]+)"', text)
    assert named
    assert [address for address in named if not address.startswith(("./", "../"))] == []


async def test_a_part_has_the_addresses_of_the_page_it_becomes_part_of(household):
    async with household.client(await household.person(Role.OWNER)) as client:
        answer = await client.post("/api/v1/ask", json={"text": "unlock the front door"})
        plan = answer.json()["plan"]["id"]
        part = await client.get(f"/plans/{plan}", headers={**HTML, "hx-request": "true", "x-homesteward-depth": "0"})
        forged = await client.get(
            f"/plans/{plan}", headers={**HTML, "hx-request": "true", "x-homesteward-depth": '"><b>'}
        )
    assert f'action="./plans/{plan}/approve"' in part.text
    assert "<html" not in part.text
    assert f'action="../plans/{plan}/approve"' in forged.text


async def test_the_look_is_kept_in_the_browser_and_nothing_else_is(household):
    owner = await household.person(Role.OWNER)
    headers = {**FIELDS, "origin": "http://localhost"}
    async with household.client(owner) as client:
        chosen = await client.post("/look", content="look=dark&onward=/ask", headers=headers)
        assert (chosen.status_code, chosen.headers["location"]) == (303, "./ask")
        assert re.search(
            r"homesteward-look-80=dark;.*HttpOnly.*SameSite=lax", chosen.headers["set-cookie"], re.IGNORECASE
        )
        cookie = f"{owner.headers['cookie']}; homesteward-look-80=dark"
        assert '<html lang="en" data-theme="dark">' in (await client.get("/", headers={**HTML, "cookie": cookie})).text
        odd = await client.post("/look", content="look=%22%3E%3Cb%3E", headers=headers)
        assert "Max-Age=0" in odd.headers["set-cookie"]
        away = await client.post("/look", content="look=dark&onward=//evil.example", headers=headers)
        assert away.headers["location"] == "./"


@pytest.mark.parametrize("path", ["/service-worker.js", "/offline", "/static/homesteward.webmanifest"])
async def test_what_an_installed_page_needs_is_there_for_anybody(household, path):
    async with household.client() as client:
        assert (await client.get(path)).status_code == 200


async def test_a_token_for_reading_sees_a_page_and_no_button(household):
    async with household.client(household.service()) as owner:
        await owner.post("/api/v1/ask", json={"text": "unlock the front door"})
    reader = await household.token(Scope.READ, role=Role.TOKEN)
    async with household.client(reader) as client:
        text = (await client.get("/", headers=HTML)).text
    assert "/approve" not in text
