"""What a service is, and what a thing is, each by itself: looked up in the tables, with the reason in words."""

from functools import lru_cache

from homesteward.home.calls import Call, ResolvedCall
from homesteward.home.reserved import OWN
from homesteward.home.view import HomeView, device_class_of
from homesteward.policy.decision import Kind
from homesteward.policy.judgement import Judgement
from homesteward.policy.tables import (
    ACTING_DOMAINS,
    BODIED_DOMAINS,
    DELEGATED_SERVICES,
    RAISED_BY_DATA,
    SENSITIVE_COVERS,
    SENSITIVE_DOMAINS,
    UNSEEN_PLATFORMS,
    service_kind,
)
from homesteward.policy.wrapped import shown_as

MOST_NAMES = 4096  # of services, judged once

type AnyCall = Call | ResolvedCall


def service_of(call: AnyCall) -> Judgement:
    """Judge the service by itself; what it is aimed at can only add to it."""
    kind, reason = weight_of(call)
    return Judgement(kind, reason, call.domain, call.service, call.data)


def acting(call: AnyCall, entity_id: str) -> tuple[str, str]:
    """Return the service that acts: `homeassistant.turn_off` on a light is the light's own."""
    if call.domain == "homeassistant" and call.service in DELEGATED_SERVICES:
        return entity_id.partition(".")[0], call.service
    return call.domain, call.service


def guards(entity_id: str, home: HomeView) -> str:
    """Return what the thing is that lets somebody in, watches somebody or alarms the street; empty for any other."""
    domain = entity_id.partition(".")[0]
    if domain in SENSITIVE_DOMAINS:
        return f"a {domain.replace('_', ' ')}" if domain[0] not in "aeiou" else f"an {domain.replace('_', ' ')}"
    if domain == "cover" and (device_class := device_class_of(home, entity_id)) in SENSITIVE_COVERS:
        return f"a cover of class {device_class}"
    shown = (each for each in shown_as(entity_id, home) if guards(each, home)) if domain == "switch" else ()
    return next((f"the switch behind {each}" for each in shown), "")


def weight_of_thing(entity_id: str, home: HomeView) -> tuple[Kind, str]:
    """Weigh an entity by what it is, whichever service reaches it, and say why."""
    domain = entity_id.partition(".")[0]
    if entity_id not in home.states:
        return Kind.UNKNOWN, f"the home has no {entity_id}"
    if guarding := guards(entity_id, home):
        return Kind.SENSITIVE, f"{entity_id} is {guarding}"
    if domain in BODIED_DOMAINS and entity_id not in home.bodies:
        return Kind.SENSITIVE, f"what {entity_id} does is not known"
    if domain not in ACTING_DOMAINS:
        return Kind.UNKNOWN, f"nobody has said what may be done to {entity_id}"
    entry = home.entities.get(entity_id)
    if entry is not None and (hidden := UNSEEN_PLATFORMS.get(entry.platform)):
        return Kind.SENSITIVE, f"{entity_id} is {hidden}, and nobody is told what it does"
    return Kind.ROUTINE, f"{entity_id} is an everyday thing"


def weight_of(call: AnyCall) -> tuple[Kind, str]:
    """Weigh a service by itself, and say why."""
    if (field := RAISED_BY_DATA.get(call.id)) and field in call.data:
        return Kind.SENSITIVE, f"{call.id} hands on its {field}"
    return _by_name(call.domain, call.service)


@lru_cache(maxsize=MOST_NAMES)
def _by_name(domain: str, service: str) -> tuple[Kind, str]:
    name, fixed = f"{domain}.{service}", service_kind(domain, service)
    if fixed is not None:
        return fixed, (OWN_REASONS if domain == OWN else REASONS)[fixed].format(name)
    if domain == "homeassistant" and service in DELEGATED_SERVICES:
        return Kind.ROUTINE, f"{name} is what it does to its targets"
    if domain in ACTING_DOMAINS:
        return Kind.ROUTINE, f"{name} is an everyday thing"
    return Kind.UNKNOWN, f"nobody has said what {name} may do"


REASONS = {
    Kind.READ: "{} only reads",
    Kind.ROUTINE: "{} is an everyday thing",
    Kind.SENSITIVE: "{} can reach things that cannot be seen from here",
    Kind.CONFIGURATION: "{} changes how Home Assistant is set up",
    Kind.FORBIDDEN: "{} is on the deny list",
}
OWN_REASONS = {**REASONS, Kind.CONFIGURATION: "{} changes how Homesteward is set up"}
