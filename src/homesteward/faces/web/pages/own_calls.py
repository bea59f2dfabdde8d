"""A step that is ours, in words: what is kept for later, decided about an offer, or written into the configuration."""

from collections.abc import Mapping
from datetime import datetime

from homesteward.actions.plan import Step
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.pages.worded import asked_words
from homesteward.home.reserved import OWN
from homesteward.language.later import SCHEDULE, UNSCHEDULE, inner_of
from homesteward.language.names import called

OFFERS = frozenset({f"{OWN}.enable_offer", f"{OWN}.disable_offer", f"{OWN}.forget_offer"})
LATER = frozenset({SCHEDULE, UNSCHEDULE})
# What the rooms of ours say they saw.
SEEN: Mapping[str, str] = {
    "scheduled": N_("scheduled"),
    "not kept": N_("not kept"),
    "cancelled": N_("called off"),
    "enabled": N_("enabled"),
    "disabled": N_("disabled"),
    "forgotten": N_("forgotten"),
    "there": N_("there"),
    "gone": N_("gone"),
    "not there": N_("not there"),
    "still there": N_("still there"),
}


def step_words(step: Step, asked: datetime, visit: Visit) -> str:
    """Return what a step asks for, beginning with a capital; what is to be done later is told with its time."""
    text = _later_words(step, asked, visit) or step.summary or asked_words(step.call, visit)
    return text[:1].upper() + text[1:]


def is_english(step: Step) -> bool:
    """Return whether the words of a step are a room's own, which speaks English."""
    return bool(step.summary) and step.call.id not in LATER


def subject_words(subject: str, step: Step, visit: Visit) -> str:
    """Return what an evidence of ours is about, by its name where it has one."""
    if step.call.id in LATER:
        return visit.say(N_("What is scheduled"))
    if step.call.id in OFFERS:
        return str(step.before.get("title") or "") or visit.say(N_("What was found"))
    return called(visit.home, subject) if subject in visit.home.states else subject


def seen_word(word: str, visit: Visit) -> str:
    """Return what a room of ours saw, in the words of the page."""
    return visit.say(SEEN.get(word, word))


def _later_words(step: Step, asked: datetime, visit: Visit) -> str:
    later = {SCHEDULE: step.call.data, UNSCHEDULE: step.before}.get(step.call.id)
    call = inner_of(later) if later else None
    if later is None or call is None:
        return ""
    at = visit.local.moment(datetime.fromisoformat(str(later["at"])), asked)
    told = visit.say(N_("%(what)s, %(when)s"), what=asked_words(call, visit), when=at.short)
    return told if step.call.id == SCHEDULE else visit.say(N_("Calling off: %(what)s"), what=told)
