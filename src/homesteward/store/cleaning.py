"""What an entry of the audit may hold: plain JSON, without secrets, bounded. Nothing that is handed in can make taking it down fail."""

from collections.abc import Iterable, Mapping

from homesteward.core import json
from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.redaction import Redactor

MAX_WORD, MAX_DATA, MAX_DEPTH = 500, 65_536, 20  # characters of who and what; bytes and nesting of an entry's data
WHOLE = range(-(2**63), 2**63)  # what JSON and both databases can hold


def clean_word(text: str, redactor: Redactor) -> str:
    """Return `text` without secrets and without what PostgreSQL refuses, cut to 500 characters."""
    cleaned = redactor.clean(text).replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()
    return cleaned if len(cleaned) <= MAX_WORD else f"{cleaned[: MAX_WORD - 1]}…"


def clean_data(data: JsonObject, redactor: Redactor) -> JsonObject:
    """Return `data` as plain JSON without secrets. Data over 64 KiB is left out, and how long it was is said in its place."""
    plain = {_text(key, redactor): _plain(value, redactor, 1) for key, value in data.items()}
    size = len(json.dumps(plain).encode())
    return plain if size <= MAX_DATA else {"left_out_bytes": size}


def _plain(value: object, redactor: Redactor, depth: int) -> JsonValue:
    if depth >= MAX_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        return {_text(key, redactor): _plain(held, redactor, depth + 1) for key, held in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [_plain(held, redactor, depth + 1) for held in value]
    if value is None or isinstance(value, bool | float) or (type(value) is int and value in WHOLE):
        return value
    return _text(value, redactor)


def _text(value: object, redactor: Redactor) -> str:
    return redactor.clean(str(value)).encode(errors="replace").decode()
