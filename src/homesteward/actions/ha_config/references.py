"""What a configuration names: entities, services, areas, floors, labels and devices, at any depth, each of which has to be there."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from homesteward.actions.ha_config.errors import UnknownReferenceError
from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.text import neighbours
from homesteward.home.calls import ENTITY_ID
from homesteward.home.view import HomeView

MAX_TOLD = 5
TEMPLATE = re.compile(r"\{\{|\{%|\{#|^!input ")
ANY_ENTITY = frozenset({"all", "none"})
REGISTRY_ID = re.compile(r"[0-9a-f]{32}")  # device triggers and actions name an entity by the registry's own id
SERVICE = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Reference:
    """Something that is named: where in the configuration, what sort of thing, and its name."""

    path: str
    sort: str
    name: str


def require_known(config: JsonObject, home: HomeView, own: Collection[str] = ()) -> None:
    """Raise UnknownReferenceError, with where it stands and what is near, for whatever the home does not have.

    `own` is what will be there once this is written: a script may call itself. A template is not guessed at.
    """
    missing = [each for each in references(config) if each.name not in own and not _known(each, home)]
    if not missing:
        return
    told = "; ".join(_told(each, home) for each in missing[:MAX_TOLD])
    more = f" and {len(missing) - MAX_TOLD} more" if len(missing) > MAX_TOLD else ""
    raise UnknownReferenceError(f"{told}{more}. Nothing was changed.", next="Name what is there, and ask again.")


def references(config: JsonValue) -> Iterator[Reference]:
    """Yield everything that `config` names, in the order in which it stands there."""
    yield from _in(config, "")


def _in(value: JsonValue, path: str) -> Iterator[Reference]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            at = f"{path}.{key}" if path else str(key)
            yield from _of_key(str(key), item, at, value)
            yield from _in(item, at)
    elif isinstance(value, list | tuple):
        for n, item in enumerate(value):
            yield from _in(item, f"{path}[{n}]")


def _of_key(key: str, value: JsonValue, path: str, beside: JsonObject) -> Iterator[Reference]:
    if key in SERVICES:
        if isinstance(value, str) and SERVICE.fullmatch(value) and not TEMPLATE.search(value):
            yield Reference(path, "service", value)
        return
    if key == "entities" and isinstance(value, Mapping):  # a scene's members are its keys
        yield from (Reference(path, "entity", str(name)) for name in value)
        return
    if (sort := SORTS.get(key)) is None or (key == "entity" and "." not in str(value)):
        return
    for name in _names(value):
        if sort == "entity" and (name in ANY_ENTITY or REGISTRY_ID.fullmatch(name)):
            continue
        if sort == "zone" and "zone" not in {beside.get("trigger"), beside.get("platform"), beside.get("condition")}:
            continue
        yield Reference(path, "entity" if sort == "zone" else sort, name)


def _names(value: JsonValue) -> Iterator[str]:
    """Yield the names in a text (with commas between them) or a list; what a template makes is not known."""
    if isinstance(value, str):
        if not TEMPLATE.search(value):
            yield from (name for part in value.split(",") if (name := part.strip()))
    elif isinstance(value, list | tuple):
        for item in value:
            if isinstance(item, str):
                yield from _names(item)


SERVICES = frozenset({"action", "service", "perform_action"})
# key -> what it names
SORTS: Mapping[str, str] = {
    "entity_id": "entity",
    "entity": "entity",
    "entities": "entity",
    "scene": "entity",
    "zone": "zone",
    "device_id": "device",
    "area_id": "area",
    "floor_id": "floor",
    "label_id": "label",
    "labels": "label",
}


def _known(each: Reference, home: HomeView) -> bool:
    return each.name in KNOWN[each.sort](home) or (each.sort == "entity" and each.name in home.entities)


KNOWN: Mapping[str, Callable[[HomeView], Mapping[str, object]]] = {
    "entity": lambda home: home.states,
    "service": lambda home: home.services,
    "device": lambda home: home.devices,
    "area": lambda home: home.areas,
    "floor": lambda home: home.floors,
    "label": lambda home: home.labels,
}


def _told(each: Reference, home: HomeView) -> str:
    known = KNOWN[each.sort](home)
    near = neighbours(each.name, _alike(each, known))
    hint = f" (near: {', '.join(near)})" if near else ""
    return f"{each.path}: this home has no {each.sort} {each.name}{hint}"


def _alike(each: Reference, known: Mapping[str, object]) -> list[str]:
    """Return those of the same domain, where there are any: `light.kichen` is near to no lock."""
    domain = f"{each.name.partition('.')[0]}."
    same = [name for name in known if name.startswith(domain)] if ENTITY_ID.fullmatch(each.name) else []
    return same or list(known)
