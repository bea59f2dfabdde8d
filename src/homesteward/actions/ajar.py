"""What stands open while an alarm is to be armed: it is named before, and arming it in spite of that takes a yes to exactly these things."""

from collections.abc import Iterator
from dataclasses import replace

from homesteward.actions.modes import at_least
from homesteward.home.calls import ResolvedCall
from homesteward.home.reserved import is_reserved
from homesteward.home.view import HomeView, device_class_of
from homesteward.policy import Action, Decision, Level
from homesteward.policy.impact import reached

MOST = 50
ENTRANCES = {
    "binary_sensor": frozenset({"door", "garage_door", "opening", "window"}),
    "cover": frozenset({"door", "garage", "gate", "window"}),
}
OPEN = {"binary_sensor": frozenset({"on"}), "cover": frozenset({"open", "opening", "closing"})}
ARMS = "alarm_arm_"
RULE = "open entrances"


def minding_the_open(call: ResolvedCall, decision: Decision, home: HomeView) -> Decision:
    """Return the decision with all that stands open, where the call arms an alarm by whatever route: done at once it is not, then.

    It is all of it, also what the caller does not reach: a yes is to what the house is, whoever asked. What is beyond somebody's
    reach is taken out where the decision is shown to them (`rights.decision_shown`); that there is more shows in the count.
    """
    if decision.impact.level < Level.SENSITIVE or decision.action is Action.DENY or not _arms(call, home):
        return decision
    found = tuple(_open(home))
    if not found:
        return decision
    asked = at_least(Action.CONFIRM, decision, RULE, f"{_counted(len(found))} open")
    return replace(asked, ajar=found[:MOST])


def not_named(then: Decision, now: Decision) -> bool:
    """Return whether something stands open now that the yes to `then` was not about."""
    return not set(now.ajar) <= set(then.ajar)


def ajar_since(then: Decision, now: Decision) -> str:
    """Return in words that more stands open than the yes was about; counted, for whoever asked may not reach it."""
    return f"{_counted(len(set(now.ajar) - set(then.ajar)))} open now that the yes was not about"


def _counted(count: int) -> str:
    return "1 entrance stands" if count == 1 else f"{count} entrances stand"


def _arms(call: ResolvedCall, home: HomeView) -> bool:
    if is_reserved(call.domain):  # it is looked at when the time comes
        return False
    found = (each for entity_id in call.entity_ids or (None,) for each in reached(call, entity_id, home))
    return any(each.domain == "alarm_control_panel" and each.service.startswith(ARMS) for each in found)


def _open(home: HomeView) -> Iterator[str]:
    for entity_id in sorted(home.states):
        state = home.states[entity_id]
        if state.state in OPEN.get(state.domain, ()) and device_class_of(home, entity_id) in ENTRANCES[state.domain]:
            yield entity_id
