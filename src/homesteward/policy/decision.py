"""The words of a decision: how much a call matters and what may happen to it."""

from dataclasses import dataclass
from datetime import timedelta
from enum import IntEnum, StrEnum


class Level(IntEnum):
    """How much a call matters, rising."""

    READ = 0
    ROUTINE = 1
    SENSITIVE = 2
    CRITICAL = 3

    @property
    def word(self) -> str:
        """Return the level's name as the contract writes it."""
        return self.name.lower()


class Kind(IntEnum):
    """What sort of thing a call does, rising in weight: the column of a preset that judges it."""

    READ = 0
    ROUTINE = 1
    SENSITIVE = 2
    CONFIGURATION = 3
    UNKNOWN = 4
    FORBIDDEN = 5

    @property
    def word(self) -> str:
        """Return the kind's name as rules write it."""
        return self.name.lower()

    @property
    def level(self) -> Level:
        """Return how much a call of this kind matters; what nobody can judge is critical."""
        return Level(min(self, Level.CRITICAL))


@dataclass(frozen=True, slots=True)
class Impact:
    """How much a call matters, and the first reason found for it."""

    level: Level
    reason: str


class Action(StrEnum):
    """What may happen to a call."""

    ALLOW = "allow"
    CONFIRM = "confirm"
    APPROVE = "approve"
    DENY = "deny"

    @property
    def strictness(self) -> int:
        """Return the action's place in `allow < confirm < approve < deny`."""
        return list(Action).index(self)


type Verdict = tuple[Action, bool, bool]


@dataclass(frozen=True, slots=True)
class Decision:
    """What may happen to a call, under which rule and why. `by_owner`: only an owner's yes counts; `pin`: it takes a PIN as well."""

    action: Action
    rule: str
    reason: str
    impact: Impact
    by_owner: bool = False
    pin: bool = False
    expires: timedelta | None = None
    """How long a plan may wait for it; None is as long as its action does."""
    notify: bool = False
    """Whether the owner is told."""
    window: timedelta | None = None
    """How long the effect is watched for; None is as long as its domain takes."""
    path: tuple[str, ...] = ()
    """What led to it: the service that was called, everything that it went through, and the thing at the end that decided."""
    outside: bool = False
    """Whether the run had read text from outside."""
    unrelated: bool = False
    """Whether it had, and the person had not named this target."""
    ajar: tuple[str, ...] = ()
    """What stands open while an alarm is to be armed: whoever says yes says it to these."""

    @property
    def verdict(self) -> Verdict:
        """Return what makes two decisions the same for a plan: the action, whose yes counts, and whether it takes a PIN."""
        return self.action, self.by_owner, self.pin

    @property
    def strictness(self) -> tuple[int, bool, bool]:
        """Return the decision's place among all: the action's, an owner's yes after anybody's, and one with a PIN after one without."""
        return self.action.strictness, self.by_owner, self.pin
