"""What starts an automation: the entities and events that its triggers name, and what outside the house can set it off."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from homesteward.core.json import JsonValue
from homesteward.home.calls import ENTITY_ID, REGISTRY_ID
from homesteward.home.script_syntax import templated

MAX_STARTS = 200  # of one automation; Home Assistant's own editor has no more in sight
MAX_DEPTH = 10
IN_A_TEMPLATE = re.compile(r"\b(?=([a-z0-9_]+\.[a-z0-9_]+)\b)")  # also in states.light.hall.state
# What in a template looks at things: told is it only where the id is written out right there.
LOOKS = re.compile(
    r"\bstates\b|\b(?:is_state|state_attr|is_state_attr|has_value|state_translated|expand)\b"
    r"|\b(?:area|device|floor|label|integration)_entities\b|\b(?:closest|distance|import|include)\b"
)
TOLD = re.compile(
    r"""\bstates\.[a-z0-9_]+\.[a-z0-9_]+|\b\w+\s*\(\s*(['"])[a-z0-9_]+\.[a-z0-9_]+\1\s*[,)]|\bexpand\s*\(\s*(?=states\b)"""
)
OF_DOMAIN = re.compile(r"\bstates\.([a-z0-9_]+)\b(?!\.)")  # `states.light | ...`: any light there is
ANYTHING = "*"
DOMAIN = "domain"  # as a place: all of its things
PLACE_KEYS = ("device_id", "area_id", "floor_id", "label_id")
CALL_SERVICE = "call_service"
EVERY_CHANGE = frozenset({"state_changed", "state_reported"})
SHOWN = "persistent_notification"  # no event of Home Assistant's: a trigger of a kind of its own


@dataclass(frozen=True, slots=True)
class Start:
    """One thing that starts an automation: an entity (its id, that of its registry entry, or `ANYTHING`), a place, or an event (its type).

    `to` are the only states of the entity that do; empty means that any change may. Of an event they are what it must be about, as far
    as that is written out: entity ids, or for `call_service` the services. `place` is the key of a target, or `DOMAIN`, and what stands there.
    """

    entity_id: str = ""
    event: str = ""
    to: tuple[str, ...] = ()
    place: tuple[str, str] = ("", "")


ANY = Start(ANYTHING)


def starts_of(config: JsonValue) -> tuple[Start, ...]:
    """Return what the triggers of an automation's configuration wait for.

    A trigger whose entities cannot be told, as those of a template that builds an id, counts as one that waits for anything, and so do more
    than `MAX_STARTS` of them.
    """
    found: list[Start] = []
    for trigger in _triggers(config):
        found += list(NAMED.get(_kind(trigger), _any_entity)(trigger)) if trigger else [ANY]
    every = tuple(dict.fromkeys(found))
    return every if len(every) <= MAX_STARTS else (ANY, *every[:MAX_STARTS])


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
    """Yield each trigger of a list, those that stand in groups of their own included; one that is off starts nothing.

    An empty one stands for what is nested too deep to be read.
    """
    if depth > MAX_DEPTH:
        yield {}
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
        yield start if start is ANY else replace(start, to=exact)


def _event(trigger: Mapping[str, JsonValue]) -> Iterator[Start]:
    data = trigger.get("event_data")
    fields: Mapping[str, JsonValue] = data if isinstance(data, Mapping) else {}
    about = tuple(_entities(fields.get("entity_id")))  # such as a timer that finished
    named = tuple(start.entity_id for start in about if start is not ANY and "." in start.entity_id)
    for name in _texts(trigger.get("event_type")):
        if templated(name) or (name in EVERY_CHANGE and not about):
            yield ANY
        elif name == CALL_SERVICE:
            yield Start(event=name, to=(f"{_word(fields, 'domain')}.{_word(fields, 'service')}",))
        else:
            yield Start(event=name, to=named)
    if not isinstance(data, Mapping) and data is not None:
        yield ANY
    yield from about


def _word(fields: Mapping[str, JsonValue], key: str) -> str:
    value = fields.get(key)
    return value.strip().lower() if isinstance(value, str) and not templated(value) else "*"


def _shown(_trigger: Mapping[str, JsonValue]) -> Iterator[Start]:
    yield Start(event=SHOWN)


def _at(trigger: Mapping[str, JsonValue]) -> Iterator[Start]:
    """Yield the helpers that hold the time: whoever sets one sets when."""
    held = trigger.get("at")
    for each in held if isinstance(held, list | tuple) else [held]:
        yield from _entities(each.get("entity_id") if isinstance(each, Mapping) else each)


def _template(trigger: Mapping[str, JsonValue]) -> Iterator[Start]:
    yield from _in_template(str(trigger.get("value_template", "")))


def _number(trigger: Mapping[str, JsonValue]) -> Iterator[Start]:
    """Yield what a number is worked out of and measured by, as well as whose it is."""
    yield from _any_entity(trigger)
    yield from _in_template(str(trigger.get("value_template", "")))
    for bound in (trigger.get("above"), trigger.get("below")):
        yield from _entities(bound)


def _in_template(text: str) -> Iterator[Start]:
    """Yield the entities whose ids stand in a template; anything, where it looks at some that do not."""
    lowered = text.lower()
    told = [found.span() for pattern in (TOLD, OF_DOMAIN) for found in pattern.finditer(lowered)]
    if any(not any(start <= look.start() < end for start, end in told) for look in LOOKS.finditer(lowered)):
        yield ANY
    yield from (Start(place=(DOMAIN, name)) for name in dict.fromkeys(OF_DOMAIN.findall(lowered)))
    for name in dict.fromkeys(IN_A_TEMPLATE.findall(lowered)):
        yield Start(name)


def _any_entity(trigger: Mapping[str, JsonValue]) -> Iterator[Start]:
    """Yield the entities and places that a trigger of any kind names, in its own keys or in its target.

    A device is meant as a whole only where no entity of it is named.
    """
    target = trigger.get("target")
    yield from _entities(trigger.get("entity_id"))
    inside: Mapping[str, JsonValue] = target if isinstance(target, Mapping) else {}
    yield from _entities(inside.get("entity_id"))
    if templated(target):
        yield ANY
    own = {} if "entity_id" in trigger else trigger
    for holder in (own, inside):
        for key in PLACE_KEYS:
            yield from (Start(place=(key, name.strip())) for name in _texts(holder.get(key)))


def _entities(value: JsonValue) -> Iterator[Start]:
    if templated(value):
        yield from _in_template(str(value)) if isinstance(value, str) else ()
        yield ANY
        return
    for text in _texts(value):
        name = text.strip().lower()
        if ENTITY_ID.fullmatch(name) or REGISTRY_ID.fullmatch(name):
            yield Start(name)
        elif name == "all":
            yield ANY


def _texts(value: JsonValue) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part for part in value.split(","))
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list | tuple) else ()


# How a trigger of a kind names what it waits for; every other kind may name entities and places.
NAMED: Mapping[str, Callable[[Mapping[str, JsonValue]], Iterator[Start]]] = {
    "state": _state,
    "numeric_state": _number,
    "event": _event,
    "time": _at,
    "template": _template,
    "persistent_notification": _shown,
}
