"""The deterministic loop around a model: it proposes, this decides what is asked of the home, how often and for how long.

Budgets, checks, scheduling and answers to every call are code here; the model supplies only words and proposals. Importing this
room costs nothing: the model library is loaded when the first run starts.
"""

from homesteward.kernel.budgets import PROFILES, Budgets
from homesteward.kernel.events import Event, EventKind
from homesteward.kernel.kernel import Kernel
from homesteward.kernel.request import CallRecord, KernelRequest, KernelResult, Stop, Turn, Usage

__all__ = [
    "PROFILES",
    "Budgets",
    "CallRecord",
    "Event",
    "EventKind",
    "Kernel",
    "KernelRequest",
    "KernelResult",
    "Stop",
    "Turn",
    "Usage",
]
