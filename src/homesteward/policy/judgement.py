"""A judgement: what sort of thing a call does at one place that it reaches, and why."""

from dataclasses import dataclass, replace

from homesteward.core.json import JsonObject
from homesteward.home.model import EMPTY
from homesteward.policy.decision import Impact, Kind


@dataclass(frozen=True, slots=True)
class Judgement:
    """What sort of thing a call does at one place that it reaches, and the first reason found for it.

    `domain.service` with `data` is what acts there, `at` the entity (empty: it names none), `trail` what it is reached through.
    """

    kind: Kind
    reason: str
    domain: str = ""
    service: str = ""
    data: JsonObject = EMPTY
    at: str = ""
    trail: tuple[str, ...] = ()
    end: bool = False
    """Whether the entity is a single thing: no group, and without a body."""
    leads: tuple[str, ...] = ()
    """The way on from here to the heaviest thing that it carries, where it carries something."""
    hides: bool = False
    """Whether what guards the house may be behind it, and nobody can see: it weighs also where it only follows."""

    @property
    def impact(self) -> Impact:
        """Return the judgement as the impact that a decision shows."""
        return Impact(self.kind.level, self.reason)

    @property
    def acts(self) -> str:
        """Return the service that acts there, `domain.service`."""
        return f"{self.domain}.{self.service}"

    def through(self, trail: tuple[str, ...]) -> Judgement:
        """Return it as what is reached through `trail`."""
        if not trail:
            return self
        whole = (*trail, *self.trail)
        return replace(self, reason=through(self.reason.partition(THROUGH)[0], whole), trail=whole)


THROUGH = ", reached through "


def through(reason: str, trail: tuple[str, ...]) -> str:
    """Return the reason with what it is reached through."""
    return f"{reason}{THROUGH}{', '.join(trail)}" if trail else reason


def kind_of(judgement: Judgement) -> Kind:
    """Return its kind: what the heaviest of several is found by."""
    return judgement.kind
