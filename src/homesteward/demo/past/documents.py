"""What the home's own folder says: who lives there, and its scripts and automations, blueprints filled in."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from homesteward.demo.past.people import Resident, Who
from homesteward.demo.past.rooms import House
from homesteward.demo.past.scripted import Document, slug
from homesteward.demo.past.story import Family


def family(directory: Path, house: House) -> Family:
    """Return who lives in the seeded home in `directory`, and what it does by itself."""
    automations = [_filled_in(directory, document) for document in _yaml(directory / "automations.yaml") or []]
    return Family(_residents(directory, house), _yaml(directory / "scripts.yaml") or {}, automations)


def _residents(directory: Path, house: House) -> tuple[Resident, ...]:
    """Return the owner, and the first other person with a user."""
    users = {user["id"]: user for user in _stored(directory, "auth")["users"] if not user["system_generated"]}
    found: dict[Who, Resident] = {}
    for person in _stored(directory, "person")["items"]:
        user = users.get(person["user_id"])
        if user is not None:
            who = Who.OWNER if user["is_owner"] else Who.MEMBER
            trackers = tuple(one for one in person["device_trackers"] if house.get(one))
            name = person["name"]
            found.setdefault(who, Resident(who, f"person.{slug(name)}", name, user["id"], trackers))
    return tuple(found[who] for who in Who if who in found)


def _stored(directory: Path, key: str) -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads((directory / ".storage" / key).read_text(encoding="utf-8"))["data"]
    return data


class _Input(str):
    """The name of a blueprint's input, where it stands."""

    __slots__ = ()


class _Loader(yaml.SafeLoader):
    """Home Assistant's YAML: inputs are kept, other tags hide something that a past does not need."""


_Loader.add_constructor("!input", lambda _loader, node: _Input(node.value))
_Loader.add_multi_constructor("!", lambda _loader, _tag, _node: "")


def _yaml(path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader) if path.exists() else None  # noqa: S506 - a SafeLoader


def _filled_in(directory: Path, document: Document) -> Document:
    use = document.get("use_blueprint")
    if use is None:
        return document
    blueprint = _yaml(directory / "blueprints" / "automation" / use["path"]) or {"blueprint": {}}
    given = blueprint["blueprint"].get("input", {})
    inputs = {name: spec.get("default") for name, spec in given.items() if spec} | use.get("input", {})
    body = {key: _with(value, inputs) for key, value in blueprint.items() if key != "blueprint"}
    return {**body, **{key: value for key, value in document.items() if key != "use_blueprint"}}


def _with(value: object, inputs: Mapping[str, Any]) -> object:
    if isinstance(value, _Input):
        return inputs.get(value)
    if isinstance(value, Mapping):
        return {key: _with(item, inputs) for key, item in value.items()}
    return [_with(item, inputs) for item in value] if isinstance(value, list) else value
