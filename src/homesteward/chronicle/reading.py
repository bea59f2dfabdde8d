"""From the tables back to records: names for keys, contexts and users for rows, and what an entity was before."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import batched
from typing import Any

from sqlalchemy import Connection, Select, Table
from sqlalchemy import Row as Raw

from homesteward.chronicle.contexts import own_id, unpack
from homesteward.chronicle.names import Names
from homesteward.chronicle.record import Act, Call, Context, Kind, Record, Run, Source, StateChange
from homesteward.chronicle.rows import Position, Row
from homesteward.chronicle.statements import (
    ACTORS,
    BODIES,
    CHILDREN,
    CONTEXTS_BY_ID,
    CONTEXTS_BY_KEY,
    NEWEST,
    NEWEST_OF,
    TARGETS,
)
from homesteward.chronicle.tables import calls, runs, state_changes
from homesteward.core.json import JsonObject, loads
from homesteward.home.model import EMPTY

IN_ONE = 500  # keys per question
USER_DEPTH = 4  # how many contexts up a user is looked for
UNKNOWN_ENTITY = "unknown.entity"  # a key that names nothing any more
SOURCES = {source.value: source for source in Source}


@dataclass(frozen=True, slots=True)
class Kept:
    """A context that is kept: its key, its id and its parent's as bytes, and the key of its user."""

    key: int
    packed: bytes
    parent: bytes | None
    user: int | None
    at: datetime


