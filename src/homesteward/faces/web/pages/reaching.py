"""What reaches a thing: the groups it is in, and the scripts, scenes and automations that do something with it, through others too."""

from collections.abc import Iterator
from dataclasses import dataclass

from homesteward.home.calls import BodyStep, Call
from homesteward.home.errors import CallError
from homesteward.home.targets import expand
from homesteward.home.view import HomeView, members_of

MOST_WAYS = 40
MOST_DEEP = 5  # things on one way


@dataclass(frozen=True, slots=True)
class Way:
    """One way to a thing: what one begins with, and what lies between; entity ids, the thing itself left out."""

    path: tuple[str, ...]


def ways_to(entity_id: str, home: HomeView) -> tuple[tuple[Way, ...], int]:
    """Return the ways that lead to an entity, the short ones first, and how many more there are."""
    parents = _parents(home)
    found: list[Way] = []
    level: list[tuple[str, ...]] = [(entity_id,)]
    for _ in range(MOST_DEEP):
        level = [(parent, *path) for path in level for parent in parents.get(path[0], ()) if parent not in path]
        found += [Way(path[:-1]) for path in level]
        level = level[:MOST_WAYS]
    return tuple(found[:MOST_WAYS]), max(0, len(found) - MOST_WAYS)


def _parents(home: HomeView) -> dict[str, list[str]]:
    """Return, for each entity, what reaches it in one step."""
    found: dict[str, dict[str, None]] = {}
    for parent, child in _steps(home):
        found.setdefault(child, {})[parent] = None
    return {child: sorted(parents) for child, parents in found.items()}


def _steps(home: HomeView) -> Iterator[tuple[str, str]]:
    for entity_id in home.states:
        yield from ((entity_id, member) for member in members_of(home, entity_id))
    for entity_id, body in home.bodies.items():
        for step in body:
            yield from ((entity_id, end) for end in _ends(step, home))


def _ends(step: BodyStep, home: HomeView) -> tuple[str, ...]:
    """Return what a step acts on; nothing where that cannot be seen."""
    if step.call is None:
        return (step.member,) if step.member else ()
    ends = _expanded(step.call, home)
    own = f"script.{step.call.service}"
    return (*ends, own) if step.call.domain == "script" and own in home.states else ends


def _expanded(call: Call, home: HomeView) -> tuple[str, ...]:
    try:
        return expand(home, call).entity_ids
    except CallError:
        return call.target.entity_id
