"""What every room stands on: ids, time, errors, JSON, text and redaction. Nothing here does I/O or knows a home."""

from homesteward.core.clock import Clock, FrozenClock, SystemClock
from homesteward.core.errors import ErrorInfo, HomestewardError
from homesteward.core.ids import new_id

__all__ = ["Clock", "ErrorInfo", "FrozenClock", "HomestewardError", "SystemClock", "new_id"]
