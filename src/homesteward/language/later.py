"""Something that is to be done later, in words: what, and when by the home's own clock."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from homesteward.core.json import JsonObject
from homesteward.home.calls import InvalidCallError, ResolvedCall, parse_call
from homesteward.home.live import LiveHome
from homesteward.home.reserved import OWN
from homesteward.language.texts import Texts
from homesteward.language.wording import asked_text

SCHEDULE, UNSCHEDULE = f"{OWN}.schedule", f"{OWN}.unschedule"
MINUTE, SOON = 60, 3600  # seconds; below an hour it is said in how long, above at which time


def inner_of(later: JsonObject) -> ResolvedCall | None:
    """Return the call that is to be made later, None where there is none in it."""
    inner = later.get("call")
    try:
        call = parse_call(inner) if isinstance(inner, Mapping) else None
    except InvalidCallError:
        return None
    return ResolvedCall(call.domain, call.service, call.target.entity_id, call.data) if call else None


def later_text(call: ResolvedCall, names: str, at: datetime, asked: datetime, home: LiveHome, said: Texts) -> str:
    """Return what is to be done and when, without a full stop."""
    when = when_text(at, asked, ZoneInfo(home.config.time_zone), said)
    return said("later.what", what=asked_text(call, names, home, said), when=when)


def when_text(at: datetime, asked: datetime, zone: ZoneInfo, said: Texts) -> str:
    """Return the moment as somebody in this house says it, who asked at `asked`."""
    seconds = round((at - asked).total_seconds())
    if 0 < seconds < MINUTE:
        return said("later.second", count=seconds)
    if MINUTE <= seconds < SOON:
        count = round(seconds / MINUTE)
        return said("later.minute_one" if count == 1 else "later.minute", count=count)
    local, today = at.astimezone(zone), asked.astimezone(zone).date()
    time, date = local.strftime(said("format.time")), local.strftime(said("format.date"))
    days = (local.date() - today).days
    return said(f"later.{DAYS.get(days, 'day')}", time=time, date=date)


DAYS = {0: "at", 1: "tomorrow"}
