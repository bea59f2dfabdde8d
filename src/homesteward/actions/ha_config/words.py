"""A configuration in plain words, read from itself: what starts it, under which conditions, and what it then does."""

from collections.abc import Callable, Iterator, Mapping

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.view import HomeView

MOST = 6  # of triggers, conditions or actions that are told; the rest is counted
MAX_SUMMARY = 900  # characters
VERBS = {"new": "Make", "edit": "Change", "delete": "Delete"}


def summary_of(kind: str, object_id: str, config: JsonObject | None, deed: str, home: HomeView) -> str:
    """Return in one sentence what would be done, and of an automation, script or scene what it would do."""
    shown = config or {}
    own = shown.get("alias") or shown.get("name") or shown.get("title") or _blueprint_name(shown)
    name = _called(object_id.removeprefix("device."), home) if kind in OF else own or _called(object_id, home)
    head = f"{VERBS[deed]} the {OF.get(kind, kind)} “{name}”"
    tell = TOLD.get(kind)
    told = tell(shown, home) if tell and deed != "delete" and config else ""
    text = f"{head}: {told}" if told else head
    return text if len(text) <= MAX_SUMMARY else f"{text[:MAX_SUMMARY]}..."


# Kinds that are of something else: it is named, not they.
OF = {"registry": "registry entry of", "exposure": "exposure of"}


def _blueprint_name(config: JsonObject) -> JsonValue:
    return _mapping(config.get("blueprint")).get("name")


def _automation(config: JsonObject, home: HomeView) -> str:
    if "use_blueprint" in config:
        use = _mapping(config["use_blueprint"])
        return f"by the blueprint {use.get('path')}"
    starts = _joined([_trigger(each, home) for each in _list(config, "triggers", "trigger")], " or ")
    only = _joined([_condition(each, home) for each in _list(config, "conditions", "condition")], " and ")
    acts = _joined([_action(each, home) for each in _list(config, "actions", "action")], ", then ")
    off = ", turned off at first" if config.get("initial_state") is False else ""
    return f"{starts or 'nothing starts it'}{f', only if {only}' if only else ''}: {acts or 'do nothing'}{off}"


def _script(config: JsonObject, home: HomeView) -> str:
    if "use_blueprint" in config:
        return _automation(config, home)
    return _joined([_action(each, home) for each in _list(config, "sequence")], ", then ") or "do nothing"


def _scene(config: JsonObject, home: HomeView) -> str:
    members = _mapping(config.get("entities"))
    return _joined([f"{_called(name, home)} {_state(value)}" for name, value in members.items()], ", ")


def _fields(config: JsonObject, home: HomeView) -> str:
    return _joined([f"{key} {_value(value, home)}" for key, value in config.items()], ", ")


def _named_fields(config: JsonObject, home: HomeView) -> str:
    return _fields({key: value for key, value in config.items() if key != "name"}, home)


def _exposed(config: JsonObject, home: HomeView) -> str:
    del home
    return "speech and models reach it" if True in config.values() else "speech and models do not reach it"


def _views(config: JsonObject, home: HomeView) -> str:
    del home
    views = _mapping(config.get("config")).get("views")
    titles = (
        [str(_mapping(view).get("title") or "untitled") for view in views] if isinstance(views, list | tuple) else []
    )
    return f"{len(titles)} views ({_joined(titles, ', ')})" if titles else ""


TOLD: Mapping[str, Callable[[JsonObject, HomeView], str]] = {
    "automation": _automation,
    "script": _script,
    "scene": _scene,
    "dashboard": _views,
    "helper": _named_fields,
    "area": _named_fields,
    "floor": _named_fields,
    "label": _named_fields,
    "registry": _fields,
    "exposure": _exposed,
}


def _trigger(raw: JsonObject, home: HomeView) -> str:
    kind = str(raw.get("trigger") or raw.get("platform") or "")
    tell = TRIGGERS.get(kind)
    return tell(raw, home) if tell else f"when the trigger {kind or 'of a device'} fires"


