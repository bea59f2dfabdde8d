"""What starts an automation: the entities and events that its triggers name, and what outside the house can set it off."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from homesteward.core.json import JsonValue
from homesteward.home.calls import ENTITY_ID, REGISTRY_ID
from homesteward.home.script_syntax import templated

MAX_STARTS = 200  # of one automation; Home Assistant's own editor has no more in sight
MAX_DEPTH = 10
IN_A_TEMPLATE = re.compile(r"\b(?=([a-z0-9_]+\.[a-z0-9_]+)\b)")  # also in states.light.hall.state


@dataclass(frozen=True, slots=True)
class Start:
    """One thing that starts an automation: an entity (its id, or that of its registry entry) or an event (its type).

    `to` are the only states of the entity that do; empty means that any change may.
    """

    entity_id: str = ""
    event: str = ""
    to: tuple[str, ...] = ()


def starts_of(config: JsonValue) -> tuple[Start, ...]:
    """Return what the triggers of an automation's configuration name exactly, at most `MAX_STARTS`.

    A device, an area or a label that a trigger waits for is not followed, nor what a template works out.
    """
    found: list[Start] = []
    for trigger in _triggers(config):
        found += list(NAMED.get(_kind(trigger), _any_entity)(trigger))
    return tuple(dict.fromkeys(found))[:MAX_STARTS]


def open_starts(config: JsonValue) -> tuple[str, ...]:
    """Return in words by what from outside the house an automation could be started."""
    kinds = dict.fromkeys(map(_kind, _triggers(config)))
    return tuple(OUTSIDE[kind] for kind in kinds if kind in OUTSIDE)


# A trigger that somebody or something other than the house sets off.
OUTSIDE: Mapping[str, str] = {
    "webhook": "whoever knows the address of its webhook",
    "conversation": "whoever says its sentence",
    "mqtt": "whatever may publish to its MQTT topic",
    "tag": "whoever holds its tag to a reader",
    "geo_location": "what comes near, as a service on the internet tells it",
    "persistent_notification": "whatever may show a notification",
}


def _triggers(config: JsonValue) -> Iterator[Mapping[str, JsonValue]]:
    if isinstance(config, Mapping):
        for key in ("triggers", "trigger"):
            yield from _each(config.get(key), 0)


def _each(raw: JsonValue, depth: int) -> Iterator[Mapping[str, JsonValue]]:
    """Yield each trigger of a list, those that stand in groups of their own included; one that is off starts nothing."""
    if depth > MAX_DEPTH:
        return
    if isinstance(raw, list | tuple):
        for each in raw:
            yield from _each(each, depth + 1)
    elif isinstance(raw, Mapping) and raw.get("enabled") is not False:
        if "triggers" in raw:
            yield from _each(raw["triggers"], depth + 1)
        else:
            yield raw


def _kind(trigger: Mapping[str, JsonValue]) -> str:
    return str(trigger.get("trigger") or trigger.get("platform") or "")


def _state(trigger: Mapping[str, JsonValue]) -> Iterator[Start]:
    to = tuple(map(str, _texts(trigger.get("to")))) if "attribute" not in trigger else ()
    exact = () if any(templated(each) for each in to) else to
    for start in _any_entity(trigger):
        yield Start(start.entity_id, to=exact)


def _event(trigger: Mapping[str, JsonValue]) -> Iterator[Start]:
    for name in _texts(trigger.get("event_type")):
        if not templated(name):
            yield Start(event=name)
    data = trigger.get("event_data")
    yield from _entities(data.get("entity_id") if isinstance(data, Mapping) else None)  # such as a timer that finished


def _at(trigger: Mapping[str, JsonValue]) -> Iterator[Start]:
    """Yield the helpers that hold the time: whoever sets one sets when."""
    held = trigger.get("at")
    for each in held if isinstance(held, list | tuple) else [held]:
        yield from _entities(each.get("entity_id") if isinstance(each, Mapping) else each)


def _template(trigger: Mapping[str, JsonValue]) -> Iterator[Start]:
    for name in dict.fromkeys(IN_A_TEMPLATE.findall(str(trigger.get("value_template", "")))):
        yield Start(name)


def _any_entity(trigger: Mapping[str, JsonValue]) -> Iterator[Start]:
    """Yield the entities that a trigger of any kind names, in its own key or in its target."""
    target = trigger.get("target")
    yield from _entities(trigger.get("entity_id"))
    yield from _entities(target.get("entity_id") if isinstance(target, Mapping) else None)


def _entities(value: JsonValue) -> Iterator[Start]:
    for text in _texts(value):
        name = text.strip().lower()
        if ENTITY_ID.fullmatch(name) or REGISTRY_ID.fullmatch(name):
            yield Start(name)


def _texts(value: JsonValue) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part for part in value.split(","))
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list | tuple) else ()


# How a trigger of a kind names what it waits for; every other kind may name entities.
NAMED: Mapping[str, Callable[[Mapping[str, JsonValue]], Iterator[Start]]] = {
    "state": _state,
    "event": _event,
    "time": _at,
    "template": _template,
}
