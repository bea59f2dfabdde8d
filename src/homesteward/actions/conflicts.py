"""Calls of one request that cannot both come true: refused together, before anything of either is sent."""

from collections.abc import Sequence

from homesteward.actions.errors import GateError
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import Effect, effect_of, observed_of
from homesteward.home.effects.contrary import contrary
from homesteward.home.view import HomeView


class ConflictError(GateError):
    """Two steps of one request ask the same thing for what excludes the other."""

    code = "conflict"


def require_no_conflict(calls: Sequence[ResolvedCall], home: HomeView) -> None:
    """Raise ConflictError, naming both steps, if two of `calls` ask one entity for things that exclude each other.

    What a script or a scene does is its own affair: a person may well start one and want one thing otherwise.
    """
    if len(calls) < 2:
        return
    asked: dict[str, list[tuple[int, Effect]]] = {}
    for n, call in enumerate(calls, 1):
        for entity_id in observed_of(call, home):
            effect = effect_of(call, entity_id, home)
            for earlier, other in asked.setdefault(entity_id, []):
                if why := contrary(other, effect):
                    raise ConflictError(
                        f"Steps {earlier} ({calls[earlier - 1].id}) and {n} ({call.id}) want {why} of {entity_id}.",
                        next="Ask for one of the two.",
                    )
            asked[entity_id].append((n, effect))