def _on_state(raw: JsonObject, home: HomeView) -> str:
    ways = "".join(
        f" {word} {_value(raw[key], home)}"
        for key, word in (("from", "from"), ("to", "to"))
        if raw.get(key) is not None
    )
    return f"when {_things(raw, home)} changes{ways}{_for(raw)}"


def _on_number(raw: JsonObject, home: HomeView) -> str:
    bounds = " and ".join(f"{key} {raw[key]}" for key in ("above", "below") if key in raw)
    return f"when {_things(raw, home)} is {bounds}{_for(raw)}"


def _at_time(raw: JsonObject, home: HomeView) -> str:
    days = raw.get("weekday")
    return f"at {_value(raw.get('at'), home)}{f' on {_value(days, home)}' if days else ''}"


def _at_sun(raw: JsonObject, home: HomeView) -> str:
    del home
    offset = raw.get("offset")
    return f"at {raw.get('event')}{f' ({offset})' if offset else ''}"


TRIGGERS: Mapping[str, Callable[[JsonObject, HomeView], str]] = {
    "state": _on_state,
    "numeric_state": _on_number,
    "time": _at_time,
    "sun": _at_sun,
    "time_pattern": lambda raw, _: (
        "every time the clock shows "
        + ", ".join(f"{key} {raw[key]}" for key in ("hours", "minutes", "seconds") if key in raw)
    ),
    "zone": lambda raw, home: (
        f"when {_things(raw, home)} {raw.get('event', 'enter')}s {_called(str(raw.get('zone')), home)}"
    ),
    "event": lambda raw, home: f"when the event {_value(raw.get('event_type'), home)} is fired",
    "homeassistant": lambda raw, _: f"when Home Assistant has its {raw.get('event')}",
    "template": lambda _, __: "when a template becomes true",
    "webhook": lambda _, __: "when somebody calls its webhook",
    "conversation": lambda raw, home: f"when somebody says {_value(raw.get('command'), home)}",
    "mqtt": lambda raw, _: f"when a message comes on {raw.get('topic')}",
    "calendar": lambda raw, home: f"at the {raw.get('event', 'start')} of an event of {_things(raw, home)}",
    "device": lambda raw, home: f"when {_device(raw, home)} has {str(raw.get('type')).replace('_', ' ')}",
}


def _condition(raw: JsonObject, home: HomeView) -> str:
    kind = str(raw.get("condition") or "")
    tell = CONDITIONS.get(kind)
    return tell(raw, home) if tell else f"the condition {kind or 'of a template'} holds"


def _window(raw: JsonObject, home: HomeView) -> str:
    parts = [
        f"{word} {_value(raw[key], home)}"
        for key, word in (("after", "after"), ("before", "before"), ("weekday", "on"))
        if key in raw
    ]
    return " and ".join(["it is", " and ".join(parts)]).replace("it is and", "it is")


CONDITIONS: Mapping[str, Callable[[JsonObject, HomeView], str]] = {
    "state": lambda raw, home: f"{_things(raw, home)} is {_value(raw.get('state'), home)}{_for(raw)}",
    "numeric_state": lambda raw, home: (
        f"{_things(raw, home)} is " + " and ".join(f"{key} {raw[key]}" for key in ("above", "below") if key in raw)
    ),
    "time": _window,
    "sun": _window,
    "zone": lambda raw, home: f"{_things(raw, home)} is in {_called(str(raw.get('zone')), home)}",
    "and": lambda raw, home: (
        "(" + _joined([_condition(each, home) for each in _list(raw, "conditions")], " and ") + ")"
    ),
    "or": lambda raw, home: "(" + _joined([_condition(each, home) for each in _list(raw, "conditions")], " or ") + ")",
    "not": lambda raw, home: (
        "not (" + _joined([_condition(each, home) for each in _list(raw, "conditions")], " or ") + ")"
    ),
    "template": lambda _, __: "a template is true",
    "trigger": lambda raw, home: f"it was started by {_value(raw.get('id'), home)}",
}


def _action(raw: JsonObject, home: HomeView) -> str:
    name = raw.get("action") or raw.get("service")
    if isinstance(name, str):
        return f"{name} on {_target(raw, home)}" if _target(raw, home) else name
    for key, tell in ACTIONS.items():
        if key in raw:
            return tell(raw, home)
    if "device_id" in raw:
        return f"{str(raw.get('type')).replace('_', ' ')} of {_device(raw, home)}"
    return f"a step of {', '.join(sorted(raw))}"


