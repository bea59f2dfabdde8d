"""Whether a call's data fits its service and its entities: healed where the meaning is plain, refused with the allowed range where not."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

from jsonschema_rs import Draft202012Validator, ValidationError

from homesteward.core.json import JsonObject
from homesteward.core.text import neighbours
from homesteward.home.calls import ResolvedCall
from homesteward.home.descriptors import lights_of, with_one_colour
from homesteward.home.effects.effect import number, shown
from homesteward.home.effects.light import colourful, dimmable, tunable
from homesteward.home.errors import InvalidDataError, NotSupportedError, WrongServiceError
from homesteward.home.healing import CELSIUS, healed
from homesteward.home.model import Service, State
from homesteward.home.schema import schema_of, unit_of
from homesteward.home.setpoints import SETPOINTS, check_setpoints
from homesteward.home.targets import GENERIC, service_of
from homesteward.home.view import HomeView, leaves_of

__all__ = ["check", "schema_of"]

HANDED_ON = frozenset({"turn_on", "turn_off", "toggle"})
# domain -> (what a person means by turn_on, by turn_off) where the domain has no such service
REAL_SERVICES: Mapping[str, tuple[str, str]] = {
    "lock": ("lock.lock or lock.unlock", "lock.lock or lock.unlock"),
    "cover": ("cover.open_cover", "cover.close_cover"),
    "valve": ("valve.open_valve", "valve.close_valve"),
    "vacuum": ("vacuum.start", "vacuum.return_to_base"),
    "lawn_mower": ("lawn_mower.start_mowing", "lawn_mower.dock"),
    "button": ("button.press", "button.press"),
    "alarm_control_panel": ("alarm_control_panel.alarm_arm_away", "alarm_control_panel.alarm_disarm"),
}
# (domain, field) -> the entity's attributes that bound it
RANGES: Mapping[tuple[str, str], tuple[str, str]] = {
    ("climate", "temperature"): ("min_temp", "max_temp"),
    ("climate", "target_temp_low"): ("min_temp", "max_temp"),
    ("climate", "target_temp_high"): ("min_temp", "max_temp"),
    ("climate", "humidity"): ("min_humidity", "max_humidity"),
    ("water_heater", "temperature"): ("min_temp", "max_temp"),
    ("humidifier", "humidity"): ("min_humidity", "max_humidity"),
    ("number", "value"): ("min", "max"),
    ("input_number", "value"): ("min", "max"),
    ("light", "color_temp_kelvin"): ("min_color_temp_kelvin", "max_color_temp_kelvin"),
}
# field -> the entity's attribute that lists what may be chosen
CHOICES: Mapping[str, str] = {
    "effect": "effect_list",
    "fan_mode": "fan_modes",
    "fan_speed": "fan_speed_list",
    "hvac_mode": "hvac_modes",
    "mode": "available_modes",
    "operation_mode": "operation_list",
    "option": "options",
    "preset_mode": "preset_modes",
    "sound_mode": "sound_mode_list",
    "source": "source_list",
    "swing_horizontal_mode": "swing_horizontal_modes",
    "swing_mode": "swing_modes",
    "tone": "available_tones",
}
OF_THINGS = frozenset({*(field for _, field in RANGES), *CHOICES, *SETPOINTS})  # what hangs on the thing itself
# what is asked of a light -> whether it can, in words; brightness on a plain lamp is left to HA, which ignores it among others
LIGHT_NEEDS = (
    (("color_name", "rgb_color", "rgbw_color", "rgbww_color", "hs_color", "xy_color"), colourful, "change its colour"),
    (("color_temp_kelvin",), lambda state: tunable(state) or colourful(state), "change its colour temperature"),
    (("brightness", "brightness_pct", "brightness_step", "brightness_step_pct"), dimmable, "be dimmed"),
)


NEVER_REPEATED = frozenset({"code", "password", "pin", "usercode"})  # not even where they are wrong
FEATURES_ENFORCED = frozenset({"climate"})  # a light ignores what it cannot do; a thermostat refuses


def check(view: HomeView, call: ResolvedCall, temperature_unit: str = CELSIUS) -> ResolvedCall:
    """Return `call` with data that fits, healed where its meaning is plain ("50%" is 50), with what was put right in `healed`.

    `temperature_unit` is what the home's thermostats are told in.

    Raises InvalidDataError with the field, the allowed range and its unit or the nearest name; NotSupportedError where no
    target can do what is asked; WrongServiceError for a generic service that does nothing to the target. Nothing is cut off
    to fit: what is out of range is refused.
    """
    service = service_of(view, call.domain, call.service)
    if service.domain == GENERIC:
        _refuse_idle(view, call)
    described = _described(view, service, call)
    put_right = healed(described, _choices(view, call), call.data, temperature_unit)
    call = replace(call, data=put_right.data, healed=(*call.healed, *put_right.words))
    call = with_one_colour(view, call)
    if call.data or described.fields:
        _validate(described, call)
    if not OF_THINGS.isdisjoint(call.data):
        _check_things(view, service, call)
    _check_lights(view, call)
    _check_features(view, described, call)
    return call


def _refuse_idle(view: HomeView, call: ResolvedCall) -> None:
    """Refuse homeassistant.turn_on and its like where HA would do nothing and still say success."""
    if call.service not in HANDED_ON:
        return
    for entity_id in call.entity_ids:
        leaves = list(leaves_of(view, [entity_id])) if entity_id.startswith("group.") else [entity_id]
        domains = {leaf.partition(".")[0] for leaf in leaves}
        if any(f"{domain}.{call.service}" in view.services for domain in domains):
            continue
        domain = min(domains, default="group")
        real = REAL_SERVICES.get(domain)
        own = sorted(known.id for known in view.services.values() if known.domain == domain)
        offer = (real[call.service == "turn_off"],) if real else own[:8]
        raise WrongServiceError(
            f"{call.id} does nothing to {entity_id}: a {domain.replace('_', ' ')} has no such service.",
            next=f"Use {' or '.join(offer)}." if offer else "It can only be read.",
        )


def _described(view: HomeView, service: Service, call: ResolvedCall) -> Service:
    """Return the service whose fields describe the data: for a generic one, that of the targets' own domain, if they share it."""
    if service.domain != GENERIC or call.service not in HANDED_ON:
        return service
    domains = {entity_id.partition(".")[0] for entity_id in leaves_of(view, call.entity_ids)}
    own = view.services.get(f"{domains.pop()}.{call.service}") if len(domains) == 1 else None
    return own or service


