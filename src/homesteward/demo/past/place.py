"""Where the demo home stands, and what that means for its days: local time, sunrise, dusk, working days."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAY = 86400.0
J2000 = 946728000.0  # noon of 2000-01-01 UTC, from which almanacs count
SUNSET = -0.833  # degrees: the upper rim is gone, refraction included
LAMPS = -2.7  # degrees: about 50 lx under an average sky, when people turn lamps on


@dataclass(frozen=True, slots=True)
class Place:
    """A place on earth with its civil time."""

    zone: ZoneInfo
    latitude: float
    longitude: float

    def at(self, day: date, hours: float) -> float:
        """Return the timestamp of `hours` on the wall clock of `day`; more than 24 is after midnight."""
        extra, hours = divmod(hours, 24)
        seconds = round(hours * 3600)
        clock = time(seconds // 3600, seconds // 60 % 60, seconds % 60, tzinfo=self.zone)
        return datetime.combine(day + timedelta(days=int(extra)), clock).timestamp()

    def day_of(self, at: float) -> date:
        """Return the local date of a timestamp."""
        return datetime.fromtimestamp(at, self.zone).date()

    def hour_of(self, at: float) -> float:
        """Return the hours that the wall clock shows."""
        local = datetime.fromtimestamp(at, self.zone)
        return local.hour + local.minute / 60 + local.second / 3600

    def sun(self, at: float) -> float:
        """Return the height of the sun in degrees, to a tenth."""
        days = (at - J2000) / DAY
        anomaly = math.radians(357.529 + 0.98560028 * days)
        longitude = math.radians(
            280.459 + 0.98564736 * days + 1.915 * math.sin(anomaly) + 0.020 * math.sin(2 * anomaly)
        )
        tilt = math.radians(23.439)
        declination = math.asin(math.sin(tilt) * math.sin(longitude))
        ascension = math.atan2(math.cos(tilt) * math.sin(longitude), math.cos(longitude))
        sidereal = math.radians((280.46062 + 360.98564737 * days + self.longitude) % 360)
        latitude = math.radians(self.latitude)
        return math.degrees(
            math.asin(
                math.sin(latitude) * math.sin(declination)
                + math.cos(latitude) * math.cos(declination) * math.cos(sidereal - ascension)
            )
        )

    def sinks(self, day: date, below: float = SUNSET) -> float:
        """Return when the sun of `day` sinks below some degrees; at midnight where it does not."""
        return self._crosses(self.at(day, 12.5), self.at(day, 24), below)

    def rises(self, day: date, above: float = SUNSET) -> float:
        """Return when the sun of `day` climbs above some degrees; at midnight where it does not."""
        return self._crosses(self.at(day, 12.5), self.at(day, 0), above)

    def _crosses(self, light: float, dark: float, height: float) -> float:
        while abs(light - dark) > 1:
            middle = (light + dark) / 2
            if self.sun(middle) > height:
                light = middle
            else:
                dark = middle
        return dark


HOME = Place(ZoneInfo("Europe/Amsterdam"), 52.37, 4.89)
"""What `house/configuration.yaml` tells Home Assistant."""


def dates(place: Place, start: datetime, end: datetime) -> Iterator[date]:
    """Yield the local dates that `start` to `end` touches."""
    day = place.day_of(start.astimezone(UTC).timestamp())
    last = place.day_of(end.astimezone(UTC).timestamp())
    while day <= last:
        yield day
        day += timedelta(days=1)


def working(day: date) -> bool:
    """Return whether people go to work."""
    return day.weekday() < 5
