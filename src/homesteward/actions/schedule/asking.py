"""From what somebody wrote about a time to the calls that the gate is asked for: one way for every face."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from homesteward.actions.schedule.asked import read_when
from homesteward.actions.schedule.moments import BadTimeError
from homesteward.actions.schedule.pairs import UNSCHEDULE, timed
from homesteward.core.json import JsonObject
from homesteward.home.calls import Call
from homesteward.home.live import LiveHome
from homesteward.home.reserved import OWN
from homesteward.people import Caller


def asked_for(
    calls: Sequence[Call], when: JsonObject, home: LiveHome, caller: Caller, now: datetime
) -> tuple[Call, ...]:
    """Return the calls that have `calls` made when `when` says: `at` or `in`, `until` or `for`, and `if`.

    Raises BadTimeError where it says no time, and what `timed` raises.
    """
    asked, zone = read_when(when), ZoneInfo(home.config.time_zone)
    at = asked.begin(now, zone)
    until = asked.end(at, now, zone)
    if at is None and (until is None or asked.conditions):
        raise BadTimeError("Say when it is to be done.", next="Give `at` or `in`; `until` or `for` where it is to end.")
    conditions = [each.model_dump(mode="json", exclude_defaults=True) for each in asked.conditions]
    return timed(calls, home, caller, at=at, until=until, conditions=conditions)


def called_off(schedule_id: str) -> Call:
    """Return the call that calls off what is still to be done."""
    return Call(OWN, UNSCHEDULE, data={"id": schedule_id})
