"""Home Assistant's events of automations, scripts and service calls, checked once and turned into our own types."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ValidationError

from homesteward.chronicle.record import Context, Kind, Run, Source
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject
from homesteward.home.calls import TARGET_KEYS, InvalidCallError, Target, parse_call

RUNS: Mapping[str, Kind] = {"automation_triggered": Kind.AUTOMATION, "script_started": Kind.SCRIPT}
CALL = "call_service"

ID = r"[a-z0-9_]+\.[a-z0-9_]+"
# Home Assistant's words for what started an automation, where they name an entity
NAMED_BY_TRIGGER: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:numeric )?state of ({ID})\b",
        rf"({ID}) via template$",
        rf"({ID}) (?:entering|leaving) ",
        rf"time set in ({ID})\b",
        rf"time remaining of ({ID})\b",
    )
)
# actions that carry their entities in a field of their own
ENTITIES_IN: Mapping[str, str] = {
    "scene.apply": "entities",
    "scene.create": "entities",
    "group.set": "entities",
    "homeassistant.update_entity": "entity_id",
}


class EventFormError(HomestewardError):
    """An event is not of the form that Home Assistant fires."""

    code = "unexpected_event"


def _text(value: object) -> str:
    return "" if value is None else str(value)


type Text = Annotated[str, BeforeValidator(_text)]


class _ContextRow(BaseModel):
    id: str
    parent_id: str | None = None
    user_id: str | None = None


class _Event(BaseModel):
    data: dict[str, Any] = {}
    time_fired: datetime
    context: _ContextRow


class _RunData(BaseModel):
    entity_id: str
    name: Text = ""
    source: Text = ""
    item_id: Text = ""
    run_id: Text = ""


class _CallData(BaseModel):
    domain: str
    service: str
    service_data: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class HeardCall:
    """A service call as it was fired: its targets as they were named, its data with whatever is secret in it."""

    at: datetime
    domain: str
    service: str
    target: Target
    data: JsonObject
    context: Context | None

    @property
    def id(self) -> str:
        """Return `domain.service`."""
        return f"{self.domain}.{self.service}"


def run_of(event_type: str, event: Mapping[str, Any]) -> Run:
    """Return the run that an event tells of; raise EventFormError where it is not of its form."""
    fired = _parsed(_Event, event)
    return made_run(RUNS[event_type], fired.time_fired.astimezone(UTC), fired.data, _context(fired.context))


def made_run(
    kind: Kind, at: datetime, data: Mapping[str, Any], context: Context | None, source: Source = Source.HEARD
) -> Run:
    """Return a run from the data of its event; raise EventFormError where they are not of their form."""
    row = _parsed(_RunData, data)
    return Run(
        at,
        kind,
        row.entity_id,
        row.name,
        row.source,
        trigger_entity(row.source),
        row.item_id,
        row.run_id,
        context,
        source,
    )


def call_of(event: Mapping[str, Any]) -> HeardCall:
    """Return the call that an event tells of; raise EventFormError where it is not of its form."""
    fired = _parsed(_Event, event)
    return made_call(fired.time_fired.astimezone(UTC), fired.data, _context(fired.context))


def made_call(at: datetime, data: Mapping[str, Any], context: Context | None) -> HeardCall:
    """Return a call from the data of its event, its targets taken out of the service data; raise EventFormError."""
    row = _parsed(_CallData, data)
    inside = dict(row.service_data)
    try:
        call = parse_call({"domain": row.domain, "service": row.service, "service_data": inside})
    except InvalidCallError:  # a template that failed, or a target such as a number: the rest is still what was called
        rest = {key: value for key, value in inside.items() if key not in TARGET_KEYS}
        return HeardCall(at, row.domain, row.service, Target(), rest, context)
    named = (*call.target.entity_id, *_in_field(call.id, inside))
    target = Target(
        tuple(dict.fromkeys(named)),
        call.target.device_id,
        call.target.area_id,
        call.target.floor_id,
        call.target.label_id,
    )
    return HeardCall(at, row.domain, row.service, target, call.data, context)


def trigger_entity(text: str) -> str | None:
    """Return the entity that Home Assistant's words for a trigger name, None where they name none (a time, the sun, an event)."""
    for pattern in NAMED_BY_TRIGGER:
        if found := pattern.match(text):
            return found[1]
    return None


def _in_field(service: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    entities = data.get(ENTITIES_IN.get(service, ""))
    names = entities if isinstance(entities, Mapping | list | tuple) else ()
    snapshot = data.get("snapshot_entities") if service == "scene.create" else None
    listed = [*names, *(snapshot if isinstance(snapshot, list | tuple) else ())]
    return tuple(str(name) for name in listed if re.fullmatch(ID, str(name)))


def _context(row: _ContextRow) -> Context:
    return Context(row.id, row.parent_id, row.user_id)


def _parsed[T: BaseModel](model: type[T], raw: object) -> T:
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise EventFormError(
            f"An event of Home Assistant is not as expected at {where}: {first['msg']}.",
            next="Check that this version of Home Assistant is supported.",
        ) from error
