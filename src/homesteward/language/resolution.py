"""What the words for a thing turned out to mean: entities, several that fit equally well, or nothing and why."""

from dataclasses import dataclass
from enum import IntEnum

from homesteward.knowledge import Scope


class Fit(IntEnum):
    """How well the words fit, the best first."""

    EXACT = 0
    PLACED = 1
    KIND = 2
    PARTIAL = 3


@dataclass(frozen=True, slots=True)
class Found:
    """The words mean exactly these entities. `wide`: they were not named one by one; `spared`: and some were left out in words."""

    entity_ids: tuple[str, ...]
    fit: Fit
    wide: bool = False
    spared: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """The words fit each of these equally well; a person has to say which."""

    entity_ids: tuple[str, ...]
    fit: Fit


@dataclass(frozen=True, slots=True)
class Missing:
    """The words mean nothing here: `code` says in which way, `what` repeats them, `entity_id` is the known thing in the way."""

    code: str
    what: str
    entity_id: str | None = None
    is_place: bool = False


type Resolution = Found | Choice | Missing


def both(first: Scope, second: Scope) -> Scope:
    """Return what is of both scopes."""
    common: dict[str, tuple[str, ...]] = {}
    for domain in first.keys() & second.keys():
        one, other = first[domain], second[domain]
        shared = tuple(name for name in one if name in other) if one and other else one or other
        if shared or not (one and other):
            common[domain] = shared
    return {domain: common[domain] for domain in first if domain in common}
