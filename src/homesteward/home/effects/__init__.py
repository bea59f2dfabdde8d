"""What a service does to a state: the one table behind verification, simulation and "already so".

Each file holds the rules of a few domains and ends with its part of the table; a service without a rule cannot be verified
and says so. Add a rule here and every reader of effects knows it.
"""

from collections.abc import Mapping

from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import climate, light, lists, machines, media, openings, routines, switching, values
from homesteward.home.effects.effect import Asked, Effect, Rule, trustworthy, unobservable
from homesteward.home.model import State
from homesteward.home.view import HomeView, leaves_of

__all__ = ["RULES", "Effect", "effect_of", "effect_on", "observed_of", "trustworthy"]

RULES: Mapping[str, Rule] = {
    **switching.RULES,
    **light.RULES,
    **openings.RULES,
    **climate.RULES,
    **media.RULES,
    **machines.RULES,
    **values.RULES,
    **lists.RULES,
    **routines.RULES,
}
HANDED_ON = frozenset({"homeassistant", "group"})  # domains whose services act through each entity's own


def effect_of(call: ResolvedCall, entity_id: str, view: HomeView) -> Effect:
    """Return what `call` should do to one of the entities it reaches, seen from the entity's state now."""
    return effect_on(call, entity_id, view.states.get(entity_id))


def effect_on(call: ResolvedCall, entity_id: str, before: State | None) -> Effect:
    """Return what `call` should do to one of the entities it reaches, seen from the state `before` it."""
    domain, _, name = entity_id.partition(".")
    service = call.service
    if domain == "script" and call.domain == "script" and service == name:
        service = "turn_on"  # every script is a service of its own name
    same = call.domain in HANDED_ON or call.domain == domain
    rule = RULES.get(f"{domain}.{service}") if same else None
    if before is None or rule is None:
        return unobservable(call.service.replace("_", " "), before)
    return rule(Asked(domain, call.data, before))


def observed_of(call: ResolvedCall, view: HomeView) -> tuple[str, ...]:
    """Return the entities on which the effect of `call` can be seen: its leaves, or the script that it names."""
    if call.domain == "script" and f"script.{call.service}" in view.states:
        return (f"script.{call.service}",)
    return tuple(leaves_of(view, call.entity_ids))
