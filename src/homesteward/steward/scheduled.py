"""What is to be done later, told to whoever asks: their own, and to an owner everybody's."""

from homesteward.actions.schedule import ScheduleStore
from homesteward.actions.schedule.store import listed
from homesteward.core import Clock
from homesteward.home.live import LiveHome
from homesteward.language import asks_what_is_scheduled, describe_later
from homesteward.people import Caller


class Scheduled:
    """Tell what is to be done later."""

    def __init__(self, store: ScheduleStore | None, clock: Clock) -> None:
        """Tell of `store`; without one nothing is known of later."""
        self._store, self._clock = store, clock

    def asked(self, text: str, language: str) -> bool:
        """Return whether `text` asks for that, and there is somebody to say."""
        return self._store is not None and asks_what_is_scheduled(text, language)

    async def told(self, caller: Caller, home: LiveHome, language: str) -> str:
        """Return what is to be done, the soonest first."""
        found = await listed(self._store, caller) if self._store else ()
        return describe_later([(each.call, each.at) for each in found], home, language, self._clock.now())
