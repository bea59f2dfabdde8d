"""What is worth a row: the owner's rules, then the tables, then how far a number is from the last one that was kept.

The rules are pure functions over frozen data; `Filter` remembers what was kept last and has a plan per entity, so that what is dropped
costs next to nothing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from math import isnan, nan
from typing import Self

from homesteward.chronicle.attributes import ON_THE_WAY, differ, kept_of
from homesteward.chronicle.filter_tables import (
    NOISY_CLASSES,
    NOISY_DOMAINS,
    NOISY_SUFFIXES,
    NOISY_UNITS,
    Deadband,
    deadband_of,
    unit_of,
)
from homesteward.chronicle.memory import UNIT, Logged, Memory
from homesteward.core.json import JsonObject
from homesteward.home.model import EMPTY, State
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


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the changes of an entity are kept, in words: by which rule, how far it must move, and what was kept last."""

    kept: bool
    rule: Rule
    reason: str
    deadband: Deadband | None = None
    last_logged: str | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A change that is worth a row: the state kept before it, and what is kept of the attributes."""

    old: str | None
    attributes: JsonObject


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
    last, now = _number(logged.state), _number(state)
    same = isnan(last) or unit_of(logged.unit) == unit
    if same and state == logged.state:
        return False
    if plan.deadband is None or not same or isnan(last) or isnan(now):
        return True
    low, high = _span(plan.deadband, last)
    return not low < now < high


class Filter:
    """Keep or drop each change. `memory` is what was kept last; a branch of it judges another stretch of time on its own."""

    def __init__(self, rules: OwnerRules | None = None, memory: Memory | None = None) -> None:
        """Judge by `rules` and the tables, after what is in `memory`."""
        self.rules = rules or OwnerRules()
        self.memory = Memory() if memory is None else memory
        self._seats: dict[str, _Seat] = {}

    def branch(self, memory: Memory) -> Filter:
        """Return a filter with the same rules and another memory."""
        return Filter(self.rules, memory)

    def take(self, new: State, old: State | None = None, *, known: JsonObject | None = None) -> Kept | None:
        """Return what is kept of a change, and remember it; None for noise, and for what is as it was.

        `old` says what was there before where nothing was ever kept. `known` are the attributes of a source that leaves some out:
        what is not in them did not change.
        """
        seat = self._seats.get(new.entity_id)
        if seat is None or seat.attributes is not new.attributes:
            seat = self._seated(seat, new, known)
        state = new.state
        if seat.drops or (state == seat.state and not (seat.moved and state not in seat.passing)):
            seat.dropped += 1
            return None
        if seat.banded and not seat.moved:
            try:
                number = float(state)
            except ValueError:
                number = nan
            if seat.low < number < seat.high:
                seat.dropped += 1
                return None
        return self._keep(seat, new, old)

    def gone(self, entity_id: str, last: State | None = None) -> Kept | None:
        """Return what is kept of an entity's end, and remember it; None where nothing of it is ever kept."""
        logged = self.memory.get(entity_id)
        if self._plan(last or State(entity_id, "")).drops or (logged is not None and logged.state is None):
            return None
        self.note(entity_id, Logged(None))
        return Kept(logged.state if logged else last.state if last else None, EMPTY)

    def note(self, entity_id: str, logged: Logged) -> None:
        """Take what was kept of an entity by somebody else."""
        self.memory.put(entity_id, logged)
        if seat := self._seats.get(entity_id):
            seat.attributes = None

    def wanted(self, state: State) -> bool:
        """Return whether changes of this entity may ever be kept."""
        return not self._plan(state).drops

    def explain(self, state: State) -> Verdict:
        """Return, in plain words, what is done with the changes of an entity that is as in `state`, and why."""
        plan, logged = self._plan(state), self.memory.get(state.entity_id)
        unit = unit_of(state.attributes.get(UNIT))
        last = logged.state if logged else None
        return Verdict(not plan.drops, plan.rule, _words(plan, unit, last), plan.deadband, last)

    def counts(self) -> Mapping[str, Mapping[str, int]]:
        """Return how many changes were kept and dropped since the start, by rule."""
        kept, dropped = Counter[str](), Counter[str]()
        for seat in self._seats.values():
            kept[seat.plan.rule] += seat.kept_rows
            dropped[seat.plan.rule] += seat.dropped
        return {"kept": dict(kept), "dropped": dict(dropped)}

    def _plan(self, state: State) -> Plan:
        attributes = state.attributes
        device_class = str(attributes.get("device_class") or "")
        return plan_for(state.entity_id, unit_of(attributes.get(UNIT)), device_class, self.rules)

    def _seated(self, seat: _Seat | None, new: State, known: JsonObject | None) -> _Seat:
        """Return the entity's seat for the attributes that it has now."""
        attributes = new.attributes
        named = attributes.get(UNIT), attributes.get("device_class")
        if seat is None or seat.named != named:
            before, seat = seat, _Seat(self._plan(new), named, new.domain)
            if before:
                seat.dropped, seat.kept_rows = before.dropped, before.kept_rows
            self._seats[new.entity_id] = seat
        seat.attributes = attributes
        if not seat.drops:
            seat.kept = kept_of(seat.domain, attributes)
            seat.measure_from(self.memory.get(new.entity_id), known)
        return seat

    def _keep(self, seat: _Seat, new: State, old: State | None) -> Kept:
        logged = self.memory.get(new.entity_id)
        before = logged.state if logged else old.state if old else None
        now = Logged(new.state, seat.kept, new.last_updated)
        self.memory.put(new.entity_id, now)
        seat.measure_from(now, None)
        seat.kept_rows += 1
        return Kept(before, seat.kept)


