"""Helpers, areas, floors and labels: what Home Assistant keeps in collections of its own, one command for each deed."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from homesteward.actions.ha_config.base import BaseKind, an, slug
from homesteward.actions.ha_config.errors import BadConfigError, NotEditableError, OtherIdError
from homesteward.actions.ha_config.kind import Sight
from homesteward.actions.ha_config.text import same
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import SLUG
from homesteward.home.errors import CallFailedError
from homesteward.home.view import HomeView


@dataclass(frozen=True, slots=True)
class Collection:
    """How one collection is spoken to: the commands' prefix, the key of an id in its rows and in its commands, and its fields.

    `resets` are what a field is set to that the new configuration leaves out, where an update keeps what it is not told.
    """

    prefix: str
    row_id: str
    command_id: str
    fields: frozenset[str]
    resets: Mapping[str, JsonValue]


COLLECTIONS: Mapping[str, Collection] = {
    "area": Collection(
        "config/area_registry",
        "area_id",
        "area_id",
        frozenset(
            {"name", "aliases", "floor_id", "icon", "labels", "picture", "temperature_entity_id", "humidity_entity_id"}
        ),
        {"aliases": [], "floor_id": None, "labels": [], "picture": None}
        | {"temperature_entity_id": None, "humidity_entity_id": None},
    ),
    "floor": Collection(
        "config/floor_registry",
        "floor_id",
        "floor_id",
        frozenset({"name", "aliases", "icon", "level"}),
        {"aliases": [], "icon": None, "level": None},
    ),
    "label": Collection(
        "config/label_registry",
        "label_id",
        "label_id",
        frozenset({"name", "color", "description", "icon"}),
        {"color": None, "description": None, "icon": None},
    ),
}
# Helpers have a collection for each domain; their rows hold their whole configuration, and an update replaces it.
HELPERS = frozenset(
    {"counter", "input_boolean", "input_button", "input_datetime", "input_number", "input_select", "input_text"}
    | {"schedule", "timer"}
)
EMPTY_VALUES: tuple[JsonValue, ...] = (None, [], "")


class Registered(BaseKind):
    """An area, a floor or a label."""

    @property
    def _collection(self) -> Collection:
        return COLLECTIONS[self.name]

    async def read(self, object_id: str) -> JsonObject | None:
        """Return what its registry holds of it, without what is empty; see Kind."""
        rows = await self.source.ask(f"{self._collection.prefix}/list")
        row = _row(rows, self._collection.row_id, object_id)
        if row is None:
            return None
        return {key: row[key] for key in sorted(self._collection.fields) if row.get(key) not in EMPTY_VALUES}

    def checked(self, object_id: str, config: JsonObject) -> JsonObject:
        """Return the configuration with its known fields; see Kind."""
        known = self._collection.fields
        carried = config.get(self._collection.row_id)
        if carried is not None and carried != object_id:
            raise OtherIdError(
                f"The configuration carries the id {carried!r}, and is addressed to {object_id!r}. Nothing was changed.",
                next="Leave the id out.",
            )
        fields = {key: value for key, value in config.items() if key != self._collection.row_id}
        require_fields(self.name, fields, known)
        return {key: fields[key] for key in sorted(fields) if fields[key] not in EMPTY_VALUES}

    async def write(self, object_id: str, config: JsonObject, old: JsonObject | None) -> None:
        """Make it under the name of its id, so that Home Assistant gives it that id, then give it what it holds; see Kind."""
        collection = self._collection
        if old is None:
            made = await self.writer.command(f"{collection.prefix}/create", name=object_id)
            await self._require_id(made, object_id)
        resets = {key: value for key, value in collection.resets.items() if key in (old or {}) and key not in config}
        await self.writer.command(
            f"{collection.prefix}/update", **{collection.command_id: object_id}, **resets, **config
        )

    async def remove(self, object_id: str) -> None:
        """Take it away; see Kind."""
        await self.writer.command(f"{self._collection.prefix}/delete", **{self._collection.command_id: object_id})

    async def seen(self, object_id: str, config: JsonObject | None) -> Sight:
        """Look at its registry, and whether what we know of the home has it; see Kind."""
        subject = f"{self.name} {object_id}"
        now = await self.read(object_id)
        mirrored = object_id in MIRRORED[self.name](self.home)
        if config is None:
            return Sight(now is None and not mirrored, subject, "gone" if now is None else "still there")
        if not same(now, config):
            return Sight(False, subject, "not there" if now is None else "there, but not as it was written")
        return Sight(mirrored, subject, "there")

    async def _require_id(self, made: JsonValue, object_id: str) -> None:
        given = made.get(self._collection.row_id) if isinstance(made, Mapping) else None
        if given != object_id:
            if isinstance(given, str):
                await self.remove(given)
            raise CallFailedError(
                f"Home Assistant gave it the id {given!r} instead of {object_id!r}.", next="Name it otherwise."
            )


class Helper(BaseKind):
    """A helper of any of the domains that Home Assistant keeps in a collection. Its id is `domain.id`."""

    def address(self, object_id: str) -> str:
        """Return `domain.id`, also of an entity that was given another id; see Kind."""
        domain, _, item = object_id.partition(".")
        if domain not in HELPERS or not SLUG.fullmatch(item or "x"):
            raise BadConfigError(
                f"{object_id!r} is no helper that can be changed from here.",
                next=f"Write domain.id, with a domain of {', '.join(sorted(HELPERS))}.",
            )
        entity = self.home.entities.get(object_id)
        return f"{domain}.{entity.unique_id}" if entity and entity.unique_id else object_id

    def new_id(self, config: JsonObject) -> str:
        """Say that a new helper is addressed by its domain; see Kind."""
        raise BadConfigError(
            "A new helper needs an id: its domain says what it is.",
            next=f"Write for example input_boolean.{slug(str(config.get('name') or 'guests'))}.",
        )

    async def read(self, object_id: str) -> JsonObject | None:
        """Return its row; see Kind."""
        domain, item = object_id.split(".")
        row = _row(await self.source.ask(f"{domain}/list"), "id", item)
        if row is not None:
            return {key: value for key, value in row.items() if key != "id"}
        if object_id in self.home.states:
            raise NotEditableError(
                f"{object_id} is written by hand in Home Assistant's YAML files. It was not touched.",
                next="Change it in the file where it stands.",
            )
        return None

    def checked(self, object_id: str, config: JsonObject) -> JsonObject:
        """Return the configuration without its id; see Kind."""
        carried = config.get("id")
        if carried is not None and carried not in {object_id, object_id.partition(".")[2]}:
            raise OtherIdError(
                f"The configuration carries the id {carried!r}, and is addressed to {object_id!r}. Nothing was changed.",
                next="Leave the id out.",
            )
        if not object_id.partition(".")[2]:
            raise BadConfigError(
                "A helper needs an id after its domain.", next="Write for example input_boolean.guests."
            )
        if not config.get("name"):
            raise BadConfigError("A helper needs a name.", next="Give it one.")
        return {key: value for key, value in config.items() if key != "id"}

    async def write(self, object_id: str, config: JsonObject, old: JsonObject | None) -> None:
        """Make it under the name of its id, so that Home Assistant gives it that id, then its own name; see Kind."""
        domain, item = object_id.split(".")
        if old is None:
            made = await self.writer.command(f"{domain}/create", **{**config, "name": item})
            given = made.get("id") if isinstance(made, Mapping) else None
            if given != item:
                await self.writer.command(f"{domain}/delete", **{f"{domain}_id": given})
                raise CallFailedError(
                    f"Home Assistant gave it the id {given!r} instead of {item!r}.", next="Name it otherwise."
                )
        await self.writer.command(f"{domain}/update", **{f"{domain}_id": item}, **config)

    async def remove(self, object_id: str) -> None:
        """Take it away; see Kind."""
        domain, item = object_id.split(".")
        await self.writer.command(f"{domain}/delete", **{f"{domain}_id": item})

    async def seen(self, object_id: str, config: JsonObject | None) -> Sight:
        """Look at its row and its entity; see Kind."""
        domain, item = object_id.split(".")
        row = _row(await self.source.ask(f"{domain}/list"), "id", item)
        entity_id = self.entity_of(object_id)
        if config is None:
            gone = row is None and (entity_id is None or entity_id not in self.home.states)
            return Sight(gone, object_id, "gone" if gone else "still there")
        kept = {key: _plainly(value) for key, value in (row or {}).items() if key in config}
        if not same(kept, {key: _plainly(value) for key, value in config.items()}):
            return Sight(False, object_id, "not stored as it was written")
        loaded = entity_id in self.home.states if entity_id else False
        return Sight(loaded, entity_id or object_id, "there" if loaded else "stored, but not loaded")

    def entity_of(self, object_id: str) -> str | None:
        """Return the entity that belongs to the id; see Kind."""
        domain, item = object_id.split(".")
        return next(
            (
                entity.entity_id
                for entity in self.home.entities.values()
                if entity.unique_id == item and entity.entity_id.startswith(f"{domain}.")
            ),
            None,
        )


def _plainly(value: JsonValue) -> JsonValue:
    """Return the value as Home Assistant may write it too: 0:03:00 for 00:03:00, and 5.0 for 5."""
    if isinstance(value, str) and LENGTH.fullmatch(value):
        return value.removeprefix("0")
    return int(value) if isinstance(value, float) and value.is_integer() else value


LENGTH = re.compile(r"0\d:\d\d:\d\d")


def require_fields(kind: str, config: JsonObject, known: frozenset[str], *, named: bool = True) -> None:
    """Raise BadConfigError for a field that the kind does not have, or where it has no name and needs one."""
    if odd := sorted(config.keys() - known):
        raise BadConfigError(
            f"{an(kind).capitalize()} has no field {', '.join(map(repr, odd))}.",
            next=f"It has {', '.join(sorted(known))}.",
        )
    if named and not config.get("name"):
        raise BadConfigError(f"{an(kind).capitalize()} needs a name.", next="Give it one.")


MIRRORED: Mapping[str, Callable[[HomeView], Mapping[str, object]]] = {
    "area": lambda home: home.areas,
    "floor": lambda home: home.floors,
    "label": lambda home: home.labels,
}


def _row(rows: JsonValue, key: str, wanted: str) -> JsonObject | None:
    listed = rows if isinstance(rows, list | tuple) else ()
    return next((row for row in listed if isinstance(row, Mapping) and row.get(key) == wanted), None)
