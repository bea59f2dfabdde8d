"""What goes with every answer, walked over the route table: what a page may load and who may frame it, and how closely a cookie is kept."""

import re

import pytest

from homesteward.faces.web.authority import ROUTES
from homesteward.people import Role
from unit.faces.test_authority import FORMS, PLACES, QUERIES

DAY_COOKIES = re.compile(r"homesteward-(session|sign-in|look)-\d+=")


async def answers(household, **headers):
    """Yield each route with its answers: to nobody, to an owner's browser, and to the owner for a page that is none of ours."""
    somebody = await household.person(Role.OWNER)
    for who in (None, somebody):
        async with household.client(who) as client:
            for method, path in ROUTES:
                household.desk.rates._buckets.clear()
                form, query = FORMS.get((method, path)), QUERIES.get(path)
                url = path.format(**PLACES)
                yield (method, path), await client.request(method, url, headers=headers, json=form, params=query)


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
async def test_every_answer_says_what_a_page_may_load_and_who_may_frame_it(household, accept):
    async for route, answer in answers(household, accept=accept):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'"), route
        assert "frame-ancestors 'none'" in policy, route
        assert not re.search(r"unsafe|\*|https?:|data:\s*script|blob:", policy.replace("img-src 'self' data:", "")), (
            route
        )
        assert answer.headers["x-content-type-options"] == "nosniff", route
        assert answer.headers["referrer-policy"] == "same-origin", route


async def test_no_answer_lets_another_site_read_it(household):
    async for route, answer in answers(household, origin="https://elsewhere.example"):
        assert not [name for name in answer.headers if name.startswith("access-control-")], route


async def test_nothing_but_files_is_kept_by_anything_between(household):
    async for route, answer in answers(household, accept="text/html"):
        kept = answer.headers["cache-control"]
        assert kept == "no-store" or route[1] in {"/static/{name}", "/service-worker.js"}, (route, kept)


async def test_every_cookie_is_out_of_reach_of_scripts_and_of_other_sites(household):
    given = []
    async for route, answer in answers(household, accept="text/html"):
        for cookie in answer.headers.get_list("set-cookie"):
            given.append(cookie)
            assert DAY_COOKIES.match(cookie), route
            flags = {part.strip().lower() for part in cookie.split(";")[1:]}
            assert {"httponly", "samesite=lax", "path=/"} <= flags, (route, cookie)
    assert given
