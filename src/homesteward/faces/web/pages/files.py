"""The files that pages need: read once, each under the hash of what is in it, so that a browser keeps it until it is another."""

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from homesteward.core.errors import HomestewardError

STATIC = Path(__file__).parent / "static"
STYLE = "homesteward.css"
STYLES = (
    "tokens",
    "base",
    "frame",
    "parts",
    "plans",
    "home",
    "ask",
    "actions",
    "chronicle",
    "house",
    "policy",
)  # in the order of the cascade
SCRIPT = "htmx.js"
SCRIPTS = (
    "htmx.min.js",
    "hx-sse.min.js",
)  # one file: htmx begins as soon as it is there, and would not wait for a second
MEDIA = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
FOLDERS = ("", "vendor", "modules")
FOR_GOOD = "public, max-age=31536000, immutable"  # under its hash
ASK_AGAIN = "public, no-cache"
PACKED_FROM = 1000  # bytes; what is shorter grows


class UnknownFileError(HomestewardError):
    """There is no such file."""

    code = "not_found"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, ready to be sent: as it is and, where that is shorter, packed."""

    body: bytes
    packed: bytes | None
    media: str
    tag: str


def address_of(name: str) -> str:
    """Return where a file is, from the front page; the address is another whenever the file is."""
    return f"static/{name}?v={_asset(name).tag}"


def file_answer(name: str, request: Request) -> Response:
    """Return a file that the pages need; raise UnknownFileError for any other name."""
    asset = _asset(name)
    named = request.query_params.get("v") == asset.tag
    headers = {
        "etag": f'"{asset.tag}"',
        "vary": "accept-encoding",
        "cache-control": FOR_GOOD if named else ASK_AGAIN,
    }
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    body = asset.body
    if asset.packed and "gzip" in request.headers.get("accept-encoding", ""):
        body = asset.packed
        headers["content-encoding"] = "gzip"
    return Response(body, media_type=asset.media, headers=headers)


def _asset(name: str) -> Asset:
    try:
        return assets()[name]
    except KeyError:
        raise UnknownFileError("There is no such file.", next="See the front page.") from None


@cache
def assets() -> Mapping[str, Asset]:
    """Return every file by its name."""
    found = dict(_found())
    style = b"\n".join((STATIC / "styles" / f"{part}.css").read_bytes() for part in STYLES)
    script = b";\n".join(found.pop(name) for name in SCRIPTS)
    return {name: _made(name, body) for name, body in {**found, STYLE: style, SCRIPT: script}.items()}


def _found() -> Iterator[tuple[str, bytes]]:
    for folder in FOLDERS:
        for path in sorted((STATIC / folder).iterdir()):
            if path.suffix in MEDIA:
                yield path.name, path.read_bytes()


def _made(name: str, body: bytes) -> Asset:
    packed = gzip.compress(body, mtime=0) if len(body) >= PACKED_FROM else body
    shorter = packed if len(packed) < len(body) else None
    return Asset(body, shorter, MEDIA[Path(name).suffix], sha256(body).hexdigest()[:12])
