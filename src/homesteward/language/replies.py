"""Telling what happened, from evidence only, in the language asked. A language without texts of ours is answered in English."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from homesteward.actions.entries import POLICY
from homesteward.actions.plan import Evidence, Needs, Plan, PlanState, Status, Step, StepState
from homesteward.actions.proposal import NO_PIN, NOBODYS_PIN
from homesteward.core.errors import ErrorInfo
from homesteward.core.json import JsonObject
from homesteward.home.calls import ResolvedCall
from homesteward.home.live import LiveHome
from homesteward.home.model import EMPTY, State
from homesteward.home.view import HomeView
from homesteward.language.grammar import supported
from homesteward.language.later import SCHEDULE, UNSCHEDULE, inner_of, later_text
from homesteward.language.lexicon import lexicon
from homesteward.language.names import called
from homesteward.language.tables import languages
from homesteward.language.texts import FALLBACK, Texts, texts
from homesteward.language.wording import asked_text, done_text, key_of
from homesteward.policy import Action

MAX_NAMES = 8
EXAMPLES = 3

# A plan that ran no further than this is told as a whole; the key is the sentence.
WHOLE: dict[PlanState, str] = {
    PlanState.REJECTED: "refused",
    PlanState.SIMULATED: "simulated",
    PlanState.EXPIRED: "expired",
    PlanState.CANCELLED: "cancelled",
    PlanState.INTERRUPTED: "interrupted",
    PlanState.EXECUTING: "running",
    PlanState.APPROVED: "approved",
    PlanState.PROPOSED: "not_run",
}
WAITING = {Needs.CONFIRM: "confirm", Needs.PIN: "pin", Needs.APPROVE: "waiting", None: "waiting"}
REASONS = {NO_PIN: "no_pin", NOBODYS_PIN: "nobodys_pin"}  # the reasons of a refusal that are told in the language asked
WAIT = re.compile(r"(\d+) (second|minute|hour)")  # as `people.errors` says a time to wait
RANGE = re.compile(r"Allowed: (-?[\d.]+) to (-?[\d.]+)( .*)?\.")  # as `home.services` says what a value may be
ALREADY = {
    "turn_on": "on",
    "turn_off": "off",
    "open_cover": "open",
    "close_cover": "closed",
    "open_valve": "open",
    "close_valve": "closed",
    "lock": "locked",
    "unlock": "unlocked",
    "media_play": "playing",
    "media_pause": "paused",
}


@dataclass(frozen=True, slots=True)
class _Fact:
    """One thing that is known about some entities after a call."""

    kind: str
    call: ResolvedCall
    entity_ids: tuple[str, ...]
    detail: str = ""
    summary: str = ""
    """What a reserved call does, in words of its own."""
    later: JsonObject = EMPTY
    """What is to be done later, where the call is about that."""
    asked: datetime | None = None


def describe(plans: Sequence[Plan], view: LiveHome, language: str) -> str:
    """Return what came of `plans`, a sentence for each group of like steps. It claims no more than the evidence."""
    said = texts(language)
    facts = [replace(fact, asked=plan.created) for plan in plans for fact in _facts(plan)]
    return " ".join([*(_sentence(fact, view, said) for fact in _grouped(facts)), *_ajar(plans, view, said)])


def describe_later(later: Sequence[tuple[ResolvedCall, datetime]], home: LiveHome, language: str, now: datetime) -> str:
    """Return what is to be done and when, in the order in which it comes; `MAX_NAMES` of it, the rest is counted."""
    said = texts(language)
    return said("later.list", items=listed_later(later, home, language, now)) if later else said("later.none")


def listed_later(later: Sequence[tuple[ResolvedCall, datetime]], home: LiveHome, language: str, now: datetime) -> str:
    """Return the first `MAX_NAMES` of what is to be done later, as parts of a sentence; the rest is counted."""
    said = texts(language)
    shown = [
        later_text(call, _names(call.entity_ids, home, said), at, now, home, said) for call, at in later[:MAX_NAMES]
    ]
    more = [said("more", count=len(later) - MAX_NAMES)] if len(later) > MAX_NAMES else []
    return "; ".join([*shown, *more])


def error_text(error: ErrorInfo, language: str) -> str:
    """Return the error and the way on, for a person: what has to do with a PIN, a value or an end in the language asked.

    Every other error is worded where it is raised, and its own words are kept: they name what went wrong.
    """
    said, wait = texts(language), WAIT.search(error.next)
    if f"error.{error.code}" not in said.table or _said_otherwise(error, wait):
        return f"{error.message} {error.next}".strip()
    values = {"wait": said(f"wait.{wait[2]}", count=wait[1]) if wait else "", "allowed": _allowed(error, said)}
    return said(f"error.{error.code}", **values)


def _said_otherwise(error: ErrorInfo, wait: re.Match[str] | None) -> bool:
    """Return whether the words for the code would not fit: without a time to wait, or about no value."""
    return (error.code == "locked_out" and wait is None) or (
        error.code == "invalid_data" and "cannot be" not in error.message
    )


def _allowed(error: ErrorInfo, said: Texts) -> str:
    """Return the range that the error names; nothing where it names none."""
    found = RANGE.fullmatch(error.next)
    return said("error.range", low=found[1], high=found[2], unit=found[3] or "") if found else ""


def not_understood(view: HomeView, language: str) -> str:
    """Return that nothing was understood, with up to three things that can be said in this very home.

    A language that is not known at all is named as the reason, with those that are.
    """
    said, words = texts(language), lexicon(language) or lexicon("en")
    if supported(language) is None:
        return texts(FALLBACK)("unknown_language", language=language, known=", ".join(languages("lexicon")))
    examples: list[str] = []
    for domain, template in (words.examples if words else {}).items():
        named = (
            view.states[name].name for name in view.exposed if name.startswith(f"{domain}.") and name in view.states
        )
        if name := min(named, default=""):
            examples.append(said("quoted", text=template.format(name=name)))
        if len(examples) == EXAMPLES:
            break
    offer = said("offer", examples=", ".join(examples)) if examples else ""
    return f"{said('not_understood')} {offer}".strip()


def nothing_changed(language: str) -> str:
    """Return that nothing was changed."""
    return texts(language)("nothing_changed")


def _ajar(plans: Sequence[Plan], view: HomeView, said: Texts) -> Iterator[str]:
    """Yield what stands open while an alarm waits to be armed: whoever says yes says it to this."""
    asked = (plan for plan in plans if plan.state is PlanState.WAITING)
    found = dict.fromkeys(each for plan in asked for step in plan.steps for each in step.decision.ajar)
    if names := _names(tuple(each for each in found if each in view.states), view, said):
        yield said("ajar", names=names)


def _facts(plan: Plan) -> list[_Fact]:
    if plan.state is PlanState.WAITING:
        return [_fact(WAITING[plan.needs], step) for step in plan.steps]
    said_no = plan.state is PlanState.REJECTED and plan.decided_by != POLICY
    if said_no and plan.decision.action is not Action.DENY:
        return [_fact("left", step) for step in plan.steps]  # somebody said no: why they were asked is no reason for it
    if kind := WHOLE.get(plan.state):
        detail = plan.decision.reason if kind == "refused" else ""
        return [_fact(kind, step, detail) for step in plan.steps]
    return [fact for step in plan.steps for fact in _of_step(step)]


def _fact(kind: str, step: Step, detail: str = "", ids: tuple[str, ...] | None = None) -> _Fact:
    later = {SCHEDULE: step.call.data, UNSCHEDULE: step.before}.get(step.call.id, EMPTY)
    return _Fact(kind, step.call, step.call.entity_ids if ids is None else ids, detail, step.summary, later)


def _of_step(step: Step) -> list[_Fact]:
    match step.state:
        case StepState.SKIPPED if step.note.startswith("already"):
            return [_fact("already", step)]
        case StepState.PENDING | StepState.SKIPPED:
            return [_fact("not_run", step)]
        case StepState.RUNNING:
            return [_fact("running", step)]
        case _ if step.evidence:
            return [_of_evidence(step, seen) for seen in step.evidence]
        case StepState.FAILED:
            return [_fact("failed", step, step.error)]
        case _:
            return [_fact("uncertain", step)]


def _of_evidence(step: Step, seen: Evidence) -> _Fact:
    ids = (seen.entity_id,)
    match seen.status:
        case Status.VERIFIED if seen.already:
            return _fact("already", step, ids=ids)
        case Status.VERIFIED:
            return _fact("done", step, ids=ids)
        case Status.MISMATCHED:
            return _fact("mismatched", step, seen.observed, ids)
        case Status.FAILED:
            return _fact("failed", step, step.error or seen.observed, ids)
        case Status.SIMULATED:
            return _fact("simulated", step, ids=ids)
        case Status.UNCERTAIN:
            return _fact("uncertain", step, ids=ids)


def _grouped(facts: Sequence[_Fact]) -> list[_Fact]:
    """Join neighbouring facts that differ only in their entities."""
    joined = []
    for _, same in groupby(
        facts, key=lambda fact: (fact.kind, fact.call.id, tuple(fact.call.data.items()), fact.detail, fact.summary)
    ):
        several = list(same)
        ids = dict.fromkeys(entity_id for fact in several for entity_id in fact.entity_ids)
        joined.append(replace(several[0], entity_ids=tuple(ids)))
    return joined


def _sentence(fact: _Fact, view: LiveHome, said: Texts) -> str:
    later = _later(fact, view, said)
    if later and fact.kind == "done":
        return said("later.scheduled" if fact.call.id == SCHEDULE else "later.cancelled", what=later)
    return _worded(replace(fact, summary=later) if later else fact, view, said)


def _worded(fact: _Fact, view: LiveHome, said: Texts) -> str:
    names = _names(fact.entity_ids, view, said)
    match fact.kind:
        case "done" | "already" if fact.summary:
            return said("plan.performed", what=fact.summary)
        case "done":
            return done_text(fact.call, names, view, said)
        case "already":
            return _already(fact, names, view, said)
    what = fact.summary or asked_text(fact.call, names, view, said)
    match fact.kind:
        case "failed" | "refused" if fact.detail or fact.kind == "refused":
            return said(f"plan.{fact.kind}", what=what, reason=_ended(_reason(fact.detail, said)))
        case "mismatched":
            return said("plan.mismatched", what=what, observed=said.word("state", fact.detail))
        case kind:
            return said("plan.failed_unknown" if kind == "failed" else f"plan.{kind}", what=what)


def _later(fact: _Fact, view: LiveHome, said: Texts) -> str:
    """Return what is to be done later and when, nothing where the fact is about no such thing."""
    call, at = inner_of(fact.later), fact.later.get("at")
    if call is None or fact.asked is None or not isinstance(at, str):
        return ""
    names = _names(call.entity_ids, view, said)
    return later_text(call, names, datetime.fromisoformat(at), fact.asked, view, said)


def _already(fact: _Fact, names: str, view: HomeView, said: Texts) -> str:
    state, key = ALREADY.get(fact.call.service), key_of(fact.call, said)
    if key == "brightness_down" and all(shown.state == "off" for shown in _shown(fact.entity_ids, view)):
        state = "off"  # nothing that is off is made dimmer: say why there was nothing to do
    elif state is None or key not in {fact.call.service, fact.call.id}:
        return said("plan.already_bare", names=names)
    text = "plan.already" if len(fact.entity_ids) == 1 else "plan.already_many"
    return said(text, names=names, state=said.word("state", state))


def _shown(entity_ids: Sequence[str], view: HomeView) -> list[State]:
    return [state for name in entity_ids if (state := view.states.get(name))]


def _names(entity_ids: Sequence[str], view: HomeView, said: Texts) -> str:
    names = [called(view, entity_id) for entity_id in entity_ids]
    shown = names[:MAX_NAMES]
    if len(names) > MAX_NAMES:
        shown.append(said("more", count=len(names) - MAX_NAMES))
    return said.joined(shown)


def _reason(detail: str, said: Texts) -> str:
    """Return the reason in the language of `said` where there are words for it, else as it was given."""
    return said(f"reason.{REASONS[detail]}") if detail in REASONS else detail


def _ended(reason: str) -> str:
    reason = reason.strip()
    return reason if reason.endswith((".", "!", "?")) or not reason else f"{reason}."
