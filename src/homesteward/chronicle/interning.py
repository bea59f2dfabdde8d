"""What repeats is kept once: the rows of entities, users, contexts and attribute sets, remembered while they are in use.

It lives on the thread that writes. What it remembers is true only as long as every transaction it took part in was committed:
after one that was not, `forget`.
"""

from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b
from itertools import batched

from sqlalchemy import Connection, Table, and_, func, select

from homesteward.chronicle.bodies import body_of
from homesteward.chronicle.contexts import pack
from homesteward.chronicle.record import Context
from homesteward.chronicle.stamps import DAY, micros, moment
from homesteward.chronicle.tables import attributes, contexts, entities, state_changes, users
from homesteward.core.json import JsonObject
from homesteward.home.model import EMPTY

MAX_ENTITIES = 20_000  # remembered at once; beyond these all are forgotten, and read again when they turn up
MAX_USERS = 1_000
MAX_CONTEXTS = 10_000
MAX_BODIES = 4_000
CHUNK = 500  # looked up in one statement


class BodyRow:
    """An attribute set's key, and until when it is said to be in use."""

    __slots__ = ("key", "used")

    def __init__(self, key: int, used: int) -> None:
        self.key, self.used = key, used


class EntityRow:
    """An entity's key, and its newest state: what the next change comes after. `at` is None where there is none.

    `kept` is the attribute set of its latest change, and `body` the row of it: mostly the next change has the very same one.
    """

    __slots__ = ("at", "body", "kept", "key", "state")

    def __init__(self, key: int, at: int | None = None, state: str | None = None) -> None:
        self.key, self.at, self.state = key, at, state
        self.kept: JsonObject = EMPTY
        self.body = NO_BODY


NO_BODY = BodyRow(0, 0)


class ContextRow:
    """A context's key, and whether its row names a parent or a user."""

    __slots__ = ("key", "tied")

    def __init__(self, key: int, tied: bool) -> None:  # noqa: FBT001 - a row of two values
        self.key, self.tied = key, tied


