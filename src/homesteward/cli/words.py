"""What people type: somebody by name or id, a moment or a time from now, a PIN that nobody else reads, and files."""

import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import typer

from homesteward.core.errors import HomestewardError
from homesteward.core.json import loads
from homesteward.core.text import fold

FROM_NOW = re.compile(r"(\d{1,4})\s*([hdw])")
UNITS = {"h": "hours", "d": "days", "w": "weeks"}
UNTIL = "A time from now such as 12h, 3d or 2w, or a date and time such as 2027-01-05T11:00, in local time."


def one_of(items: Sequence[Mapping[str, Any]], who: str, what: str) -> Mapping[str, Any]:
    """Return the item with the id or, where only one has it, the name `who`; raise a HomestewardError that says which there are."""
    found = [item for item in items if item["id"] == who] or [
        item for item in items if fold(str(item["name"])) == fold(who)
    ]
    if len(found) == 1:
        return found[0]
    known = ", ".join(f"{item['name']} ({item['id']})" for item in found or items) or "none"
    if found:
        raise HomestewardError(
            f"More than one {what} has the name {who!r}.", code="bad_usage", next=f"Use the id: {known}."
        )
    raise HomestewardError(f"There is no {what} {who!r}.", code=f"unknown_{what}", next=f"There are: {known}.")


def moment(text: str) -> str | None:
    """Return the moment that was typed, in ISO form with its zone; None for nothing. A callback of Typer's."""
    if not text:
        return None
    if match := FROM_NOW.fullmatch(text.strip()):
        return (datetime.now(UTC) + timedelta(**{UNITS[match[2]]: int(match[1])})).isoformat()
    try:
        return datetime.fromisoformat(text).astimezone().isoformat()
    except ValueError, OverflowError:
        raise typer.BadParameter(f"{text!r} is no time; {UNTIL}") from None


def typed_pin() -> str:
    """Return a PIN, typed as a secret is."""
    return typed_secret("PIN")


def typed_secret(what: str) -> str:
    """Return a secret: asked for twice without showing it, or one line of standard input where nobody sits at it."""
    if sys.stdin.isatty():
        return str(typer.prompt(what, hide_input=True, confirmation_prompt=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


async def read_text(file: Path) -> str:
    """Return the text of a file; raise bad_usage where it cannot be read."""
    return _read(file).decode(errors="replace")


def read_json(file: Path) -> dict[str, Any]:
    """Return the JSON object in a file; raise bad_usage."""
    return parse_json(_read(file), str(file))


def parse_json(text: str | bytes, what: str) -> dict[str, Any]:
    """Return the JSON object in `text`; raise bad_usage naming `what`."""
    try:
        value = loads(text)
    except ValueError as error:
        raise HomestewardError(
            f"{what} is not JSON: {error}.", code="bad_usage", next="Write one JSON object."
        ) from None
    if not isinstance(value, dict):
        raise HomestewardError(f"{what} must be a JSON object.", code="bad_usage", next="Write {...}.")
    return value


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise HomestewardError(
            f"{file} cannot be read: {error.strerror}.", code="bad_usage", next="Check the path."
        ) from None
