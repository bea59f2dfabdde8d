"""Home Assistant's logbook: what happened and, as far as it knows, why; and the calls of actions that its recorder has."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import BaseModel, TypeAdapter

from homesteward.core.json import JsonObject
from homesteward.home.errors import TooMuchAskedError
from homesteward.home.model import EMPTY
from homesteward.home.recorder.asking import Line, Read, Window, ask
from homesteward.home.wire import parsed

LONGEST = timedelta(days=31)  # of the whole house: three days of a lively one are 0.7 s of Home Assistant's work
MAX_ENTITIES = 100


@dataclass(frozen=True, slots=True)
class Origin:
    """What the logbook takes for the cause. It follows contexts alone, so within 5 s of a call it blames that for anything."""

    kind: str = ""
    """The type of event: `automation_triggered`, `script_started`, `call_service`."""
    entity_id: str | None = None
    name: str = ""
    source: str = ""
    """What set off an automation, in Home Assistant's words."""
    service: str = ""
    """`domain.service` of a call."""
    user_id: str | None = None


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the logbook: an entity's new `state`, or a `message` about an automation, a script or another integration."""

    at: datetime
    entity_id: str | None = None
    state: str | None = None
    name: str = ""
    message: str = ""
    domain: str = ""
    source: str = ""
    item_id: str = ""
    run_id: str = ""
    """The two that lead to the trace of an automation or a script."""
    context_id: str | None = None
    origin: Origin = Origin()


@dataclass(frozen=True, slots=True)
class ActionCall:
    """A call of an action that the recorder has. `data` is as it was called: it may hold codes and PINs, so keep none of it unredacted."""

    at: datetime
    domain: str
    service: str
    data: JsonObject
    context_id: str | None = None
    origin: Origin = Origin()


async def read_logbook(line: Line, window: Window, entity_ids: Collection[str] = ()) -> tuple[LogEntry, ...]:
    """Return the entries of `window`, the oldest first; those of `entity_ids` only where any is named.

    Sensors that measure have none, nor has a state that only repeats. What happened in the last 5 s may not be in it yet.
    Raises TooMuchAskedError, NotRecordingError, and as `ask` does.
    """
    _check(window, entity_ids)
    fields = {"entity_ids": list(entity_ids)} if entity_ids else {}
    rows = parsed(_ENTRIES, await ask(line, Read.LOGBOOK, **window.fields, **fields))
    return tuple(_entry(row) for row in rows)


async def read_action_calls(line: Line, window: Window) -> tuple[ActionCall, ...]:
    """Return the calls of actions in `window`, the oldest first; raises as `read_logbook` does, and NeedsAdminError."""
    _check(window, ())
    rows = parsed(_CALLS, await ask(line, Read.ACTION_CALLS, **window.fields))
    return tuple(
        ActionCall(_moment(row.when), row.domain, row.service, row.service_data or EMPTY, row.context_id, _origin(row))
        for row in rows
    )


class _Row(BaseModel):
    when: float
    context_id: str | None = None
    context_event_type: str | None = None
    context_entity_id: str | None = None
    context_name: str | None = None
    context_source: str | None = None
    context_domain: str | None = None
    context_service: str | None = None
    context_user_id: str | None = None


class _EntryRow(_Row):
    entity_id: str | None = None
    state: str | None = None
    name: str | None = None
    message: str | None = None
    domain: str | None = None
    source: str | None = None
    item_id: str | None = None
    run_id: str | None = None


class _CallRow(_Row):
    domain: str
    service: str
    service_data: dict[str, Any] | None = None


_ENTRIES = TypeAdapter(list[_EntryRow])
_CALLS = TypeAdapter(list[_CallRow])


def _check(window: Window, entity_ids: Collection[str]) -> None:
    if window.until - window.since > LONGEST:
        raise TooMuchAskedError(
            f"The logbook of more than {LONGEST.days} days is too much for one request.", next="Ask for less at a time."
        )
    if len(entity_ids) > MAX_ENTITIES:
        raise TooMuchAskedError(
            f"{len(entity_ids)} entities are too many for one request.", next=f"Name at most {MAX_ENTITIES}."
        )


def _entry(row: _EntryRow) -> LogEntry:
    return LogEntry(
        _moment(row.when),
        row.entity_id,
        row.state,
        row.name or "",
        row.message or "",
        row.domain or "",
        row.source or "",
        row.item_id or "",
        row.run_id or "",
        row.context_id,
        _origin(row),
    )


def _origin(row: _Row) -> Origin:
    service = f"{row.context_domain}.{row.context_service}" if row.context_service else ""
    return Origin(
        row.context_event_type or "",
        row.context_entity_id,
        row.context_name or "",
        row.context_source or "",
        service,
        row.context_user_id,
    )


def _moment(stamp: float) -> datetime:
    return datetime.fromtimestamp(stamp, UTC)
