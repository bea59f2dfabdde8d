"""Whether a yes still stands: what was agreed to is judged again as the house is now, before it is begun and before each step."""

from collections.abc import Iterable
from dataclasses import replace

from homesteward.actions.ajar import ajar_since, not_named
from homesteward.actions.errors import NotAllowedError, PlanChangedError
from homesteward.actions.hashing import hash_of
from homesteward.actions.modes import REASONS, Mode
from homesteward.actions.plan import Plan, Step, StepState
from homesteward.actions.proposal import Request, judged
from homesteward.actions.reached import same_reach
from homesteward.actions.rights import proven
from homesteward.home.live import LiveHome
from homesteward.people import Caller, Role
from homesteward.policy import Decision

OTHER_REACH = "what it does through a group, scene or script was changed since this was proposed"
ASK_AGAIN = "Ask for it again if it is still wanted."


def require_acting(*, dry_run: bool) -> None:
    """Raise NotAllowedError while nothing is really sent."""
    if dry_run:
        raise NotAllowedError("Nothing is really sent at present (dry run).", next="Turn the dry run off first.")


def require_same(plan: Plan, mode: Mode) -> None:
    """Raise NotAllowedError while all is only observed, PlanChangedError where the stored steps are not those that were judged."""
    if mode is Mode.OBSERVE:
        raise NotAllowedError(f"{REASONS[Mode.OBSERVE]}.", next="Ask again when the mode has been changed.")
    if hash_of(step.call for step in plan.steps) != plan.hash:
        raise PlanChangedError("The stored steps are not those that were proposed.", next="Ask for it again.")


def require_standing(plan: Plan, steps: Iterable[Step], asked: Request, by: Caller, home: LiveHome) -> None:
    """Raise PlanChangedError where the yes of `by` is not enough for the pending `steps` today. `asked` is the plan's request now.

    What has become milder is fine; what the steps reach has to be what it was. Bring the bodies up to date before.
    """
    for step in steps:
        if step.state is StepState.PENDING and (why := fallen(plan, step, asked, by, home)):
            raise PlanChangedError(
                f"Step {step.n} ({step.call.id}) does not stand as it was proposed: {why}.", next=ASK_AGAIN
            )


def fallen(plan: Plan, step: Step, asked: Request, by: Caller, home: LiveHome) -> str:
    """Return why the yes of `by` does not carry the step any more, nothing where it does."""
    if not same_reach(step.reached, step.call, home):
        return OTHER_REACH
    there = replace(step.call, entity_ids=tuple(each for each in step.call.entity_ids if each in home.states))
    if step.call.entity_ids and not there.entity_ids:
        return ""  # all of it is gone, which is said of each thing by name when the step is looked at
    # whose PIN it takes is asked of whoever says the yes, not of whoever asked
    for _, now in judged(there, replace(asked, has_pin=True), home):
        if not_named(step.decision, now):
            return ajar_since(step.decision, now)
        if not _carried(now, step, plan, by, asked):
            return f"{now.rule} decides otherwise now: {now.reason}"
    return ""


def _carried(now: Decision, step: Step, plan: Plan, by: Caller, asked: Request) -> bool:
    """Return whether what `by` said is what the decision of now asks for; what was agreed to before stays agreed to."""
    then = step.decision
    if now.action.strictness > then.action.strictness:
        return False
    if now.by_owner and not then.by_owner and by.role is not Role.OWNER:
        return False
    return not now.pin or then.pin or proven(plan, by, asked.at)
