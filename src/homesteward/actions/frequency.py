"""How often something was done lately: what rules about frequency, and limits against flapping, are asked of."""

from collections import deque
from collections.abc import Iterable
from datetime import datetime, timedelta

from homesteward.core.clock import Clock
from homesteward.home.calls import ResolvedCall
from homesteward.home.view import HomeView, leaves_of

MOST = 200  # moments kept per service and entity; a rule that counts further than that holds anyway
LONGEST = timedelta(days=1)


class Frequency:
    """The moments at which each service was sent to each entity, for a day."""

    def __init__(self, clock: Clock) -> None:
        """Measure with `clock`."""
        self._clock = clock
        self._sent: dict[tuple[str, str], deque[datetime]] = {}
        self._swept = clock.now()

    def sent(self, call: ResolvedCall, home: HomeView, at: datetime | None = None) -> None:
        """Take down that the call was sent; a group counts for each of its members as well."""
        moment = at or self._clock.now()
        if moment - self._swept > LONGEST:
            self.forget()
        for entity_id in {*call.entity_ids, *leaves_of(home, call.entity_ids)}:
            domain = entity_id.partition(".")[0] if call.domain in {"homeassistant", "group"} else call.domain
            self._sent.setdefault((f"{domain}.{call.service}", entity_id), deque(maxlen=MOST)).append(moment)

    def count(self, service: str, entity_id: str, within: timedelta) -> int:
        """Return how often `service` was sent to the entity within the time before now."""
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
