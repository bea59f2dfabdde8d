"""Texts that every database can take: Home Assistant's states and names may hold what PostgreSQL has no place for, and SQLite keeps.

What was told stays told: the character goes, the record does not.
"""

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, cast

from homesteward.chronicle.record import Context, Outage, Record, StateChange
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.model import EMPTY

INSTEAD = "\N{REPLACEMENT CHARACTER}"
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # NUL, and halves of a character that stand alone


def storable_text(text: str) -> str:
    """Return the text with a mark in place of each character that no database takes."""
    if text.isascii() and "\0" not in text:
        return text  # nearly every text there is
    return _UNSTORABLE.sub(INSTEAD, text)


def is_storable(text: str) -> bool:
    """Return whether every database can take the text, and so whether any of them can hold it."""
    return storable_text(text) == text


def storable[R: Record](record: R) -> R:
    """Return the record with such texts only, its entities and attributes included; the same one where nothing is to be done."""
    if isinstance(record, StateChange) and _is_plain(record):
        return record
    changed = {}
    for field in fields(cast("Any", record)):
        value = getattr(record, field.name)
        clean = _clean(value)
        if clean != value:
            changed[field.name] = clean
    return cast("R", replace(cast("Any", record), **changed)) if changed else record


def storable_outage(outage: Outage) -> Outage:
    """Return the outage with a reason that every database takes."""
    return replace(outage, reason=storable_text(outage.reason))


def _is_plain(change: StateChange) -> bool:
    """Return whether there is nothing in a change that would have to be looked at closely: seen at once, for each change of the house."""
    for text in (change.entity_id, change.new, change.old):
        if text is not None and not (text.isascii() and "\0" not in text):
            return False
    context = change.context
    if context is not None and not (context.id.isascii() and (context.user_id or "").isascii()):
        return False
    attributes = change.attributes
    return attributes is EMPTY or all(_is_simple(value) for value in attributes.values())


def _is_simple(value: object) -> bool:
    if isinstance(value, str):
        return value.isascii() and "\0" not in value
    return value is None or isinstance(value, int | float)


def _clean(value: object) -> object:
    match value:
        case str():
            return storable_text(value) if type(value) is str else value  # a word of a table of ours is no text
        case Context():
            user = storable_text(value.user_id) if value.user_id else value.user_id
            parent = storable_text(value.parent_id) if value.parent_id else value.parent_id
            return Context(storable_text(value.id), parent, user)
        case tuple() | list():
            return type(value)(_clean(part) for part in value)
        case Mapping():
            return _clean_object(cast("JsonObject", value))
        case _:
            return value


def _clean_object(value: JsonObject) -> JsonObject:
    return {storable_text(str(key)): cast("JsonValue", _clean(part)) for key, part in value.items()}