class Interning:
    """The rows of one home that others refer to by a number."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self.home = 0
        """The key of the home's row in `homes`, 0 where it is not known."""
        self.entities: dict[str, EntityRow] = {}
        self.contexts: dict[str, ContextRow] = {}
        self._users: dict[str, int] = {}
        self._bodies: dict[str, BodyRow] = {}
        self._next: dict[str, int] = {}

    def forget(self) -> None:
        """Remember nothing: what was taken for stored may not be."""
        self.home = 0
        for cache in (self.entities, self.contexts, self._users, self._bodies, self._next):
            cache.clear()

    def trim(self) -> None:
        """Keep what is remembered within its bounds. To be called between two batches."""
        for cache, limit in (
            (self.entities, MAX_ENTITIES),
            (self.contexts, MAX_CONTEXTS),
            (self._users, MAX_USERS),
            (self._bodies, MAX_BODIES),
        ):
            if len(cache) > limit:
                cache.clear()

    def learn_entities(self, connection: Connection, entity_ids: Iterable[str]) -> None:
        """Make sure that each of these is in `entities`."""
        unknown = [entity_id for entity_id in dict.fromkeys(entity_ids) if entity_id not in self.entities]
        for chunk in batched(unknown, CHUNK, strict=False):
            self.entities |= _stored_entities(connection, self.home, chunk)
        missing = [entity_id for entity_id in unknown if entity_id not in self.entities]
        if missing:
            self.entities |= {entity_id: EntityRow(self._key(connection, entities)) for entity_id in missing}
            rows = [
                {"home_id": self.home, "key": self.entities[entity_id].key, "entity_id": entity_id}
                for entity_id in missing
            ]
            connection.execute(entities.insert(), rows)

    def entity(self, connection: Connection, entity_id: str) -> int:
        """Return the key of the entity."""
        self.learn_entities(connection, (entity_id,))
        return self.entities[entity_id].key

    def learn_contexts(self, connection: Connection, found: Iterable[tuple[Context, int]]) -> None:
        """Make sure that each context, first heard of at the moment beside it, is in `contexts`, with its parent and user."""
        unknown: dict[str, tuple[Context, int]] = {}
        for context, stamp in found:
            row = self.contexts.get(context.id)
            if row is None or (_tied(context) and not row.tied):
                present = unknown.get(context.id)
                if present is None or (_tied(context) and not _tied(present[0])):
                    unknown[context.id] = (context, stamp)
        for chunk in batched(unknown, CHUNK, strict=False):
            self.contexts |= _stored_contexts(connection, self.home, chunk)
        self._store_contexts(connection, unknown)

    def context(self, connection: Connection, context: Context, stamp: int) -> int:
        """Return the key of the context, which was heard of at `stamp`."""
        row = self.contexts.get(context.id)
        if row is None or (not row.tied and _tied(context)):
            self.learn_contexts(connection, ((context, stamp),))
            row = self.contexts[context.id]
        return row.key

    def user(self, connection: Connection, user_id: str) -> int:
        """Return the key of the user."""
        key = self._users.get(user_id)
        if key is None:
            of_user = and_(users.c.home_id == self.home, users.c.user_id == user_id)
            key = connection.scalar(select(users.c.key).where(of_user))
            if key is None:
                key = self._key(connection, users)
                connection.execute(users.insert().values(home_id=self.home, key=key, user_id=user_id, name=""))
            self._users[user_id] = key
        return key

    def name_user(self, connection: Connection, user_id: str, name: str) -> None:
        """Keep what the user is called."""
        key = self.user(connection, user_id)
        connection.execute(users.update().where(users.c.home_id == self.home, users.c.key == key).values(name=name))

    def body(self, connection: Connection, value: JsonObject, stamp: int) -> int | None:
        """Return the key of an attribute set that a record of `stamp` refers to, None for an empty one."""
        return self.body_row(connection, value, stamp).key if value else None

    def body_row(self, connection: Connection, value: JsonObject, stamp: int) -> BodyRow:
        """Return the row of an attribute set that a record of `stamp` refers to."""
        body = body_of(value)
        row = self._bodies.get(body)
        if row is None:
            row = self._bodies[body] = self._learned_body(connection, body, stamp)
        if row.used < stamp:
            row.used = stamp + DAY
            used = moment(row.used)
            here = and_(attributes.c.home_id == self.home, attributes.c.key == row.key, attributes.c.used < used)
            connection.execute(attributes.update().where(here).values(used=used))
        return row

    def forget_bodies(self, keys: Collection[int]) -> None:
        """Forget attribute sets that are no more."""
        gone = set(keys)
        self._bodies = {body: row for body, row in self._bodies.items() if row.key not in gone}
        for entity in self.entities.values():
            entity.kept = EMPTY

    def forget_contexts(self, keys: Collection[int]) -> None:
        """Forget contexts that are no more."""
        gone = set(keys)
        self.contexts = {context_id: row for context_id, row in self.contexts.items() if row.key not in gone}

    def _store_contexts(self, connection: Connection, wanted: Mapping[str, tuple[Context, int]]) -> None:
        """Insert the contexts that are not stored, and complete those whose parent and user were not known."""
        new = []
        for context, stamp in wanted.values():
            row = self.contexts.get(context.id)
            tie = {
                "parent_id": pack(context.parent_id) if context.parent_id else None,
                "user": self.user(connection, context.user_id) if context.user_id else None,
            }
            if row is None:
                row = self.contexts[context.id] = ContextRow(self._key(connection, contexts), _tied(context))
                own = {"home_id": self.home, "key": row.key, "context_id": pack(context.id), "at": moment(stamp)}
                new.append(own | tie)
            elif _tied(context) and not row.tied:
                row.tied = True
                here = and_(contexts.c.home_id == self.home, contexts.c.key == row.key)
                connection.execute(contexts.update().where(here).values(tie))
        if new:
            connection.execute(contexts.insert(), new)

    def _learned_body(self, connection: Connection, body: str, stamp: int) -> BodyRow:
        hashed = hash_of(body)
        columns = select(attributes.c.key, attributes.c.body, attributes.c.used)
        alike = connection.execute(columns.where(attributes.c.home_id == self.home, attributes.c.hash == hashed))
        for row in alike.all():
            if row.body == body:
                return BodyRow(row.key, micros(row.used))
        key, used = self._key(connection, attributes), stamp + DAY
        values = {"home_id": self.home, "key": key, "hash": hashed, "body": body, "used": moment(used)}
        connection.execute(attributes.insert().values(values))
        return BodyRow(key, used)

    def _key(self, connection: Connection, table: Table) -> int:
        """Return the next free key of the table."""
        if table.name not in self._next:
            newest = connection.scalar(select(func.max(table.c.key)).where(table.c.home_id == self.home))
            self._next[table.name] = (newest or 0) + 1
        key = self._next[table.name]
        self._next[table.name] = key + 1
        return key


def hash_of(body: str) -> int:
    """Return eight bytes that stand for the text; another text may have the same."""
    return int.from_bytes(blake2b(body.encode(), digest_size=8).digest(), signed=True)


def _tied(context: Context) -> bool:
    return bool(context.parent_id or context.user_id)


def _stored_entities(connection: Connection, home: int, entity_ids: Collection[str]) -> dict[str, EntityRow]:
    """Return those of these entities that are stored, each with its newest state."""
    newest = (
        select(state_changes.c.at, state_changes.c.state)
        .where(state_changes.c.home_id == entities.c.home_id, state_changes.c.entity == entities.c.key)
        .order_by(state_changes.c.at.desc(), state_changes.c.id.desc())
        .limit(1)
    )
    at, state = (newest.with_only_columns(column).scalar_subquery() for column in newest.selected_columns)
    found = connection.execute(
        select(entities.c.entity_id, entities.c.key, at.label("at"), state.label("state")).where(
            entities.c.home_id == home, entities.c.entity_id.in_(entity_ids)
        )
    )
    return {row.entity_id: EntityRow(row.key, None if row.at is None else micros(row.at), row.state) for row in found}


def _stored_contexts(connection: Connection, home: int, context_ids: Collection[str]) -> dict[str, ContextRow]:
    """Return those of these contexts that are stored."""
    packed = {pack(context_id): context_id for context_id in context_ids}
    found = connection.execute(
        select(contexts.c.context_id, contexts.c.key, contexts.c.parent_id, contexts.c.user).where(
            contexts.c.home_id == home, contexts.c.context_id.in_(packed)
        )
    )
    return {
        packed[bytes(row.context_id)]: ContextRow(row.key, row.parent_id is not None or row.user is not None)
        for row in found
    }
