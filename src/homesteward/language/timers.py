"""Timers: how long one is to run is told to it, and is not when its start is to be taken back."""

from dataclasses import replace
from datetime import datetime, timedelta

from homesteward.home.calls import Call
from homesteward.language.reading import Acts, Asks


def lasting(reading: Acts | Asks, now: datetime) -> Acts | Asks:
    """Return the request with its end as the length of the timers, where timers are all that it starts."""
    if reading.at or reading.until is None or not all(_starts(call) for call in reading.calls):
        return reading
    length = str(timedelta(seconds=round((reading.until - now).total_seconds())))
    calls = tuple(replace(call, data={**call.data, "duration": length}) for call in reading.calls)
    return replace(reading, calls=calls, until=None)


def _starts(call: Call) -> bool:
    return call.id == "timer.start"
