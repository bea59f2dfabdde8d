"""Plans that were decided, page by page: by what came of them, and by words of theirs or names of what they were about."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from homesteward.actions.errors import UnknownPlanError
from homesteward.actions.gate import Gate
from homesteward.actions.plan import Plan, PlanState
from homesteward.core.text import fold
from homesteward.faces.web.pages.cards import PlanCard, card_of
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.language.names import called

PER_PAGE = 50
PORTION = 100  # plans that are read together
MOST_LOOKED_AT = 1000  # for one page; what lies further back is on the next


class Outcome(StrEnum):
    """What came of a plan, as one looks for it."""

    ANY = "any"
    DONE = "done"
    TROUBLE = "trouble"
    REFUSED = "refused"
    UNDECIDED = "undecided"
    SIMULATED = "simulated"


OVER = frozenset(PlanState) - {PlanState.WAITING, PlanState.PROPOSED}
FILTERS: Mapping[Outcome, tuple[str, frozenset[PlanState]]] = {
    Outcome.ANY: (N_("Everything"), OVER),
    Outcome.DONE: (N_("Done"), frozenset({PlanState.COMPLETED})),
    Outcome.TROUBLE: (
        N_("Not as it should be"),
        frozenset({PlanState.FAILED, PlanState.PARTIAL, PlanState.INTERRUPTED}),
    ),
    Outcome.REFUSED: (N_("Refused"), frozenset({PlanState.REJECTED, PlanState.CANCELLED})),
    Outcome.UNDECIDED: (N_("Nobody decided"), frozenset({PlanState.EXPIRED})),
    Outcome.SIMULATED: (N_("Only simulated"), frozenset({PlanState.SIMULATED})),
}


@dataclass(frozen=True, slots=True)
class PastPage:
    """Plans, the newest first. `older` leads on; `looked_at` is how many were looked through for them."""

    cards: tuple[PlanCard, ...]
    older: str
    looked_at: int


async def past_page(gate: Gate, visit: Visit, outcome: Outcome, text: str, before: str) -> PastPage:
    """Return the plans older than `before` that fit; they are looked for no further than `MOST_LOOKED_AT` back."""
    states = FILTERS[outcome][1]
    last = await _known(gate, before, visit)
    found: list[Plan] = []
    looked_at, more = 0, True
    only = next(iter(states)) if len(states) == 1 else None
    while more and looked_at < MOST_LOOKED_AT and len(found) <= PER_PAGE:
        page = await gate.plans(only, PORTION, visit.caller, last)
        found += [plan for plan in page if plan.state in states and _says(plan, fold(text), visit)]
        looked_at, more = looked_at + len(page), len(page) == PORTION
        last = page[-1] if page else last
    shown = found[:PER_PAGE]
    if len(found) > PER_PAGE:
        last, more = shown[-1], True
    return PastPage(tuple(card_of(plan, visit) for plan in shown), last.id if more and last else "", looked_at)


async def _known(gate: Gate, plan_id: str, visit: Visit) -> Plan | None:
    """Return the plan to go on from; one that is none of theirs begins anew."""
    try:
        return await gate.plan(plan_id, visit.caller) if plan_id else None
    except UnknownPlanError:
        return None


def _says(plan: Plan, wanted: str, visit: Visit) -> bool:
    if not wanted:
        return True
    things = {entity_id for step in plan.steps for entity_id in step.call.entity_ids}
    texts = (plan.request, plan.caller.person, plan.decided_by, *things, *(called(visit.home, each) for each in things))
    return any(wanted in fold(text) for text in texts)
