"""Telling what happened, from evidence only, in the language asked. A language without texts of ours is answered in English."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from homesteward.actions.plan import Evidence, Needs, Plan, PlanState, Status, Step, StepState
from homesteward.actions.proposal import NO_PIN, NOBODYS_PIN
from homesteward.core.errors import ErrorInfo
from homesteward.home.calls import ResolvedCall
from homesteward.home.model import State
from homesteward.home.view import HomeView
from homesteward.language.grammar import supported
from homesteward.language.lexicon import lexicon
from homesteward.language.names import called
from homesteward.language.tables import languages
from homesteward.language.texts import FALLBACK, Texts, texts
from homesteward.language.wording import asked_text, done_text, key_of

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


def describe(plans: Sequence[Plan], view: HomeView, language: str) -> str:
    """Return what came of `plans`, a sentence for each group of like steps. It claims no more than the evidence."""
    said = texts(language)
    facts = [fact for plan in plans for fact in _facts(plan)]
    return " ".join(_sentence(fact, view, said) for fact in _grouped(facts))


def error_text(error: ErrorInfo, language: str) -> str:
    """Return the error and the way on, for a person: what has to do with a PIN in the language asked.

    Every other error is worded where it is raised, and its own words are kept: they name what went wrong.
    """
    said, wait = texts(language), WAIT.search(error.next)
    if f"error.{error.code}" not in said.table or (error.code == "locked_out" and wait is None):
        return f"{error.message} {error.next}".strip()
    return said(f"error.{error.code}", wait=said(f"wait.{wait[2]}", count=wait[1]) if wait else "")


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


def _facts(plan: Plan) -> list[_Fact]:
    if plan.state is PlanState.WAITING:
        return [_Fact(WAITING[plan.needs], step.call, step.call.entity_ids) for step in plan.steps]
    if kind := WHOLE.get(plan.state):
        detail = plan.decision.reason if kind == "refused" else ""
        return [_Fact(kind, step.call, step.call.entity_ids, detail) for step in plan.steps]
    return [fact for step in plan.steps for fact in _of_step(step)]


def _of_step(step: Step) -> list[_Fact]:
    call, ids = step.call, step.call.entity_ids
    match step.state:
        case StepState.SKIPPED if step.note.startswith("already"):
            return [_Fact("already", call, ids)]
        case StepState.PENDING | StepState.SKIPPED:
            return [_Fact("not_run", call, ids)]
        case StepState.RUNNING:
            return [_Fact("running", call, ids)]
        case _ if step.evidence:
            return [_of_evidence(step, seen) for seen in step.evidence]
        case StepState.FAILED:
            return [_Fact("failed", call, ids, step.error)]
        case _:
            return [_Fact("uncertain", call, ids)]


def _of_evidence(step: Step, seen: Evidence) -> _Fact:
    ids = (seen.entity_id,)
    match seen.status:
        case Status.VERIFIED if seen.already:
            return _Fact("already", step.call, ids)
        case Status.VERIFIED:
            return _Fact("done", step.call, ids)
        case Status.MISMATCHED:
            return _Fact("mismatched", step.call, ids, seen.observed)
        case Status.FAILED:
            return _Fact("failed", step.call, ids, step.error or seen.observed)
        case Status.SIMULATED:
            return _Fact("simulated", step.call, ids)
        case Status.UNCERTAIN:
            return _Fact("uncertain", step.call, ids)


def _grouped(facts: Sequence[_Fact]) -> list[_Fact]:
    """Join neighbouring facts that differ only in their entities."""
    joined = []
    for _, same in groupby(
        facts, key=lambda fact: (fact.kind, fact.call.id, tuple(fact.call.data.items()), fact.detail)
    ):
        several = list(same)
        ids = dict.fromkeys(entity_id for fact in several for entity_id in fact.entity_ids)
        joined.append(_Fact(several[0].kind, several[0].call, tuple(ids), several[0].detail))
    return joined


def _sentence(fact: _Fact, view: HomeView, said: Texts) -> str:
    names = _names(fact.entity_ids, view, said)
    match fact.kind:
        case "done":
            return done_text(fact.call, names, view, said)
        case "already":
            return _already(fact, names, view, said)
    what = asked_text(fact.call, names, view, said)
    match fact.kind:
        case "failed" if not fact.detail:
            return said("plan.failed_unknown", what=what)
        case "failed" | "refused":
            return said(f"plan.{fact.kind}", what=what, reason=_ended(_reason(fact.detail, said)))
        case "mismatched":
            return said("plan.mismatched", what=what, observed=said.word("state", fact.detail))
        case kind:
            return said(f"plan.{kind}", what=what)


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
