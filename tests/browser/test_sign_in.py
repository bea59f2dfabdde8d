"""A person signs in with Home Assistant, in a real browser: at any address of ours, as who they are there, and leaving no token behind."""

import os
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from sqlalchemy import select

from browser.conftest import served
from browser.prefix import under_prefix
from hass.raw import raw_socket
from homesteward.app import House
from homesteward.demo import DemoHome
from homesteward.store.tables import metadata

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PICTURES = os.environ.get("PICTURES")  # a folder for what the pages look like, for somebody to look at


async def sign_in(page: Page, address: str, demo: DemoHome, user: str) -> None:
    """Do what a person does, from the front page to the front page."""
    await page.goto(address)
    await page.get_by_role("link", name="Sign in with Home Assistant").click()
    await page.locator("input[name=username]").fill(user)
    await page.locator("input[name=password]").fill(demo.address.password)
    await page.get_by_role("button", name="Log in").click()
    await expect(page.get_by_text("Connected to Home Assistant")).to_be_visible()


async def sign_out(page: Page) -> None:
    """Do what a person does."""
    await page.locator("details.who summary").click()
    await page.get_by_role("button", name="Sign out").click()


async def tokens_left(demo: DemoHome, token: str, address: str) -> list[str]:
    """Return the tokens that Home Assistant still has of a person for Homesteward."""
    async with raw_socket(demo.address.url, token) as socket:
        return [found["id"] for found in await socket.ask("auth/refresh_tokens") if found["client_id"] == address]


async def everything_kept(house: House) -> str:
    """Return all that the database holds, as text."""
    assert house.desk
    database = house.desk.people._database

    def read(connection):
        return [str(connection.execute(select(table)).all()) for table in metadata.sorted_tables]

    return "\n".join(await database.read(read))


async def test_an_administrator_becomes_owner(page, address, demo, house):
    await sign_in(page, address, demo, "owner")
    await expect(page.locator("dl")).to_contain_text("Robin")
    await expect(page.locator("dl")).to_contain_text("owner")
    assert await tokens_left(demo, demo.address.token, f"{address}/") == []


async def test_somebody_else_becomes_member_and_no_token_of_theirs_is_left_anywhere(page, address, demo, house):
    seen = []
    page.on("response", lambda answer: seen.append(answer.url))
    await sign_in(page, address, demo, "member")
    await expect(page.locator("dl")).to_contain_text("Sam")
    await expect(page.locator("dl")).to_contain_text("member")
    assert await tokens_left(demo, demo.address.member_token, f"{address}/") == []
    kept = await everything_kept(house)
    assert "Sam" in kept
    assert "eyJ" not in kept
    [code] = {found[1] for url in seen if (found := re.search(r"[?&]code=([^&]+)", url))}
    assert code not in kept


async def test_at_two_ports_of_one_machine_two_people_are_signed_in_at_once(page, context, demo, house):
    async with served(house) as one, served(house) as other:
        await sign_in(page, one, demo, "owner")
        second = await context.new_page()
        await sign_in(second, other, demo, "member")
        await page.reload()
        await expect(page.locator("dl")).to_contain_text("Robin")
        await expect(second.locator("dl")).to_contain_text("Sam")


async def test_under_a_prefix_of_a_proxy_that_is_known_the_whole_way_works(page, address, demo, house, context):
    async with under_prefix(address, "/steward", source="127.0.0.3", X_Forwarded_Prefix="/steward") as front:
        await sign_in(page, front, demo, "owner")
        assert page.url == front
        [cookie] = [found for found in await context.cookies() if "homesteward" in found["name"]]
        assert (cookie["path"], cookie["httpOnly"], cookie["sameSite"]) == ("/steward/", True, "Lax")
        await sign_out(page)
        await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_in_home_assistants_panel_it_says_who_somebody_is(page, address, demo, house):
    path = "/api/hassio_ingress/abc"
    async with raw_socket(demo.address.url, demo.address.member_token) as socket:
        user = await socket.ask("auth/current_user")
    said = {"X_Ingress_Path": path, "X_Remote_User_Id": user["id"], "X_Remote_User_Display_Name": "Sam"}
    async with under_prefix(address, path, source="127.0.0.2", **said) as panel:
        await page.goto(panel)
        await expect(page.locator("dl")).to_contain_text("Sam")
        await expect(page.locator("dl")).to_contain_text("member")
    async with under_prefix(address, path, source="127.0.0.9", **said) as forged:
        await page.goto(forged)
        await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_signing_out_ends_it_also_for_a_cookie_that_was_copied(page, address, demo, house, context):
    await sign_in(page, address, demo, "member")
    copied = await context.cookies()
    await sign_out(page)
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    await context.add_cookies(copied)
    await page.goto(address)
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_a_cookie_that_was_planted_before_is_not_the_session_afterwards(page, address, demo, house, context):
    await context.add_cookies(
        [{"name": f"homesteward-session-{address.rpartition(':')[2]}", "value": "a.b.c", "url": address}]
    )
    await sign_in(page, address, demo, "member")
    [cookie] = [found for found in await context.cookies() if "session" in found["name"]]
    assert cookie["value"] != "a.b.c"


async def test_coming_back_from_a_sign_in_that_was_not_begun_here_signs_nobody_in(page, address, demo, house):
    await page.goto(f"{address}/auth/callback?code=1234&state=5678")
    await expect(page.get_by_role("heading", name="Not signed in")).to_be_visible()
    await page.get_by_role("link", name="Back to the start").click()
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
async def test_no_page_is_wider_than_its_window(page, address, demo, house, tmp_path, scheme, width):
    await page.set_viewport_size({"width": width, "height": 800})
    await page.emulate_media(color_scheme=scheme)
    folder = Path(PICTURES or tmp_path)
    for name, path in (("signed-out", "/"), ("set-up", "/auth/set-up"), ("trouble", "/auth/callback")):
        await page.goto(f"{address}{path}")
        await looked_at(page, folder / f"{name}-{scheme}-{width}.png", width)
    await sign_in(page, address, demo, "owner")
    await looked_at(page, folder / f"signed-in-{scheme}-{width}.png", width)


async def looked_at(page: Page, picture: Path, width: int) -> None:
    await page.screenshot(path=picture)
    assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_the_first_owner_is_set_up_with_the_code_from_the_log(page, address, demo, house, caplog):
    await page.goto(address)
    await page.get_by_role("link", name="one-time code").click()
    await page.get_by_role("button", name="Write another one to the log").click()
    await page.get_by_label("Your name").fill("Robin")
    await page.get_by_label("One-time code").fill("AAAA-AAAA")
    await page.get_by_role("button", name="Become the owner").click()
    await expect(page.get_by_role("alert")).to_contain_text("not the code")
    await page.get_by_label("One-time code").fill(caplog.text.rpartition("code: ")[2][:9])
    await page.get_by_role("button", name="Become the owner").click()
    await expect(page.locator("dl")).to_contain_text("owner")
