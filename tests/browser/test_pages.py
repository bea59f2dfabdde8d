"""The pages in a real browser on a real Home Assistant: what a household does with them, on two devices, without scripts, on a bad network."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import aiohttp
import pytest
from playwright.async_api import Page, expect

from browser.conftest import served, signed_in
from browser.prefix import under_prefix
from hass.raw import raw_socket
from homesteward.home.calls import Call
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Request

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SERVICE = Caller(Role.OWNER, Channel.API, "owner")
# What a browser says by itself of a connection that was cut, and of a stream that was refused to whoever was signed out meanwhile.
LOST = re.compile(r"ERR_|Failed to fetch|status of 401")


@pytest.fixture(autouse=True)
async def as_it_was(demo, house):
    """The doors locked and the light off: the home is the same for every test of a session."""
    headers = {"authorization": f"Bearer {demo.address.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        for service, entity_id in (("lock/lock", "lock.front_door"), ("light/turn_off", "light.kitchen_ceiling_light")):
            url = f"{demo.address.url}/api/services/{service}"
            async with session.post(url, json={"entity_id": entity_id}) as answer:
                assert answer.status == 200
    locked = asyncio.Event()
    undo = house.home.watch(lambda _, new: locked.set() if new and new.state == "locked" else None, ["lock.front_door"])
    if house.home.states["lock.front_door"].state == "locked":
        locked.set()
    async with asyncio.timeout(30):
        await locked.wait()
    undo()


@pytest.fixture
async def device(browser, house, address):
    """Another device on which somebody is signed in; what its browser complains of is an error."""
    opened = []

    async def make(role: str = "owner", at: str = "", **options) -> Page:
        context = await signed_in(browser, house, at or address, role, **options)
        page = await context.new_page()
        complaints: list[str] = []
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        opened.append((context, complaints))
        await page.goto(at or address)
        return page

    yield make
    for context, complaints in opened:
        await context.close()
        assert [said for said in complaints if not LOST.search(said)] == []


async def ask(page: Page, text: str) -> None:
    await page.get_by_label("What should happen").fill(text)
    await page.keyboard.press("Enter")


def waiting(page: Page):
    return page.get_by_role("region", name="Waits for you")


async def test_asked_and_acted_with_what_was_seen(device, demo, house):
    page = await device()
    await ask(page, "turn on the kitchen light")
    turn = page.locator("article.turn").last
    await expect(turn.locator(".reply")).to_contain_text("Turned on")
    await expect(turn.locator(".plan")).to_contain_text("Seen")
    await expect(page.get_by_role("region", name="What came of it")).to_contain_text("Turned on")
    await expect(page.get_by_label("What should happen")).to_have_value("")


async def test_what_waits_is_on_every_device_at_once_and_gone_from_all_when_one_decides(device, house):
    """E53: pending approvals were visible only on a page that did not refresh, so a gate was in effect a silent no."""
    phone, desk = await device(), await device("member")
    other = await device()
    await other.goto(other.url.rstrip("/") + "/ask")
    await ask(phone, "unlock the front door")
    await expect(waiting(desk)).to_contain_text("Unlocking Front door")
    await expect(other).to_have_title(re.compile(r"^\(1\) "))
    await desk.get_by_role("button", name="Approve").click()
    await expect(desk.locator("article.plan").first).to_contain_text("Unlocked Front door.")
    await expect(phone.locator("article.turn .plan")).to_contain_text("Unlocked Front door.")
    await expect(phone.locator("article.turn .plan")).to_contain_text("Seen")
    await expect(other).to_have_title(re.compile(r"^(?!\()"))
    await expect(waiting(phone).locator("article.plan")).to_have_count(0)


async def test_a_no_on_one_device_takes_it_from_the_other(device):
    one, other = await device(), await device()
    await ask(one, "unlock the back door")
    await expect(waiting(other)).to_contain_text("Back door")
    await other.get_by_role("button", name="No", exact=True).click()
    await expect(one.locator("article.turn .plan")).to_contain_text("Refused")


async def test_what_nobody_decided_about_is_told_as_not_decided(device, house, monkeypatch):
    """E53: the third request expires."""
    page = await device()
    await ask(page, "unlock the front door")
    await expect(waiting(page)).to_contain_text("Front door")
    await house.gate._store.expire_due((await house.gate.plans())[0].expires)
    await expect(page.locator("article.turn .plan")).to_contain_text("Nobody decided")


async def test_a_jam_is_told_as_a_jam(device, demo):
    page = await device()
    await ask(page, "lock the back door")
    card = page.locator("article.turn .plan")
    await card.get_by_role("button", name="Approve").click()
    await expect(card).to_contain_text(re.compile("Not as expected|Failed|Seen"))


async def test_which_one_is_asked_with_a_button_for_each(device, house):
    page = await device()
    await ask(page, "turn on the reading lamp")
    await expect(page.locator(".options button")).to_have_count(2)
    await page.locator(".options button").first.click()
    await expect(page.locator("article.turn")).to_have_count(2)
    await expect(page.locator(".options")).to_have_count(0)


async def test_what_was_done_is_taken_back(device):
    page = await device()
    await ask(page, "turn on the kitchen light")
    await page.locator("article.turn").last.get_by_role("button", name="Undo").click()
    await expect(page.locator("article.turn").last).to_contain_text("Turned off")


async def test_a_conversation_goes_on_and_is_there_again_later(device):
    page = await device()
    await page.get_by_role("link", name="Ask").click()
    await ask(page, "which lights are on?")
    await expect(page.locator("article.turn .reply")).to_have_count(1)
    await ask(page, "which doors are locked?")
    await expect(page.locator("article.turn .reply")).to_have_count(2)
    await page.reload()
    await expect(page.locator("article.turn .reply")).to_have_count(2)
    await expect(page.locator(".talks")).to_contain_text("2 turns")


async def test_the_key_opens_a_quick_ask_on_a_page_without_a_composer(device, house):
    page = await device()
    await ask(page, "unlock the front door")
    await page.locator("article.turn .plan-head a").click()
    await expect(page.get_by_role("heading", name="One request")).to_be_visible()
    await page.keyboard.press("/")
    await page.get_by_role("dialog").get_by_label("What should happen").fill("turn on the study light")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog").locator(".reply")).to_contain_text(re.compile("Turned on|already"))


async def test_reading_and_approving_work_without_scripts(device, house):
    page = await device(java_script_enabled=False)
    await page.get_by_label("What should happen").fill("unlock the front door")
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator(".reply")).to_contain_text("waits for approval")
    await page.get_by_role("link", name="Home", exact=True).click()
    await waiting(page).get_by_role("button", name="Approve").click()
    await expect(page.get_by_role("region", name="What came of it")).to_contain_text("Unlocked Front door.")


async def test_under_ingress_everything_works_within_the_panel(device, house, demo, browser):
    path = "/api/hassio_ingress/abc"
    async with raw_socket(demo.address.url, demo.address.token) as socket:
        user = await socket.ask("auth/current_user")
    said = {"X_Ingress_Path": path, "X_Remote_User_Id": user["id"], "X_Remote_User_Display_Name": "Robin"}
    async with served(house) as url, under_prefix(url, path, source="127.0.0.2", **said) as panel:
        context = await browser.new_context(locale="en-GB")
        try:
            page = await context.new_page()
            refused: list[str] = []
            page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
            await page.goto(panel)
            await ask(page, "unlock the front door")
            await page.locator("article.turn .plan").get_by_role("button", name="Approve").click()
            await expect(page.locator("article.turn .plan")).to_contain_text("Unlocked Front door.")
            await page.get_by_role("link", name="Ask").click()
            await expect(page.locator(".talks")).to_contain_text("unlock the front door")
            assert page.url == f"{panel}ask"
            assert refused == []
        finally:
            await context.close()


async def test_a_connection_that_is_lost_is_said_with_the_age_of_the_page_and_one_that_is_back_catches_up(
    browser, house
):
    async with cut_off(house) as (url, cut):
        context = await signed_in(browser, house, url)
        try:
            page = await context.new_page()
            await page.goto(url)
            await expect(page.locator("#lost")).to_be_hidden()
            async with cut():
                await expect(page.locator("#lost")).to_be_visible()
                await expect(page.locator("#lost")).to_contain_text("What you see is from")
                await house.steward.ask(Request("unlock the front door", SERVICE))
            await expect(waiting(page)).to_contain_text("Front door")
            await expect(page.locator("#lost")).to_be_hidden()
        finally:
            await context.close()


async def test_a_guest_sees_less(device, house):
    owner, guest = await device(), await device("guest")
    await ask(owner, "unlock the front door")
    await expect(owner.locator("article.turn .plan")).to_contain_text("Waits for approval")
    await ask(guest, "turn on the kitchen light")
    await expect(guest.locator("article.turn .plan")).to_contain_text("Waits for a yes")
    await expect(guest.locator("main")).not_to_contain_text("Front door")
    await expect(guest.get_by_role("region", name="Unusual now")).to_have_count(0)


async def test_a_page_that_was_seen_is_there_without_a_connection_and_gone_after_the_sign_out(device, house):
    page = await device()
    await page.evaluate("navigator.serviceWorker.ready")
    await page.reload()
    await page.context.set_offline(True)
    await page.reload()
    await expect(page.get_by_role("region", name="What came of it")).to_be_visible()
    await expect(page.locator("#lost")).to_be_visible()
    await page.context.set_offline(False)
    await page.reload()
    await page.locator("details.who summary").click()
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    await page.wait_for_function("caches.has('homesteward-pages').then((has) => !has)")


async def test_nothing_is_asked_of_anybody_else_and_the_first_page_is_small(device, address):
    page = await device()
    seen: list[str] = []
    page.on("request", lambda asked: seen.append(asked.url))
    await page.reload()
    assert [url for url in seen if not url.startswith((address, "data:"))] == []
    sent = await page.evaluate("performance.getEntries().reduce((sum, each) => sum + (each.encodedBodySize ?? 0), 0)")
    assert 0 < sent <= 200_000


@asynccontextmanager
async def cut_off(house) -> AsyncIterator[tuple]:
    """Serve `house` behind a proxy that can be closed for a while: at the same address, as a service that restarts."""
    async with served(house) as url:
        port = int(url.rpartition(":")[2])
        pumps: set[asyncio.Task] = set()
        opened: set[asyncio.StreamWriter] = set()

        async def pump(reader, writer):
            with suppress(OSError, asyncio.CancelledError):
                while data := await reader.read(65536):
                    writer.write(data)
                    await writer.drain()
            writer.close()

        async def passed_on(reader, writer):
            there, back = await asyncio.open_connection("127.0.0.1", port)
            opened.update((writer, back))
            pumps.update((asyncio.create_task(pump(reader, back)), asyncio.create_task(pump(there, writer))))

        front = await asyncio.start_server(passed_on, "127.0.0.1", 0)
        at = front.sockets[0].getsockname()[1]

        @asynccontextmanager
        async def cut():
            nonlocal front
            front.close()
            for writer in opened:
                writer.close()
            opened.clear()
            yield
            front = await asyncio.start_server(passed_on, "127.0.0.1", at)

        try:
            yield f"http://127.0.0.1:{at}/", cut
        finally:
            front.close()
            for writer in opened:
                writer.close()
            for task in pumps:
                task.cancel()


SEEN = "(hidden) => { Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden}); document.dispatchEvent(new Event('visibilitychange')); }"


async def test_a_page_that_nobody_sees_holds_no_stream_and_catches_up_when_it_is_seen(device, house):
    page = await device()
    await expect(page.locator("#waiting .plan")).to_have_count(0)
    async with page.expect_response(lambda answer: answer.url.endswith("/live")) as opened:
        await page.reload()
    await opened.value
    async with page.expect_event("requestfailed", lambda request: request.url.endswith("/live")) as closed:
        await page.evaluate(SEEN, arg=True)
    await closed.value
    waiting_plan = await house.steward.ask(Request("unlock the front door", SERVICE))
    assert waiting_plan.plan
    await expect(waiting(page)).to_be_hidden()
    await page.evaluate(SEEN, arg=False)
    await expect(waiting(page)).to_contain_text("Unlocking Front door")
    await house.gate.reject(waiting_plan.plan.id, SERVICE)


async def test_what_is_done_for_a_while_later_is_one_line_and_is_called_off(device, house):
    page = await device()
    asked = await house.steward.ask(Request("turn on the kitchen light in 30 minutes for 10 minutes", SERVICE))
    assert asked.plans, asked.reply
    await page.goto(page.url + "actions/schedules")
    coming = page.get_by_role("region", name="To be done later")
    await expect(coming.locator("li")).to_have_count(1)
    await expect(coming).to_contain_text("and then: Turning off Kitchen")
    await coming.get_by_role("button", name=re.compile("^Call off(?! only)")).click()
    await expect(coming).to_contain_text("Nothing is scheduled")


async def test_what_was_found_is_enabled_by_a_form_and_an_approval(device, house):
    page = await device()
    await page.goto(page.url + "actions/offers")
    offer = page.locator(".offer").first
    await offer.locator("summary").first.click()
    await offer.get_by_label("What people call it").fill("film night")
    await offer.get_by_role("button", name=re.compile("Enable")).click()
    await page.get_by_role("button", name="Approve").click()
    await expect(page.locator(".plan")).to_contain_text("Seen")
    assert house.offers
    assert any(each.usage.phrases == ("film night",) for each in await house.offers.enabled())


async def test_an_automation_is_changed_and_put_back(device, house):
    page = await device()
    start = page.url
    [automation, *_] = sorted(each for each in house.home.states if each.startswith("automation."))
    room = house.configuration
    assert room
    config = dict((await room.show("automation", automation)).config or {}) | {"description": "changed"}
    call = Call("ha_config", "write", data={"kind": "automation", "id": automation, "config": config, "edit": True})
    [plan] = await house.gate.submit([call], SERVICE, request="say what it is for")
    await page.goto(f"{start}plans/{plan.id}")
    await expect(page.locator(".diff-line.added")).to_contain_text("description: changed")
    await page.get_by_role("button", name="Approve").click()
    await expect(page.locator(".plan")).to_contain_text("Seen")
    await page.goto(f"{start}house/{automation}")
    await page.get_by_role("link", name="Version 1").click()
    await page.get_by_role("button", name="Put this version back").click()
    await page.get_by_role("button", name="Approve").click()
    await expect(page.locator(".plan")).to_contain_text("Seen")
    assert (await room.show("automation", automation)).config["description"] != "changed"
