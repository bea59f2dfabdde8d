"""Data whose meaning is plain, brought into the form that the service takes. Nothing is guessed: what stays wrong is refused later."""

from collections.abc import Callable, Mapping

from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.text import fold
from homesteward.home.effects.effect import number
from homesteward.home.model import Service, ServiceField
from homesteward.home.schema import selector_of, unit_of

# service domain -> field as it is often written -> field as it is; only where there is one meaning
OTHER_NAMES: Mapping[str, Mapping[str, str]] = {
    "light": {
        "kelvin": "color_temp_kelvin",
        "color": "color_name",
        "rgb": "rgb_color",
        "brightness_percent": "brightness_pct",
    },
    "media_player": {"volume": "volume_level", "is_muted": "is_volume_muted", "mute": "is_volume_muted"},
}
NESTED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    # what models send flat -> the field that holds it now
    "media_player.play_media": ("media", ("media_content_id", "media_content_type")),
}
YES, NO = frozenset({"true", "on", "yes", "1"}), frozenset({"false", "off", "no", "0"})


def healed(service: Service, choices: Mapping[str, tuple[str, ...]], data: JsonObject) -> JsonObject:
    """Return `data` with plain slips put right: numbers and yes/no in text, percent signs, case of a choice, flat and old names.

    `choices` are what the targets offer for a field. The data given is not changed.
    """
    named = _renamed(service, data)
    return {name: _value(service.fields.get(name), choices.get(name, ()), value) for name, value in named.items()}


def _renamed(service: Service, data: JsonObject) -> JsonObject:
    names = OTHER_NAMES.get(service.domain, {})
    renamed = {
        names[name] if name in names and name not in service.fields and names[name] not in data else name: value
        for name, value in data.items()
    }
    inside, flat = NESTED.get(service.id, ("", ()))
    if (
        inside in service.fields
        and inside not in renamed
        and set(flat) <= renamed.keys()
        and not set(flat) & service.fields.keys()
    ):
        renamed[inside] = {name: renamed.pop(name) for name in flat}
    return renamed


def _value(field: ServiceField | None, choices: tuple[str, ...], value: JsonValue) -> JsonValue:
    if field is None:
        return value
    if choices and isinstance(value, str) and value not in choices:
        return next((choice for choice in choices if fold(choice) == fold(value)), value)
    heal = BY_KIND.get(selector_of(field)[0])
    return heal(field, value) if heal else value


def _number(field: ServiceField, value: JsonValue) -> JsonValue:
    """Read a number out of text; a percent sign means percent, which is a share where the field ends at 1."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    amount = number(text.removesuffix("%").strip())
    if amount is None:
        return value
    high = number(selector_of(field)[1].get("max"))
    if text.endswith("%"):
        if high == 1:
            return amount / 100
        if unit_of(field) != "%":
            return value
    return int(amount) if amount.is_integer() else amount


def _boolean(_field: ServiceField, value: JsonValue) -> JsonValue:
    word = str(value).strip().lower()
    return True if word in YES else False if word in NO else value


def _select(field: ServiceField, value: JsonValue) -> JsonValue:
    options = selector_of(field)[1].get("options")
    if not isinstance(value, str) or not isinstance(options, list):
        return value
    known = [str(option.get("value") if isinstance(option, Mapping) else option) for option in options]
    bare = fold(value).replace(" ", "")
    return next((option for option in known if fold(option).replace(" ", "") == bare), value)


def _colour(_field: ServiceField, value: JsonValue) -> JsonValue:
    if not isinstance(value, str):
        return value
    parts = [number(part) for part in value.strip("[]() ").split(",")]
    return [int(part) for part in parts if part is not None] if len(parts) == 3 and None not in parts else value


BY_KIND: Mapping[str, Callable[[ServiceField, JsonValue], JsonValue]] = {
    "number": _number,
    "color_temp": _number,
    "boolean": _boolean,
    "select": _select,
    "color_rgb": _colour,
}
