"""A home's configuration on paper: files and registries that are read and written as Home Assistant's are, with its honest faults."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.errors import CallFailedError, CallUncertainError, HaError
from homesteward.home.model import Area, Entity, State
from homesteward.home.simulation import SimulatedHome


@dataclass
class PaperConfiguration:
    """What lies in the files of `home`, and what of it runs. It is both what is asked and what is written to.

    `refuses` is what Home Assistant says no with, `reloads` whether what was written is loaded, `silent` that no answer comes back
    (the write happens), and `deaf` that it does not happen either. `wrote` is every change that was made.
    """

    home: SimulatedHome
    files: dict[str, dict[str, dict[str, Any]]] = field(
        default_factory=lambda: {"automation": {}, "script": {}, "scene": {}}
    )
    running: dict[str, dict[str, Any]] = field(default_factory=dict)
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    refuses: str = ""
    reloads: bool = True
    silent: bool = False
    deaf: bool = False
    unreadable: bool = False
    wrote: list[tuple[str, str]] = field(default_factory=list)

    def add(self, kind: str, key: str, config: dict[str, Any]) -> str:
        """Lay something there that was there before, loaded; return its entity."""
        self.files[kind][key] = deepcopy(config)
        return self._load(kind, key)

    async def stored(self, kind: str, key: str) -> JsonValue:
        if self.unreadable:
            raise HaError("http_500", "Secrets not supported in this YAML file")
        return deepcopy(self.files[kind].get(key))

    async def ask(self, command: str, /, **fields: Any) -> JsonValue:
        return ANSWERS[command](self, fields)

    async def put(self, kind: str, key: str, body: JsonObject) -> None:
        self._begin(f"put {kind}", key)
        if not self.deaf:
            self.files[kind][key] = deepcopy(dict(body))
            if self.reloads:
                self._load(kind, key)
        self._end()

    async def remove(self, kind: str, key: str) -> None:
        self._begin(f"remove {kind}", key)
        del self.files[kind][key]
        if self.reloads:
            self._unload(kind, key)
        self._end()

    async def command(self, command: str, /, **fields: Any) -> JsonValue:
        self._begin(command, str(next(iter(fields.values()), "")))
        answer: JsonValue = DEEDS[command](self, fields)
        self._end()
        return answer

    def _begin(self, what: str, key: str) -> None:
        if self.refuses:
            raise CallFailedError(self.refuses, code="invalid_format")
        self.wrote.append((what, key))

    def _end(self) -> None:
        if self.silent:
            raise CallUncertainError("It was sent, but no answer came.")

    def _load(self, kind: str, key: str) -> str:
        config = self.files[kind][key]
        name = str(config.get("alias") or config.get("name")).lower().replace(" ", "_")
        entity_id = f"{kind}.{key if kind == 'script' else name}"
        members = {"entity_id": list(config["entities"])} if kind == "scene" else {}
        state = {"automation": "on", "script": "off", "scene": "unknown"}[kind]
        self.home.states[entity_id] = State(entity_id, state, {"friendly_name": config.get("alias"), **members})
        self.home.entities[entity_id] = Entity(entity_id, unique_id=key)
        self.home.bodies.setdefault(entity_id, ())
        self.running[entity_id] = deepcopy(config)
        return entity_id

    def _unload(self, kind: str, key: str) -> None:
        for entity_id, entity in list(self.home.entities.items()):
            if entity.unique_id == key and entity_id.startswith(f"{kind}."):
                for known in (self.home.entities, self.home.states, self.running):
                    known.pop(entity_id, None)

    def _checked(self, fields: dict[str, Any]) -> JsonValue:
        return {
            name: {"valid": "bad" not in str(value), "error": "extra keys not allowed" if "bad" in str(value) else None}
            for name, value in fields.items()
        }

    def _entry(self, fields: dict[str, Any]) -> JsonValue:
        if fields["entity_id"] not in self.home.entities:
            raise HaError("not_found", "Entity not found")
        return self.entries.get(fields["entity_id"], {})

    def _change_entry(self, fields: dict[str, Any]) -> JsonValue:
        entity_id = fields.pop("entity_id")
        renamed = fields.pop("new_entity_id", entity_id)
        entry = {**self.entries.pop(entity_id, {}), **fields}
        self.entries[renamed] = entry
        self.home.entities[renamed] = self.home.entities.pop(entity_id)
        self.home.states[renamed] = self.home.states.pop(entity_id)
        return {}

    def _expose(self, fields: dict[str, Any]) -> JsonValue:
        ids = set(fields["entity_ids"])
        self.home.exposed = self.home.exposed | ids if fields["should_expose"] else self.home.exposed - ids
        return {}

    def _make_area(self, fields: dict[str, Any]) -> JsonValue:
        self.home.areas[fields["name"]] = Area(fields["name"], fields["name"])
        return {"area_id": fields["name"]}

    def _change_area(self, fields: dict[str, Any]) -> JsonValue:
        old = self.home.areas[fields["area_id"]]
        self.home.areas[old.area_id] = Area(
            old.area_id, fields.get("name", old.name), aliases=tuple(fields.get("aliases", old.aliases))
        )
        return {}

    def _areas(self, _fields: dict[str, Any]) -> JsonValue:
        return [
            {"area_id": area.area_id, "name": area.name, "aliases": list(area.aliases)}
            for area in self.home.areas.values()
        ]


ANSWERS: dict[str, Callable[[PaperConfiguration, dict[str, Any]], JsonValue]] = {
    "validate_config": PaperConfiguration._checked,
    "automation/config": lambda paper, fields: {"config": paper.running.get(fields["entity_id"])},
    "script/config": lambda paper, fields: {"config": paper.running.get(fields["entity_id"])},
    "config/entity_registry/get": PaperConfiguration._entry,
    "config/area_registry/list": PaperConfiguration._areas,
    "homeassistant/expose_entity/list": lambda paper, _: {
        "exposed_entities": {name: {"conversation": True} for name in paper.home.exposed}
    },
    "blueprint/list": lambda _paper, _fields: {"own/there.yaml": {"metadata": {"name": "There"}}},
}
DEEDS: dict[str, Callable[[PaperConfiguration, dict[str, Any]], JsonValue]] = {
    "config/entity_registry/update": PaperConfiguration._change_entry,
    "config/area_registry/create": PaperConfiguration._make_area,
    "config/area_registry/update": PaperConfiguration._change_area,
    "config/area_registry/delete": lambda paper, fields: paper.home.areas.pop(fields["area_id"]) and {},
    "homeassistant/expose_entity": PaperConfiguration._expose,
}
