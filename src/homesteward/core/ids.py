"""Identifiers that sort by the time they were made."""

from uuid import uuid7


def new_id(prefix: str) -> str:
    """Return a new id such as `plan_0199...`: the prefix, then a UUIDv7 in hex, so that ids sort by age."""
    return f"{prefix}_{uuid7().hex}"
