"""Automations, scripts and scenes: what Home Assistant keeps in the files that its own editor writes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from homesteward.actions.ha_config.base import BaseKind, an
from homesteward.actions.ha_config.errors import BadConfigError, NotEditableError, OtherIdError, UnknownObjectError
from homesteward.actions.ha_config.kind import Sight
from homesteward.actions.ha_config.text import same
from homesteward.core import Clock
from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.text import neighbours
from homesteward.home.calls import ENTITY_ID, SLUG
from homesteward.home.config_source import Asked
from homesteward.home.errors import HaError
from homesteward.home.live import LiveHome
from homesteward.home.model import State
from homesteward.home.write import Writer

COMMON = frozenset(
    {"alias", "description", "mode", "max", "max_exceeded", "variables", "trace", "icon", "use_blueprint"}
)


@dataclass(frozen=True, slots=True)
class Form:
    """What a kind of these may hold: its fields, what it is named by, the sections that Home Assistant checks, and their older names."""

    fields: frozenset[str]
    name: str
    sections: Mapping[str, tuple[str, ...]]
    id_inside: bool = True


FORMS: Mapping[str, Form] = {
    "automation": Form(
        COMMON
        | {"id", "triggers", "trigger", "conditions", "condition", "actions", "action"}
        | {"trigger_variables", "initial_state", "hide_entity"},
        "alias",
        {
            "triggers": ("triggers", "trigger"),
            "conditions": ("conditions", "condition"),
            "actions": ("actions", "action"),
        },
    ),
    "script": Form(COMMON | {"sequence", "fields"}, "alias", {"actions": ("sequence",)}, id_inside=False),
    "scene": Form(frozenset({"id", "name", "icon", "entities", "metadata"}), "name", {}),
}


class Stored(BaseKind):
    """One of the three kinds."""

    def __init__(self, name: str, source: Asked, writer: Writer, home: LiveHome, clock: Clock) -> None:
        """Be the kind `name`; `clock` makes the ids of new ones, as Home Assistant's editor does."""
        super().__init__(name, source, writer, home)
        self._form = FORMS[name]
        self._clock = clock

    def address(self, object_id: str) -> str:
        """Return the id, also of an entity; see Kind."""
        if not object_id.startswith(f"{self.name}.") or not ENTITY_ID.fullmatch(object_id):
            return super().address(object_id)
        entity = self.home.entities.get(object_id)
        if entity is None or not entity.unique_id:
            near = neighbours(object_id, [name for name in self.home.entities if name.startswith(f"{self.name}.")])
            hint = f" There is {', '.join(near)}." if near else ""
            raise UnknownObjectError(f"There is no {object_id} with an id that could be edited.{hint}")
        return entity.unique_id

    def new_id(self, config: JsonObject) -> str:
        """Return a moment in milliseconds, or for a script what its name makes; see Kind."""
        if self._form.id_inside:
            return str(int(self._clock.now().timestamp() * 1000))
        return super().new_id(config)

    async def read(self, object_id: str) -> JsonObject | None:
        """Return the object as it lies in its file; see Kind."""
        try:
            found = await self.source.stored(self.name, object_id)
        except HaError as error:
            raise NotEditableError(
                f"Home Assistant cannot read its {self.name}s: {error.message}",
                next=f"Look at its file {self.name}s.yaml: what is in there ('!include', '!secret') may only be edited by hand.",
            ) from error
        if isinstance(found, Mapping):
            return found
        entity_id = self.entity_of(object_id)
        if entity_id and not self._left_over(entity_id):
            raise NotEditableError(
                f"{entity_id} is written by hand in Home Assistant's YAML files. It was not touched.",
                next="Change it in the file where it stands.",
            )
        return None

    def checked(self, object_id: str, config: JsonObject) -> JsonObject:
        """Return the configuration with its own id first; see Kind."""
        carried = config.get("id")
        if carried is not None and str(carried) != object_id:
            raise OtherIdError(
                f"The configuration carries the id {str(carried)!r}, and is addressed to {object_id!r}. Nothing was changed.",
                next="Leave the id out, or address the one that it belongs to.",
            )
        if not self._form.id_inside and not SLUG.fullmatch(object_id):
            raise BadConfigError(f"{object_id!r} is no id of {an(self.name)}.", next="Use small letters, digits and _.")
        self._require_fields(config)
        return {"id": object_id, **config} if self._form.id_inside else {k: v for k, v in config.items() if k != "id"}

    async def validate(self, config: JsonObject) -> None:
        """Have Home Assistant check its triggers, conditions and actions; see Kind."""
        whole = await self.body(config) or config
        sections = {
            name: value for name, keys in self._form.sections.items() if (value := _first(whole, keys)) is not None
        }
        if not sections:
            return
        answer = await self.source.ask("validate_config", **sections)
        found = answer if isinstance(answer, Mapping) else {}
        wrong = [f"{name}: {result.get('error')}" for name, result in found.items() if _invalid(result)]
        if wrong:
            raise BadConfigError(
                f"Home Assistant would not take it: {'; '.join(wrong)}", next="Mend it; nothing was changed."
            )

    async def body(self, config: JsonObject) -> JsonObject | None:
        """Return the blueprint, filled in by Home Assistant; see Kind."""
        use = config.get("use_blueprint")
        if not isinstance(use, Mapping):
            return None
        try:
            answer = await self.source.ask(
                "blueprint/substitute", domain=self.name, path=use.get("path"), input=dict(_mapping(use.get("input")))
            )
        except HaError as error:
            raise BadConfigError(
                f"The blueprint cannot be used so: {error.message}", next="Look at its inputs."
            ) from error
        return _mapping(_mapping(answer).get("substituted_config")) or None

    async def write(self, object_id: str, config: JsonObject, old: JsonObject | None) -> None:
        """Store it; see Kind."""
        del old
        await self.writer.put(self.name, object_id, config)

    async def remove(self, object_id: str) -> None:
        """Take it away; see Kind."""
        await self.writer.remove(self.name, object_id)

    async def seen(self, object_id: str, config: JsonObject | None) -> Sight:
        """Look at its file, its entity and what runs; see Kind."""
        entity_id = self.entity_of(object_id)
        subject = entity_id or f"{self.name} {object_id}"
        stored = await self.source.stored(self.name, object_id)
        if config is None:
            gone = stored is None and (entity_id is None or self._left_over(entity_id))
            return Sight(gone, subject, "gone" if gone else "still there")
        if not same(stored, config):
            return Sight(False, subject, "not stored as it was written")
        state = self.home.states.get(entity_id or "")
        if state is None:
            return Sight(False, subject, "stored, but not loaded")
        if state.state == "unavailable":
            return Sight(False, subject, "stored, but Home Assistant could not set it up (unavailable)")
        return await self._running(state, config)

    async def _running(self, state: State, config: JsonObject) -> Sight:
        if self.name == "scene":
            members = set(_mapping(config.get("entities")))
            shown = state.attributes.get("entity_id")
            same_members = isinstance(shown, list | tuple) and set(shown) == members
            return Sight(same_members, state.entity_id, "there" if same_members else "loaded with other members")
        answer = await self.source.ask(f"{self.name}/config", entity_id=state.entity_id)
        running = _mapping(_mapping(answer).get("config"))
        if "use_blueprint" not in config and not same(_bare(running), _bare(config)):
            return Sight(False, state.entity_id, "loaded, but what runs is another version")
        if self.name == "automation":
            return Sight(True, state.entity_id, "enabled" if state.state == "on" else "there, turned off")
        return Sight(True, state.entity_id, "there")

    def entity_of(self, object_id: str) -> str | None:
        """Return the entity that belongs to the id; see Kind."""
        return next(
            (
                entity.entity_id
                for entity in self.home.entities.values()
                if entity.unique_id == object_id and entity.entity_id.startswith(f"{self.name}.")
            ),
            None,
        )

    def _left_over(self, entity_id: str) -> bool:
        """Return whether only the registry remembers it: it is not loaded."""
        state = self.home.states.get(entity_id)
        return state is None or state.attributes.get("restored") is True

    def _require_fields(self, config: JsonObject) -> None:
        odd = sorted(config.keys() - self._form.fields - {"id"})
        if odd:
            near = neighbours(odd[0], self._form.fields)
            raise BadConfigError(
                f"{an(self.name).capitalize()} has no field {', '.join(map(repr, odd))}{f' (near: {near[0]})' if near else ''}.",
                next="Leave it out, or name the right one.",
            )
        if not config.get(self._form.name):
            raise BadConfigError(f"{an(self.name).capitalize()} needs '{self._form.name}'.", next="Give it a name.")


def _first(config: JsonObject, keys: tuple[str, ...]) -> JsonValue:
    return next((config[key] for key in keys if key in config), None)


def _invalid(result: JsonValue) -> TypeGuard[JsonObject]:
    return isinstance(result, Mapping) and result.get("valid") is False


def _mapping(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def _bare(config: JsonObject) -> JsonObject:
    return {key: value for key, value in config.items() if key != "id"}
