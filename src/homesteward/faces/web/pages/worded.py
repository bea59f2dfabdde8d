"""A call and whoever asked for it, in the words of a page."""

from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.home.calls import ResolvedCall
from homesteward.language.names import called
from homesteward.language.texts import texts
from homesteward.language.wording import asked_text
from homesteward.people import Caller

MOST_NAMED = 3  # in a sentence
ROLES = {
    "owner": N_("An owner"),
    "member": N_("A member"),
    "guest": N_("A guest"),
    "token": N_("A program"),
    "system": N_("Homesteward"),
}


def asked_words(call: ResolvedCall, visit: Visit) -> str:
    """Return the call as something still to happen, beginning with a capital."""
    said = texts(visit.language)
    names = said.joined([called(visit.home, each) for each in call.entity_ids[:MOST_NAMED]])
    rest = len(call.entity_ids) - MOST_NAMED
    asked = asked_text(call, f"{names} +{rest}" if rest > 0 else names, visit.home, said)
    return asked[:1].upper() + asked[1:]


def whose(caller: Caller, visit: Visit) -> str:
    """Return who asked: by name, else by what they are."""
    return caller.person or visit.say(ROLES.get(caller.role.value, N_("Somebody")))
