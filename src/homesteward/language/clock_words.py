"""Moments and lengths of time as an answer says them: in local time, by the language's own words."""

from datetime import datetime, timedelta

from homesteward.language.texts import Texts

UNITS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


def moment_text(moment: datetime, now: datetime, said: Texts) -> str:
    """Return when that was or will be; `now` is in the home's time zone."""
    there = moment.astimezone(now.tzinfo)
    ago = (now.date() - there.date()).days
    key = {0: "recall.at_today", 1: "recall.at_yesterday"}.get(ago, "recall.at_day")
    return said(key, time=there.strftime(said("format.time")), day=day_text(there, said))


def day_text(moment: datetime, said: Texts) -> str:
    """Return the day in numbers, as the language writes it."""
    return moment.strftime(said("format.day"))


def length_text(length: timedelta, said: Texts) -> str:
    """Return how long that is in its two largest units."""
    left, parts = round(length.total_seconds()), []
    for unit, seconds in UNITS:
        count, left = divmod(left, seconds)
        if count:
            parts.append(said(f"length.{unit}", n=count))
    return " ".join(parts[:2]) or said("length.second", n=0)
