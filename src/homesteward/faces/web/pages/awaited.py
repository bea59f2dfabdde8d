"""What waits for whoever looks: every page counts it, so it is read again only where it may be another."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from homesteward.actions.plan import Plan, PlanState
from homesteward.faces.web.pages.deeds import awaited_by
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.rooms import Rooms
from homesteward.people import Caller

MOST_COUNTED = 500  # waiting plans; more are not told apart in a badge
MOST_CALLERS = 64  # whose plans are remembered; whoever looked longest ago is forgotten


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read, at which mark, and until when none of it has run out."""

    mark: tuple[str, int]
    until: datetime | None
    plans: tuple[Plan, ...]


class Awaited:
    """The plans that wait for a yes of each caller's, the newest first."""

    def __init__(self, rooms: Rooms) -> None:
        """Ask the gate of `rooms`."""
        self._rooms = rooms
        self._read: OrderedDict[Caller, _Read] = OrderedDict()

    async def by(self, visit: Visit) -> tuple[Plan, ...]:
        """Return what waits for whoever visits; it is read anew once anything became of a plan, or one has run out."""
        whose = replace(visit.caller, proof=None)
        mark = (self._rooms.doings.mark, visit.home.revision)  # before reading: what comes meanwhile makes it another
        known = self._read.get(whose)
        if known is None or known.mark != mark or (known.until is not None and known.until <= visit.now):
            found = await self._rooms.gate.plans(PlanState.WAITING, MOST_COUNTED, visit.caller)
            known = _Read(mark, _soonest(found), tuple(plan for plan in found if awaited_by(plan, visit.caller)))
            self._read[whose] = known
        self._read.move_to_end(whose)
        while len(self._read) > MOST_CALLERS:
            self._read.popitem(last=False)
        return known.plans


def _soonest(plans: Sequence[Plan]) -> datetime | None:
    return min((plan.expires for plan in plans), default=None)
