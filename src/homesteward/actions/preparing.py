"""From calls as they were asked for to calls as they would be carried out: each on concrete things, within the caller's reach."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from homesteward.actions.freshness import freshen
from homesteward.actions.reach import require_reach, resolve_for
from homesteward.actions.reserved import Prepared
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.actions.resolve import require_form
from homesteward.actions.undo import Left
from homesteward.core import HomestewardError
from homesteward.home.calls import Call, ResolvedCall, Target
from homesteward.home.live import LiveHome
from homesteward.people import Caller


async def prepare(home: LiveHome, reserved: ReservedCalls, caller: Caller, calls: Sequence[Call]) -> list[Prepared]:
    """Return the calls as they would be carried out, with the bodies they run as they are now; raise what keeps one from fitting."""
    prepared = [await _prepared(home, reserved, caller, call) for call in calls]
    await freshen(home, [each.call for each in prepared])
    for each in prepared:
        require_reach(home, caller, each.call)
    return prepared


async def fitting_of(
    home: LiveHome, reserved: ReservedCalls, by: Caller, calls: Iterable[Call | ResolvedCall]
) -> tuple[list[Prepared], tuple[Left, ...]]:
    """Return those of the calls that fit the home as it is, and why the others do not."""
    fitting: list[Prepared] = []
    unfit: list[Left] = []
    for call in calls:
        asked = (
            Call(call.domain, call.service, Target(call.entity_ids), call.data)
            if isinstance(call, ResolvedCall)
            else call
        )
        try:
            fitting.append(await _prepared(home, reserved, by, asked))
        except HomestewardError as error:
            unfit += [Left(subject, error.message) for subject in asked.target.entity_id or (asked.id,)]
    return fitting, tuple(unfit)


async def _prepared(home: LiveHome, reserved: ReservedCalls, caller: Caller, call: Call) -> Prepared:
    room = reserved.room_of(call)
    if room is None:
        return Prepared(resolve_for(home, caller, call))
    require_form(call)
    prepared = await room.prepare(call, caller)
    healed = (*call.healed, *prepared.call.healed)
    return replace(prepared, call=replace(prepared.call, healed=healed))
