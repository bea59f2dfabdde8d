"""What a decision depends on beside the call, the caller and the home: the moment, the run, and how often it was done before."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import cast

from homesteward.home.view import HomeView

type Counts = Callable[[str, str, timedelta], int]
"""How often a service (`domain.service`, or `ANYTHING` that changes it) was sent to an entity within the time before now."""
ANYTHING = "*"

SUN = "sun.sun"
UP, DOWN = "above_horizon", "below_horizon"


def _never(_service: str, _entity_id: str, _within: timedelta) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The moment in the home's own time, and what is known of the run that asks."""

    now: datetime
    """Aware, in the home's zone: a rule's times are the household's."""
    mode: str = "auto"
    outside: bool = False
    """Whether the run has read text that somebody outside may have written."""
    named: frozenset[str] = frozenset()
    """The entities that the person's own words named."""
    counts: Counts = _never


def sun_is(home: HomeView) -> str | None:
    """Return `up` or `down`; None where the home has no sun, which fits no rule about it."""
    state = home.states.get(SUN)
    return {UP: "up", DOWN: "down"}.get(state.state) if state else None


def presence_in(home: HomeView) -> str | None:
    """Return `somebody` or `nobody`; None where no person is known to be anywhere."""
    persons = (
        home.states.get(entity_id) for entity_id in _persons(cast("Hashable", home), home.revision, len(home.states))
    )
    where = [state.state for state in persons if state and state.available]
    if not where:
        return None
    return "somebody" if "home" in where else "nobody"


@lru_cache(maxsize=8)
def _persons(home: Hashable, _revision: int, _states: int) -> tuple[str, ...]:
    """Return the persons of a home; another revision or number of states looks anew, since going through all states is slow."""
    return tuple(entity_id for entity_id in cast("HomeView", home).states if entity_id.startswith("person."))
