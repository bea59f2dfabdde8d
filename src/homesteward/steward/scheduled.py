"""What is to be done later, told to whoever asks: their own, and to an owner everybody's."""

from homesteward.actions.schedule import ScheduleStore
from homesteward.actions.schedule.store import listed
from homesteward.core import Clock
from homesteward.home.live import LiveHome
from homesteward.language import asks_what_is_scheduled, describe_later
from homesteward.people import Caller
from homesteward.steward.answer import Answer
from homesteward.steward.draft import Draft
from homesteward.steward.request import Request
from homesteward.steward.unanswerable import require_reader


class Scheduled:
    """Tell what is to be done later."""

    def __init__(self, store: ScheduleStore | None, clock: Clock) -> None:
        """Tell of `store`; without one nothing is known of later."""
        self._store, self._clock = store, clock

    async def answer(self, request: Request, draft: Draft, home: LiveHome) -> Answer | None:
        """Answer the question what is to be done, None where that is not what is asked or there is nobody to say."""
        if self._store is None or not asks_what_is_scheduled(request.text, draft.language):
            return None
        require_reader(request.caller)
        return draft.said(await self.told(request.caller, home, draft.language))

    async def told(self, caller: Caller, home: LiveHome, language: str) -> str:
        """Return what is to be done, the soonest first."""
        found = await listed(self._store, caller) if self._store else ()
        return describe_later([(each.call, each.at) for each in found], home, language, self._clock.now())
