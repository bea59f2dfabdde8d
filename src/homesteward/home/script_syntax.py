"""The syntax of Home Assistant's scripts: each action as the calls it makes, all branches at once, and a blank where that cannot be seen."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from homesteward.core.json import JsonValue, canonical
from homesteward.home.calls import ENTITY_ID, REGISTRY_ID, TARGET_KEYS, BodyStep, InvalidCallError, Target, parse_call
from homesteward.home.device_actions import device_action

MAX_DEPTH = 40  # branches in branches; a deeper one is not read
MAX_DATA = 4000  # values in the data of one call
# Domains whose services act on what their data names, so that a template in it hides a target.
NAMES_THINGS_IN_DATA = frozenset({"automation", "group", "homeassistant", "scene"})
SERVICE = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")
DOMAIN = re.compile(
    r"([a-z0-9_]+)\.[^.]+"
)  # `light.turn_{{ way }}`: the template decides no more than which service of the domain
DATA_KEYS = ("data", "service_data", "data_template")
MAX_AIMS = 500  # names of one key that are read beside what a template hides


@dataclass(frozen=True, slots=True)
class Blank(BodyStep):
    """A call that hides something: its service, all or a part of its target, or its data."""

    domain: str = ""
    """The domain of the service, where that is written out."""
    aims: Target = field(default_factory=Target)
    """What of the target is written out: it is acted on, whatever else is."""


def steps_of(raw: JsonValue, depth: int = 0) -> Iterator[BodyStep]:
    """Yield the calls of one action or of a list of them, in order. A text alone is a condition, and does nothing."""
    if depth > MAX_DEPTH:
        yield BodyStep(None, "is nested too deep to be read")
    elif isinstance(raw, list | tuple):
        for each in raw:
            yield from steps_of(each, depth + 1)
    elif isinstance(raw, Mapping) and raw.get("enabled") is not False:
        yield from _step(raw, depth)


def templated(value: JsonValue) -> bool:
    """Return whether a template, or the input of a blueprint that was not filled in, stands anywhere in `value`."""
    if isinstance(value, str):
        return "{{" in value or "{%" in value or "{#" in value
    if isinstance(value, Mapping):
        return any(templated(key) or templated(each) for key, each in value.items())
    return isinstance(value, list | tuple) and any(templated(each) for each in value)


def called(name: str, raw: Mapping[str, JsonValue]) -> BodyStep:
    """Return the call of the service `name` with the target and the data that stand in `raw`, or a blank."""
    service = name.strip().lower()  # as HA itself does
    try:
        call = parse_call({"service": service, **_fields(raw)})
    except InvalidCallError:
        return _blank(service, raw, f"calls {name[:80]} on what a template decides")
    if any(templated(name) for key in TARGET_KEYS for name in getattr(call.target, key)):
        return _blank(service, raw, f"calls {call.id} on what a template decides")
    if any(map(templated, call.data)) or (call.domain in NAMES_THINGS_IN_DATA and templated(call.data)):
        return _blank(service, raw, f"calls {call.id} with what a template decides")
    if _size(call.data, MAX_DATA) <= 0:
        return _blank(service, raw, f"calls {call.id} with more than can be read")
    return BodyStep(call, f"calls {call.id}")


def _blank(service: str, raw: Mapping[str, JsonValue], told: str) -> Blank:
    """Return the step of a call that cannot be read whole, with everything of it that can."""
    domain = DOMAIN.fullmatch(service)
    fields = _fields(raw)
    holders = [holder for holder in (fields, fields["target"], fields["data"]) if isinstance(holder, Mapping)]
    aims = {
        key: tuple(dict.fromkeys(name for holder in holders for name in _plain(key, holder.get(key))))[:MAX_AIMS]
        for key in TARGET_KEYS
    }
    known = service if SERVICE.fullmatch(service) else ""
    return Blank(None, told, service=known, domain=domain[1] if domain else "", aims=Target(**aims))


def _plain(key: str, value: JsonValue) -> Iterator[str]:
    """Yield the names in `value` that no template decides; an entity's are ids."""
    for each in _flat([value]):
        if not isinstance(each, str) or not each or templated(each):
            continue
        if key != "entity_id" or each == "all" or ENTITY_ID.fullmatch(each) or REGISTRY_ID.fullmatch(each):
            yield each


def _fields(raw: Mapping[str, JsonValue]) -> dict[str, Any]:
    """Return target and data of an action, both ways of writing data taken together as Home Assistant does."""
    fields: dict[str, Any] = {key: _lowered(raw[key]) for key in TARGET_KEYS if key in raw}
    target = raw.get("target")
    fields["target"] = (
        {key: _lowered(value) for key, value in target.items()} if isinstance(target, Mapping) else target
    )
    written = [raw[key] for key in DATA_KEYS if raw.get(key) is not None]
    parts = [part for part in written if isinstance(part, Mapping)]
    data: dict[str, JsonValue] = {key: value for part in parts for key, value in part.items()}
    for key in TARGET_KEYS:
        if named := [part[key] for part in parts if key in part]:
            data[key] = _flat(named)
    fields["data"] = data if len(parts) == len(written) else "a template"  # no form of data, and so refused
    return fields


