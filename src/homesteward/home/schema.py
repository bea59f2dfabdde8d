"""A service's data as JSON Schema, made from the selectors with which Home Assistant describes its fields."""

from collections.abc import Callable, Iterable, Mapping

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.model import EMPTY, Service, ServiceField

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ENTITY_ID: JsonObject = {"type": "string", "pattern": r"^[a-z0-9_]+\.[a-z0-9_]+$"}
BYTE: JsonObject = {"type": "integer", "minimum": 0, "maximum": 255}
TEXT: JsonObject = {"type": "string"}
# A state selector offers what the entity says it has; a clock time may leave the seconds out.
FIXED: Mapping[str, JsonObject] = {
    "boolean": {"type": "boolean"},
    "color_rgb": {"type": "array", "items": BYTE, "minItems": 3, "maxItems": 3},
    "time": {"type": "string", "pattern": r"^\d{1,2}:\d{2}(:\d{2})?$"},
    "date": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"},
    "datetime": TEXT,
    "duration": {"anyOf": [{"type": "object"}, {"type": "string"}, {"type": "number"}]},
    "location": {"type": "object"},
    "media": {"type": "object", "required": ["media_content_id", "media_content_type"]},
    "object": {},
    "template": TEXT,
    "icon": TEXT,
    "theme": TEXT,
    "attribute": TEXT,
    "config_entry": TEXT,
    "conversation_agent": TEXT,
}
OPEN_DOMAINS = frozenset({"script", "python_script", "pyscript"})  # their fields are variables: more may be given


def schema_of(service: Service) -> JsonObject:
    """Return the JSON Schema (2020-12) of the data that `service` takes; unknown fields are refused where HA names its fields."""
    known = bool(service.fields) or service.target is not None
    return {
        "$schema": DIALECT,
        "type": "object",
        "properties": {name: field_schema(field) for name, field in service.fields.items()},
        "required": sorted(name for name, field in service.fields.items() if field.required),
        "additionalProperties": not known or service.domain in OPEN_DOMAINS,
    }


def field_schema(field: ServiceField) -> JsonObject:
    """Return the JSON Schema of one field; a selector that is not known allows anything."""
    kind, options = selector_of(field)
    make = MADE.get(kind)
    found = make(options) if make else FIXED.get(kind, {})
    words = [word for word in (field.description, _step_words(kind, options)) if word]
    return {**found, "description": " ".join(words)} if words else found


def selector_of(field: ServiceField) -> tuple[str, JsonObject]:
    """Return the kind of selector the field has and its options; an empty kind for none."""
    for kind, options in field.selector.items():
        return kind, options if isinstance(options, Mapping) else EMPTY
    return "", EMPTY


def unit_of(field: ServiceField) -> str:
    """Return the unit that the field's number is in, empty where Home Assistant names none."""
    kind, options = selector_of(field)
    unit = options.get("unit_of_measurement") or (options.get("unit") if kind == "color_temp" else "")
    return str(unit or "")


def _number(options: JsonObject) -> JsonObject:
    """Bound a number. Its step is how a slider moves, which HA does not enforce: 0.5 seconds are a transition too."""
    bounds = {"minimum": options.get("min"), "maximum": options.get("max")}
    return {"type": "number", **{key: bound for key, bound in bounds.items() if bound is not None}}


def _select(options: JsonObject) -> JsonObject:
    choices = [str(_value(option)) for option in _list(options.get("options"))]
    one: JsonObject = TEXT if options.get("custom_value") or not choices else {"type": "string", "enum": choices}
    return _many(one, options)


def _constant(options: JsonObject) -> JsonObject:
    """Allow the constant; a light's `white` is offered as a constant but taken as a brightness, so numbers pass."""
    return {"anyOf": [{"const": options.get("value")}, {"type": "number"}]}


def _many(one: JsonObject, options: JsonObject) -> JsonObject:
    return {"type": "array", "items": one} if options.get("multiple") else one


def _one_or_many(one: JsonObject) -> Callable[[JsonObject], JsonObject]:
    """Return a maker that takes one name, and a list of them where the selector allows several."""
    return lambda options: {"anyOf": [one, {"type": "array", "items": one}]} if options.get("multiple") else one


def _value(option: JsonValue) -> JsonValue:
    return option.get("value") if isinstance(option, Mapping) else option


def _list(value: JsonValue) -> Iterable[JsonValue]:
    return value if isinstance(value, list | tuple) else ()


def _step_words(kind: str, options: JsonObject) -> str:
    if kind not in {"number", "color_temp"}:
        return ""
    unit = options.get("unit_of_measurement") or options.get("unit")
    return f"In {unit}." if unit else ""


MADE: Mapping[str, Callable[[JsonObject], JsonObject]] = {
    "number": _number,
    "color_temp": _number,
    "select": _select,
    "text": lambda options: _many({"type": ["string", "number"]}, options),  # a code of digits is text to HA as well
    "state": lambda options: _many({"type": ["string", "number", "boolean"]}, options),
    "constant": _constant,
    "entity": _one_or_many(ENTITY_ID),
    "device": _one_or_many(TEXT),
    "area": _one_or_many(TEXT),
    "floor": _one_or_many(TEXT),
    "label": _one_or_many(TEXT),
}
