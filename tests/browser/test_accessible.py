"""Every page can be read and used by everybody: axe finds nothing, in light and in dark, on a phone and on a desk."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.async_api import Page

from browser.conftest import signed_in
from homesteward.faces.web.authority import ROUTES
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Request

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

VENDOR = Path(__file__).parent / "vendor"
SERVICE = Caller(Role.OWNER, Channel.API, "owner")
RULES = (
    "version: 1\nrules:\n- name: Quiet nights\n  when: {domain: media_player, time: '22:00-06:00'}\n  then: confirm\n"
)
# What answers a GET and is no page for people: files, streams, parts of pages, the way through Home Assistant, the API.
NO_PAGES = frozenset(
    {"/openapi.json", "/static/{name}", "/service-worker.js", "/live", "/home/{part}", "/ask/{run_id}", "/auth/sign-in", "/auth/callback", "/auth/set-up"}
)  # fmt: skip
PAGES = tuple(
    path for (method, path) in ROUTES if method == "GET" and path not in NO_PAGES and not path.startswith("/api/")
)
# Two looks at each page, so that both the colours and the widths are seen everywhere.
LONG_NAMES = "for (const each of document.querySelectorAll('main h1, main h2, main h3, main p, main li span:not(:has(*), .hidden)')) if (!each.closest('.chip')) each.textContent = 'x'.repeat(200)"
LOOKS = (("light", 1280), ("dark", 390))


def test_what_is_vendored_is_what_was_published():
    for name, entry in json.loads((VENDOR / "manifest.json").read_text()).items():
        assert sha256((VENDOR / name).read_bytes()).hexdigest() == entry["sha256"]


async def violations(page: Page) -> list[str]:
    """Return what axe finds, as a person reads it."""
    await page.evaluate((VENDOR / "axe.min.js").read_text())
    found = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{page.url}: {each['id']}: {node['html'][:200]} ({node['failureSummary'][:300]})"
        for each in found["violations"]
        for node in each["nodes"][:3]
    ]


async def test_axe_would_find_a_picture_without_words(page):
    await page.set_content(
        "<html lang='en'><title>A</title><main><h1>A</h1><img src='data:image/gif;base64,'></main></html>"
    )
    assert any("image-alt" in each for each in await violations(page))


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
async def test_axe_finds_nothing_on_any_page(browser, house, address, scheme, width):
    waiting = await house.steward.ask(Request("unlock the front door", SERVICE))
    await house.steward.ask(Request("turn on the kitchen light", SERVICE))
    for rules in (RULES, RULES.replace("confirm", "deny")):
        await house.rules.replace(rules, SERVICE)
    places = {"plan_id": waiting.plans[0].id, "entity_id": "light.kitchen_ceiling_light", "n": "1"}
    options = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}, "has_touch": width < 600}
    context = await signed_in(browser, house, address, **options)
    found: list[str] = []
    try:
        page = await context.new_page()
        for path in PAGES:
            await page.goto(f"{address}{path.format(**places)}")
            await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
            found += await violations(page)
    finally:
        await context.close()
    assert found == []


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
async def test_axe_finds_nothing_before_anybody_is_signed_in(browser, address, scheme, width):
    context = await browser.new_context(locale="en-GB", color_scheme=scheme, viewport={"width": width, "height": 900})
    try:
        page = await context.new_page()
        found: list[str] = []
        for path in ("/", "/offline", "/auth/set-up", "/nowhere"):
            await page.goto(f"{address}{path}")
            found += await violations(page)
    finally:
        await context.close()
    assert found == []


async def test_no_word_is_cut_in_the_menu_of_a_phone_and_no_long_name_makes_a_page_wider(browser, house, address):
    context = await signed_in(browser, house, address, locale="de-DE", viewport={"width": 360, "height": 800})
    try:
        page = await context.new_page()
        for path in ("/", "/house", "/actions", "/settings/you"):
            await page.goto(f"{address}{path}")
            words = page.locator(".places span:not(.badge)")
            assert (
                await words.evaluate_all("all => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length")
                == 0
            )
            await page.evaluate(LONG_NAMES)
            assert await page.evaluate("document.documentElement.scrollWidth") <= 360, path
    finally:
        await context.close()
