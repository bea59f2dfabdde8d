"""Decisions as a page tells them: their words, their icons, and the counts of a look back as bars."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from homesteward.actions.lookback import Judged, LookBack
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.states import Look, Tone
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.policy import Action, Decision

LOOKS: Mapping[Action, Look] = {
    Action.ALLOW: Look(N_("Done at once"), "check", Tone.GOOD),
    Action.CONFIRM: Look(N_("Asked back first"), "help", Tone.CALM),
    Action.APPROVE: Look(N_("Waits for approval"), "waits", Tone.WAITS),
    Action.DENY: Look(N_("Refused"), "no", Tone.BAD),
}
MOST_SHOWN = 100  # calls in the table
WIDE, HIGH = 640, 160  # of the chart, in its own units
WIDEST = 40  # a bar
MOST_BARS = 31


@dataclass(frozen=True, slots=True)
class Bar:
    """A piece of the chart: of which action, where, and what it says."""

    action: str
    x: float
    y: float
    width: float
    height: float
    says: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Calls by day, one piece per action; `top` is the most of a day, `marks` the days that are named below."""

    bars: tuple[Bar, ...]
    top: int
    marks: tuple[tuple[float, str], ...]
    width: int = WIDE
    height: int = HIGH


@dataclass(frozen=True, slots=True)
class PastRow:
    """One call of the past: what became of it, and what would."""

    at: Moment
    service: str
    things: str
    who: str
    became: str
    then: Look | None
    now: Look
    rule: str
    changed: bool


@dataclass(frozen=True, slots=True)
class PastTold:
    """A span of the past as rules judge it."""

    judged: int
    not_judged: int
    changed: int
    truncated: bool
    counts: tuple[tuple[Look, int, int], ...]
    rules: tuple[tuple[str, int], ...]
    unused: tuple[str, ...]
    rows: tuple[PastRow, ...]
    more: int
    chart: Chart | None


def past_told(found: LookBack, visit: Visit) -> PastTold:
    """Return a look back for whoever visits."""
    known = [(each, each.now) for each in found.calls if each.now is not None]
    then = Counter(each.past.then.action for each in found.calls if each.past.then)
    now = Counter(decision.action for each, decision in known)
    telling = [(each, decision) for each, decision in known if each.changed or decision.action is not Action.ALLOW]
    return PastTold(
        judged=len(known),
        not_judged=len(found.calls) - len(known),
        changed=sum(each.changed for each in found.calls),
        truncated=found.truncated,
        counts=tuple((LOOKS[action], then[action], now[action]) for action in Action),
        rules=tuple(Counter(decision.rule for _, decision in known).most_common(MOST_SHOWN)),
        unused=found.unused,
        rows=tuple(_row(each, decision, visit) for each, decision in telling[::-1][:MOST_SHOWN]),
        more=max(0, len(telling) - MOST_SHOWN),
        chart=_chart(found, visit) if known else None,
    )


def _row(each: Judged, now: Decision, visit: Visit) -> PastRow:
    past, names = each.past, [_name(visit, entity_id) for entity_id in each.past.call.entity_ids]
    return PastRow(
        at=visit.when(past.at),
        service=past.call.id,
        things=", ".join(names[:3]) + (f" +{len(names) - 3}" if len(names) > 3 else ""),
        who=past.caller.person or past.by,
        became=past.became,
        then=LOOKS[past.then.action] if past.then else None,
        now=LOOKS[now.action],
        rule=now.rule,
        changed=each.changed,
    )


def _name(visit: Visit, entity_id: str) -> str:
    state = visit.home.states.get(entity_id)
    return state.name if state else entity_id


def _chart(found: LookBack, visit: Visit) -> Chart:
    zone = ZoneInfo(visit.home.config.time_zone)
    last = found.until.astimezone(zone).date()
    first = max(found.since.astimezone(zone).date(), last - timedelta(days=MOST_BARS - 1))
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    counted = _by_day(found.calls, zone)
    top = max((sum(counted.get(day, Counter()).values()) for day in days), default=0) or 1
    step = WIDE / len(days)
    bars: list[Bar] = []
    for n, day in enumerate(days):
        bars += _day_bars(counted.get(day, Counter()), visit.local.short_day(day), n * step, step, top, visit)
    every = max(1, len(days) // 5)
    marks = tuple((round((n + 0.5) * step, 1), visit.local.short_day(days[n])) for n in range(0, len(days), every))
    return Chart(tuple(bars), top, marks)


def _by_day(calls: Iterable[Judged], zone: ZoneInfo) -> dict[date, Counter[Action]]:
    counted: dict[date, Counter[Action]] = {}
    for each in calls:
        if each.now:
            counted.setdefault(each.past.at.astimezone(zone).date(), Counter())[each.now.action] += 1
    return counted


def _day_bars(counts: Counter[Action], day: str, x: float, step: float, top: int, visit: Visit) -> list[Bar]:
    bars, y = [], float(HIGH)
    for action in Action:
        if height := counts[action] / top * HIGH:
            y -= height
            says = f"{day}: {visit.say(LOOKS[action].word)} {visit.local.number(counts[action])}"
            width = min(step - 2, WIDEST)
            bars.append(
                Bar(
                    action.value, round(x + (step - width) / 2, 1), round(y, 1), round(width, 1), round(height, 1), says
                )
            )
    return bars
