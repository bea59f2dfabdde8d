"""An offer as a card: what it is, what would be called, with which arguments, what it comes to, and what was decided about it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from homesteward.actions.errors import NotAllowedError
from homesteward.actions.offers.deeds import DEEDS, DISABLE, ENABLE, FORGET, require_role
from homesteward.actions.offers.offer import Offer, OfferState
from homesteward.actions.offers.scripts import HA_SCRIPT
from homesteward.actions.offers.tool import properties_of, required_of
from homesteward.actions.reached import reached_by
from homesteward.core.json import JsonValue
from homesteward.faces.web.pages.cards import IMPACTS
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.states import Look, Tone
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.home.calls import ResolvedCall
from homesteward.language.names import called
from homesteward.policy import Level

MOST_ARGUMENTS = 30
LOOKS: Mapping[OfferState, Look] = {
    OfferState.PROPOSED: Look(N_("Proposed"), "waits", Tone.WAITS),
    OfferState.ENABLED: Look(N_("Enabled"), "check", Tone.GOOD),
    OfferState.DISABLED: Look(N_("Disabled"), "no", Tone.CALM),
}
TYPES: Mapping[str, str] = {
    "string": N_("a text"),
    "number": N_("a number"),
    "integer": N_("a whole number"),
    "boolean": N_("yes or no"),
    "array": N_("a list"),
    "object": N_("several values"),
}


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument that it takes."""

    name: str
    kind: str
    needed: bool
    about: str


@dataclass(frozen=True, slots=True)
class OfferCard:
    """One offer. `changed` says what is another since somebody said yes to it; `reaches` names what it comes to."""

    id: str
    title: str
    about: str
    look: Look
    source: str
    service: str
    entity_id: str
    entity: str
    impact: str
    level: str
    reaches: tuple[str, ...]
    reaches_more: int
    arguments: tuple[Argument, ...]
    phrases: tuple[str, ...]
    roles: frozenset[str]
    areas: frozenset[str]
    exposed: bool
    changed: str
    gone: Moment | None
    enabled_by: str
    enabled_at: Moment | None
    plan_id: str
    fingerprint: str
    can_enable: bool
    can_disable: bool
    can_forget: bool


def offer_card(offer: Offer, visit: Visit) -> OfferCard:
    """Return the card of an offer that exists for whoever visits."""
    tool, usage, enabling = offer.tool, offer.usage, offer.enabling
    domain, _, service = tool.service.partition(".")
    reached = reached_by(ResolvedCall(domain, service, (tool.entity_id,) if tool.entity_id else ()), visit.home)
    level = next((each for each in Level if each.word == offer.effect), None)
    return OfferCard(
        id=offer.id,
        title=tool.title,
        about=tool.description,
        look=LOOKS[offer.state],
        source=visit.say(SOURCES.get(offer.source, offer.source)),
        service=tool.service,
        entity_id=tool.entity_id if tool.entity_id in visit.home.states else "",
        entity=called(visit.home, tool.entity_id) if tool.entity_id else "",
        impact=visit.say(IMPACTS[level]) if level else "",
        level=offer.effect,
        reaches=tuple(called(visit.home, end) for end in reached.ends),
        reaches_more=reached.more,
        arguments=tuple(_arguments(offer, visit)),
        phrases=usage.phrases,
        roles=frozenset(role.value for role in usage.roles),
        areas=usage.areas,
        exposed=tool.exposed,
        changed=offer.changed,
        gone=visit.when(offer.gone) if offer.gone else None,
        enabled_by=enabling.by if enabling else "",
        enabled_at=visit.when(enabling.at) if enabling else None,
        plan_id=enabling.plan_id if enabling else "",
        fingerprint=tool.fingerprint,
        can_enable=not offer.enabled and offer.gone is None and _may(ENABLE, visit),
        can_disable=offer.state is not OfferState.DISABLED and _may(DISABLE, visit),
        can_forget=_may(FORGET, visit),
    )


SOURCES: Mapping[str, str] = {HA_SCRIPT: N_("A script of Home Assistant's")}


def _may(deed: str, visit: Visit) -> bool:
    try:
        require_role(DEEDS[deed], visit.caller)
    except NotAllowedError:
        return False
    return True


def _arguments(offer: Offer, visit: Visit) -> Iterator[Argument]:
    needed = required_of(offer.tool.schema)
    for name, form in list(properties_of(offer.tool.schema).items())[:MOST_ARGUMENTS]:
        about = form if isinstance(form, Mapping) else {}
        yield Argument(name, _kind(about.get("type"), visit), name in needed, str(about.get("description") or ""))


def _kind(kind: JsonValue, visit: Visit) -> str:
    return visit.say(TYPES[kind]) if isinstance(kind, str) and kind in TYPES else visit.say(N_("anything"))
