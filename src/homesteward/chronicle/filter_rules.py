"""The rules of what is worth a row: the owner's first, then the tables. Pure functions over frozen data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from math import isnan, nan
from typing import Self

from homesteward.chronicle.filter_tables import (
    NOISY_CLASSES,
    NOISY_DOMAINS,
    NOISY_SUFFIXES,
    NOISY_UNITS,
    Deadband,
    deadband_of,
    unit_of,
)
from homesteward.chronicle.memory import Logged
from homesteward.settings.settings import ChronicleSettings

MEASURING = (
    "sensor"  # what a person sets (a number, a switch) is never noise, and neither is what is on, open or locked
)
TOLERANCE = 1e-9  # 20.6 - 20.1 is a little less than 0.5 to a computer


class Rule(StrEnum):
    """What decided, in the order in which they are asked."""

    OWNER_KEEP = "owner keep"
    OWNER_DROP = "owner drop"
    OWNER_DEADBAND = "owner deadband"
    DOMAIN = "domain"
    SUFFIX = "suffix"
    DEVICE_CLASS = "device class"
    UNIT = "unit"
    DEADBAND = "deadband"
    EVERYTHING = "everything"


DROPPING = frozenset({Rule.OWNER_DROP, Rule.DOMAIN, Rule.SUFFIX, Rule.DEVICE_CLASS, Rule.UNIT})


@dataclass(frozen=True, slots=True)
class OwnerRules:
    """What the owner wants kept or not, by patterns of entity ids with `*` for any part; the first deadband that fits counts."""

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    deadbands: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: ChronicleSettings) -> Self:
        """Return the rules that the settings have."""
        return cls(settings.keep, settings.drop, settings.deadbands)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is done with the changes of one entity in one unit, by which rule and why."""

    rule: Rule
    reason: str
    deadband: Deadband | None = None

    @property
    def drops(self) -> bool:
        """Return whether nothing of the entity is ever kept."""
        return self.rule in DROPPING


def plan_for(entity_id: str, unit: str, device_class: str, rules: OwnerRules) -> Plan:
    """Return the plan for an entity. What an owner wants kept goes before what is to be dropped, both before any table."""
    if pattern := _first(rules.keep, entity_id):
        return Plan(Rule.OWNER_KEEP, f"chronicle.keep has {pattern}")
    if pattern := _first(rules.drop, entity_id):
        return Plan(Rule.OWNER_DROP, f"chronicle.drop has {pattern}")
    if pattern := _first(rules.deadbands, entity_id):
        return Plan(
            Rule.OWNER_DEADBAND, f"chronicle.deadbands has {pattern}", Deadband(float(rules.deadbands[pattern]))
        )
    return _by_tables(entity_id, unit, device_class)


def judge(plan: Plan, logged: Logged | None, state: str, unit: str) -> bool:
    """Return whether a state is worth a row after what was `logged`, its attributes left aside.

    The first state, words, and a number after a word or in another unit always are; a number that did not move far enough is not.
    """
    if plan.drops:
        return False
    if logged is None or logged.state is None:
        return True
    last, now = number_of(logged.state), number_of(state)
    same = isnan(last) or unit_of(logged.unit) == unit
    if same and state == logged.state:
        return False
    if plan.deadband is None or not same or isnan(last) or isnan(now):
        return True
    low, high = span_of(plan.deadband, last)
    return not low < now < high


def number_of(state: str) -> float:
    """Return the state as a number, NaN where it is none."""
    try:
        return float(state)
    except ValueError:
        return nan


def span_of(deadband: Deadband, last: float) -> tuple[float, float]:
    """Return the open span around `last` in which a number did not move far enough."""
    width = deadband.width(last)
    slack = TOLERANCE * max(1.0, abs(last), width)
    return last - width + slack, last + width - slack


def _by_tables(entity_id: str, unit: str, device_class: str) -> Plan:
    domain, _, object_id = entity_id.lower().partition(".")
    if domain in NOISY_DOMAINS:
        return Plan(Rule.DOMAIN, f"what a {domain} shows cannot be kept")
    if domain != MEASURING:
        return Plan(Rule.EVERYTHING, f"a {domain.replace('_', ' ')} is never noise")
    deadband = deadband_of(device_class, unit)
    if noise := _noise(object_id, device_class, "" if deadband else unit):
        return noise
    if deadband is None:
        return Plan(Rule.EVERYTHING, "no deadband is known for what it measures")
    return Plan(Rule.DEADBAND, f"the usual one for {device_class.replace('_', ' ') or f'what is in {unit}'}", deadband)


def _noise(object_id: str, device_class: str, unit: str) -> Plan | None:
    """Return the plan for what is about the device and not about the house, None for anything else."""
    bare = object_id.rstrip("0123456789").rstrip("_") if object_id[-1:].isdigit() else object_id
    suffix = next((end for end in NOISY_SUFFIXES if f"_{bare}".endswith(end)), "")
    about = "is about the device, not about the house"
    if suffix:
        return Plan(Rule.SUFFIX, f"an id that ends in {suffix} {about}")
    if device_class in NOISY_CLASSES:
        return Plan(Rule.DEVICE_CLASS, f"the device class {device_class} {about}")
    return Plan(Rule.UNIT, f"what is measured in {unit} {about}") if unit in NOISY_UNITS else None


def _first(patterns: Iterable[str], entity_id: str) -> str:
    return next((pattern for pattern in patterns if fnmatchcase(entity_id, pattern)), "")
