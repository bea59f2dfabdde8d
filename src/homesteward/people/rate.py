"""How often somebody may ask: a bucket of tokens per person, token and address. The limits are data, the memory is bounded."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from homesteward.core import Clock
from homesteward.people.errors import RateLimitedError

MOST = 10_000  # buckets; the one unused for longest goes first, and it is full again by then, or nearly


@dataclass(frozen=True, slots=True)
class Limit:
    """So many at once, and one more each `every`."""

    burst: int
    every: timedelta


# What is limited -> the limit of each subject. A person's browser, a machine and an address each have their own.
LIMITS: Mapping[str, Limit] = {
    "sign_in": Limit(10, timedelta(seconds=6)),
    "step_up": Limit(6, timedelta(seconds=10)),
    "setup": Limit(10, timedelta(seconds=30)),
    "ask": Limit(30, timedelta(seconds=1)),
    "change": Limit(60, timedelta(milliseconds=500)),
    "refused": Limit(30, timedelta(seconds=2)),  # unknown tokens and cookies, per address
}


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class RateLimits:
    """The buckets of every subject."""

    def __init__(self, clock: Clock, limits: Mapping[str, Limit] = LIMITS) -> None:
        self._clock = clock
        self._limits = limits
        self._buckets: OrderedDict[tuple[str, str], _Bucket] = OrderedDict()

    def take(self, what: str, *subjects: str) -> None:
        """Take one from the bucket that each subject has for `what`; raise RateLimitedError, taking from none, where one is empty."""
        limit = self._limits[what]
        buckets = [self._filled((what, subject), limit) for subject in dict.fromkeys(subjects)]
        least = min((bucket.left for bucket in buckets), default=1.0)
        if least < 1:
            raise RateLimitedError("This was asked too often.", (1 - least) * limit.every)
        for bucket in buckets:
            bucket.left -= 1

    def _filled(self, key: tuple[str, str], limit: Limit) -> _Bucket:
        """Return the bucket as it has filled up since it was used last."""
        now = self._clock.monotonic()
        bucket = self._buckets.setdefault(key, _Bucket(limit.burst, now))
        self._buckets.move_to_end(key)
        bucket.left = min(limit.burst, bucket.left + (now - bucket.at) / limit.every.total_seconds())
        bucket.at = now
        while len(self._buckets) > MOST:
            self._buckets.popitem(last=False)
        return bucket
