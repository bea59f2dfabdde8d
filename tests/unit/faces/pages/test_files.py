"""What pages load: nothing that is not on record, nothing from elsewhere, little, and only what is used."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from homesteward.faces.web.pages.files import STATIC, STYLE, address_of, assets
from homesteward.people import Role

PAGES = STATIC.parent
MOST_FIRST = 150_000  # bytes that the first page may take with everything that it loads
ELSEWHERE = re.compile(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}")


def ours() -> list[Path]:
    """Everything that we wrote and a browser reads."""
    folders = (STATIC / "modules", STATIC / "styles", PAGES / "templates")
    return [path for folder in folders for path in folder.iterdir() if path.is_file()]


def test_every_vendored_file_is_the_one_on_record_with_its_licence():
    listed = json.loads((STATIC / "vendor" / "manifest.json").read_text())
    found = {path.name for path in (STATIC / "vendor").iterdir()} - {"manifest.json"}
    assert found == set(listed)
    for name, entry in listed.items():
        assert sha256((STATIC / "vendor" / name).read_bytes()).hexdigest() == entry["sha256"], name
        assert entry["licence"]
        assert entry["version"]


def test_every_icon_that_is_used_is_in_the_sprite_and_no_other():
    table = json.loads((PAGES / "icons.json").read_text())
    sprite = set(re.findall(r'id="i-(\w+)"', (PAGES / "templates" / "icons.svg").read_text()))
    texts = {path: path.read_text() for path in [*ours(), *PAGES.glob("*.py")] if path.suffix in {".py", ".html"}}
    named = {name for text in texts.values() for name in re.findall(r'(?:icon|empty|chip)\("(\w+)"', text)}
    said = {word for text in texts.values() for word in re.findall(r'"(\w+)"', text)}
    assert sprite == set(table), "run scripts/icons"
    assert named <= sprite
    assert sprite <= said


def test_nothing_is_loaded_from_elsewhere():
    for path in ours():
        found = ELSEWHERE.findall(path.read_text())
        assert found == [], path.name


def test_no_template_holds_a_script_a_style_or_a_handler_of_its_own():
    for path in (PAGES / "templates").glob("*.html"):
        text = re.sub(r"\{%.*?%\}", "", path.read_text(), flags=re.DOTALL)
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|hx-on|javascript:", text), path.name
        assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text)), path.name


async def test_a_file_under_its_hash_is_kept_for_good_and_any_other_is_asked_for_again(household):
    async with household.client() as client:
        kept = await client.get(f"/{address_of(STYLE)}")
        again = await client.get(f"/static/{STYLE}", headers={"if-none-match": kept.headers["etag"]})
        old = await client.get(f"/static/{STYLE}?v=older")
    assert "immutable" in kept.headers["cache-control"]
    assert (again.status_code, again.text) == (304, "")
    assert old.headers["cache-control"] == "public, no-cache"
    assert old.text == kept.text


@pytest.mark.parametrize("name", ["%2e%2e%2ffiles.py", "manifest.json", "htmx.LICENSE", "nothing.js", "tokens.css"])
async def test_a_file_that_is_not_on_the_list_is_not_there(household, name):
    async with household.client() as client:
        answer = await client.get(f"/static/{name}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_the_first_page_with_everything_it_loads_is_small(household):
    somebody = await household.person(Role.OWNER)
    async with household.client(somebody) as client:
        page = await client.get("/", headers={"accept-encoding": "gzip"})
        loaded = re.findall(r'(?:src|href)="\./(static/[^"]+)"', page.text)
        sizes = {address: await transferred(client, address) for address in dict.fromkeys(loaded)}
    assert {"static/icon.svg"} < set(sizes)
    assert len(page.content) + sum(sizes.values()) <= MOST_FIRST, sizes


async def transferred(client, address: str) -> int:
    """Return how many bytes a file takes on its way: packed, where it is."""
    name = address.removeprefix("static/").partition("?")[0]
    assert (await client.get(f"/{address}")).status_code == 200
    asset = assets()[name]
    return len(asset.packed or asset.body)
