"""How an offer is to be used, as an owner says it when enabling it: what it is called, who may say it, and where."""

from collections.abc import Iterable

from homesteward.actions.offers.offer import USUAL_ROLES, Offer, Usage
from homesteward.actions.offers.tool import legible
from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.text import fold, neighbours
from homesteward.home.calls import InvalidCallError
from homesteward.home.view import HomeView
from homesteward.people import Role

MOST_PHRASES, MAX_PHRASE = 10, 80
ROLES = frozenset({Role.OWNER, Role.MEMBER, Role.GUEST, Role.TOKEN})


def wanted_of(data: JsonObject, offer: Offer, home: HomeView) -> Usage:
    """Return what is asked for in `data`, the offer's own name where no phrase is given; raise InvalidCallError for what cannot be."""
    phrases = _listed(data, "phrases") or offer.usage.phrases or (offer.tool.title,)
    roles, areas = _listed(data, "roles"), _listed(data, "areas")
    return Usage(_phrases(phrases), _roles(roles) if roles else USUAL_ROLES, _areas(areas, home))


def _listed(data: JsonObject, name: str) -> tuple[str, ...]:
    value = data.get(name)
    values: Iterable[JsonValue] = (
        (value,) if isinstance(value, str) else value if isinstance(value, list | tuple) else ()
    )
    if value is not None and not isinstance(value, str | list | tuple):
        raise InvalidCallError(f"{name} must be a list of texts.", next="Send a list, or leave it out.")
    if not all(isinstance(each, str) for each in values):
        raise InvalidCallError(f"{name} must be a list of texts.", next="Send a list, or leave it out.")
    return tuple(map(str, values))


def _phrases(given: Iterable[str]) -> tuple[str, ...]:
    """Return the phrases, each once; one without a letter could be meant for anything, such as a number that answers a question."""
    by_sound = {fold(phrase): legible(phrase, MAX_PHRASE + 1) for phrase in given}
    found = tuple(by_sound.values())
    odd = next((phrase for phrase in found if len(phrase) > MAX_PHRASE or not any(map(str.isalpha, phrase))), None)
    if odd is not None or not 0 < len(found) <= MOST_PHRASES:
        raise InvalidCallError(
            f"{odd!r} is nothing to call it by."
            if odd is not None
            else "It takes at least one name, and not too many.",
            next=f"Give 1 to {MOST_PHRASES} names with letters, at most {MAX_PHRASE} characters each.",
        )
    return found


def _roles(given: Iterable[str]) -> frozenset[Role]:
    known = {role.value for role in ROLES}
    if strange := sorted(set(given) - known):
        raise InvalidCallError(
            f"{strange[0]!r} is no role that can ask.", next=f"Choose among {', '.join(sorted(known))}."
        )
    return frozenset(map(Role, given))


def _areas(given: Iterable[str], home: HomeView) -> frozenset[str]:
    if strange := sorted(set(given) - home.areas.keys()):
        near = neighbours(strange[0], home.areas)
        raise InvalidCallError(
            f"There is no area {strange[0]!r}.", next=f"Did you mean {' or '.join(near)}?" if near else "Name an area."
        )
    return frozenset(given)
