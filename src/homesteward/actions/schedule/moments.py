"""From a time as people say it to a moment: by the home's own wall clock, also on the two odd nights of the year."""

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from homesteward.actions.errors import GateError

LONGEST = timedelta(days=30)
WITH_TIME = re.compile(r"[^Tt ]+[Tt ]\d\d.*")  # a day alone says no time: nobody means midnight by it
TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")


class BadTimeError(GateError):
    """The time is none, is past, or is too far ahead."""

    code = "bad_time"


def moment_of(text: str, now: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment that `text` means, in UTC; raise BadTimeError where it is none or not within the next 30 days.

    An ISO date and time, by the home's clock where it names no offset; or a time of day alone, which is the next there is. A local
    time that does not exist (the clock is put forward) is the moment at which it would have been; of one that exists twice it is
    the first that is still to come.
    """
    clock = TIME.fullmatch(text.strip())
    if clock:
        return require_ahead(_next(time(int(clock[1]), int(clock[2]), int(clock[3] or 0)), now, zone), now)
    try:
        found = datetime.fromisoformat(text.strip())
        at = (found.astimezone(UTC),) if found.tzinfo is not None else moments(found, zone)
    except ValueError:
        raise BadTimeError(
            f"{text[:60]!r} is no time.", next="Write it as 17:00, or as 2026-03-01T17:00 by the home's clock."
        ) from None
    except OverflowError:
        raise BadTimeError(f"{text[:60]!r} is beyond all time.", next="Name one within the next 30 days.") from None
    if not WITH_TIME.fullmatch(text.strip()):
        raise BadTimeError(f"{text[:60]!r} is a day without a time.", next=f"Say at what time: {found:%Y-%m-%d}T17:00.")
    return require_ahead(next((each for each in at if each > now), at[-1]), now)


def require_ahead(at: datetime, now: datetime) -> datetime:
    """Return `at` where it is still to come, and at most 30 days from now; raise BadTimeError else."""
    if at <= now:
        raise BadTimeError("That time is past.", next="Name one that is still to come, or ask for it now.")
    if at - now > LONGEST:
        raise BadTimeError(
            f"That is more than {LONGEST.days} days ahead.", next="Ask for it nearer to the day, or make an automation."
        )
    return at


def moments(local: datetime, zone: ZoneInfo) -> tuple[datetime, ...]:
    """Return the moments, in UTC, at which the wall clock shows `local`: one; two where the clock is put back over it.

    Where it is put forward over it there is none, and the moment is taken at which it would have been without that: half past two
    of that night is what the clock then calls half past three.
    """
    first, second = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    return (first, second) if first < second else (first,)


def _next(of_day: time, now: datetime, zone: ZoneInfo) -> datetime:
    today = now.astimezone(zone).date()
    for days in range(3):
        day = datetime.combine(today + timedelta(days=days), of_day)
        for at in moments(day, zone):
            if at > now:
                return at
    raise BadTimeError(f"{of_day} does not come within two days.", next="Name the date as well.")
