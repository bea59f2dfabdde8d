"""What people and programs write for a moment, as that moment: in the home's time where none is said, and never a guess."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo

from homesteward.core.errors import HomestewardError

FIRST_YEAR = 1970  # nothing that can be asked about is older, and moments are kept as microseconds since then
LATEST = timedelta(days=366)  # how far ahead of now the end of a time span may lie
SLACK = timedelta(minutes=1)  # a moment rounded up to the next minute is still meant as now
LONGEST_TEXT = 80

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
UNIT_WORDS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "sekunde", "sekunden"), "s"),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes", "minuten"), "m"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden"), "h"),
    **dict.fromkeys(("d", "day", "days", "tag", "tage", "tagen"), "d"),
    **dict.fromkeys(("w", "week", "weeks", "woche", "wochen"), "w"),
}
DAYS_AGO = {"today": 0, "yesterday": 1, "day before yesterday": 2, "heute": 0, "gestern": 1, "vorgestern": 2}
WEEKDAYS = {
    word: day
    for day, words in enumerate(
        (
            ("monday", "mon", "montag"),
            ("tuesday", "tue", "dienstag"),
            ("wednesday", "wed", "mittwoch"),
            ("thursday", "thu", "donnerstag"),
            ("friday", "fri", "freitag"),
            ("saturday", "sat", "samstag"),
            ("sunday", "sun", "sonntag"),
        )
    )
    for word in words
}
NOW = frozenset({"now", "jetzt"})
LAST = frozenset({"last", "letzten", "letzter", "letzte"})
HOURS = {"noon": time(12), "midnight": time(0), "mittag": time(12), "mitternacht": time(0)}
TAKEN = (
    "Write a moment as 2026-11-03, 2026-11-03 18:02, 2026-11-03T18:02:00+01:00, 18:02, today 6:30, yesterday 18:00, "
    "last monday 7am, NOW, NOW-2h or -90m. Without an offset it is the home's time."
)

_AMOUNT = re.compile(r"(\d{1,9})\s*([a-z]+)")
_AMOUNTS = re.compile(r"(?:\d{1,9}\s*[a-z]+\s*)+")
_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[t ]\s*(.+))?")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,6}))?)?)?\s*(am|pm|uhr)?")
_OFFSET = re.compile(r"\s*(z|[+-]\d{2}:?\d{2}(?::\d{2})?)$")


class BadTimeError(HomestewardError):
    """The text is no moment that can be asked about."""

    code = "bad_time"

    def __init__(self, message: str) -> None:
        """Say in `message` what is wrong; what is taken instead is always said."""
        super().__init__(message, next=TAKEN)


class InTheFutureError(HomestewardError):
    """What has not come yet was asked about as if it had been, which is nearly always a time with a wrong offset."""

    code = "in_the_future"


@dataclass(frozen=True, slots=True)
class Parsed:
    """A moment in UTC, and what a person should know about how it was understood (nothing, nearly always)."""

    at: datetime
    note: str = ""


def moment(text: str, now: datetime, zone: tzinfo) -> Parsed:
    """Return the moment that `text` means at `now` for a home in `zone`; raise BadTimeError with what is taken.

    A clock time by itself is the latest one that has passed, and so is a day of the week. An hour that the clock shows twice is
    its first; one that it skips is counted with the offset before the change. Both are said in the note.
    """
    said = " ".join(text[: LONGEST_TEXT + 1].casefold().split())
    if not said or len(said) > LONGEST_TEXT:
        raise BadTimeError("A moment is needed." if not said else "That is too long for a moment.")
    try:
        found = _relative(said, now) or _dated(said, zone) or _spoken(said, now.astimezone(zone), zone)
    except ValueError, OverflowError:
        found = None
    if found is None:
        raise BadTimeError(f"'{text.strip()}' is not a moment.")
    if not datetime(FIRST_YEAR, 1, 1, tzinfo=UTC) <= found.at <= now + LATEST:
        raise BadTimeError(f"'{text.strip()}' is out of reach: only from {FIRST_YEAR} to a year from now.")
    return found


def passed(at: datetime, now: datetime, zone: tzinfo, said: str = "") -> datetime:
    """Return a moment that is asked about, at the latest `now`; raise InTheFutureError for one that has not come yet.

    `said` is what somebody wrote for it.
    """
    if at > now + SLACK:
        local = at.astimezone(zone).isoformat(timespec="seconds")
        clock = now.astimezone(zone).isoformat(timespec="seconds")
        raise InTheFutureError(
            f"{f'{said} is {local} here, which' if said else local} has not come yet: it is {clock} ({zone}).",
            next="Write a local time without Z and without offset, or with the right offset.",
        )
    return min(at, now)


def span(since: str | None, until: str | None, now: datetime, zone: tzinfo) -> tuple[Parsed | None, Parsed | None]:
    """Return both ends of a time span, None for one that is open; raise BadTimeError where it ends before it begins."""
    start = moment(since, now, zone) if since is not None else None
    end = moment(until, now, zone) if until is not None else None
    if start and end and start.at >= end.at:
        raise BadTimeError(
            f"The time span ends ({rendered(end.at, zone)}) before it begins ({rendered(start.at, zone)})."
        )
    return start, end


def rendered(at: datetime, zone: tzinfo) -> str:
    """Return `at` in the home's time with its offset, as `moment` reads it."""
    return at.astimezone(zone).isoformat()


