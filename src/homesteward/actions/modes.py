"""The gate's modes: they stand before the policy and can only tighten what it says."""

from dataclasses import replace
from enum import StrEnum

from homesteward.policy import Action, Decision, Level


class Mode(StrEnum):
    """What becomes of changes, from the tightest: all refused, all recorded for a person, or as the policy decides."""

    OBSERVE = "observe"
    PLAN = "plan"
    AUTO = "auto"

    def tightened(self, other: Mode | None) -> Mode:
        """Return the tighter of the two; None asks for nothing."""
        return min(self, other or self, key=list(Mode).index)


# The least strict thing that may happen to a change in each mode.
AT_LEAST = {Mode.OBSERVE: Action.DENY, Mode.PLAN: Action.APPROVE, Mode.AUTO: Action.ALLOW}
REASONS = {
    Mode.OBSERVE: "Homesteward only observes at present, and changes nothing",
    Mode.PLAN: "Homesteward only records changes at present, for a person to approve",
}


def under_mode(mode: Mode, decision: Decision) -> Decision:
    """Return `decision`, made as strict as the mode asks. Reads are free in every mode."""
    if decision.impact.level is Level.READ:
        return decision
    return at_least(AT_LEAST[mode], decision, f"mode {mode}", REASONS.get(mode, ""))


def at_least(floor: Action, decision: Decision, rule: str, reason: str) -> Decision:
    """Return `decision` where it is as strict as `floor`, else made so, under `rule` and for `reason`. Whose yes it takes stays."""
    if decision.action.strictness >= floor.strictness:
        return decision
    refused = floor is Action.DENY
    return replace(
        decision,
        action=floor,
        rule=rule,
        reason=reason,
        by_owner=decision.by_owner and not refused,
        pin=decision.pin and not refused,
    )
