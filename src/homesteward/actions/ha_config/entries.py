"""Registry entries and exposure: single fields of things that are always there. Nothing is made and nothing is removed."""

from collections.abc import Mapping

from homesteward.actions.ha_config.base import BaseKind
from homesteward.actions.ha_config.collections import require_fields
from homesteward.actions.ha_config.errors import BadConfigError, UnknownObjectError
from homesteward.actions.ha_config.kind import Sight
from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.text import neighbours
from homesteward.home.calls import ENTITY_ID
from homesteward.home.errors import CallFailedError, HaError

ENTITY_FIELDS = frozenset(
    {"name", "icon", "area_id", "labels", "aliases", "hidden_by", "disabled_by", "device_class", "new_entity_id"}
)
DEVICE_FIELDS = frozenset({"name_by_user", "area_id", "labels", "disabled_by"})
UNORDERED = frozenset({"labels"})  # Home Assistant keeps these as sets
ASSISTANT = "conversation"  # the one that language, models and voice are bound by
NEW = "new"


class Patched(BaseKind):
    """A kind of which single fields are changed."""

    patches = True

    def new_id(self, config: JsonObject) -> str:
        """Say that there is nothing new of this kind; see Kind."""
        del config
        raise BadConfigError(f"A change of the {self.name} needs an id: whose it is.", next="Name it.")

    async def remove(self, object_id: str) -> None:
        """Say that it cannot be removed; see Kind."""
        raise CallFailedError(f"The {self.name} of {object_id} can be changed, not deleted.", next="Nothing was done.")


class Entry(Patched):
    """The registry entry of an entity, or with the id `device.<id>` of a device."""

    def address(self, object_id: str) -> str:
        """Return the id of what is there; see Kind."""
        known = self.home.devices if object_id.startswith("device.") else self.home.entities
        if object_id.removeprefix("device.") not in known:
            near = neighbours(object_id, known)
            raise UnknownObjectError(
                f"The registry has no {object_id}.", next=f"There is {', '.join(near)}." if near else "Use find."
            )
        return object_id

    async def read(self, object_id: str) -> JsonObject | None:
        """Return the fields that can be changed; see Kind."""
        if object_id.startswith("device."):
            return await self._device(object_id.removeprefix("device."))
        try:
            row = await self.source.ask("config/entity_registry/get", entity_id=object_id)
        except HaError as error:
            if error.code == "not_found":
                return None
            raise
        return _plain(row, ENTITY_FIELDS - {"new_entity_id"})

    def checked(self, object_id: str, config: JsonObject) -> JsonObject:
        """Return the fields; see Kind."""
        device = object_id.startswith("device.")
        require_fields("registry entry", config, DEVICE_FIELDS if device else ENTITY_FIELDS, named=False)
        renamed = config.get("new_entity_id")
        if renamed is not None and not (isinstance(renamed, str) and ENTITY_ID.fullmatch(renamed)):
            raise BadConfigError(f"{renamed!r} is no entity id.", next="It looks like light.kitchen.")
        return _plain(config, frozenset(config))

    async def write(self, object_id: str, config: JsonObject, old: JsonObject | None) -> None:
        """Change the fields; see Kind."""
        del old
        if object_id.startswith("device."):
            device_id = object_id.removeprefix("device.")
            await self.writer.command("config/device_registry/update", device_id=device_id, **config)
            return
        await self.writer.command("config/entity_registry/update", entity_id=object_id, **config)

    def entity_of(self, object_id: str) -> str | None:
        """Return the entity itself; see Kind."""
        return None if object_id.startswith("device.") else object_id

    async def seen(self, object_id: str, config: JsonObject | None) -> Sight:
        """Look whether the registry has every field so, and whether we know; see Kind."""
        wanted = dict(config or {})
        now_id = str(wanted.pop("new_entity_id", object_id))
        now = await self.read(now_id)
        there = now is not None and all(now.get(key) == value for key, value in wanted.items())
        known = now_id.startswith("device.") or now_id in self.home.entities
        return Sight(there and known, now_id, "there" if there else "not as it was written")

    async def _device(self, device_id: str) -> JsonObject | None:
        rows = await self.source.ask("config/device_registry/list")
        listed = rows if isinstance(rows, list | tuple) else ()
        found = (row for row in listed if isinstance(row, Mapping) and row.get("id") == device_id)
        row = next(found, None)
        return None if row is None else _plain(row, DEVICE_FIELDS)


class Exposure(Patched):
    """Whether an entity is within reach of speech and models, or with the id `new` whether new entities are."""

    def address(self, object_id: str) -> str:
        """Return the entity; see Kind."""
        if object_id != NEW and object_id not in self.home.states and object_id not in self.home.entities:
            near = neighbours(object_id, self.home.states)
            raise UnknownObjectError(
                f"There is no {object_id}.", next=f"There is {', '.join(near)}." if near else "Use find."
            )
        return object_id

    async def read(self, object_id: str) -> JsonObject | None:
        """Return what is so now; see Kind."""
        if object_id == NEW:
            answer = await self.source.ask("homeassistant/expose_new_entities/get", assistant=ASSISTANT)
            return {"expose_new": bool(_mapping(answer).get("expose_new"))}
        answer = await self.source.ask("homeassistant/expose_entity/list")
        listed = _mapping(_mapping(answer).get("exposed_entities"))
        return {"should_expose": bool(_mapping(listed.get(object_id)).get(ASSISTANT))}

    def checked(self, object_id: str, config: JsonObject) -> JsonObject:
        """Return the one field; see Kind."""
        field = "expose_new" if object_id == NEW else "should_expose"
        if config.keys() != {field} or not isinstance(config[field], bool):
            raise BadConfigError(f"Exposure is {{{field}: true}} or {{{field}: false}}.", next="Write one of the two.")
        return dict(config)

    async def write(self, object_id: str, config: JsonObject, old: JsonObject | None) -> None:
        """Change it for the assistant that speech and models are bound by; see Kind."""
        del old
        if object_id == NEW:
            await self.writer.command("homeassistant/expose_new_entities/set", assistant=ASSISTANT, **config)
            return
        await self.writer.command(
            "homeassistant/expose_entity", assistants=[ASSISTANT], entity_ids=[object_id], **config
        )

    async def seen(self, object_id: str, config: JsonObject | None) -> Sight:
        """Look at Home Assistant's list, and at what we know; see Kind."""
        now = await self.read(object_id)
        there = now == config
        told = object_id in self.home.entities  # of a thing without an entry there is no word when its exposure changes
        known = not told or (object_id in self.home.exposed) is bool((config or {}).get("should_expose"))
        return Sight(there and known, object_id, "there" if there else "not as it was written")


def _plain(row: JsonValue, fields: frozenset[str]) -> dict[str, JsonValue]:
    """Return the fields in one order, what Home Assistant keeps as a set sorted."""
    found = _mapping(row)
    return {key: _ordered(key, found.get(key)) for key in sorted(fields)}


def _ordered(key: str, value: JsonValue) -> JsonValue:
    if key in UNORDERED and isinstance(value, list | tuple):
        return sorted(map(str, value))
    return list(value) if isinstance(value, tuple) else value


def _mapping(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}
