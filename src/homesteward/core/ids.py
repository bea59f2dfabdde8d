"""Identifiers that sort by the time they were made."""

from datetime import UTC, datetime
from uuid import UUID, uuid7


def new_id(prefix: str) -> str:
    """Return a new id such as `plan_0199...`: the prefix, then a UUIDv7 in hex, so that ids sort by age."""
    return f"{prefix}_{uuid7().hex}"


def born(made: str) -> datetime | None:
    """Return when an id of `new_id` was made, in UTC; None for any other text."""
    try:
        inner = UUID(made.rpartition("_")[2])
    except ValueError:
        return None
    return datetime.fromtimestamp(inner.time / 1000, UTC) if inner.version == 7 else None
