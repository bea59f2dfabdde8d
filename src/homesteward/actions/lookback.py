"""How rules would have judged what was done: past calls, at the moment and in the states of then, as far as those are known."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from homesteward.actions.frequency import Frequency
from homesteward.actions.gate import Gate
from homesteward.actions.past_calls import PastCall, RoleOf, past_calls, rows_between
from homesteward.actions.plan import decision_json
from homesteward.actions.timeline import Timeline, timeline_of, with_timeline
from homesteward.chronicle.history import History
from homesteward.chronicle.moments import HouseAt, Known
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.live import LiveHome
from homesteward.home.model import State
from homesteward.home.then import HomeThen
from homesteward.policy import Action, Circumstances, Decision, Policy, decide
from homesteward.policy.circumstances import SUN
from homesteward.policy.impact import reached
from homesteward.policy.rule import When

MAX_CALLS = 5000  # judged at once, the newest
MAX_SHOWN = 200  # calls that are listed; all are counted
MAX_PLANS = 500
BEFORE = timedelta(microseconds=1)  # what a call changed may have the very moment of the call
NOTES = (
    "Areas, labels, groups, scripts and automations are judged as they are now: how they were then is not remembered.",
    "The mode is taken as auto, and text from outside as not read: neither is remembered with a call.",
    "Calls of others are judged as if they had been asked for here; rules do not stop what Home Assistant does by itself.",
)

type HouseThen = Callable[[datetime, frozenset[str]], Awaitable[HouseAt]]
"""Give the states of some entities at a moment."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A past call and what would become of it; None where nobody can say, for a thing that is no more. `unknown`: whose state then is not known."""

    past: PastCall
    now: Decision | None
    unknown: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Return whether it was decided otherwise then."""
        return bool(self.past.then and self.now and self.past.then.action is not self.now.action)


@dataclass(frozen=True, slots=True)
class LookBack:
    """A span of time, judged; `unused` are the rules that judged nothing in it."""

    since: datetime
    until: datetime
    calls: tuple[Judged, ...]
    unused: tuple[str, ...]
    truncated: bool = False

    def as_json(self) -> JsonObject:
        """Return the counts, and of the calls those that are not simply allowed, or were decided otherwise then; the newest first."""
        known = [(each, each.now) for each in self.calls if each.now is not None]
        telling = [each for each, now in known if each.changed or now.action is not Action.ALLOW][::-1]
        rules = Counter(now.rule for _, now in known).most_common(MAX_SHOWN)
        return {
            "since": self.since.isoformat(),
            "until": self.until.isoformat(),
            "judged": len(known),
            "not_judged": len(self.calls) - len(known),
            "changed": sum(each.changed for each in self.calls),
            "truncated": self.truncated,
            "then": _counted(each.past.then.action for each in self.calls if each.past.then),
            "now": {
                "ours": _counted(now.action for each, now in known if each.past.ours),
                "others": _counted(now.action for each, now in known if not each.past.ours),
            },
            "rules": [{"rule": rule, "calls": n} for rule, n in rules],
            "unused": list(self.unused),
            "calls": [_call_json(each) for each in telling[:MAX_SHOWN]],
            "calls_left_out": max(0, len(telling) - MAX_SHOWN),
            "notes": list(NOTES),
        }


async def look_back(
    history: History, gate: Gate, home: LiveHome, policy: Policy, role_of: RoleOf, span: tuple[datetime, datetime]
) -> LookBack:
    """Judge by `policy` what was asked for within `span`: what we did or held back, and what others called."""
    rows, more = await rows_between(history, *span, MAX_CALLS)
    plans = await gate.plans(limit=MAX_PLANS)
    calls = await past_calls(rows, plans, span, role_of)
    timeline = await timeline_of(history, watched_by(policy, home), span)
    found = await judge_past(calls, home, policy, house_then(history, timeline), span)
    return replace(found, truncated=more or (len(plans) == MAX_PLANS and plans[-1].created > span[0]))


def house_then(history: History, timeline: Timeline) -> HouseThen:
    """Return how the chronicle tells of moments that only ever grow; what the timeline knows is not asked for again."""

    async def then(at: datetime, wanted: frozenset[str]) -> HouseAt:
        others = wanted - timeline.entity_ids
        return with_timeline(await history.home_at(at, others.__contains__), timeline, at)

    return then


def watched_by(policy: Policy, home: LiveHome) -> frozenset[str]:
    """Return the entities that conditions look at beside the thing itself."""
    return frozenset(_watched(policy, home))


async def judge_past(
    calls: Sequence[PastCall], home: LiveHome, policy: Policy, then: HouseThen, span: tuple[datetime, datetime]
) -> LookBack:
    """Judge `calls`, the oldest first, by `policy`; nothing is sent and nothing is written."""
    view, moment = HomeThen(home), _Moment(span[0])
    frequency, watched = Frequency(moment), watched_by(policy, home)
    zone = ZoneInfo(home.config.time_zone)
    policy = replace(policy, temperature_unit=home.config.temperature_unit)
    judged: list[Judged] = []
    for past in calls:
        moment.at = past.at
        wanted = watched | frozenset(_reached(past, home))
        known = (await then(past.at - BEFORE, wanted)).states
        view.show({entity_id: _state(entity_id, each, home) for entity_id, each in known.items()})
        at = Circumstances(past.at.astimezone(zone), counts=frequency.count)
        judged.append(Judged(past, _decided(past, view, policy, at), tuple(sorted(wanted - known.keys()))))
        if past.sent:
            frequency.sent(past.call, view, past.at)
    used = {each.now.rule for each in judged if each.now}
    unused = tuple(rule.name for rule in policy.book.rules if f"rule {rule.name}" not in used)
    return LookBack(*span, tuple(judged), unused)


def _decided(past: PastCall, view: HomeThen, policy: Policy, at: Circumstances) -> Decision | None:
    if any(entity_id not in view.states for entity_id in past.call.entity_ids):
        return None
    return decide(past.call, past.caller, view, policy, at)


def _reached(past: PastCall, home: LiveHome) -> Iterator[str]:
    for entity_id in past.call.entity_ids or (None,):
        yield from (found.at for found in reached(past.call, entity_id, home) if found.at)


def _watched(policy: Policy, home: LiveHome) -> Iterator[str]:
    conditions = [*(rule.when for rule in policy.book.rules), *(limit.when for limit in policy.book.limits)]
    for when in (inner for outer in conditions for inner in _nested(outer)):
        yield from when.state or ()
        if when.sun:
            yield SUN
        if when.presence:
            yield from (entity_id for entity_id in home.states if entity_id.startswith("person."))


def _nested(when: When) -> Iterator[When]:
    yield when
    if when.none_of:
        yield from _nested(when.none_of)


def _state(entity_id: str, known: Known, home: LiveHome) -> State:
    """Return the state of then; of the attributes, the chronicle keeps those that change, and the rest is as now."""
    now = home.states.get(entity_id) or State(entity_id, known.state)
    return replace(now, state=known.state, attributes={**now.attributes, **known.attributes})


def _counted(actions: Iterable[Action]) -> Mapping[str, JsonValue]:
    found = Counter(actions)
    return {action.value: found[action] for action in Action}


def _call_json(judged: Judged) -> JsonObject:
    past, now = judged.past, judged.now
    return {
        "at": past.at.isoformat(),
        "service": past.call.id,
        "entity_ids": list(past.call.entity_ids),
        "by": past.by,
        "who": past.caller.person,
        "role": past.caller.role.value,
        "became": past.became,
        "changed": judged.changed,
        "then": dict(decision_json(past.then)) if past.then else None,
        "now": dict(decision_json(now)) if now else None,
        "states_not_known": list(judged.unknown),
    }


class _Moment:
    """A clock that stands where the past is being looked at."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()
