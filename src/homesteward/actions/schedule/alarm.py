"""Waiting for a moment by the wall clock: it rings when that clock shows it, also where the clock was set meanwhile."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from datetime import datetime

from homesteward.core import Clock

type Alarm = Callable[[datetime], Awaitable[None]]
"""Returns when the wall clock shows the moment, or when it was set and is to be looked at again; never long after either."""

# Where the system cannot say that its clock was set, nobody waits longer than this without a look at it.
LOOK_S = 60.0


def alarm_of(clock: Clock) -> Alarm:
    """Return the alarm of the machine's own wall clock."""

    async def ring(at: datetime) -> None:
        ahead = (at - clock.now()).total_seconds()
        if ahead > 0:
            await (_timer(ahead) if hasattr(os, "timerfd_create") else asyncio.sleep(min(ahead, LOOK_S)))

    return ring


async def _timer(ahead: float) -> None:
    """Wait on a timer of the kernel's for that moment of the wall clock; it is over at once where the clock is set."""
    loop, rung = asyncio.get_running_loop(), asyncio.Event()
    fd = os.timerfd_create(time.CLOCK_REALTIME, flags=os.TFD_NONBLOCK | os.TFD_CLOEXEC)
    try:
        os.timerfd_settime(fd, flags=os.TFD_TIMER_ABSTIME | os.TFD_TIMER_CANCEL_ON_SET, initial=time.time() + ahead)
        loop.add_reader(fd, rung.set)
        try:
            await rung.wait()
        finally:
            loop.remove_reader(fd)
    finally:
        os.close(fd)
