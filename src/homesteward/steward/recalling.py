"""Answering what no state tells, within what exists for the caller."""

from collections.abc import Callable
from dataclasses import replace
from zoneinfo import ZoneInfo

from homesteward.core import Clock
from homesteward.home.live import LiveHome
from homesteward.language import Recalls, Says, Sources, retell
from homesteward.tools.beheld import Beheld

type SourcesNow = Callable[[], Sources]
"""Where answers can be looked up at present."""


async def recalled(asked: Recalls, home: LiveHome, sources: Sources, language: str, clock: Clock) -> Says:
    """Return the answer to a question about the past, a calendar, a list or a forecast; `home` is the caller's part of it."""
    now = clock.now().astimezone(ZoneInfo(home.config.time_zone))
    return await retell(asked, home, replace(sources, visible=Beheld(home, now).sees), language, now)
