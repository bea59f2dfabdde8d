"""What is to be done once, later: asked for through the gate, kept as a row, and at its time handed to the gate again.

`Scheduling` is the room of the reserved calls that make and cancel it, `Clockwork` the task that knows when something is due,
`Firing` what then happens. Nothing here sends anything.
"""

from homesteward.actions.schedule.clockwork import Clockwork
from homesteward.actions.schedule.firing import Firing
from homesteward.actions.schedule.pairs import timed
from homesteward.actions.schedule.schedule import Schedule, ScheduleState, schedule_json
from homesteward.actions.schedule.scheduling import Scheduling
from homesteward.actions.schedule.store import ScheduleStore

__all__ = [
    "Clockwork",
    "Firing",
    "Schedule",
    "ScheduleState",
    "ScheduleStore",
    "Scheduling",
    "schedule_json",
    "timed",
]