def _lowered(value: JsonValue) -> JsonValue:
    """Return ids as Home Assistant takes them: it lowers them before it looks them up."""
    if isinstance(value, str):
        return value.strip().lower()
    return [_lowered(each) for each in value] if isinstance(value, list | tuple) else value


def _flat(named: list[JsonValue]) -> list[JsonValue]:
    """Return the ids of several mentions as one list; a text may hold more than one."""
    found: list[JsonValue] = []
    for each in named:
        lowered = _lowered(each)
        found += lowered.split(",") if isinstance(lowered, str) else lowered if isinstance(lowered, list) else [lowered]
    return [one.strip() if isinstance(one, str) else one for one in found]


def _call(name: str) -> Callable[[Mapping[str, JsonValue], int], Iterator[BodyStep]]:
    """Return the reader of actions that call the service which stands under `name`."""

    def read(raw: Mapping[str, JsonValue], _depth: int) -> Iterator[BodyStep]:
        service = raw.get(name)
        yield called(service, raw) if isinstance(service, str) else BodyStep(None, "calls what cannot be read")

    return read


def _inside(*names: str) -> Callable[[Mapping[str, JsonValue], int], Iterator[BodyStep]]:
    """Return the reader of actions that keep further actions under `names`; whether they are taken or not, all count."""

    def read(raw: Mapping[str, JsonValue], depth: int) -> Iterator[BodyStep]:
        for name in names:
            yield from steps_of(raw.get(name), depth + 1)

    return read


def _branches(name: str, default: str = "") -> Callable[[Mapping[str, JsonValue], int], Iterator[BodyStep]]:
    """Return the reader of actions whose branches, under `name`, each hold a sequence."""

    def read(raw: Mapping[str, JsonValue], depth: int) -> Iterator[BodyStep]:
        found = raw.get(name)
        for branch in found if isinstance(found, list | tuple) else [found]:
            if isinstance(branch, Mapping):
                yield from steps_of(branch.get("sequence"), depth + 1)
        if default:
            yield from steps_of(raw.get(default), depth + 1)

    return read


def _nothing(_raw: Mapping[str, JsonValue], _depth: int) -> Iterator[BodyStep]:
    return iter(())


def _event(raw: Mapping[str, JsonValue], _depth: int) -> Iterator[BodyStep]:
    name = str(raw["event"])[:80]
    yield BodyStep(None, f"fires the event {name}", event="" if templated(name) else name)


def _device(raw: Mapping[str, JsonValue], _depth: int) -> Iterator[BodyStep]:
    step = device_action(raw)
    if step.call is not None:
        yield step
        return
    named = {key: raw[key] for key in ("entity_id", "device_id") if raw.get(key) is not None}
    if "entity_id" in named:  # HA acts on that one alone, whichever device is named beside it
        named.pop("device_id", None)
    yield _blank(f"{raw.get('domain')}.*", named, step.description)


def _scene(raw: Mapping[str, JsonValue], _depth: int) -> Iterator[BodyStep]:
    yield called("scene.turn_on", {"target": {"entity_id": raw["scene"]}})


def _step(raw: Mapping[str, JsonValue], depth: int) -> Iterator[BodyStep]:
    read = next((read for key, read in ACTIONS.items() if key in raw), _unknown)
    for step in read(raw, depth):
        yield step if step.call or step.reads else replace(step, reads=_print(raw))


def _unknown(raw: Mapping[str, JsonValue], _depth: int) -> Iterator[BodyStep]:
    yield BodyStep(None, f"does something unknown ({', '.join(sorted(map(str, raw)))[:80]})")


def _print(raw: JsonValue) -> str:
    try:
        return sha256(canonical(raw)).hexdigest()[:16]
    except TypeError, ValueError, RecursionError:  # no JSON, which Home Assistant never sends
        return ""


# What an action is told by, in the order in which Home Assistant looks: the first of these that is there decides.
ACTIONS: Mapping[str, Callable[[Mapping[str, JsonValue], int], Iterator[BodyStep]]] = {
    **dict.fromkeys(("delay", "wait_template", "condition", "and", "or", "not"), _nothing),
    "event": _event,
    "device_id": _device,
    "scene": _scene,
    "repeat": _branches("repeat"),
    "choose": _branches("choose", "default"),
    "wait_for_trigger": _nothing,
    "variables": _nothing,
    "if": _inside("then", "else"),
    **{name: _call(name) for name in ("action", "service", "service_template")},
    "stop": _nothing,
    "parallel": _inside("parallel"),
    "sequence": _inside("sequence"),
    "set_conversation_response": _nothing,
}


def _size(value: JsonValue, left: int) -> int:
    """Return how many of `left` values remain after counting those in `value`; it stops counting at none."""
    left -= 1
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    for each in inside:
        if left <= 0:
            return left
        left = _size(each, left)
    return left
