"""Time as something handed in, so that every rule about it can be tested without waiting."""

from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Protocol


class Clock(Protocol):
    """Tell the time."""

    def now(self) -> datetime:
        """Return the present moment, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that only ever grow, for durations."""
        ...


class SystemClock:
    """Tell the machine's time."""

    def now(self) -> datetime:
        """Return the present moment, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds that only ever grow, for durations."""
        return monotonic()


class FrozenClock:
    """Stand still until told to move."""

    def __init__(self, at: datetime) -> None:
        """Start at the aware moment `at`."""
        self._now = at.astimezone(UTC)
        self._elapsed = 0.0

    def now(self) -> datetime:
        """Return the moment the clock stands at, in UTC."""
        return self._now

    def monotonic(self) -> float:
        """Return the seconds moved so far."""
        return self._elapsed

    def advance(self, by: timedelta) -> None:
        """Move forward by `by`."""
        self._now += by
        self._elapsed += by.total_seconds()
