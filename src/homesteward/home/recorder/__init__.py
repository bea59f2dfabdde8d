"""What Home Assistant itself remembers of a home: states of the latest days, statistics for good, its logbook and its traces.

Only reads, each bounded, over the link or one connection. The recorder forgets states after some days and keeps hours of numbers for
good; `series` joins the two and `total` counts over both, and each says what it does not know.
"""

from homesteward.home.recorder.asking import Line, Window
from homesteward.home.recorder.buckets import Bucket, in_steps, steps, time_in_states
from homesteward.home.recorder.energy import Flow, Meter
from homesteward.home.recorder.history import Past
from homesteward.home.recorder.logbook import ActionCall, LogEntry, Origin
from homesteward.home.recorder.readings import COUNTING, Reading
from homesteward.home.recorder.recorder import Recorder
from homesteward.home.recorder.series import Series
from homesteward.home.recorder.statistics import Measure, Period, Row
from homesteward.home.recorder.totals import Gap, Total
from homesteward.home.recorder.traces import RunKey, Trace, TraceStep, TraceSummary

__all__ = [
    "COUNTING",
    "ActionCall",
    "Bucket",
    "Flow",
    "Gap",
    "Line",
    "LogEntry",
    "Measure",
    "Meter",
    "Origin",
    "Past",
    "Period",
    "Reading",
    "Recorder",
    "Row",
    "RunKey",
    "Series",
    "Total",
    "Trace",
    "TraceStep",
    "TraceSummary",
    "Window",
    "in_steps",
    "steps",
    "time_in_states",
]