NEVER = "\0"  # no state of Home Assistant's


class _Seat:
    """The plan of one entity, and what its next change is measured against, laid ready."""

    __slots__ = (
        "attributes",
        "banded",
        "domain",
        "dropped",
        "drops",
        "high",
        "kept",
        "kept_rows",
        "low",
        "moved",
        "named",
        "passing",
        "plan",
        "state",
    )  # fmt: skip

    def __init__(self, plan: Plan, named: tuple[object, object], domain: str) -> None:
        self.plan, self.named, self.domain = plan, named, domain
        self.drops = plan.drops
        self.passing = ON_THE_WAY.get(domain, frozenset())
        self.attributes: JsonObject | None = None
        self.kept: JsonObject = EMPTY
        self.state: str | None = NEVER
        self.moved = False
        """Whether an attribute that matters is other than it was kept."""
        self.banded, self.low, self.high = False, nan, nan
        self.dropped = self.kept_rows = 0

    def measure_from(self, logged: Logged | None, known: JsonObject | None) -> None:
        """Lay ready what was kept last."""
        self.banded, self.moved, self.state = False, False, NEVER
        if logged is None or logged.state is None:
            return
        last = _number(logged.state)
        if not isnan(last) and unit_of(logged.unit) != unit_of(self.named[0]):
            return
        self.state = logged.state
        self.moved = bool(differ(self.domain, logged.kept, self.kept, known=known))
        if self.plan.deadband and not isnan(last):
            self.low, self.high = _span(self.plan.deadband, last)
            self.banded = True


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


def _number(state: str) -> float:
    """Return the state as a number, NaN where it is none."""
    try:
        return float(state)
    except ValueError:
        return nan


def _span(deadband: Deadband, last: float) -> tuple[float, float]:
    """Return the open span around `last` in which a number did not move far enough."""
    width = deadband.width(last)
    slack = TOLERANCE * max(1.0, abs(last), width)
    return last - width + slack, last + width - slack


def _words(plan: Plan, unit: str, last: str | None) -> str:
    kept_last = f" The last one kept was {last}." if last is not None else ""
    if plan.drops:
        return f"Nothing of it is kept: {plan.reason}."
    if plan.deadband is None:
        return f"Every change of its state is kept: {plan.reason}.{kept_last}"
    amount = f"{plan.deadband.amount:.0%}" if plan.deadband.relative else f"{plan.deadband.amount:g} {unit}".strip()
    return f"A number is kept once it is {amount} or more from the last one kept, and every word: {plan.reason}.{kept_last}"
