"""Times and numbers as a household reads them: in its own time zone, in the language of whoever looks."""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime, format_time, format_timedelta
from babel.numbers import format_decimal


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
        """Return a number as it is written here."""
        return format_decimal(value, locale=self.locale)

    def quantity(self, state: str, unit: str) -> str:
        """Return a measured state with its unit; what is no number is left as it is."""
        try:
            told = self.number(float(state))
        except ValueError:
            told = state
        return f"{told} {unit}".strip()


def _locale(language: str, country: str | None) -> Locale:
    try:
        return Locale(language, country)
    except UnknownLocaleError:
        return Locale(language)
