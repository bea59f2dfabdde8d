"""The life of the connection to Home Assistant, over years: which phases there are, what leads from one to the next, how long it waits.

A pure table and a pure rule for the wait; `link` lives by them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from random import Random

from homesteward.core import Clock
from homesteward.home.live import Undo


class Phase(StrEnum):
    """Where the connection stands. Only `live` may be acted on, or taken for the present."""

    DISCONNECTED = "disconnected"  # nothing was tried yet
    CONNECTING = "connecting"  # a socket is being opened
    AUTHENTICATING = "authenticating"  # it is open, and the token is being looked at
    SYNCING = "syncing"  # let in; Home Assistant may still start, and the home is being read
    LIVE = "live"
    COOLING_DOWN = "cooling_down"  # it ended or failed, and the next attempt has its time
    CLOSED = "closed"  # by us, for good


class Turn(StrEnum):
    """What happens to a connection."""

    ATTEMPT = "attempt"
    OPENED = "opened"
    ADMITTED = "admitted"
    SYNCED = "synced"
    LOST = "lost"
    REFUSED = "refused"  # the token, or what it may do; only a person can mend that
    CLOSE = "close"


TRANSITIONS: Mapping[tuple[Phase, Turn], Phase] = {
    (Phase.DISCONNECTED, Turn.ATTEMPT): Phase.CONNECTING,
    (Phase.CONNECTING, Turn.OPENED): Phase.AUTHENTICATING,
    (Phase.CONNECTING, Turn.LOST): Phase.COOLING_DOWN,
    (Phase.CONNECTING, Turn.REFUSED): Phase.COOLING_DOWN,  # a refresh token is looked at before a socket is opened
    (Phase.AUTHENTICATING, Turn.ADMITTED): Phase.SYNCING,
    (Phase.AUTHENTICATING, Turn.LOST): Phase.COOLING_DOWN,
    (Phase.AUTHENTICATING, Turn.REFUSED): Phase.COOLING_DOWN,
    (Phase.SYNCING, Turn.SYNCED): Phase.LIVE,
    (Phase.SYNCING, Turn.LOST): Phase.COOLING_DOWN,
    (Phase.SYNCING, Turn.REFUSED): Phase.COOLING_DOWN,
    (Phase.LIVE, Turn.LOST): Phase.COOLING_DOWN,
    (Phase.COOLING_DOWN, Turn.ATTEMPT): Phase.CONNECTING,
    **{(phase, Turn.CLOSE): Phase.CLOSED for phase in Phase},
}


class Ending(StrEnum):
    """Why a connection ended, or an attempt failed, as far as it can be known at that moment."""

    UNREACHABLE = "unreachable"  # nobody there, or not in time
    REFUSED = "refused"
    BROKEN = "broken"  # cut without a word
    HUNG = "hung"  # it answers no ping
    GOODBYE = "goodbye"  # closed in order (code 1000): it stops, or it dropped us because its queue for us overflowed
    RESTART = "restart"  # it was asked to stop or restart just before
    CLOSED = "closed"  # by us


@dataclass(frozen=True, slots=True)
class Limits:
    """How long is waited before which attempt, in seconds."""

    first_s: float = 1.0  # a proxy or a network that hiccups is back by then
    factor: float = 2.0
    longest_s: float = 60.0  # a home that comes back in the night is followed again within a minute
    restart_s: float = 2.0  # a planned restart takes seconds on a fast machine: no wait grows beyond this meanwhile
    restart_patience_s: float = 300.0  # a Raspberry Pi with a hundred integrations takes minutes; then it is an outage
    stable_s: float = 10.0  # one that lived this long is worth an attempt at once; a shorter life counts as a failure
    jitter: float = 0.5  # the share of a wait that chance decides, so that many clients do not knock in step

    def wait(self, failures: int, ending: Ending, chance: Random, *, planned: bool = False) -> float:
        """Return the seconds before the next attempt, after `failures` in a row. `planned`: a restart is being waited for.

        A refused token goes straight to the longest wait: Home Assistant may ban an address that keeps offering one.
        """
        if ending is Ending.REFUSED:
            return self.longest_s
        if failures == 0:
            return 0.0
        grown = self.first_s * self.factor ** min(failures - 1, 32)
        whole = min(grown, self.restart_s if planned else self.longest_s)
        return whole * (1 - self.jitter * chance.random())


class ImpossibleTurnError(RuntimeError):
    """A turn that the table does not have: a mistake of ours."""


def next_phase(phase: Phase, turn: Turn) -> Phase:
    """Return the phase after `turn`; raise ImpossibleTurnError where the table has none."""
    try:
        return TRANSITIONS[phase, turn]
    except KeyError:
        raise ImpossibleTurnError(f"{turn} while {phase}") from None


class Life:
    """The phase now, since when, and whoever wants to hear of the next."""

    def __init__(self, clock: Clock) -> None:
        """Start disconnected."""
        self.phase = Phase.DISCONNECTED
        self.since: datetime = clock.now()
        self._clock = clock
        self._watchers: dict[int, Callable[[Phase], None]] = {}
        self._next = 0

    def take(self, turn: Turn) -> Phase:
        """Go on by `turn` and tell whoever watches; raise ImpossibleTurnError where the table has no way."""
        self.phase, self.since = next_phase(self.phase, turn), self._clock.now()
        for watcher in list(self._watchers.values()):
            watcher(self.phase)
        return self.phase

    def watch(self, callback: Callable[[Phase], None]) -> Undo:
        """Call `callback` with each new phase until the returned undo is called; it must not fail."""
        self._next += 1
        key = self._next
        self._watchers[key] = callback

        def undo() -> None:
            self._watchers.pop(key, None)

        return undo
