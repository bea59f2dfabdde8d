"""Actions, Chronicle and House in a real browser on a real Home Assistant: decided on one device and seen on another, the past, and who sees less."""

import re

import pytest
from playwright.async_api import Page, expect

from browser.test_pages import as_it_was, device  # noqa: F401 - fixtures

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


async def ask(page: Page, text: str) -> None:
    await page.get_by_label("What should happen").first.fill(text)
    await page.keyboard.press("Enter")


async def go(page: Page, name: str) -> None:
    await page.get_by_role("navigation", name="Pages").get_by_role("link", name=name).click()


async def test_asked_on_one_device_approved_on_another_and_verified_on_both(device, house):  # noqa: F811
    """E53: an approval is not a silent no on a page that does not refresh."""
    phone, desk, watcher = await device(), await device("member"), await device()
    await go(desk, "Actions")
    await go(watcher, "Actions")
    await expect(desk.locator("#waiting")).to_contain_text("Nothing waits")
    await ask(phone, "unlock the front door")
    card = desk.locator("#waiting article.plan")
    await expect(card).to_contain_text("Unlocking Front door")
    await card.get_by_text("Exactly").click()
    await expect(card).to_contain_text("lock.unlock")
    await card.get_by_role("button", name="Approve").click()
    await expect(card).to_contain_text("Seen")
    await expect(phone.locator("article.turn .plan")).to_contain_text("Seen")
    await expect(watcher.locator("#waiting")).to_contain_text("Nothing waits")
    await watcher.get_by_role("link", name="Past").click()
    await expect(watcher.locator(".past").first).to_contain_text("Unlocked Front door.")
    await watcher.locator(".past summary").first.click()
    await expect(watcher.locator(".past").first).to_contain_text("Decided by Member")
    await expect(watcher.locator(".past").first).to_contain_text("Seen")


async def test_refused_is_refused_on_both_and_stands_among_the_past(device, house):  # noqa: F811
    one, other = await device(), await device()
    await go(other, "Actions")
    await ask(one, "unlock the front door")
    await other.locator("#waiting article.plan").get_by_role("button", name="No", exact=True).click()
    await expect(one.locator("article.turn .plan")).to_contain_text("Refused")
    await other.get_by_role("link", name="Past").click()
    await other.get_by_label("What came of it").select_option("refused")
    await other.get_by_role("button", name="Show").click()
    await expect(other.locator(".past")).to_have_count(1)
    await expect(other.locator(".past")).to_contain_text("Refused")


async def test_what_was_done_is_taken_back_from_the_list_of_the_past(device, house):  # noqa: F811
    page = await device()
    await ask(page, "turn on the kitchen light")
    await expect(page.locator("article.turn .plan")).to_contain_text("Seen")
    await page.goto(page.url.rstrip("/") + "/actions/past")
    await page.locator(".past summary").first.click()
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator("main")).to_contain_text("Turned off")


async def test_a_jam_is_told_as_a_jam_where_it_was_approved_and_in_the_chronicle(device, house, demo):  # noqa: F811
    """The back door of the furnished house jams: it is never said to be locked."""
    page = await device()
    await ask(page, "lock the back door")
    await go(page, "Actions")
    card = page.locator("#waiting article.plan")
    await card.get_by_role("button", name="Approve").click()
    await expect(card).to_contain_text(re.compile("Not as expected|Failed|already"))
    await expect(card).not_to_contain_text("Locked Back door.")


async def test_why_is_drawn_and_leads_from_the_thing_to_its_cause_without_a_script(device, house):  # noqa: F811
    page = await device()
    await ask(page, "turn on the kitchen light")
    await expect(page.locator("article.turn .plan")).to_contain_text("Seen")
    assert house.memory.chronicle
    await house.memory.chronicle.flush()
    plain = await device(java_script_enabled=False)
    await go(plain, "House")
    await plain.get_by_label("Name, state or id").fill("kitchen light")
    await plain.get_by_role("button", name="Show").click()
    await plain.locator("a.row", has_text="Kitchen light").first.click()
    await expect(plain.get_by_role("heading", level=1)).to_contain_text("Kitchen light")
    await expect(plain.locator(".answer")).to_contain_text("turn on the kitchen light")
    await plain.get_by_role("link", name="The whole chain").click()
    await expect(plain.locator(".chain-step.here")).to_contain_text("Kitchen light")
    await expect(plain.locator(".lanes path.arrow").first).to_be_attached()
    await plain.locator(".chain-box").first.click()
    await expect(plain.get_by_role("heading", name="What it led to")).to_be_visible()


async def test_the_slider_shows_the_house_as_it_was(device, house):  # noqa: F811
    page = await device()
    await ask(page, "turn on the kitchen light")
    await expect(page.locator("article.turn .plan")).to_contain_text("Seen")
    await go(page, "Chronicle")
    await page.get_by_role("link", name="At a moment").click()
    slide = page.get_by_label("Back in time")
    await expect(page.locator("form.slider output")).to_contain_text("6 hours ago")
    before = await page.locator("#moment h2").inner_text()
    await slide.focus()
    await page.keyboard.press("Home")
    await expect(page.locator("form.slider output")).to_contain_text(re.compile("now|this minute"))
    await expect(page.locator("#moment h2")).not_to_have_text(before)
    await expect(page.locator("#moment")).to_contain_text("things were as they are now")


async def test_numbers_are_drawn_as_a_curve(device, house):  # noqa: F811
    page = await device()
    sensor = next(name for name in house.home.states if name.startswith("sensor.") and name.endswith("_temperature"))
    await page.goto(page.url.rstrip("/") + f"/house/{sensor}")
    await expect(page.locator(".chart canvas")).to_be_visible()
    await page.get_by_role("link", name="Month").click()
    await expect(page.locator(".chart canvas")).to_be_visible()


async def test_a_guest_finds_no_chronicle_and_only_their_own_actions(device, house):  # noqa: F811
    owner, guest = await device(), await device("guest")
    await ask(owner, "unlock the front door")
    await expect(owner.locator("article.turn .plan")).to_contain_text("Waits for approval")
    places = guest.get_by_role("navigation", name="Pages")
    await expect(places.get_by_role("link", name="Chronicle")).to_have_count(0)
    await go(guest, "Actions")
    await expect(guest.locator("#waiting")).to_contain_text("Nothing waits")
    await go(guest, "House")
    await guest.get_by_label("Name, state or id").fill("front door")
    await guest.get_by_role("button", name="Show").click()
    await guest.locator("a.row", has_text="Front door").first.click()
    await expect(guest.locator("main")).to_contain_text("Who may do what")
    await expect(guest.locator("main")).not_to_contain_text("An owner")
    await expect(guest.locator("main")).not_to_contain_text("Why?")
