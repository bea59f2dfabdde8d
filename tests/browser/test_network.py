"""Bad networks and many tabs in a real browser: nothing that was said is lost without a word, and no page is shown in another's place."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from browser.conftest import served, signed_in
from browser.test_pages import as_it_was, ask, cut_off, device, waiting  # noqa: F401 - fixtures
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Request

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SERVICE = Caller(Role.OWNER, Channel.API, "owner")
TABS = 8  # a browser has six connections to one address
TOO_OLD = "document.addEventListener('htmx:config:request', ({ detail }) => { detail.ctx.request.headers['x-homesteward-csrf'] = 'old'; })"


async def test_many_tabs_of_one_browser_hear_through_one_stream(browser, house, address):
    context = await signed_in(browser, house, address)
    streams: list[str] = []
    context.on("request", lambda asked: streams.append(asked.url) if asked.url.endswith("/live") else None)
    try:
        tabs = [await context.new_page() for _ in range(TABS)]
        for tab in tabs:
            await tab.goto(address)
        await house.steward.ask(Request("unlock the front door", SERVICE))
        for tab in tabs:
            await expect(waiting(tab)).to_contain_text("Front door")
        assert len(streams) == 1
        await tabs[0].close()
        [plan] = await house.gate.plans()
        await house.gate.reject(plan.id, SERVICE)
        for tab in tabs[1:]:
            await expect(waiting(tab)).to_be_hidden()
    finally:
        await context.close()


async def test_a_sentence_that_was_not_sent_stays_and_says_so(device):  # noqa: F811
    page = await device()
    await page.route("**/ask", lambda route: route.abort())
    await ask(page, "turn on the kitchen light")
    form = page.locator("form.composer").first
    await expect(form.get_by_role("alert")).to_contain_text("Not sent")
    await expect(form.get_by_label("What should happen")).to_have_value("turn on the kitchen light")
    await page.unroute("**/ask")
    await page.keyboard.press("Enter")
    await expect(page.locator("article.turn .reply")).to_contain_text("Turned on")
    await expect(form.get_by_role("alert")).to_have_count(0)
    await expect(form.get_by_label("What should happen")).to_have_value("")


async def test_an_approval_that_was_not_sent_says_so_at_its_card(device):  # noqa: F811
    page = await device()
    await ask(page, "unlock the front door")
    card = page.locator("article.turn .plan")
    await page.route("**/approve", lambda route: route.abort())
    await card.get_by_role("button", name="Approve").click()
    await expect(card.get_by_role("alert")).to_contain_text("Not sent")
    await page.unroute("**/approve")
    await card.get_by_role("button", name="Approve").click()
    await expect(card).to_contain_text("Unlocked Front door.")
    await expect(card.get_by_role("alert")).to_have_count(0)


async def test_what_is_refused_is_said_beside_the_card_and_never_in_its_place(browser, house, address):
    context = await signed_in(browser, house, address)  # not `device`: a browser complains of an answer that refuses
    try:
        page = await context.new_page()
        await page.goto(address)
        await ask(page, "unlock the front door")
        card = page.locator("article.turn .plan")
        await expect(card).to_contain_text("Waits")
        await page.evaluate(TOO_OLD)
        await card.get_by_role("button", name="Approve").click()
        await expect(card.get_by_role("alert")).to_contain_text("Load the page again")
        await expect(card).to_contain_text("Unlocking Front door")
    finally:
        await context.close()


async def test_a_page_that_was_never_seen_is_not_answered_with_another_one(device):  # noqa: F811
    page = await device()
    await page.evaluate("navigator.serviceWorker.ready")
    await page.reload()
    await page.context.set_offline(True)
    await page.goto(f"{page.url}plans/nowhere")
    await expect(page.get_by_role("heading", name="No connection to Homesteward")).to_be_visible()
    assert await page.evaluate("[...document.styleSheets].every((sheet) => sheet.cssRules.length > 0)")
    assert await page.evaluate("document.styleSheets.length") > 0
    await page.get_by_role("link", name="Load again").click()
    await expect(page.get_by_role("region", name="What came of it")).to_be_visible()


async def test_a_connection_that_falls_silent_is_noticed(browser, house):
    """A network that swallows everything closes nothing: only the beat that does not come tells."""
    async with served(house) as url:
        context = await signed_in(browser, house, url)
        try:
            page = await context.new_page()
            hello = 'event: hello\ndata: {"mark": "", "waiting": 0, "connected": true, "beat_s": 0.2}\n\n'
            asked = asyncio.Event()

            async def silent(route):
                if asked.is_set():
                    return  # never answered
                asked.set()
                await route.fulfill(body=hello, content_type="text/event-stream")

            await page.route(re.compile(r"/live(\?|$)"), silent)
            await page.goto(url)
            await expect(page.locator("#lost")).to_be_visible()
        finally:
            await context.close()


async def test_a_device_that_goes_offline_says_so_at_once_and_catches_up(device, house):  # noqa: F811
    page = await device()
    await page.evaluate("dispatchEvent(new Event('offline'))")
    await expect(page.locator("#lost")).to_be_visible()
    await house.steward.ask(Request("unlock the front door", SERVICE))
    await page.evaluate("dispatchEvent(new Event('online'))")
    await expect(page.locator("#lost")).to_be_hidden()
    await expect(waiting(page)).to_contain_text("Front door")
