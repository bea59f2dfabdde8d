"""No Host header and no path under /auth breaks anything: it is served, or refused as what it is."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homesteward.faces.web.address import Addresses, Seen, UnknownHostError
from homesteward.faces.web.cookies import SESSION, written_cookie
from homesteward.settings.settings import WebSettings

SIGNS = st.text(st.characters(codec="latin-1", exclude_characters="\r\n"), max_size=20)
HOSTS = st.builds(
    "{}{}".format,
    st.sampled_from(["localhost", "127.0.0.1", "[::1]", "[::1", "", "localhost:", "127.0.0.1:1", "LOCALHOST:8"]),
    SIGNS | st.sampled_from([":(", ":1@evil", ":1,2", ":80", ":²", ":123456", ":1;a=b", ":1\t", ": 1", ":[]"]),
)
PATHS = st.sampled_from(["/auth/sign-in", "/auth/callback", "/auth/set-up", "/auth/sign-out", "/"])
BROKEN = ["localhost:(", "127.0.0.1:1@evil", "localhost:1,2", "localhost:", "localhost:123456", "localhost:80:80"]


@pytest.fixture
async def client(household):
    async with household.client() as opened:
        yield opened


@pytest.mark.parametrize("host", BROKEN)
@pytest.mark.parametrize("path", ["/auth/sign-in", "/auth/callback?code=a&state=b", "/"])
async def test_a_host_that_is_none_is_not_served(client, host, path):
    answer = await client.get(path, headers={"host": host})
    assert (answer.status_code, answer.json()["code"]) == (421, "unknown_host")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(host=HOSTS, path=PATHS, query=SIGNS, method=st.sampled_from(["GET", "POST", "HEAD"]))
async def test_whatever_is_sent_as_a_host_nothing_fails_inside(household, host, path, query, method):
    household.desk.rates._buckets.clear()
    async with household.client() as client:
        answer = await client.request(
            method,
            path,
            params={"next": query, "code": query, "state": query},
            headers={"host": host.encode("latin-1")},
        )
    assert answer.status_code < 500, (host, path, query)


@given(HOSTS, st.booleans())
def test_whatever_is_taken_for_a_host_can_name_a_cookie(host, ingress):
    """Also what Home Assistant's panel passes on."""
    headers = [(b"host", host.encode("latin-1")), *([(b"x-ingress-path", b"/api/x")] if ingress else [])]
    scope = {
        "type": "http",
        "scheme": "http",
        "headers": headers,
        "client": ("172.30.32.2", 1),
        "server": ("127.0.0.1", 80),
    }
    try:
        seen = Addresses(WebSettings(ingress=True)).seen(scope)
    except UnknownHostError:
        return
    assert isinstance(seen, Seen)
    assert written_cookie(SESSION, "value", seen, max_age=1)