class Reader:
    """One reading: a connection, whose picture of the database stands still, and the names that hold in it."""

    def __init__(self, connection: Connection, names: Names) -> None:
        """Read the home of `names`."""
        known = names.refresh(connection)
        self.home, self.entities, self.keys, self.users = known.home, known.entities, known.keys, known.users
        self._connection = connection
        self.before: dict[str, JsonObject] = {}
        """What the attributes were before a change, by the ref of its row, as far as it was asked for."""
        self._bodies: dict[int, JsonObject] = {}
        self._kept: dict[int, Kept] = {}
        self._by_id: dict[bytes, Kept | None] = {}
        self._contexts: dict[int, Context] = {}
        self._actors: dict[int, str] = {}

    def name(self, key: int) -> str:
        """Return the entity id of a key."""
        return self.entities.get(key, UNKNOWN_ENTITY)

    def raw(self, statement: Select[Any], **bound: object) -> Sequence[Raw[Any]]:
        """Return the rows of a statement, with what is bound in it."""
        return self._connection.execute(statement, {"home": self.home, **bound}).all()

    def rows(self, table: Table, raws: Sequence[Raw[Any]], *, whole: bool = True) -> list[Row]:
        """Return rows of one table, which are in the order of time either way, as records in the same order.

        `whole` says that of each entity every row between the first and the last is there; else each has the `before_columns`, and what
        its attributes were is in `before`, by its ref.
        """
        if not raws:
            return []
        self._load_contexts({raw.context for raw in raws if raw.context is not None})
        if table is state_changes:
            return self._changes(raws, whole=whole)
        if table is runs:
            return [self._row(self._run(raw), raw.context) for raw in raws]
        self._load_bodies(raw.data for raw in raws)
        aims = self._targets(raws)
        make = self._call if table is calls else self._act
        return [self._row(make(raw, aims.get((raw.at, raw.id), ())), raw.context) for raw in raws]

    def newest(self, before: Position, keys: Collection[int] | None = None) -> Sequence[Raw[Any]]:
        """Return the newest state rows of each entity (None: of all) that stand before a position: several, where of one moment."""
        at, row_id = before
        if keys is None or len(keys) > IN_ONE:
            found = self.raw(NEWEST, at=at, id=row_id)
            return [raw for raw in found if keys is None or raw.entity in keys]
        return self.raw(NEWEST_OF, at=at, id=row_id, keys=list(keys))

    def by_ids(self, ids: Iterable[bytes]) -> dict[bytes, Kept]:
        """Return those of these contexts that are kept."""
        wanted = list(ids)
        for some in batched([packed for packed in wanted if packed not in self._by_id], IN_ONE, strict=False):
            self._by_id |= dict.fromkeys(some)
            self._keep(CONTEXTS_BY_ID, keys=list(some))
        return {packed: kept for packed in wanted if (kept := self._by_id.get(packed)) is not None}

    def children(self, ids: Iterable[bytes], limit: int) -> list[Kept]:
        """Return up to `limit` contexts whose parent is one of these, the oldest first."""
        found: list[Kept] = []
        for some in batched(ids, IN_ONE, strict=False):
            found += self._keep(CHILDREN, keys=list(some), limit=limit)
        return sorted(found, key=lambda kept: (kept.at, kept.key))[:limit]

    def bodies(self, keys: Iterable[int | None]) -> Mapping[int, JsonObject]:
        """Return attribute sets by their keys."""
        self._load_bodies(keys)
        return self._bodies

    def _changes(self, raws: Sequence[Raw[Any]], *, whole: bool) -> list[Row]:
        if whole:
            self._load_bodies(raw.attributes for raw in raws)
            befores = self._befores(raws)
            return [self._change(raw, befores[raw.id]) for raw in raws]
        self._load_bodies(key for raw in raws for key in (raw.attributes, raw.before_attributes))
        rows = [self._change(raw, raw.before) for raw in raws]
        for row, raw in zip(rows, raws, strict=True):
            self.before[row.ref] = self._bodies.get(raw.before_attributes, EMPTY)
        return rows

    def _befores(self, raws: Sequence[Raw[Any]]) -> dict[int, str | None]:
        """Return for each row the state of the entity's row before, looking up only the first row of each entity."""
        ordered = raws if _position(raws[0]) <= _position(raws[-1]) else raws[::-1]
        first = {raw.entity: raw for raw in reversed(ordered)}
        open_ended = [key for key, raw in first.items() if raw.old is None]
        last = latest_states(self.newest(_position(ordered[0]), open_ended)) if open_ended else {}
        before: dict[int, str | None] = {}
        for raw in ordered:
            before[raw.id] = last.get(raw.entity)
            last[raw.entity] = raw.state
        return before

    def _row(self, record: Record, key: int | None) -> Row:
        kept = self._kept.get(key) if key is not None else None
        user = self._user_behind(kept) if kept is not None else None
        name = (user[1] or user[0]) if user else None
        if isinstance(record, Act):
            return Row(record, self._context(key), record.person or name)
        return Row(record, record.context, name)

    def _change(self, raw: Sequence[Any], before: str | None) -> Row:
        _, at, row_id, entity, state, old, attributes, key, own, source, *_ = raw
        context = self._context(key) if own is None else Context(own_id(own, at))
        change = StateChange(
            at,
            self.entities.get(entity, UNKNOWN_ENTITY),
            before if old is None else old,
            state,
            EMPTY if attributes is None else self._bodies.get(attributes, EMPTY),
            context,
            SOURCES[source],
            row_id,
        )
        return Row(change, context) if key is None else self._row(change, key)

    def _run(self, raw: Raw[Any]) -> Run:
        trigger = self.name(raw.trigger_entity) if raw.trigger_entity is not None else None
        return Run(
            raw.at, Kind(raw.kind), self.name(raw.entity), raw.name, raw.trigger, trigger,
            raw.item_id, raw.run_id, self._context(raw.context), SOURCES[raw.source], raw.id,
        )  # fmt: skip

    def _call(self, raw: Raw[Any], aims: tuple[str, ...]) -> Call:
        domain, _, service = raw.service.partition(".")
        data = self._bodies.get(raw.data, EMPTY)
        return Call(raw.at, domain, service, data, aims, self._context(raw.context), SOURCES[raw.source], raw.id)

    def _act(self, raw: Raw[Any], aims: tuple[str, ...]) -> Act:
        domain, _, service = raw.service.partition(".")
        context = self._context(raw.context)
        return Act(
            raw.at, raw.ended, raw.plan_id, raw.step, raw.run_id, raw.person, raw.role, raw.channel, raw.rule, raw.request,
            domain, service, self._bodies.get(raw.data, EMPTY), aims, raw.outcome, context.id if context else None, raw.id,
        )  # fmt: skip

    def _context(self, key: int | None) -> Context | None:
        if key is None or (kept := self._kept.get(key)) is None:
            return None
        if key not in self._contexts:
            user = self.users.get(kept.user) if kept.user is not None else None
            parent = unpack(kept.parent) if kept.parent is not None else None
            self._contexts[key] = Context(unpack(kept.packed), parent, user[0] if user else None)
        return self._contexts[key]

    def _user_behind(self, context: Kept | None) -> tuple[str, str] | None:
        """Return id and name of who stands behind a context, else behind the nearest one further up; loops and dead ends have nobody.

        What a plan of ours did, Home Assistant puts down to whoever made the token that we use: the plan knows better.
        """
        for _ in range(USER_DEPTH):
            if context is None:
                return None
            if actor := self._actors.get(context.key):
                return "", actor
            if context.user is not None:
                return self.users.get(context.user)
            context = self._by_id.get(context.parent) if context.parent is not None else None
        return None

    def _targets(self, raws: Sequence[Raw[Any]]) -> dict[Position, tuple[str, ...]]:
        found: dict[Position, list[str]] = {}
        for some in batched({raw.at for raw in raws}, IN_ONE, strict=False):
            for raw in self.raw(TARGETS, keys=list(some)):
                found.setdefault(_position(raw), []).append(self.name(raw.entity))
        return {position: tuple(names) for position, names in found.items()}

    def _load_bodies(self, keys: Iterable[int | None]) -> None:
        missing = [key for key in set(keys) if key is not None and key not in self._bodies]
        for some in batched(missing, IN_ONE, strict=False):
            self._bodies |= {raw.key: _object(raw.body) for raw in self.raw(BODIES, keys=list(some))}

    def _load_contexts(self, keys: Iterable[int]) -> None:
        """Read these contexts, and those above them as far as a user is looked for."""
        wanted = [key for key in keys if key not in self._kept]
        level: list[Kept] = []
        for some in batched(wanted, IN_ONE, strict=False):
            level += self._keep(CONTEXTS_BY_KEY, keys=list(some))
        for _ in range(USER_DEPTH - 1):
            parents = {kept.parent for kept in level if kept.user is None and kept.parent is not None}
            parents -= self._by_id.keys()
            if not parents:
                return
            level = list(self.by_ids(parents).values())

    def _keep(self, statement: Select[Any], **bound: object) -> list[Kept]:
        raws = self.raw(statement, **bound)
        found = [Kept(raw.key, raw.context_id, raw.parent_id, raw.user, raw.at) for raw in raws]
        self._kept |= {kept.key: kept for kept in found}
        self._by_id |= {kept.packed: kept for kept in found}
        self._load_actors([kept.key for kept in found if kept.user is not None])
        return found

    def _load_actors(self, keys: list[int]) -> None:
        """Read whose plans acted in these contexts."""
        for some in batched(keys, IN_ONE, strict=False):
            self._actors |= {raw.context: raw.person or raw.role for raw in self.raw(ACTORS, keys=list(some))}


def latest_states(raws: Iterable[Raw[Any]]) -> dict[int, str | None]:
    """Return per entity the state of its last row; several rows of one moment count in the order of their ids."""
    return {raw.entity: raw.state for raw in sorted(raws, key=_position)}


def _position(raw: Raw[Any]) -> Position:
    return raw.at, raw.id


def _object(body: str) -> JsonObject:
    found = loads(body)
    return found if isinstance(found, Mapping) else EMPTY
