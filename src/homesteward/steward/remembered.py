"""An answer from what was known last, while the home is out of reach: it begins with how old it is."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

WORDS: Mapping[str, str] = {
    "en": "As of {time}, not connected: {text}",
    "de": "Stand {time}, nicht verbunden: {text}",
}


def aged(text: str, as_of: datetime, now: datetime, language: str, time_zone: str) -> str:
    """Return `text` with the moment it was true, in the home's own time; a day that is not today is named."""
    zone = ZoneInfo(time_zone)
    then, today = as_of.astimezone(zone), now.astimezone(zone)
    moment = f"{then:%H:%M}" if then.date() == today.date() else f"{then:%Y-%m-%d %H:%M}"
    return WORDS.get(language.partition("-")[0].lower(), WORDS["en"]).format(time=moment, text=text)
