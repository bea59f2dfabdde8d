"""Policy and Settings in a real browser on a real Home Assistant: a rule from its first letter to its return, a PIN, a token, and the panel."""

import re
from datetime import timedelta

import pytest
from playwright.async_api import Page, expect

from browser.conftest import signed_in
from browser.prefix import under_prefix
from browser.test_pages import as_it_was, device  # noqa: F401 - fixtures
from hass.raw import raw_socket

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PIN = "738291"
PANEL = "/api/hassio_ingress/abc"
GARAGE = """version: 1
rules:
- name: The front door stays locked
  when: {entity: lock.front_door, service: unlock}
  then: deny
"""


async def ask(page: Page, text: str) -> None:
    await page.get_by_label("What should happen").first.fill(text)
    await page.keyboard.press("Enter")


async def go(page: Page, name: str) -> None:
    await page.get_by_role("navigation", name="Pages").get_by_role("link", name=name).click()


async def tab(page: Page, name: str) -> None:
    await page.locator("nav.tabs").get_by_role("link", name=name).click()


async def test_a_rule_is_written_looked_at_simulated_saved_and_put_back(device, house):  # noqa: F811
    page = await device()
    await ask(page, "unlock the front door")
    await expect(page.locator("article.turn .plan")).to_contain_text("Waits")
    await go(page, "Policy")
    editor = page.locator("#rules")
    await editor.fill(GARAGE.replace("deny", "perhaps"))
    await expect(page.locator("#checked")).to_contain_text("Line 5")
    await expect(page.locator(".editor-lines .wrong")).to_have_text(re.compile("5"))
    await page.get_by_text("Line 5").click()
    assert (
        await editor.evaluate("each => each.value.slice(each.selectionStart, each.selectionEnd)") == "  then: perhaps"
    )
    await editor.fill(GARAGE)
    await expect(page.locator("#checked")).to_contain_text("It can be used.")
    await page.get_by_role("button", name="Try on the past month").click()
    await expect(page.locator("#content")).to_contain_text("1 would be decided otherwise")
    await expect(page.locator("svg .bar.deny")).to_have_count(1)
    assert house.rules.text == ""
    await page.get_by_role("button", name="Save these rules").click()
    await expect(page.get_by_role("region", name="What holds")).to_contain_text("The front door stays locked")
    await go(page, "Home")
    await ask(page, "unlock the front door")
    await expect(page.locator("article.turn").last).to_contain_text("The front door stays locked")
    await go(page, "Policy")
    await page.locator("#rules").fill("version: 1\n")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("region", name="What holds")).to_contain_text("no rule of your own")
    await tab(page, "Versions")
    await page.get_by_role("link", name="Version 1").click()
    await expect(page.locator(".diff")).to_contain_text("The front door stays locked")
    await page.get_by_role("button", name="Put this version back").click()
    await expect(page.get_by_role("region", name="What holds")).to_contain_text("The front door stays locked")
    assert house.rules.text == GARAGE


async def test_what_would_happen_is_told_without_anything_happening(device, house):  # noqa: F811
    page = await device()
    await page.goto(page.url.rstrip("/") + "/policy/try")
    await page.get_by_label("Who asks").select_option("guest")
    await page.get_by_label("What is to be done").fill("lock.unlock")
    await page.get_by_label("With what").fill("lock.front_door")
    await page.get_by_label("With what").press("Enter")
    await expect(page.get_by_role("region", name="What would happen").last).to_contain_text("Refused")
    assert house.home.states["lock.front_door"].state == "locked"


async def test_a_pin_is_set_and_proves_who_somebody_is_when_signing_in_was_long_ago(
    browser, house, address, monkeypatch
):
    context = await signed_in(browser, house, address)  # not `device`: a browser complains of an answer that refuses
    page = await context.new_page()
    await page.goto(address)
    await go(page, "Settings")
    await page.get_by_label("New PIN", exact=True).fill(PIN)
    await page.get_by_label("New PIN once more").fill(PIN)
    await page.get_by_role("button", name="Set PIN").click()
    await expect(page.get_by_role("region", name="Your PIN")).to_contain_text("It is set.")
    now = type(house.clock).now
    monkeypatch.setattr(type(house.clock), "now", lambda clock: now(clock) + timedelta(hours=1))
    await go(page, "Policy")
    await page.locator("#rules").fill(GARAGE)
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("alert")).to_contain_text("PIN")
    assert house.rules.text == ""
    assert await page.locator("#rules").input_value() == GARAGE
    await page.get_by_label("Your PIN").fill(PIN)
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("region", name="What holds")).to_contain_text("The front door stays locked")
    assert PIN not in await page.content()
    await context.close()


async def test_a_token_is_made_seen_once_used_and_revoked(device, address):  # noqa: F811
    page = await device()
    await go(page, "Settings")
    await tab(page, "Tokens")
    await page.get_by_label("What it is for").fill("Dashboard")
    await page.get_by_role("button", name="Make it").click()
    token = await page.locator("#new-token").inner_text()
    headers = {"authorization": f"Bearer {token}"}
    assert (await page.request.get(f"{address}/api/v1/me", headers=headers)).status == 200
    await tab(page, "Tokens")
    await expect(page.get_by_role("region", name="Tokens of programs")).to_contain_text("Dashboard")
    assert token not in await page.content()
    await page.get_by_role("button", name="Revoke Dashboard").click()
    await expect(page.get_by_role("region", name="Tokens of programs")).to_contain_text("revoked")
    assert (await page.request.get(f"{address}/api/v1/me", headers=headers)).status == 401


async def test_signing_out_everywhere_reaches_the_other_device(device):  # noqa: F811
    one, other = await device(), await device()
    await go(one, "Settings")
    await one.get_by_role("button", name="Sign out everywhere").click()
    await expect(one.get_by_role("link", name="Sign in with Home Assistant")).to_be_visible()
    await other.reload()
    await expect(other.get_by_role("link", name="Sign in with Home Assistant")).to_be_visible()


async def test_without_scripts_rules_are_read_checked_and_saved(device, house):  # noqa: F811
    page = await device(java_script_enabled=False)
    await go(page, "Policy")
    await page.locator("#rules").fill(GARAGE.replace("deny", "perhaps"))
    await page.get_by_role("button", name="Check").click()
    await expect(page.locator("#checked")).to_contain_text("Line 5")
    await page.locator("#rules").fill(GARAGE)
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("region", name="What holds")).to_contain_text("The front door stays locked")
    assert house.rules.text == GARAGE


async def test_within_home_assistants_panel_every_part_is_found(browser, house, address, demo):
    async with raw_socket(demo.address.url, demo.address.token) as socket:
        me = await socket.ask("auth/current_user")
    said = {"X_Ingress_Path": PANEL, "X_Remote_User_Id": me["id"], "X_Remote_User_Display_Name": "Robin"}
    async with under_prefix(address, PANEL, source="127.0.0.2", **said) as inside:
        context = await browser.new_context(locale="en-GB")
        try:
            page = await context.new_page()
            await page.goto(inside)
            await go(page, "Policy")
            for name in ("What if", "Past month", "Versions", "Rules"):
                await tab(page, name)
                await expect(page.locator("nav.tabs [aria-current]")).to_have_text(name)
            await go(page, "Settings")
            for name in ("Tokens", "People", "Connection", "Privacy", "Backup", "About", "You"):
                await tab(page, name)
                await expect(page.locator("nav.tabs [aria-current]")).to_have_text(name)
        finally:
            await context.close()
