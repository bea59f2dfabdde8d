"""What a test judges by: a moment, presets, and rules as an owner would write them."""

from datetime import datetime
from textwrap import dedent
from zoneinfo import ZoneInfo

from homesteward.people import Caller, Channel, Role
from homesteward.policy import Circumstances, Policy, Preset, RuleBook, parse_rules

VIENNA = ZoneInfo("Europe/Vienna")
OWNER, MEMBER, GUEST = (Caller(role, Channel.CLI, role.value) for role in (Role.OWNER, Role.MEMBER, Role.GUEST))


def at(text: str = "2026-11-30 12:00", **more: object) -> Circumstances:
    """Return the circumstances of a moment in Vienna; a Monday at noon where none is named."""
    return Circumstances(datetime.fromisoformat(text).replace(tzinfo=VIENNA), **more)


NOON = at()


def by(preset: Preset = Preset.FAMILY) -> Policy:
    """Return the policy that is a preset alone."""
    return Policy(preset)


def ruled(text: str, preset: Preset = Preset.FAMILY, unit: str = "°C") -> Policy:
    """Return the policy of rules and limits as they stand in a file, without its first line."""
    file = parse_rules("version: 1\n" + dedent(text))
    return Policy(Preset(file.preset) if file.preset else preset, RuleBook(file), temperature_unit=unit)
