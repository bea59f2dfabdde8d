"""Answering what no state tells, within what exists for the caller."""

from collections.abc import Callable
from dataclasses import replace
from zoneinfo import ZoneInfo

from homesteward.core import Clock
from homesteward.home.live import LiveHome
from homesteward.language import Declines, Recalls, Says, Sources, retell
from homesteward.language.retold import OF_THE_PAST
from homesteward.language.texts import texts
from homesteward.people import Caller
from homesteward.people.errors import NotAllowedError
from homesteward.people.past import knows_the_past
from homesteward.tools.beheld import Beheld

type SourcesNow = Callable[[], Sources]
"""Where answers can be looked up at present."""


async def recalled(
    asked: Recalls, caller: Caller, home: LiveHome, sources: Sources, language: str, clock: Clock
) -> Says | Declines:
    """Return the answer to a question about the past, a calendar, a list or a forecast; `home` is the caller's part of it.

    Whoever is told nothing of the past is told so, whatever was asked about.
    """
    if asked.kind in OF_THE_PAST and not knows_the_past(caller):
        return Declines(NotAllowedError.code, texts(language)("recall.household"))
    now = clock.now().astimezone(ZoneInfo(home.config.time_zone))
    return await retell(asked, home, replace(sources, visible=Beheld(home, now).sees), language, now)
