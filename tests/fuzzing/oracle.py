"""What is right, without reading a sentence: which act leads to what, and which outcomes were meant."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fuzzing.homes import Placed

type Wanted = tuple[str, str, object]  # an entity, "state" or an attribute, and what it must be afterwards

# act -> domain -> what it leads to, and where it starts: enough of Home Assistant for an oracle of its own.
ON, OFF = ("state", "on"), ("state", "off")
SWITCHED = ("light", "switch", "fan")
LEADS: Mapping[str, Mapping[str, tuple[str, object]]] = {
    "on": dict.fromkeys(SWITCHED, ON),
    "off": dict.fromkeys(SWITCHED, OFF),
    "open": {"cover": ("state", "open")},
    "close": {"cover": ("state", "closed")},
    "lock": {"lock": ("state", "locked")},
    "unlock": {"lock": ("state", "unlocked")},
    "dim": {"light": ("brightness", 102)},
    "warm": {"climate": ("temperature", 23)},
    "start": {"vacuum": ("state", "cleaning")},
    "dock": {"vacuum": ("state", "returning")},
    "pause": {"media_player": ("state", "paused")},
}
BEFORE: Mapping[str, str] = {
    "on": "off",
    "off": "on",
    "open": "closed",
    "close": "open",
    "lock": "unlocked",
    "unlock": "locked",
    "dim": "off",
    "warm": "heat",
    "start": "docked",
    "dock": "cleaning",
    "pause": "playing",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way in which a sentence may end: all of `wanted` is so, and nothing else was touched but `tolerated`."""

    wanted: frozenset[Wanted]
    tolerated: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence: said where, which states are put before, and every outcome that is right. Doing nothing never is a wrong action.

    `must`: doing nothing counts as not understood. `never`: to offer it is wrong as well, other than for later.
    """

    text: str
    kind: str
    outcomes: tuple[Outcome, ...] = ()
    must: bool = False
    never: bool = False
    area: str | None = None
    before: Mapping[str, str] = field(default_factory=dict)


def outcome(act: str, things: list[Placed]) -> Outcome:
    """Return that all of these within reach come to what the act leads to; what is away may be told as well."""
    wanted = frozenset(
        (one.entity_id, *LEADS[act][one.thing.domain])
        for one in things
        if one.within_reach and one.thing.domain in LEADS[act]
    )
    away = frozenset(one.entity_id for one in things if one.thing.exposed and not one.within_reach)
    return Outcome(wanted, away)


def before(act: str, things: list[Placed]) -> dict[str, str]:
    """Return the states in which the act would be seen."""
    return {
        one.entity_id: BEFORE[act]
        for one in things
        if one.thing.state != "unavailable" and one.thing.domain in LEADS[act]
    }


def only(placed: Placed) -> Outcome:
    """Return that nothing but this one was touched, in whichever way."""
    return Outcome(frozenset(), frozenset({placed.entity_id}))