def in_zone(local: datetime, zone: tzinfo) -> Parsed:
    """Return the moment at which the clocks of `zone` show `local`, and say so where that is twice or never."""
    first, second = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    at = first.astimezone(UTC)
    if first.utcoffset() == second.utcoffset():
        return Parsed(at)
    shown = f"{local:%Y-%m-%d %H:%M}"
    if at.astimezone(zone).replace(tzinfo=None) == local:
        return Parsed(at, f"{shown} came twice that night; the first is meant ({rendered(at, zone)}).")
    return Parsed(at, f"The clock skipped {shown}; {rendered(at, zone)} is meant.")


def _relative(said: str, now: datetime) -> Parsed | None:
    """Read NOW, NOW-2h, -90m, 2 hours ago."""
    if said in NOW:
        return Parsed(now)
    if said.endswith(" ago"):
        back = said.removesuffix(" ago")
    elif said.startswith("vor "):
        back = said.removeprefix("vor ")
    else:
        sign, back = said.removeprefix("now").lstrip()[:1], said.removeprefix("now").lstrip()[1:].lstrip()
        if sign != "-":
            return None
    if not _AMOUNTS.fullmatch(back):
        return None
    amounts = [(int(amount), UNIT_WORDS.get(unit)) for amount, unit in _AMOUNT.findall(back)]
    if any(unit is None for _, unit in amounts):
        return None
    return Parsed(now - timedelta(seconds=sum(amount * UNITS[unit] for amount, unit in amounts if unit)))


def _dated(said: str, zone: tzinfo) -> Parsed | None:
    """Read a date, with a clock time and an offset or without."""
    found = _DATE.fullmatch(said)
    if found is None:
        return None
    day, rest = datetime.fromisoformat(found[1]), found[2]
    if rest is None:
        return in_zone(day, zone)
    offset = _OFFSET.search(rest)
    clock = _clock(rest[: offset.start()] if offset else rest)
    if clock is None:
        return None
    local = datetime.combine(day, clock)
    if offset is None:
        return in_zone(local, zone)
    return Parsed(datetime.fromisoformat(local.isoformat() + offset[1].upper()).astimezone(UTC))


def _spoken(said: str, now: datetime, zone: tzinfo) -> Parsed | None:
    """Read a day as people call it, a clock time, or both; always the latest that has passed unless the day is named."""
    named, rest = _day(said, now)
    clock = _clock(rest.removeprefix("at ").removeprefix("um ")) if rest else None
    if (rest and clock is None) or (named is None and clock is None):
        return None
    day, back = named if named is not None else (now.date(), 1)
    local = datetime.combine(day, clock or time())
    found = in_zone(local, zone)
    return in_zone(local - timedelta(days=back), zone) if back and found.at > now else found


def _day(said: str, now: datetime) -> tuple[tuple[datetime, int] | None, str]:
    """Return the day named at the beginning, by how many days to go back where it lies ahead, and what follows."""
    for word, ago in sorted(DAYS_AGO.items(), key=lambda item: -len(item[0])):
        if said == word or said.startswith(word + " "):
            return (_midnight(now, ago), 0), said.removeprefix(word).strip()
    first, _, rest = said.partition(" ")
    last = first in LAST
    if last:
        first, _, rest = rest.partition(" ")
    if first not in WEEKDAYS:
        return None, said
    ago = (now.weekday() - WEEKDAYS[first]) % 7
    return (_midnight(now, ago or 7 if last else ago), 7), rest


def _midnight(now: datetime, ago: int) -> datetime:
    return datetime.combine(now.date() - timedelta(days=ago), time())


def _clock(said: str) -> time | None:
    """Read 18:02, 7am, 6:30 pm, 18 uhr, noon; a bare number is none. 24:00 is not taken: name the next day."""
    if said in HOURS:
        return HOURS[said]
    found = _CLOCK.fullmatch(said.strip())
    if found is None or (found[2] is None and found[5] is None):
        return None
    hour, half = int(found[1]), found[5]
    if half in {"am", "pm"}:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    fraction = int((found[4] or "0").ljust(6, "0"))
    return time(hour, int(found[2] or 0), int(found[3] or 0), fraction)
