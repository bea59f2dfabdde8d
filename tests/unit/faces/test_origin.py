"""What another site has a browser do is not done: the origin, the token of the page, and where one is sent on to."""

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection

from homesteward.app import wire
from homesteward.core import SystemClock
from homesteward.core.redaction import Redactor
from homesteward.faces.web.address import Seen
from homesteward.faces.web.origin import Csrf, ForeignRequestError, require_same_origin, safe_onward
from homesteward.people import Role
from homesteward.settings import Settings

HERE = Seen("http", "home.example:8126")


def request(**headers):
    given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": "http", "headers": given})


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://home.example:8126"},
        {"origin": "http://home.example:8126", "sec_fetch_site": "same-origin"},
        {"sec_fetch_site": "same-origin"},
    ],
)
def test_a_page_of_ours_is_known_by_what_the_browser_says(headers):
    require_same_origin(request(**headers), HERE)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "null"},
        {"origin": "http://evil.example"},
        {"origin": "https://home.example:8126"},
        {"origin": "http://home.example"},
        {"origin": "http://home.example:8126.evil.example"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "none"},
        {"origin": "http://home.example:8126", "sec_fetch_site": "same-site"},
    ],
)
def test_every_other_page_is_refused(headers):
    with pytest.raises(ForeignRequestError):
        require_same_origin(request(**headers), HERE)


def test_the_token_of_a_page_is_the_same_after_a_restart():
    assert Csrf(b"k" * 32).token("session:a") == Csrf(b"k" * 32).token("session:a")


async def test_a_page_from_before_a_restart_still_does_what_it_is_for(household, home, tmp_path):
    somebody = await household.person(Role.OWNER)
    async with wire(Settings(data=tmp_path), home, home, tmp_path, SystemClock(), Redactor()) as anew:
        household.house, household._api = anew, anew.api
        async with household.client(somebody) as client:
            asked = await client.post("/api/v1/ask", json={"text": "unlock the front door"})
    assert asked.status_code == 200, asked.text


def test_a_pages_token_belongs_to_one_session_and_one_start():
    csrf = Csrf()
    csrf.require("session:a", csrf.token("session:a"))
    for wrong in (csrf.token("session:b"), Csrf().token("session:a"), "", "é"):
        with pytest.raises(ForeignRequestError):
            csrf.require("session:a", wrong)


@pytest.mark.parametrize("page", ["/", "/actions", "/chronicle?entity=light.kitchen&at=2026-11-30"])
def test_one_is_sent_on_to_a_page_of_ours(page):
    assert safe_onward(page) == page


@pytest.mark.parametrize(
    "page",
    [
        "", "//evil.example", "/\\evil.example", "https://evil.example", "evil", "/a\r\nset-cookie: x", "/../x", "/%2f/evil", "/auth/sign-out",
        "/api/v1/plans", "/@evil", "/" + "a" * 400, "/é",
    ],
)  # fmt: skip
def test_and_to_nothing_else(page):
    assert safe_onward(page) == "/"


@given(st.text(max_size=60) | st.from_regex(r"[/\\\\a-z.:?=&%@#]{0,40}", fullmatch=True))
def test_whatever_is_wanted_a_browser_stays_with_us(wanted):
    """Joined to any page of ours as a browser joins it, the address is one of ours."""
    there = urlsplit(urljoin("http://home.example:8126/steward/auth/callback", f"..{safe_onward(wanted)}"))
    assert (there.scheme, there.netloc) == ("http", "home.example:8126")
    assert there.path.startswith("/steward/")
