"""Times and numbers as a household reads them: in its own time zone, in the language of whoever looks."""

from dataclasses import dataclass
from datetime import date, datetime
from math import isfinite
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime, format_time, format_timedelta
from babel.numbers import format_decimal, format_scientific

PLAINLY = (0.0005, 1e15)
"""Which magnitudes are written out. Below, three decimals would say 0; above, no float holds every digit, and near 1e29 `decimal` refuses."""

SCIENTIFIC = "0.###E0"


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment as a page shows it: `short` where it stands, `full` and `ago` for whoever wants to know more."""

    iso: str
    short: str
    full: str
    ago: str


class Local:
    """The ways of one place and one language."""

    def __init__(self, language: str, country: str | None, zone: str) -> None:
        """Tell times in `zone`, as people of `country` who speak `language` do."""
        self.locale = _locale(language, country)
        self._zone = ZoneInfo(zone)

    def moment(self, at: datetime, now: datetime) -> Moment:
        """Return the moment `at`, as it is told at `now`: without the day where it is today."""
        here, today = at.astimezone(self._zone), now.astimezone(self._zone)
        time = format_time(here, "short", locale=self.locale)
        day = format_date(here, "d MMM" if here.year == today.year else "medium", locale=self.locale)
        return Moment(
            at.isoformat(),
            time if here.date() == today.date() else f"{day}, {time}",
            format_datetime(here, "full", locale=self.locale),
            self.ago(at, now),
        )

    def clock(self, at: datetime) -> str:
        """Return the time of day of a moment."""
        return str(format_time(at.astimezone(self._zone), "short", locale=self.locale))

    def day(self, at: datetime) -> str:
        """Return the day of a moment, with its name."""
        return str(format_date(at.astimezone(self._zone), "full", locale=self.locale))

    def short_day(self, day: date) -> str:
        """Return a day in short, without its year."""
        return str(format_date(day, "d MMM", locale=self.locale))

    def ago(self, at: datetime, now: datetime) -> str:
        """Return how long ago, or how long from `now`, the moment is."""
        return format_timedelta(at - now, add_direction=True, locale=self.locale, threshold=1.2)

    def lasting(self, since: datetime, until: datetime) -> str:
        """Return how long it is between two moments."""
        return format_timedelta(until - since, locale=self.locale, threshold=1.2)

    def number(self, value: float) -> str:
        """Return a number as it is written here: one too big or too small to be written out by its power of ten."""
        if not isfinite(value):
            return str(value)
        if value and not PLAINLY[0] <= abs(value) < PLAINLY[1]:
            return format_scientific(value, format=SCIENTIFIC, locale=self.locale)
        return format_decimal(value, locale=self.locale)

    def quantity(self, state: str, unit: str) -> str:
        """Return a measured state with its unit; what is no number is left as it is."""
        try:
            value = float(state)
        except ValueError:
            return f"{state} {unit}".strip()
        return f"{self.number(value) if isfinite(value) else state} {unit}".strip()


def _locale(language: str, country: str | None) -> Locale:
    try:
        return Locale(language, country)
    except UnknownLocaleError:
        return Locale(language)
