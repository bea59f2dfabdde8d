"""What a run may still do once it has read text from outside: what the person named themselves goes on as before, the rest asks first."""

from collections.abc import Iterable
from dataclasses import replace

from homesteward.home.view import HomeView, leaves_of
from homesteward.people import Caller, Role
from homesteward.policy.circumstances import Circumstances
from homesteward.policy.decision import Action, Decision, Level
from homesteward.policy.judgement import Judgement

RULE = "outside text"
# Who can say a yes in a conversation; for anybody else a person has to approve.
ANSWERS = frozenset({Role.OWNER, Role.MEMBER, Role.GUEST})


def after_outside(
    decision: Decision, found: Iterable[Judgement], caller: Caller, home: HomeView, at: Circumstances
) -> Decision:
    """Return the decision on one target of a run that has read text from outside: never milder, and an `allow` only for what was named.

    What somebody outside wrote has no authority, but a model may have taken it for the person's wish.
    """
    if not at.outside or decision.impact.level is Level.READ:
        return decision
    named = is_named((judgement.at for judgement in found if not judgement.trail), home, at.named)
    decision = replace(decision, outside=True, unrelated=not named)
    if named or decision.action is not Action.ALLOW:
        return decision
    asks = Action.CONFIRM if caller.role in ANSWERS else Action.APPROVE
    return replace(
        decision,
        action=asks,
        rule=RULE,
        reason=f"{decision.reason}; but text from outside was read, and this was not named in the request",
    )


def is_named(targets: Iterable[str], home: HomeView, named: frozenset[str]) -> bool:
    """Return whether everything that is aimed at was named, a group also by all of its members; what aims at nothing was not."""
    aimed = set(targets)
    return bool(aimed) and all(
        target in named or (target != "" and set(leaves_of(home, [target])) <= named) for target in aimed
    )
