"""What becomes of a decision for which a rule asks for a PIN as well: who says the yes, and who proves what."""

from dataclasses import replace

from homesteward.people import Caller, Role
from homesteward.policy.decision import Action, Decision

HOUSEHOLD = frozenset({Role.OWNER, Role.MEMBER})


def with_pin(decision: Decision, caller: Caller) -> Decision:
    """Return `decision` with a PIN asked for.

    A person says yes with the PIN to what would else be done at once, or after a plain yes, and to what they could have approved alone.
    Everything else is an approval, and whoever gives it proves who they are.
    """
    return replace(
        decision,
        action=Action.CONFIRM if _says_yes(decision, caller) else Action.APPROVE,
        reason=f"{decision.reason}, and an owner asks for a PIN here",
        pin=True,
    )


def _says_yes(decision: Decision, caller: Caller) -> bool:
    """Return whether the caller's own yes is enough. A machine has no PIN."""
    if caller.token_id:
        return False
    if decision.action is Action.APPROVE:
        return caller.role in ({Role.OWNER} if decision.by_owner else HOUSEHOLD)
    return caller.role in HOUSEHOLD | {Role.GUEST}
