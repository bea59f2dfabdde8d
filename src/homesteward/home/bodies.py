"""What a script, automation or scene does: the calls found in its body, at any depth, and a blank where a template hides one."""

from collections.abc import Iterator, Mapping
from typing import Any

from homesteward.core.json import JsonValue
from homesteward.home.calls import TARGET_KEYS, BodyStep, Call, InvalidCallError, Target, parse_call
from homesteward.home.model import State

MAX_STEPS = 300
# Keys under which an action keeps further actions: Home Assistant's choose, if, repeat, parallel and sequence.
BRANCHES = ("sequence", "then", "else", "default", "choose", "parallel", "repeat", "actions", "action")
# domain -> type of a device action -> the service it stands for
DEVICE_ACTIONS: Mapping[str, Mapping[str, str]] = {
    "cover": {"open": "open_cover", "close": "close_cover", "stop": "stop_cover", "set_position": "set_cover_position"},
    "lock": {"lock": "lock", "unlock": "unlock", "open": "open"},
    **{
        domain: {"turn_on": "turn_on", "turn_off": "turn_off", "toggle": "toggle"}
        for domain in ("light", "switch", "fan")
    },
}
# Domains whose services act on what their data names, so that a template in it hides a target.
NAMES_THINGS_IN_DATA = frozenset({"automation", "group", "homeassistant", "scene"})
HARMLESS = frozenset(
    {"delay", "wait_template", "wait_for_trigger", "variables", "stop", "condition", "set_conversation_response"}
)


def body_of(config: JsonValue) -> tuple[BodyStep, ...]:
    """Return the calls of a script's or automation's configuration, in order; all branches count, taken or not.

    One blank step stands for a body that cannot be read: a blueprint, no configuration, or one that is too long.
    """
    if not isinstance(config, Mapping) or "use_blueprint" in config:
        return (BodyStep(None, "its body cannot be read"),)
    steps: list[BodyStep] = []
    for key in ("sequence", "actions", "action"):
        for step in _steps(config.get(key)):
            if len(steps) == MAX_STEPS:
                return (*steps, BodyStep(None, f"it has more than {MAX_STEPS} steps"))
            steps.append(step)
    return tuple(steps)


def scene_body(scene: State) -> tuple[BodyStep, ...]:
    """Return one step per member of a scene; a scene that names none, as those of a bridge do, cannot be read."""
    members = scene.attributes.get("entity_id")
    if not isinstance(members, list | tuple):
        return (BodyStep(None, "its members are not known to Home Assistant"),)
    return tuple(BodyStep(None, f"set {member}", member=member) for member in map(str, members))


def _steps(raw: JsonValue) -> Iterator[BodyStep]:
    """Yield the calls of one action or a list of them."""
    if isinstance(raw, list | tuple):
        for each in raw:
            yield from _steps(each)
    elif isinstance(raw, Mapping) and raw.get("enabled") is not False:
        yield from _step(raw)


def _step(raw: Mapping[str, JsonValue]) -> Iterator[BodyStep]:
    name = raw.get("action") or raw.get("service")
    if isinstance(name, str):
        yield _call(name, raw)
    elif "device_id" in raw and "type" in raw:
        yield _device_action(raw)
    elif "scene" in raw:
        yield _call("scene.turn_on", {"target": {"entity_id": raw["scene"]}})
    elif "event" in raw:
        yield BodyStep(None, f"fires the event {raw['event']}")
    else:
        inside = [raw[key] for key in BRANCHES if key in raw]
        for branch in inside:
            yield from _steps(branch)
        if not inside and not HARMLESS & raw.keys():
            yield BodyStep(None, f"does something unknown ({', '.join(sorted(raw))[:80]})")


def _call(name: str, raw: Mapping[str, JsonValue]) -> BodyStep:
    fields: dict[str, Any] = {key: raw[key] for key in ("target", "data", "service_data", *TARGET_KEYS) if key in raw}
    if "data_template" in raw:
        fields["data"] = raw["data_template"]
    try:
        call = parse_call({"service": name, **fields})
    except InvalidCallError:
        return BodyStep(None, f"calls {name} on what a template decides")
    if any(_templated(each) for key in TARGET_KEYS for each in getattr(call.target, key)):
        return BodyStep(None, f"calls {name} on what a template decides")
    if call.domain in NAMES_THINGS_IN_DATA and _templated(call.data):
        return BodyStep(None, f"calls {name} with what a template decides")
    return BodyStep(call, f"calls {call.id}")


def _templated(value: JsonValue) -> bool:
    """Return whether a template stands anywhere in `value`."""
    if isinstance(value, str):
        return "{{" in value or "{%" in value or "{#" in value
    if isinstance(value, Mapping):
        return any(_templated(key) or _templated(each) for key, each in value.items())
    return isinstance(value, list | tuple) and any(_templated(each) for each in value)


def _device_action(raw: Mapping[str, JsonValue]) -> BodyStep:
    """Read an action on a device as a call on all of the device: the entity in it may be an id that only HA can read."""
    domain, kind = str(raw.get("domain")), str(raw["type"])
    service = DEVICE_ACTIONS.get(domain, {}).get(kind)
    if service is None:
        return BodyStep(None, f"does {kind} of {domain} on a device")
    return BodyStep(Call(domain, service, Target(device_id=(str(raw["device_id"]),))), f"calls {domain}.{service}")