def _within(key: str, raw: JsonObject, home: HomeView) -> str:
    return _joined([_action(each, home) for each in _list(raw, key)], ", then ")


def _choice(raw: JsonObject, home: HomeView) -> str:
    options = [_within("sequence", each, home) for each in _list(raw, "choose")]
    return f"one of: {_joined(options, '; or ')}" + (
        f"; else {_within('default', raw, home)}" if "default" in raw else ""
    )


ACTIONS: Mapping[str, Callable[[JsonObject, HomeView], str]] = {
    "scene": lambda raw, home: f"set the scene {_called(str(raw['scene']), home)}",
    "delay": lambda raw, home: f"wait {_value(raw['delay'], home)}",
    "event": lambda raw, _: f"fire the event {raw['event']}",
    "choose": _choice,
    "if": lambda raw, home: (
        f"if it fits: {_within('then', raw, home)}" + (f"; else {_within('else', raw, home)}" if "else" in raw else "")
    ),
    "repeat": lambda raw, home: f"again and again: {_within('sequence', _mapping(raw['repeat']), home)}",
    "parallel": lambda raw, home: f"at once: {_within('parallel', raw, home)}",
    "sequence": lambda raw, home: _within("sequence", raw, home),
    "wait_template": lambda _, __: "wait for a template",
    "wait_for_trigger": lambda raw, home: (
        "wait until "
        + _joined([_trigger(each, home).removeprefix("when ") for each in _list(raw, "wait_for_trigger")], " or ")
    ),
    "stop": lambda _, __: "stop",
    "condition": lambda raw, home: f"go on only if {_condition(raw, home)}",
    "variables": lambda _, __: "note some values",
}


def _target(raw: JsonObject, home: HomeView) -> str:
    target = {**_mapping(raw.get("data")), **_mapping(raw.get("target")), **raw}
    named = [
        _called(name, home)
        for key in ("entity_id", "device_id", "area_id", "floor_id", "label_id")
        for name in _names(target.get(key))
    ]
    return _joined(named, ", ")


def _things(raw: JsonObject, home: HomeView) -> str:
    return _joined([_called(name, home) for name in _names(raw.get("entity_id"))], " or ") or "something"


def _device(raw: JsonObject, home: HomeView) -> str:
    device = home.devices.get(str(raw.get("device_id")))
    return device.name if device else "a device"


def _called(name: str, home: HomeView) -> str:
    """Return what a thing or a place is called, else its id."""
    state = home.states.get(name)
    known = (home.areas.get(name), home.floors.get(name), home.labels.get(name), home.devices.get(name))
    return next((each.name for each in (state, *known) if each is not None), name)


def _for(raw: JsonObject) -> str:
    return f" for {_duration(raw['for'])}" if raw.get("for") else ""


def _duration(value: JsonValue) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{number} {unit}" for unit, number in value.items())
    return str(value)


def _state(value: JsonValue) -> str:
    if isinstance(value, Mapping):
        return _duration({key: item for key, item in value.items() if key == "state"}).removesuffix(" state") or "set"
    return str(value)


def _value(value: JsonValue, home: HomeView) -> str:
    if isinstance(value, Mapping):
        return _duration(value)
    if isinstance(value, list | tuple):
        return _joined([_value(item, home) for item in value], " or ")
    if value is None:
        return "none"
    return _called(value, home) if isinstance(value, str) else str(value)


def _names(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        yield from (str(item) for item in value)


def _list(raw: JsonObject, *keys: str) -> list[JsonObject]:
    value = next((raw[key] for key in keys if raw.get(key) is not None), None)
    listed = value if isinstance(value, list | tuple) else [value]
    return [each for each in listed if isinstance(each, Mapping)]


def _joined(parts: list[str], between: str) -> str:
    shown = between.join(parts[:MOST])
    return f"{shown} and {len(parts) - MOST} more" if len(parts) > MOST else shown


def _mapping(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}
