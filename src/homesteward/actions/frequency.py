"""How often something was done lately: what rules about frequency, and limits against flapping, are asked of."""

from collections import Counter, deque
from collections.abc import Iterable
from datetime import datetime, timedelta

from homesteward.core.clock import Clock
from homesteward.home.calls import ResolvedCall
from homesteward.home.reserved import is_reserved
from homesteward.home.view import HomeView
from homesteward.policy.circumstances import ANYTHING, Counts
from homesteward.policy.decision import Kind
from homesteward.policy.impact import reached
from homesteward.policy.words import LONGEST_RATE, MOST_TIMES

MOST = MOST_TIMES  # moments kept per service and entity; no rule may count further
LONGEST = LONGEST_RATE


class Frequency:
    """The moments at which each service was sent to each entity, for a day."""

    def __init__(self, clock: Clock) -> None:
        """Measure with `clock`."""
        self._clock = clock
        self._sent: dict[tuple[str, str], deque[datetime]] = {}
        self._swept = clock.now()

    def sent(self, call: ResolvedCall, home: HomeView, at: datetime | None = None) -> None:
        """Take down that the call was sent, for everything it reaches: members of groups and scenes, and what a script calls."""
        moment = at or self._clock.now()
        if moment - self._swept > LONGEST:
            self.forget()
        for service, entity_id in _done(call, home):
            for key in ((service, entity_id), (ANYTHING, entity_id)):
                self._sent.setdefault(key, deque(maxlen=MOST)).append(moment)

    def count(self, service: str, entity_id: str, within: timedelta) -> int:
        """Return how often `service`, or `ANYTHING` that changes it, was sent to the entity within the time before now."""
        since = self._clock.now() - min(within, LONGEST)
        return sum(moment > since for moment in self._sent.get((service, entity_id), ()))

    def restore(self, sent: Iterable[tuple[ResolvedCall, datetime]], home: HomeView) -> None:
        """Take down what was sent before a restart, oldest first."""
        for call, at in sent:
            self.sent(call, home, at)

    def forget(self) -> None:
        """Let go of what is older than a day."""
        self._swept = self._clock.now()
        since = self._swept - LONGEST
        self._sent = {key: moments for key, moments in self._sent.items() if moments[-1] > since}


def with_asked(counts: Counts, before: Iterable[ResolvedCall], home: HomeView) -> Counts:
    """Return `counts` with what the same request asks for beforehand: of twenty toggles in one request each counts."""
    asked: Counter[tuple[str, str]] = Counter()
    for call in before:
        for service, entity_id in _done(call, home):
            asked.update([(service, entity_id), (ANYTHING, entity_id)])

    def counted(service: str, entity_id: str, within: timedelta) -> int:
        return counts(service, entity_id, within) + asked[service, entity_id]

    return counted if asked else counts


def _done(call: ResolvedCall, home: HomeView) -> set[tuple[str, str]]:
    """Return every thing that the call reaches with the service that acts there; what only reads does nothing to it.

    What a reserved call carries is done when its time comes, and counted then.
    """
    if is_reserved(call.domain):
        return set()
    return {
        (f"{each.domain}.{each.service}", each.at)
        for entity_id in call.entity_ids or (None,)
        for each in reached(call, entity_id, home)
        if each.at and each.kind is not Kind.READ
    }
