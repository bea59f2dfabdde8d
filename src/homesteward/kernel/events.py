"""What a run tells while it goes on: the events that faces stream, which together are also its trace."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.redaction import PLACEHOLDER
from homesteward.core.secret_names import says_secret


class EventKind(StrEnum):
    """The kinds of event, named as the stream names them."""

    STARTED = "started"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    PLAN = "plan"
    USAGE = "usage"
    REPLY = "reply"
    ERROR = "error"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a run, with no secret in it."""

    kind: EventKind
    at: datetime
    data: JsonObject


type Listener = Callable[[Event], None]


def without_secrets(value: JsonValue) -> JsonValue:
    """Return `value` with every field that holds a code, a PIN or the like blanked, at any depth."""
    if isinstance(value, Mapping):
        return {
            key: PLACEHOLDER if _may_be_secret(item) and says_secret(key) else without_secrets(item)
            for key, item in value.items()
        }
    return [without_secrets(item) for item in value] if isinstance(value, list | tuple) else value


def _may_be_secret(value: JsonValue) -> bool:
    return value is not None and not isinstance(value, bool)
