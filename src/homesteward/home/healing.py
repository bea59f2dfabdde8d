"""Data whose meaning is plain, brought into the form that the service takes, and told in words. Nothing is guessed: what stays wrong is refused later."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.text import fold
from homesteward.home.effects.effect import number, shown
from homesteward.home.model import Service, ServiceField
from homesteward.home.quantities import amount_in, brightness, colour_temperature, percent, share
from homesteward.home.schema import selector_of, unit_of

# service domain -> field as it is often written -> field as it is; only where there is one meaning
OTHER_NAMES: Mapping[str, Mapping[str, str]] = {
    "light": {"color": "color_name", "rgb": "rgb_color", "brightness_percent": "brightness_pct"},
    "media_player": {"volume": "volume_level", "is_muted": "is_volume_muted", "mute": "is_volume_muted"},
}
NESTED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    # what models send flat -> the field that holds it now
    "media_player.play_media": ("media", ("media_content_id", "media_content_type")),
}
# service domain -> what may stand where a field is missing -> what is made of it; the field itself, where it is given, wins
REWRITTEN: Mapping[str, Mapping[str, Callable[[JsonValue], tuple[str, JsonValue, str] | None]]] = {
    "light": {"kelvin": colour_temperature, "color_temp": colour_temperature, "brightness": brightness},
}
DEGREES = frozenset({"temperature", "target_temp_low", "target_temp_high"})
YES, NO = frozenset({"true", "on", "yes", "1"}), frozenset({"false", "off", "no", "0"})
SHOWN = 60  # characters of a value that was put right
CELSIUS = "°C"


@dataclass(frozen=True, slots=True)
class Healed:
    """The data as the service takes it, and in words what was put right to get there."""

    data: JsonObject
    words: tuple[str, ...] = ()


def healed(
    service: Service, choices: Mapping[str, tuple[str, ...]], data: JsonObject, temperature_unit: str = CELSIUS
) -> Healed:
    """Return `data` with plain slips put right: numbers and yes/no in text, percent signs, units, case of a choice, flat and old names.

    `choices` are what the targets offer for a field, `temperature_unit` is the home's. The data given is not changed, and no field is
    added that names a target.
    """
    words: list[str] = []
    named = _nested(service, _rewritten(service, _renamed(service, data, words), words), words)
    values = {
        name: _value(service, name, choices.get(name, ()), value, temperature_unit) for name, value in named.items()
    }
    words += [
        f"{name} {_short(named[name])} taken as {_short(value)}"
        for name, value in values.items()
        if _differ(value, named[name])
    ]
    return Healed(values, tuple(words))


def _renamed(service: Service, data: JsonObject, words: list[str]) -> dict[str, JsonValue]:
    names = OTHER_NAMES.get(service.domain, {})
    renamed: dict[str, JsonValue] = {}
    for name, value in data.items():
        real = names.get(name, name)
        if real == name or name in service.fields:
            renamed[name] = value
        elif real in data:
            words.append(f"{name} left out: {real} is given as well")
        else:
            renamed[real] = value
            words.append(f"{name} is called {real}")
    return renamed


def _rewritten(service: Service, data: dict[str, JsonValue], words: list[str]) -> dict[str, JsonValue]:
    """Write anew what is no field any more, or stands on another scale than its field's."""
    for name, rewrite in REWRITTEN.get(service.domain, {}).items():
        found = rewrite(data[name]) if name in data else None
        if found is None:
            continue
        real, value, said = found
        if real == name or real not in service.fields:
            continue
        if real in data:
            words.append(f"{name} left out: {real} is given as well")
        else:
            words.append(said)
        data = {key: each for key, each in data.items() if key != name} | {real: data.get(real, value)}
    return data


def _nested(service: Service, data: dict[str, JsonValue], words: list[str]) -> dict[str, JsonValue]:
    inside, flat = NESTED.get(service.id, ("", ()))
    fits = inside in service.fields and inside not in data and set(flat) <= data.keys()
    if not fits or set(flat) & service.fields.keys():
        return data
    words.append(f"{' and '.join(flat)} put into {inside}")
    rest = {name: value for name, value in data.items() if name not in flat}
    return rest | {inside: {name: data[name] for name in flat}}


def _value(service: Service, name: str, choices: tuple[str, ...], value: JsonValue, home_unit: str) -> JsonValue:
    field = service.fields.get(name)
    if field is None:
        return value
    if choices and isinstance(value, str) and value not in choices:
        return next((choice for choice in choices if fold(choice) == fold(value)), value)
    if name in DEGREES and isinstance(value, str) and (degrees := amount_in(home_unit, value)) is not None:
        return degrees
    heal = BY_KIND.get(selector_of(field)[0])
    return heal(field, value) if heal else value


def _number(field: ServiceField, value: JsonValue) -> JsonValue:
    """Read a number out of text; a percent sign means percent, which is a share where the field ends at 1."""
    high = number(selector_of(field)[1].get("max"))
    if high == 1 and (part := share(value)) is not None:
        return part
    if not isinstance(value, str):
        return value
    if (per_cent := percent(value)) is not None:
        return per_cent if unit_of(field) == "%" else value
    amount = amount_in(unit_of(field), value)
    return value if amount is None else amount


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


def _differ(one: JsonValue, other: JsonValue) -> bool:
    """Return whether something was put right; that 40.0 is 40 is not worth a word."""
    return type(one) is not type(other) or one != other


def _short(value: JsonValue) -> str:
    text = shown(value) if isinstance(value, int | float) and not isinstance(value, bool) else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