def _choices(view: HomeView, call: ResolvedCall) -> Mapping[str, tuple[str, ...]]:
    """Return, per field with a choice, what the targets offer together."""
    found: dict[str, tuple[str, ...]] = {}
    for field, attribute in CHOICES.items():
        if field in call.data:
            offered = (_offered(view.states.get(leaf), attribute) for leaf in leaves_of(view, call.entity_ids))
            found[field] = tuple(dict.fromkeys(choice for each in offered for choice in each))
    return found


def _offered(state: State | None, attribute: str) -> tuple[str, ...]:
    value = state.attributes.get(attribute) if state else None
    return tuple(str(choice) for choice in value) if isinstance(value, list | tuple) else ()


def _validate(service: Service, call: ResolvedCall) -> None:
    validator = Draft202012Validator(dict(schema_of(service)))
    held = {"entity_id": list(call.entity_ids)} if "entity_id" in service.fields and call.entity_ids else {}
    for error in validator.iter_errors({**held, **call.data}):
        _refuse(service, call, error)


def _refuse(service: Service, call: ResolvedCall, error: ValidationError) -> NoReturn:
    """Raise the error in words for a person: where, what is allowed, and the nearest field where a name is wrong."""
    unknown = [name for name in call.data if name not in service.fields]
    if not error.instance_path and unknown and schema_of(service)["additionalProperties"] is False:
        near = neighbours(unknown[0], service.fields)
        offer = f"Did you mean {' or '.join(near)}?" if near else f"It takes {', '.join(service.fields) or 'no data'}."
        raise InvalidDataError(f"{call.id} has no field {unknown[0]!r}.", next=offer)
    if not error.instance_path:
        missing = [name for name, field in service.fields.items() if field.required and name not in call.data]
        raise InvalidDataError(f"{call.id} needs {', '.join(missing) or 'other data'}.", next="Say the missing part.")
    name = str(error.instance_path[0])
    path = ".".join(str(part) for part in error.instance_path)
    given = "what was given" if name in NEVER_REPEATED else repr(call.data.get(name))
    raise InvalidDataError(f"{path} of {call.id} cannot be {given}.", next=f"Allowed: {allowed(service, name)}.")


