"""A yes that was given before, to exactly this: what is judged again later may be carried out by it, and nothing beyond."""

from collections.abc import Sequence
from dataclasses import dataclass

from homesteward.actions.code_places import is_code_field
from homesteward.actions.hashing import hash_of
from homesteward.actions.plan import Step
from homesteward.actions.reached import Reached, same_reach
from homesteward.core.json import canonical
from homesteward.home.calls import ResolvedCall
from homesteward.home.view import HomeView, leaves_of
from homesteward.policy import Action, Decision

STRICTER = "this is decided more strictly now than when it was agreed to"
OTHER = "this is not what was agreed to"
OTHER_REACH = "what it does through a group, scene or script was changed since it was agreed to"


@dataclass(frozen=True, slots=True)
class Agreed:
    """What was agreed to, under which verdict, and by whom. `hash` is of `call`; `by` is empty where the policy alone allowed it."""

    schedule: str
    """The schedule that keeps it."""
    call: ResolvedCall
    hash: str
    action: Action
    by_owner: bool = False
    pin: bool = False
    print: str = ""
    """Of everything that the call reached then."""
    by: str = ""
    person_id: str = ""

    def lacks(self, steps: Sequence[Step], home: HomeView) -> str:
        """Return why it does not carry these steps as they are judged now; empty where it does."""
        if hash_of([self.call]) != self.hash or not all(self._holds(step.call, home) for step in steps):
            return OTHER
        if any(self._exceeded(step.decision) for step in steps):
            return STRICTER
        return "" if same_reach(Reached(self.print), self.call, home) else OTHER_REACH

    def _exceeded(self, now: Decision) -> bool:
        if now.ajar:  # what stands open when the time comes was not named when it was agreed to
            return True
        if now.action is Action.ALLOW:
            return False
        if now.action.strictness > self.action.strictness:
            return True
        return (now.by_owner and not self.by_owner) or (now.pin and not self.pin)

    def _holds(self, call: ResolvedCall, home: HomeView) -> bool:
        """Return whether `call` is what was agreed to, or a part of it."""
        ids = {*self.call.entity_ids, *leaves_of(home, self.call.entity_ids)}
        return (self.call.id, uncoded(self.call)) == (call.id, uncoded(call)) and set(call.entity_ids) <= ids


def uncoded(call: ResolvedCall) -> bytes:
    """Return the data without a code, which is put in only as the call is sent."""
    return canonical({name: value for name, value in call.data.items() if not is_code_field(name)})
