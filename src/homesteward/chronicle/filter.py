"""What is worth a row, change after change: the rules applied, and what was kept last remembered.

Each entity has its plan and its bounds laid ready, so that what is dropped costs next to nothing.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan, nan

from homesteward.chronicle.attributes import ON_THE_WAY, differ, kept_of
from homesteward.chronicle.filter_rules import OwnerRules, Plan, Rule, number_of, plan_for, span_of
from homesteward.chronicle.filter_tables import Deadband, unit_of
from homesteward.chronicle.memory import UNIT, Logged, Memory
from homesteward.core.json import JsonObject
from homesteward.home.model import EMPTY, State


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
        last = number_of(logged.state)
        if not isnan(last) and unit_of(logged.unit) != unit_of(self.named[0]):
            return
        self.state = logged.state
        self.moved = bool(differ(self.domain, logged.kept, self.kept, known=known))
        if self.plan.deadband and not isnan(last):
            self.low, self.high = span_of(self.plan.deadband, last)
            self.banded = True


def _words(plan: Plan, unit: str, last: str | None) -> str:
    kept_last = f" The last one kept was {last}." if last is not None else ""
    if plan.drops:
        return f"Nothing of it is kept: {plan.reason}."
    if plan.deadband is None:
        return f"Every change of its state is kept: {plan.reason}.{kept_last}"
    amount = f"{plan.deadband.amount:.0%}" if plan.deadband.relative else f"{plan.deadband.amount:g} {unit}".strip()
    return f"A number is kept once it is {amount} or more from the last one kept, and every word: {plan.reason}.{kept_last}"
