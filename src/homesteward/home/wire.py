"""Home Assistant's messages, checked once and turned into our own types. Keys that we do not know are ignored."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.errors import UnexpectedAnswerError
from homesteward.home.live import HomeConfig
from homesteward.home.model import EMPTY, Area, Device, Entity, Floor, Label, Service, ServiceField, State


class _AreaRow(BaseModel):
    area_id: str
    name: str
    floor_id: str | None = None
    aliases: list[str] = []
    labels: frozenset[str] = frozenset()


class _FloorRow(BaseModel):
    floor_id: str
    name: str
    aliases: list[str] = []
    level: int | None = None


class _LabelRow(BaseModel):
    label_id: str
    name: str


class _DeviceRow(BaseModel):
    id: str
    name: str | None = None
    name_by_user: str | None = None
    area_id: str | None = None
    labels: frozenset[str] = frozenset()
    disabled_by: str | None = None
    parent_device_id: str | None = None


class _EntityRow(BaseModel):
    entity_id: str
    id: str = ""
    name: str | None = None
    device_id: str | None = None
    area_id: str | None = None
    labels: frozenset[str] = frozenset()
    aliases: list[str | None] = []
    device_class: str | None = None
    entity_category: str | None = None
    hidden_by: str | None = None
    disabled_by: str | None = None
    platform: str = ""
    unique_id: str | int = ""
    options: dict[str, Any] = {}


class _FieldRow(BaseModel):
    description: str = ""
    required: bool = False
    selector: dict[str, Any] | None = None
    example: Any = None
    filter: dict[str, Any] = {}
    fields: dict[str, _FieldRow] = {}  # a section: its fields stand beside the others in a call


class _ResponseRow(BaseModel):
    optional: bool = False


class _ServiceRow(BaseModel):
    name: str = ""
    description: str = ""
    fields: dict[str, _FieldRow] = {}
    target: dict[str, Any] | None = None
    response: _ResponseRow | None = None


class _UnitsRow(BaseModel):
    temperature: str = "°C"
    length: str = "km"


class _ConfigRow(BaseModel):
    location_name: str = "Home"
    time_zone: str = "UTC"
    language: str = "en"
    country: str | None = None
    currency: str = "EUR"
    unit_system: _UnitsRow = Field(default_factory=_UnitsRow)
    version: str = ""


_AREAS = TypeAdapter(list[_AreaRow])
_FLOORS = TypeAdapter(list[_FloorRow])
_LABELS = TypeAdapter(list[_LabelRow])
_DEVICES = TypeAdapter(list[_DeviceRow])
_ENTITIES = TypeAdapter(list[_EntityRow])
_SERVICES = TypeAdapter(dict[str, dict[str, _ServiceRow]])
_CONFIG = TypeAdapter(_ConfigRow)
_EXPOSED = TypeAdapter(dict[str, dict[str, dict[str, Any]]])


def areas(raw: JsonValue) -> dict[str, Area]:
    """Parse `config/area_registry/list`."""
    return {
        row.area_id: Area(row.area_id, row.name, row.floor_id, tuple(row.aliases), row.labels)
        for row in parsed(_AREAS, raw)
    }


def floors(raw: JsonValue) -> dict[str, Floor]:
    """Parse `config/floor_registry/list`."""
    return {row.floor_id: Floor(row.floor_id, row.name, tuple(row.aliases), row.level) for row in parsed(_FLOORS, raw)}


def labels(raw: JsonValue) -> dict[str, Label]:
    """Parse `config/label_registry/list`."""
    return {row.label_id: Label(row.label_id, row.name) for row in parsed(_LABELS, raw)}


def devices(raw: JsonValue) -> dict[str, Device]:
    """Parse `config/device_registry/list`."""
    return {
        row.id: Device(
            row.id,
            row.name_by_user or row.name or row.id,
            row.area_id,
            row.labels,
            row.disabled_by is not None,
            row.parent_device_id,
        )
        for row in parsed(_DEVICES, raw)
    }


def entities(raw: JsonValue) -> dict[str, Entity]:
    """Parse the rows of `config/entity_registry/list` or `get_entries`; only the latter carry aliases.

    In the aliases HA writes null where the computed name stands: that name is in the state, so it is left out here.
    """
    return {
        row.entity_id: Entity(
            row.entity_id,
            row.name,
            row.device_id,
            row.area_id,
            row.labels,
            tuple(alias for alias in row.aliases if alias),
            row.device_class,
            row.entity_category,
            row.hidden_by is not None,
            row.disabled_by is not None,
            row.platform,
            str(row.unique_id),
            row.id,
        )
        for row in parsed(_ENTITIES, raw)
    }


def services(raw: JsonValue) -> dict[str, Service]:
    """Parse `get_services` into a catalogue by `domain.service`; fields in sections are laid flat, as a call has them."""
    return {
        f"{domain}.{name}": Service(
            domain,
            name,
            row.name,
            row.description,
            dict(_fields(row.fields)),
            _target(row),
            "none" if row.response is None else "optional" if row.response.optional else "only",
        )
        for domain, of_domain in parsed(_SERVICES, raw).items()
        for name, row in of_domain.items()
    }


def config(raw: JsonValue) -> HomeConfig:
    """Parse `get_config`."""
    row = parsed(_CONFIG, raw)
    units = row.unit_system
    return HomeConfig(
        row.location_name,
        row.time_zone,
        row.language,
        row.country,
        row.currency,
        units.temperature,
        units.length,
        row.version,
    )


def exposed(raw: JsonValue, assistant: str = "conversation") -> frozenset[str]:
    """Parse `homeassistant/expose_entity/list` into the entities exposed to `assistant`.

    HA works out an entity's default only when something asks for it, and lists only what was worked out: one that is
    absent is not exposed, which is also the careful reading.
    """
    rows = parsed(_EXPOSED, raw).get("exposed_entities", {})
    return frozenset(entity_id for entity_id, assistants in rows.items() if assistants.get(assistant) is True)


def exposed_rows(raw: JsonValue, assistant: str = "conversation") -> frozenset[str]:
    """Parse rows of the entity registry into those exposed to `assistant`; what was never worked out is not, as in `exposed`."""
    return frozenset(
        row.entity_id
        for row in parsed(_ENTITIES, raw)
        if isinstance(options := row.options.get(assistant), dict) and options.get("should_expose") is True
    )


def added_state(entity_id: str, raw: Mapping[str, Any]) -> State:
    """Build a state from the compressed form of `subscribe_entities`: s, a, c, lc, lu."""
    context, changed, parent, user = raw.get("c"), raw.get("lc"), None, None
    if isinstance(context, dict):  # one with neither a parent nor a user is its bare id
        context, parent, user = context["id"], context.get("parent_id"), context.get("user_id")
    return State(
        entity_id,
        raw["s"],
        raw.get("a") or EMPTY,
        _moment(changed),
        _moment(raw.get("lu", changed)),  # left out where it equals lc
        context,
        parent,
        user,
    )


def changed_state(old: State, diff: Mapping[str, Any]) -> State:
    """Return `old` with a compressed diff applied: `+` holds what is new, `-` the attributes that went.

    Of a context, too, only what is new is there: a bare id belongs to the same parent and user as the context before.
    """
    plus, minus = diff.get("+", EMPTY), diff.get("-", EMPTY)
    attributes = old.attributes
    if "a" in plus or "a" in minus:
        gone = minus.get("a", ())
        attributes = {key: value for key, value in attributes.items() if key not in gone} | plus.get("a", {})
    changed, updated, context = plus.get("lc"), plus.get("lu"), plus.get("c")
    last_changed = old.last_changed if changed is None else _moment(changed)
    parent, user = old.context_parent_id, old.context_user_id
    if isinstance(context, dict):
        parent, user = context.get("parent_id", parent), context.get("user_id", user)
        context = context.get("id")
    return State(
        old.entity_id,
        plus.get("s", old.state),
        attributes,
        last_changed,
        old.last_updated if changed is None and updated is None else _moment(changed if updated is None else updated),
        context or old.context_id,
        parent,
        user,
    )


def _moment(stamp: float | None) -> datetime | None:
    return None if stamp is None else datetime.fromtimestamp(stamp, UTC)


def _fields(rows: Mapping[str, _FieldRow]) -> Iterable[tuple[str, ServiceField]]:
    for name, row in rows.items():
        if row.fields:
            yield from _fields(row.fields)
        else:
            yield (
                name,
                ServiceField(name, row.description, row.required, row.selector or EMPTY, row.example, row.filter),
            )


def _target(row: _ServiceRow) -> JsonObject | None:
    """Return the target selector; a target without any filter may be written as null, which is not the same as none."""
    if row.target is not None:
        return row.target
    return EMPTY if "target" in row.model_fields_set else None


def parsed[T](adapter: TypeAdapter[T], raw: JsonValue) -> T:
    """Return `raw` as the type of `adapter`; raise UnexpectedAnswerError naming where it is not as expected."""
    try:
        return adapter.validate_python(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UnexpectedAnswerError(
            f"Home Assistant's answer is not as expected at {where}: {first['msg']}.",
            next="Check that this version of Home Assistant is supported.",
        ) from error
