"""Bodies as they are now: what a script, scene or automation does is read again before it is judged, and again before it runs."""

from collections.abc import Iterable

from homesteward.home.calls import ResolvedCall
from homesteward.home.live import LiveHome
from homesteward.policy import bodies_reached
from homesteward.policy.impact import MAX_TRAIL

MAX_DEPTH = (
    MAX_TRAIL + 1
)  # each reading goes one further at least; what lies deeper is judged as sensitive, whatever is known of it


async def freshen(home: LiveHome, calls: Iterable[ResolvedCall]) -> None:
    """Bring the bodies that `calls` reach up to date, those that come to light on the way included.

    Home Assistant tells nobody that a script was edited, and an edit made just before a call must not slip through.
    """
    wanted, fresh = list(calls), frozenset[str]()
    for _ in range(MAX_DEPTH):
        stale = frozenset(name for call in wanted for name in bodies_reached(call, home)) - fresh
        if not stale:
            return
        await home.freshen(stale)
        fresh |= stale
