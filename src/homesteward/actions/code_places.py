"""Where in data or a configuration a code can stand: in a field that says so, in what it refers to, in a template to a lock."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.secret_names import says_secret

REFERENCE = "secret:"
CODED = frozenset({"alarm_control_panel", "lock"})  # the domains whose services take the code of the entity itself
HELPER = "helper"  # the kind of object that may be for a code as a whole
AIMS = ("entity_id", "device_id", "area_id", "floor_id", "label_id")
NAMED_VALUES = frozenset({"variables", "trigger_variables", "data", "service_data", "fields", "input"})
INITIAL = frozenset({"initial", "options"})  # what a helper begins with
DESCRIBES = frozenset({"name", "description", "icon"})  # of a script's field, beside what it is by default
TEMPLATE = re.compile(r"\{\{|\{%")
LITERAL = re.compile(r"'[^']*'|\"[^\"]*\"")
NAME = re.compile(r"(?<![\w.])([A-Za-z_]\w*)(?!\w*\s*\()")
# In a template: digits enough for a code, or what stands behind a key that says what it is; a reference stays whole.
WITHIN = re.compile(
    rf"(?P<reference>{REFERENCE}[^\s'\"#]+#[0-9a-f]{{16}})"
    r"|(?P<key>['\"](?P<name>\w+)['\"]\s*:\s*['\"])(?P<text>[^'\"]+)(?=['\"])"
    r"|(?<![\w.])(?P<digits>\d{4,})(?!\w)"
)


type Change = Callable[[Place, JsonValue], JsonValue]
"""Returns what stands in the place of a code."""


def is_code_field(name: str) -> bool:
    """Return whether a field of this name holds a code, or any other secret: its name says so (`alarm_code`, `newPin`, `credential_data`)."""
    return says_secret(name)


def changed(data: JsonObject, start: Place, change: Change) -> dict[str, JsonValue]:
    """Return the data, which lies at `start`, with `change` made of each code in it."""
    within = place_of(data, start)
    return {key: _each(item, place_in(within, key), change) for key, item in data.items()}


def is_of_a_code(kind: str, object_id: str, config: JsonObject) -> bool:
    """Return whether an object of the configuration is a helper that keeps a code, as its id or name says."""
    return kind == HELPER and (is_code_field(object_id) or is_code_field(str(config.get("name") or "")))


def _each(value: JsonValue, place: Place, change: Change) -> JsonValue:
    if isinstance(value, Mapping):
        return changed(value, place, change)
    if isinstance(value, list | tuple):
        return [_each(item, replace(place, path=(*place.path, n)), change) for n, item in enumerate(value)]
    if value is None or isinstance(value, bool):
        return value
    if is_whole(place):
        return change(place, value)
    return codes_at(place, value, change) if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a configuration. `about` is what the nearest action is aimed at, `coded` whether its service takes a code."""

    field: str = ""
    path: tuple[str | int, ...] = ()
    about: tuple[str, ...] = ()
    coded: bool = False
    named: bool = False
    """Whether it is among values that go by names."""
    below: bool = False
    """Whether it is within a value that a code field refers to by its name."""
    secret: bool = False
    """Whether the whole object is for a code."""
    names: frozenset[str] = frozenset()
    """The names whose values a code field refers to."""

    @property
    def said(self) -> str:
        """Return the place in words."""
        return ".".join(map(str, self.path))


def place_of(config: JsonObject, outside: Place) -> Place:
    """Return the place that is within `config`: aimed as it says, and as what is around it where it says nothing."""
    target = config.get("target")
    aims = sorted(name for part in (config, target) if isinstance(part, Mapping) for name in _aims(part))
    place = replace(outside, about=tuple(aims)) if aims else outside
    service = config.get("action") or config.get("service") or config.get("perform_action")
    if isinstance(service, str):
        return replace(place, coded=service.partition(".")[0] in CODED)
    return (
        replace(place, coded=config.get("domain") in CODED) if "device_id" in config and "domain" in config else place
    )


def place_in(place: Place, key: str) -> Place:
    """Return the place of a key."""
    return replace(
        place,
        field=key,
        path=(*place.path, key),
        named=place.named or key in NAMED_VALUES,
        below=place.below or (place.named and key in place.names),
    )


def is_whole(place: Place) -> bool:
    """Return whether whatever stands there is a code."""
    return (
        is_code_field(place.field)
        or (place.below and place.field not in DESCRIBES)
        or (place.secret and place.field in INITIAL)
    )


def codes_at(place: Place, text: str, change: Change) -> str:
    """Return the text of a template to a lock or an alarm with `change` made of each code in it."""
    if not place.coded or not TEMPLATE.search(text):
        return text

    def each(found: re.Match[str]) -> str:
        if found["reference"] or found["digits"]:
            return str(change(place, found[0]))
        if not is_code_field(found["name"]) or TEMPLATE.search(found["text"]):
            return found[0]
        return f"{found['key']}{change(place, found['text'])}"

    return WITHIN.sub(each, text)


def names_of_codes(config: JsonValue) -> frozenset[str]:
    """Return the names that code fields refer to, also by way of other names."""
    texts = [text for name, text in _texts(config, "") if is_code_field(name)]
    valued = [(name, text) for name, text in _texts(config, "")]
    found: set[str] = set()
    while texts:
        fresh = {name for text in texts for name in _names(text)} - found
        found |= fresh
        texts = [text for name, text in valued if name in fresh]
    return frozenset(found)


def _texts(value: JsonValue, field: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts(item, key)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item, field)
    elif isinstance(value, str) and TEMPLATE.search(value):
        yield field, value


def _names(template: str) -> Iterator[str]:
    yield from NAME.findall(LITERAL.sub("''", template))


def _aims(part: JsonObject) -> Iterator[str]:
    for key in AIMS:
        value = part.get(key)
        for name in [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []:
            if isinstance(name, str):
                yield f"{key}:{name}"