def allowed(service: Service, field: str) -> str:
    """Return in words what a field of the service takes: its range with the unit, its choices, or its kind."""
    found = service.fields.get(field)
    if found is None:
        return "nothing"
    schema = schema_of(service)["properties"]
    form = schema[field] if isinstance(schema, Mapping) else {}
    if not isinstance(form, Mapping):
        return "anything"
    if form.get("type") == "number":
        return _range(form.get("minimum"), form.get("maximum"), unit_of(found))
    if isinstance(choices := form.get("enum"), list):
        return f"one of {', '.join(str(choice) for choice in choices[:12])}{', ...' if len(choices) > 12 else ''}"
    kind = form.get("type", "another form")
    return f"a value of type {' or '.join(map(str, kind)) if isinstance(kind, list) else kind}"


def _range(low: object, high: object, unit: str) -> str:
    if low is None and high is None:
        return f"a number{f' in {unit}' if unit else ''}"
    return f"{'any' if low is None else shown(low)} to {'any' if high is None else shown(high)}{f' {unit}' if unit else ''}"


def _check_things(view: HomeView, service: Service, call: ResolvedCall) -> None:
    for entity_id in leaves_of(view, call.entity_ids):
        if state := view.states.get(entity_id):
            _check_ranges(service, state, call.data)
            check_setpoints(state, call.data)
            _check_choices(state, call.data)


def _check_ranges(service: Service, state: State, data: JsonObject) -> None:
    for name in data:
        bounds = RANGES.get((state.domain, name))
        value = number(data[name])
        if bounds is None or value is None:
            continue
        low, high = (number(state.attributes.get(bound)) for bound in bounds)
        if (low is not None and value < low) or (high is not None and value > high):
            known = state.attributes.get("temperature_unit" if "temp" in name else "unit_of_measurement")
            unit = str(known or ("degrees" if "temp" in name else ""))
            raise InvalidDataError(
                f"{name} of {service.id} cannot be {shown(value)} for {state.name}.",
                next=f"Allowed: {_range(low, high, unit or (unit_of(service.fields[name]) if name in service.fields else ''))}.",
            )


def _check_choices(state: State, data: JsonObject) -> None:
    for name in CHOICES.keys() & data.keys():
        offered = _offered(state, CHOICES[name])
        value = str(data[name])
        if offered and value not in offered:
            near = neighbours(value, offered)
            hint = f"Did you mean {' or '.join(near)}? " if near else ""
            raise InvalidDataError(
                f"{state.name} has no {name.replace('_', ' ')} {value!r}.",
                next=f"{hint}It has {', '.join(offered[:20])}.",
            )


def _check_lights(view: HomeView, call: ResolvedCall) -> None:
    """Refuse what no light of the call can do. Where some can, HA does it with those and only lights the rest."""
    asked = [(can, words) for fields, can, words in LIGHT_NEEDS if call.data.keys() & set(fields)]
    lights = lights_of(view, call) if asked and not _first_can(view, call, asked) else ()
    for can, words in asked:
        if lights and not any(map(can, lights)):
            raise NotSupportedError(f"{_names(lights)} cannot {words}.", next="Ask for something that it can do.")


def _first_can(view: HomeView, call: ResolvedCall, asked: Sequence[tuple[Callable[[State], bool], str]]) -> bool:
    """Return whether the first of the lights can do all of it: then not one of them all has to be looked at."""
    first = view.states.get(next(leaves_of(view, call.entity_ids), ""))
    return first is not None and first.domain == "light" and all(can(first) for can, _ in asked)


def _check_features(view: HomeView, service: Service, call: ResolvedCall) -> None:
    """Refuse a field that no target has the feature for, in the domains in which HA refuses it as well."""
    if service.domain not in FEATURES_ENFORCED:
        return
    found = [view.states[leaf] for leaf in leaves_of(view, call.entity_ids) if leaf in view.states]
    states = [state for state in found if state.available]
    for name in call.data.keys() & service.fields.keys():
        bits = service.fields[name].filter.get("supported_features")
        needed = [bit for bit in bits if isinstance(bit, int)] if isinstance(bits, list) else []
        if needed and states and not any(state.supported_features & bit == bit for state in states for bit in needed):
            raise NotSupportedError(
                f"{_names(states)} has no {name.replace('_', ' ')} to set.", next="See what it can do."
            )


def _names(states: Sequence[State]) -> str:
    return ", ".join(state.name for state in states[:5])
