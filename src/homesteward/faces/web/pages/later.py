"""The words of what is done later: what became of it, and what has to hold at its time."""

from collections.abc import Iterator, Mapping, Sequence

from homesteward.actions.schedule.conditions import Condition
from homesteward.actions.schedule.schedule import ScheduleState
from homesteward.faces.web.pages.states import Look, Tone, told_state
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.language.names import called

SCHEDULE_LOOK: Mapping[ScheduleState, Look] = {
    ScheduleState.WAITING: Look(N_("Scheduled"), "waits", Tone.CALM),
    ScheduleState.FIRING: Look(N_("Being done"), "running", Tone.CALM),
    ScheduleState.DONE: Look(N_("Done"), "check", Tone.GOOD),
    ScheduleState.FAILED: Look(N_("Failed"), "alert", Tone.BAD),
    ScheduleState.MISSED: Look(N_("Missed"), "expired", Tone.BAD),
    ScheduleState.DROPPED: Look(N_("Not done"), "no", Tone.WAITS),
    ScheduleState.CANCELLED: Look(N_("Called off"), "no", Tone.CALM),
}


def conditions_told(conditions: Sequence[Condition], visit: Visit) -> tuple[str, ...]:
    """Return what has to hold, a sentence each."""
    return tuple(_told(condition, visit) for condition in conditions)


def _told(condition: Condition, visit: Visit) -> str:
    name = called(visit.home, condition.entity_id)
    thing = f"{name} ({condition.attribute})" if condition.attribute else name
    wanted = visit.say(N_(" and ")).join(_wanted(condition, visit))
    if condition.unchanged:
        return visit.say(N_("only if %(thing)s is still %(wanted)s then"), thing=thing, wanted=wanted)
    return visit.say(N_("only if %(thing)s is %(wanted)s then"), thing=thing, wanted=wanted)


def _wanted(condition: Condition, visit: Visit) -> Iterator[str]:
    if condition.states:
        yield visit.say(N_(" or ")).join(told_state(state, visit) for state in condition.states)
    if condition.above is not None:
        yield visit.say(N_("above %(number)s"), number=visit.local.number(condition.above))
    if condition.below is not None:
        yield visit.say(N_("below %(number)s"), number=visit.local.number(condition.below))
