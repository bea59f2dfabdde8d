"""What found no room in the queue: how much, and the stretch of time it was of, which is then read from Home Assistant's own history."""

from datetime import datetime, timedelta

from homesteward.chronicle.record import Outage, Record

OVERFLOW = "the chronicle could not keep up"
EDGE = timedelta(milliseconds=1)  # the last moment belongs to the outage


class Overflow:
    """The present overflow, or none."""

    def __init__(self) -> None:
        """Begin with none."""
        self.dropped = 0
        """How many records were dropped since the start."""
        self._start: datetime | None = None
        self._end: datetime | None = None

    def __bool__(self) -> bool:
        """Return whether something was dropped and its outage is not closed yet."""
        return self._start is not None

    def drop(self, record: Record) -> None:
        """Take that this record is lost."""
        self.dropped += 1
        self._start = min(self._start or record.at, record.at)
        self._end = max(self._end or record.at, record.at)

    def close(self) -> Outage | None:
        """Return the stretch of what was dropped, and begin anew."""
        start, end = self._start, self._end
        self._start = self._end = None
        return Outage(start, end + EDGE, OVERFLOW) if start and end else None
