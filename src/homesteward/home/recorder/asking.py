"""Asking Home Assistant about its past: the commands there are, all of which only read, and the window of time that is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol

from homesteward.core.json import JsonValue
from homesteward.home.errors import BadWindowError, HaError, NeedsAdminError, NotRecordingError

TIMEOUT_S = 60.0  # a slow card reads a month of a busy sensor in some ten seconds


class Read(StrEnum):
    """The commands of this room."""

    HISTORY = "history/history_during_period"
    STATISTICS = "recorder/statistics_during_period"
    MEASURES = "recorder/get_statistics_metadata"
    LOGBOOK = "logbook/get_events"
    ACTION_CALLS = "logbook/get_action_calls"
    TRACES = "trace/list"
    TRACE = "trace/get"
    ENERGY = "energy/get_prefs"


class Line(Protocol):
    """A way to ask Home Assistant: the link to it, or one connection."""

    async def send(self, kind: str, /, *, timeout_s: float = TIMEOUT_S, **fields: object) -> JsonValue:
        """Send one command and return its result; raises as Connection.send does."""
        ...


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time, from `since` up to but not including `until`. Raises BadWindowError for one that is none."""

    since: datetime
    until: datetime

    def __post_init__(self) -> None:
        """Hold it in UTC."""
        if self.since.tzinfo is None or self.until.tzinfo is None:
            raise BadWindowError("A time without its offset says nothing.", next="Give both times with an offset.")
        if self.since >= self.until:
            raise BadWindowError(
                f"The window ends ({self.until.isoformat()}) before it begins ({self.since.isoformat()}).",
                next="Give a beginning that lies before the end.",
            )
        object.__setattr__(self, "since", self.since.astimezone(UTC))
        object.__setattr__(self, "until", self.until.astimezone(UTC))

    @property
    def fields(self) -> Mapping[str, str]:
        """Return it as the commands take it."""
        return {"start_time": self.since.isoformat(), "end_time": self.until.isoformat()}


async def ask(line: Line, read: Read, **fields: object) -> JsonValue:
    """Return the answer to one of the reads.

    Raises NotRecordingError where the integration behind it is not loaded, NeedsAdminError, and what `line` raises.
    """
    try:
        return await line.send(read.value, timeout_s=TIMEOUT_S, **fields)
    except HaError as error:
        integration = read.partition("/")[0]
        if error.code == "unknown_command":
            raise NotRecordingError(
                f"Home Assistant runs without its integration '{integration}', so it cannot say.",
                next=f"Add '{integration}:' (or 'default_config:') to Home Assistant's configuration and restart it.",
            ) from error
        if error.code == "unauthorized":
            raise NeedsAdminError(
                f"Only an administrator may read this of Home Assistant's {integration}.",
                next="Make the access token as an administrator.",
            ) from error
        raise
