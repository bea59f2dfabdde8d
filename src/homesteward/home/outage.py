"""What is known of an outage: how it began, how often the way back was tried, and what it turns out to have been."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from random import Random

from homesteward.home.life import Ending, Limits

_LOG = logging.getLogger(__name__)

ANNOUNCED_S = 60.0  # Home Assistant checks its configuration before it restarts, and may not restart at all
OVERFLOW = "overflow"
NOT_RUNNING = "homesteward was not running"
CUT = "cut"
REASONS: Mapping[Ending, str] = {
    Ending.BROKEN: CUT,
    Ending.HUNG: "hung",
    Ending.RESTART: "restart",
    Ending.GOODBYE: "stopped",
}
QUIET = frozenset({Ending.RESTART, Ending.GOODBYE})  # Home Assistant left in order; nobody has to be alarmed


class Outage:
    """The present outage, or the last one. One line in the log tells of it, and one more where a person has to do something."""

    def __init__(self, limits: Limits, chance: Random) -> None:
        """Wait as `limits` say; `chance` spreads the waits."""
        self.since: datetime | None = None
        """When the home was lost; None before it was there for the first time since the start, and while it is there."""
        self._limits = limits
        self._chance = chance
        self._ended: Ending | None = None
        self._latest = Ending.UNREACHABLE
        self._failures = 0
        self._tries = 0
        self._announced: datetime | None = None
        self._told_of: Ending | None = None

    def announced(self, at: datetime) -> None:
        """Take that Home Assistant was asked to stop or restart."""
        self._announced = at

    def tried(self) -> None:
        """Take that an attempt begins."""
        self._tries += 1

    def lost(self, ending: Ending, why: str, at: datetime, lived_s: float) -> None:
        """Take that a live connection ended, after `lived_s` seconds."""
        asked = self._announced is not None and at - self._announced < timedelta(seconds=ANNOUNCED_S)
        self._ended = self._latest = Ending.RESTART if asked and ending is not Ending.HUNG else ending
        self._failures = 0 if lived_s >= self._limits.stable_s else self._failures + 1
        self.since, self._told_of = at, self._ended
        level = logging.INFO if self._ended in QUIET else logging.WARNING
        _LOG.log(level, "Home Assistant is away: %s. Trying until it is there again", why)

    def failed(self, ending: Ending, why: str) -> None:
        """Take that an attempt failed."""
        self._failures += 1
        self._latest = ending
        refused = ending is Ending.REFUSED
        if self._told_of is None or (refused and self._told_of is not ending):
            _LOG.log(logging.ERROR if refused else logging.WARNING, "%s Trying until it works", why)
            self._told_of = ending

    def over(self) -> None:
        """Take that the home is there again."""
        self.since, self._told_of, self._tries = None, None, 0

    def wait(self, now: datetime) -> float:
        """Return the seconds before the next attempt."""
        patience = timedelta(seconds=self._limits.restart_patience_s)
        planned = self._ended is Ending.RESTART and self.since is not None and now - self.since < patience
        return self._limits.wait(self._failures, self._latest, self._chance, planned=planned)

    def reason(self, *, waited: bool) -> str:
        """Return what it was, at its end; `waited` says whether Home Assistant was still starting.

        One that says goodbye and is there at once, running, never left: its queue for us had overflowed, and it dropped us.
        """
        ended, self._announced = self._ended, None
        if ended is None:
            return NOT_RUNNING
        if ended is Ending.GOODBYE and self._tries == 1 and not waited:
            return OVERFLOW
        return REASONS.get(ended, CUT)
