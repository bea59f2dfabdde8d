"""Which things a call names in its data: by their ids, by their addresses, and where a text shows a camera's picture."""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from urllib.parse import unquote

from homesteward.core.json import JsonValue
from homesteward.home.script_syntax import templated
from homesteward.home.view import HomeView
from homesteward.policy.tables import ACTING_DOMAINS

MAX_UNQUOTED = 5  # times that one text is decoded; who encodes it oftener gets a link that nothing opens
CAMERA = re.compile(r"(?<![a-z0-9_])camera\.[a-z0-9_]+")
PICTURE = re.compile(r"/(camera\.[a-z0-9_]+)")  # in an address; an id alone in a message is a word
PICTURES = ("camera_proxy", "media-source://camera/")  # what the address of any picture goes by


def things_in(value: JsonValue, home: HomeView) -> Iterator[str]:
    """Yield the things that texts in `value` are the ids of, or the addresses of: a camera's picture is named by its path.

    A picture is found anywhere in a text, also where its address is encoded, for whatever shows the text follows it. Where a template makes
    the address it can be any camera's.
    """
    for text in _texts(value):
        if not any(sign in text for sign in (".", "%", "&", "camera_proxy")):
            continue
        plain = _decoded(text).lower()  # HA itself lowers an entity id before it looks it up
        for part in plain.split(","):
            named = part.strip().rpartition("/")[2].partition("?")[0].partition("#")[0]
            if named in home.states and named.partition(".")[0] in ACTING_DOMAINS:
                yield named
        if "camera" in plain:
            yield from _pictured(plain, home)


def _pictured(text: str, home: HomeView) -> Iterator[str]:
    made = templated(text)
    named = [each for each in (CAMERA if made else PICTURE).findall(text) if each in home.states]
    if not named and made and any(sign in text for sign in PICTURES):
        named = [each for each in home.states if each.startswith("camera.")]
    yield from named


def _decoded(text: str) -> str:
    """Return the text without the ways in which a web address or a page may write a character."""
    for _ in range(MAX_UNQUOTED):
        plain = unescape(unquote(text)) if "%" in text or "&" in text else text
        if plain == text:
            break
        text = plain
    return text


def _texts(value: JsonValue) -> Iterator[str]:
    """Yield every text in `value` and every name of a field, at any depth."""
    pending: list[JsonValue] = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, Mapping):
            yield from each
            pending += each.values()
        elif isinstance(each, list | tuple):
            pending += each
