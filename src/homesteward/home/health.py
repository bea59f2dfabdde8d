"""How well a home is known: what was missed and when, how much came in, and how late."""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime

from homesteward.core.json import JsonObject

MAX_GAPS = 200  # an outage a day for half a year; what happened in them is the chronicle's to keep
MAX_SAMPLES = 1024
SHOWN_GAPS = 10


@dataclass(frozen=True, slots=True)
class Gap:
    """A time in which nobody listened: from the last word heard to the moment the home was known again."""

    start: datetime
    end: datetime
    reason: str
    changed: int
    """How many entities were different afterwards."""

    def as_json(self) -> JsonObject:
        """Return the gap as a face shows it."""
        return {
            "from": self.start.isoformat(),
            "to": self.end.isoformat(),
            "seconds": round((self.end - self.start).total_seconds(), 1),
            "reason": self.reason,
            "changed": self.changed,
        }


@dataclass(slots=True)
class Lag:
    """How late changes arrive, in ms, over the last thousand frames: our clock against Home Assistant's stamp on the change."""

    samples: deque[float] = field(default_factory=lambda: deque(maxlen=MAX_SAMPLES))

    def add(self, milliseconds: float) -> None:
        """Take one sample. A negative one says that the clocks differ, and is kept."""
        self.samples.append(milliseconds)

    def as_json(self) -> JsonObject:
        """Return the percentiles, none where nothing was measured."""
        ranked = sorted(self.samples)
        if not ranked:
            return {}
        points = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
        return {name: round(ranked[round(share * (len(ranked) - 1))], 1) for name, share in points.items()}


@dataclass(slots=True)
class Counts:
    """What came in since the start."""

    changes: int = 0
    frames: int = 0
    refreshed: int = 0
    """How often something was read again because it had changed."""
    whole: int = 0
    """How often so much had changed at once that whole parts were read instead of its items."""
    dropped: int = 0
    """How many changes could not be applied; each was healed by reading the states again."""
    healed: int = 0
