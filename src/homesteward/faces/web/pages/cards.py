"""The plan as a card: what would be done and to what, why it waits, what was seen, and what whoever looks may do about it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from homesteward.actions.foreseen import foreseen
from homesteward.actions.plan import Evidence, Needs, Plan, PlanState, Step, StepState
from homesteward.actions.rights import Deed, deeds_open
from homesteward.core.json import dumps, plain
from homesteward.faces.web.pages.deeds import YES, can_be_undone, takes_pin
from homesteward.faces.web.pages.differing import Line, read_difference
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.own_calls import is_english, seen_word, step_words, subject_words
from homesteward.faces.web.pages.states import STATUS_LOOK, Look, icon_of, plan_look, told_state
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.pages.worded import whose
from homesteward.home.reserved import is_reserved
from homesteward.language import describe
from homesteward.language.later import SCHEDULE
from homesteward.language.names import called
from homesteward.policy import Level

MOST_THINGS = 200  # entities of one step that are named; the rest is counted
IMPACTS = {
    Level.READ: N_("Only looks"),
    Level.ROUTINE: N_("Everyday"),
    Level.SENSITIVE: N_("Sensitive"),
    Level.CRITICAL: N_("Critical"),
}


@dataclass(frozen=True, slots=True)
class Thing:
    """One entity that a step is about: what it was, what it should become, and what was seen."""

    entity_id: str
    name: str
    icon: str
    before: str = ""
    expected: str = ""
    observed: str = ""
    look: Look | None = None
    at: Moment | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class StepCard:
    """One step: the call in words and exactly, and its things.

    `english`: the words are not in the language of the page. `lines` is what would be written, `ajar` what stands open, and
    `schedule` what it was kept as.
    """

    n: int
    text: str
    english: bool
    lines: tuple[Line, ...]
    ajar: tuple[str, ...]
    schedule: str
    service: str
    data: tuple[tuple[str, str], ...]
    things: tuple[Thing, ...]
    more: int
    reached: tuple[str, ...]
    reached_more: int
    path: tuple[str, ...]
    impact: str
    level: str
    reason: str
    rule: str
    error: str
    note: str
    outside: bool
    skipped: bool


@dataclass(frozen=True, slots=True)
class PlanCard:
    """A plan for whoever looks. `told` is what came of it, in words; `mine`: they asked for it themselves."""

    id: str
    title: str
    request: str
    who: str
    mine: bool
    look: Look
    told: str
    reason: str
    impact: str
    level: str
    created: Moment
    expires: Moment
    finished: Moment | None
    decided_by: str
    waits: bool
    over: bool
    can_approve: bool
    can_confirm: bool
    can_reject: bool
    can_resume: bool
    can_undo: bool
    takes_pin: bool
    steps: tuple[StepCard, ...]
    verified: int
    hash: str
    undoes: str
    schedule: str
    """The schedule whose time had come."""
    trouble: str = ""

    @property
    def can_choose(self) -> bool:
        """Return whether a part of it can be approved."""
        return self.can_approve and len(self.steps) > 1


def card_of(plan: Plan, visit: Visit, trouble: str = "") -> PlanCard:
    """Return the card of a plan that exists for whoever visits."""
    deeds = deeds_open(plan, visit.caller)
    level = max(step.decision.impact.level for step in plan.steps)
    steps = tuple(_step(step, plan.created, visit) for step in plan.steps)
    waits = plan.state is PlanState.WAITING
    seen = Counter(each.status.value for step in plan.steps for each in step.evidence)
    return PlanCard(
        id=plan.id,
        title=_title(steps),
        request=plan.request,
        who=whose(plan.caller, visit),
        mine=plan.caller.same_as(visit.caller),
        look=plan_look(plan),
        told="" if waits else describe([plan], visit.home, visit.language),
        reason=_named(plan, visit),
        impact=visit.say(IMPACTS[level]),
        level=level.word,
        created=visit.when(plan.created),
        expires=visit.when(plan.expires),
        finished=visit.when(plan.finished) if plan.finished else None,
        decided_by=plan.decided_by,
        waits=waits,
        over=plan.state not in UNDER_WAY,
        can_approve=Deed.APPROVE in deeds,
        can_confirm=Deed.CONFIRM in deeds,
        can_reject=Deed.REJECT in deeds,
        can_resume=Deed.RESUME in deeds,
        can_undo=can_be_undone(plan),
        takes_pin=bool(deeds & YES) and (plan.needs is Needs.PIN or takes_pin(plan)),
        steps=steps,
        verified=seen["verified"],
        hash=plan.hash,
        undoes=plan.undoes,
        schedule=plan.schedule,
        trouble=trouble,
    )


UNDER_WAY = frozenset({PlanState.PROPOSED, PlanState.WAITING, PlanState.APPROVED, PlanState.EXECUTING})


def _named(plan: Plan, visit: Visit) -> str:
    """Return why it was decided so, with the names of things in place of their ids."""
    told = plan.decision.reason
    for entity_id in sorted({each for step in plan.steps for each in step.call.entity_ids}, key=len, reverse=True):
        told = told.replace(entity_id, called(visit.home, entity_id))
    return told


def _title(steps: tuple[StepCard, ...]) -> str:
    first = steps[0].text
    return first if len(steps) == 1 else f"{first} +{len(steps) - 1}"


def _step(step: Step, asked: datetime, visit: Visit) -> StepCard:
    call = step.call
    return StepCard(
        n=step.n,
        text=step_words(step, asked, visit),
        english=is_english(step),
        lines=read_difference(step.diff),
        ajar=tuple(called(visit.home, each) for each in step.decision.ajar if each in visit.home.states),
        schedule=str(step.after.get("id", "")) if step.call.id == SCHEDULE else "",
        service=call.id,
        data=tuple(
            (name, value if isinstance(value, str) else dumps(plain(value))) for name, value in call.data.items()
        ),
        things=tuple(_things(step, visit)),
        more=max(0, len(call.entity_ids) - MOST_THINGS),
        reached=tuple(called(visit.home, end) for end in step.reached.ends),
        reached_more=step.reached.more,
        path=tuple(called(visit.home, each) for each in step.decision.path),
        impact=visit.say(IMPACTS[step.decision.impact.level]),
        level=step.decision.impact.level.word,
        reason=step.decision.reason,
        rule=step.decision.rule,
        error=step.error,
        note=step.note,
        outside=step.decision.outside,
        skipped=step.state is StepState.SKIPPED,
    )


def _things(step: Step, visit: Visit) -> Iterator[Thing]:
    """Yield the entities of a step: those of which something was seen as they were seen, the others as they should become."""
    if is_reserved(step.call.domain):
        yield from (_own_thing(seen, step, visit) for seen in step.evidence)
        return
    seen = {each.entity_id: each for each in step.evidence}
    words = foreseen(step.call, step.before, step.reached.ends)
    before, expected = words["before"], words["expected"]
    named = dict.fromkeys([*step.call.entity_ids, *seen])
    for entity_id in list(named)[:MOST_THINGS]:
        yield _thing(entity_id, seen.get(entity_id), _word(before, entity_id), _word(expected, entity_id), visit)


def _thing(entity_id: str, seen: Evidence | None, before: str, expected: str, visit: Visit) -> Thing:
    return Thing(
        entity_id=entity_id,
        name=called(visit.home, entity_id),
        icon=icon_of(visit.home, entity_id),
        before=told_state(before, visit),
        expected=told_state(seen.expected if seen else expected, visit),
        observed=told_state(seen.observed, visit) if seen else "",
        look=STATUS_LOOK[seen.status] if seen else None,
        at=visit.when(seen.at) if seen else None,
        note=seen.note if seen else "",
    )


def _own_thing(seen: Evidence, step: Step, visit: Visit) -> Thing:
    """Return what was seen of something that is no entity: a schedule, an offer, an object of the configuration."""
    return Thing(
        entity_id=seen.entity_id,
        name=subject_words(seen.entity_id, step, visit),
        icon=icon_of(visit.home, seen.entity_id),
        expected=seen_word(seen.expected, visit),
        observed=seen_word(seen.observed, visit),
        look=STATUS_LOOK[seen.status],
        at=visit.when(seen.at),
        note=seen.note,
    )


def _word(words: object, entity_id: str) -> str:
    return str(words.get(entity_id, "")) if isinstance(words, dict) else ""
