"""Calls of somebody who does not reach everything: what lies outside is answered as if it were not there, however it is named."""

from collections.abc import Iterator
from dataclasses import replace

from homesteward.actions.errors import NotAllowedError
from homesteward.actions.resolve import resolve
from homesteward.core.json import JsonValue
from homesteward.home.calls import ENTITY_ID, Call, ResolvedCall
from homesteward.home.errors import UnknownEntityError
from homesteward.home.live import LiveHome
from homesteward.home.reserved import ANYTIME
from homesteward.home.view import HomeView, leaves_of
from homesteward.people import Caller, Reach
from homesteward.people.scoped import scoped
from homesteward.policy.impact import reached
from homesteward.policy.tables import ACTING_DOMAINS


def resolve_for(home: LiveHome, caller: Caller, call: Call) -> ResolvedCall:
    """Return `call` on concrete entities that are within the caller's reach; raise the error that says why it does not fit.

    A group that goes further is taken as those of its members that are within.
    """
    if caller.reach is None:
        return resolve(home, call)

    seen = scoped(home, caller)
    resolved = resolve(seen, call)
    for name in _entities_in(resolved.data):
        if name not in seen.states and name.partition(".")[0] in ACTING_DOMAINS:  # whether it exists or not
            raise UnknownEntityError(f"There is no entity {name!r} here.", next="Use find to see what there is.")
    return replace(resolved, entity_ids=tuple(_within(resolved, caller.reach, home)))


def require_reach(home: HomeView, caller: Caller, call: ResolvedCall) -> None:
    """Raise NotAllowedError if the resolved call does something beyond the caller's reach, by whatever route.

    A script, scene or automation ends where its body does, and a call without a target may end anywhere.
    """
    if caller.reach is None or call.id in ANYTIME:
        return
    for entity_id in call.entity_ids or (None,):
        found = reached(call, entity_id, home)
        # what is there without an entity, such as a hidden step, may end anywhere
        if not all(each.at and caller.reach.holds(home, each.at) for each in found if each.end or not each.at):
            raise NotAllowedError(
                f"{entity_id or call.id} does more than you may reach.", next="Ask an owner of this home to do it."
            )


def _within(call: ResolvedCall, reach: Reach, home: HomeView) -> Iterator[str]:
    for entity_id in call.entity_ids:
        leaves = tuple(leaves_of(home, (entity_id,)))
        inside = [leaf for leaf in leaves if reach.holds(home, leaf)]
        yield from (entity_id,) if len(inside) == len(leaves) else inside


def _entities_in(value: JsonValue) -> Iterator[str]:
    """Yield every entity id in the data, at any depth."""
    if isinstance(value, str):
        yield from (part for name in value.split(",") if ENTITY_ID.fullmatch(part := name.strip().lower()))
    elif isinstance(value, dict):
        yield from (name for item in (*value, *value.values()) for name in _entities_in(item))
    elif isinstance(value, list | tuple):
        yield from (name for item in value for name in _entities_in(item))
