"""What is stored already, as far as the intake and the backfill have to know it: so that nothing is written twice."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime
from functools import partial
from itertools import batched
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, select

from homesteward.chronicle.memory import Logged
from homesteward.chronicle.record import Kind
from homesteward.chronicle.tables import attributes, calls, entities, homes, runs, state_changes
from homesteward.core.json import JsonObject, loads
from homesteward.home.model import EMPTY
from homesteward.store import Database

IN_ONE = 500  # entities per question

type Happening = tuple[str, datetime, str]
"""A run or a call: its kind, its moment, and the entity that ran or the service that was called."""


class Stored:
    """Reads the chronicle of one home. What was put but is not committed yet is not in it."""

    def __init__(self, database: Database, home_id: str) -> None:
        """Read the home that is known by `home_id`."""
        self._database, self._home_id = database, home_id

    async def last(self) -> dict[str, Logged]:
        """Return what was kept last of every entity."""
        return await self._database.read(partial(_newest, home_id=self._home_id))

    async def before(self, entity_ids: Collection[str], at: datetime) -> dict[str, Logged]:
        """Return what was kept last of each of these before a moment."""
        return await self._database.read(partial(_before, home_id=self._home_id, entity_ids=entity_ids, at=at))

    async def states(self, entity_ids: Collection[str], since: datetime, until: datetime) -> dict[str, list[Logged]]:
        """Return every state kept of these in a window, its beginning and end included, the oldest first."""
        work = partial(_states, home_id=self._home_id, entity_ids=entity_ids, since=since, until=until)
        return await self._database.read(work)

    async def happened(self, since: datetime, until: datetime) -> Counter[Happening]:
        """Return the runs and calls of a window, its beginning and end included."""
        return await self._database.read(partial(_happened, home_id=self._home_id, since=since, until=until))


def _newest(connection: Connection, home_id: str) -> dict[str, Logged]:
    return _logged(connection, newest_of(home_id))


def _before(connection: Connection, *, home_id: str, entity_ids: Collection[str], at: datetime) -> dict[str, Logged]:
    found: dict[str, Logged] = {}
    for some in batched(entity_ids, IN_ONE, strict=False):
        found |= _logged(connection, newest_of(home_id, at, some))
    return found


def newest_of(home_id: str, before: datetime | None = None, entity_ids: Collection[str] = ()) -> Select[Any]:
    """Select what the newest state row of each entity (of these) has, before a moment: a few looks into the index for each, and never a walk through the rows.

    Its moment comes first, from the index alone; were the row asked for in one step, the rows of all entities would be walked back.
    """
    of_entity = [state_changes.c.home_id == entities.c.home_id, state_changes.c.entity == entities.c.key]
    if before is not None:
        of_entity.append(state_changes.c.at < before)
    wanted = [homes.c.home_id == home_id]
    if entity_ids:
        wanted.append(entities.c.entity_id.in_(entity_ids))
    newest = state_changes.c.at.desc()
    at = select(state_changes.c.at).where(*of_entity).order_by(newest).limit(1).scalar_subquery()
    moments = (
        select(entities.c.home_id, entities.c.key, entities.c.entity_id, at.label("at"))
        .join_from(entities, homes, homes.c.key == entities.c.home_id)
        .where(*wanted)
        .subquery("moments")
    )
    row = (
        state_changes.c.home_id == moments.c.home_id,
        state_changes.c.entity == moments.c.key,
        state_changes.c.at == moments.c.at,
    )
    state, body = (
        select(column).where(*row).order_by(state_changes.c.id.desc()).limit(1).scalar_subquery().label(column.name)
        for column in (state_changes.c.state, state_changes.c.attributes)
    )
    return select(moments.c.home_id, moments.c.entity_id, moments.c.at, state, body)


def _logged(connection: Connection, query: Select[Any]) -> dict[str, Logged]:
    rows = [row for row in connection.execute(query) if row.at is not None]
    bodies: dict[int, JsonObject] = {}
    for some in batched({row.attributes for row in rows if row.attributes is not None}, IN_ONE, strict=False):
        of_home = and_(attributes.c.home_id == rows[0].home_id, attributes.c.key.in_(some))
        found = connection.execute(select(attributes.c.key, attributes.c.body).where(of_home))
        bodies |= {key: _body(text) for key, text in found}
    return {row.entity_id: Logged(row.state, bodies.get(row.attributes, EMPTY), row.at) for row in rows}


def _states(
    connection: Connection, *, home_id: str, entity_ids: Collection[str], since: datetime, until: datetime
) -> dict[str, list[Logged]]:
    found: dict[str, list[Logged]] = {entity_id: [] for entity_id in entity_ids}
    for some in batched(entity_ids, IN_ONE, strict=False):
        joined = and_(state_changes.c.home_id == entities.c.home_id, state_changes.c.entity == entities.c.key)
        query = (
            select(entities.c.entity_id, state_changes.c.state, attributes.c.body, state_changes.c.at)
            .select_from(
                entities.join(homes, homes.c.key == entities.c.home_id)
                .join(state_changes, joined)
                .outerjoin(*_body_of(state_changes))
            )
            .where(homes.c.home_id == home_id, entities.c.entity_id.in_(some), state_changes.c.at.between(since, until))
            .order_by(state_changes.c.at, state_changes.c.id)
        )
        for row in connection.execute(query):
            found[row.entity_id].append(_row(row))
    return found


def _happened(connection: Connection, *, home_id: str, since: datetime, until: datetime) -> Counter[Happening]:
    counted: Counter[Happening] = Counter()
    joined = and_(runs.c.home_id == entities.c.home_id, runs.c.entity == entities.c.key)
    of_runs = select(runs.c.kind, runs.c.at, entities.c.entity_id).select_from(runs.join(entities, joined))
    for kind, at, entity_id in connection.execute(_in(of_runs, runs, home_id, since, until)):
        counted[kind, at, entity_id] += 1
    of_calls = select(calls.c.at, calls.c.service)
    for at, service in connection.execute(_in(of_calls, calls, home_id, since, until)):
        counted[Kind.CALL.value, at, service] += 1
    return counted


def _in(query: Select[Any], table: Table, home_id: str, since: datetime, until: datetime) -> Select[Any]:
    home = select(homes.c.key).where(homes.c.home_id == home_id).scalar_subquery()
    return query.where(table.c.home_id == home, table.c.at.between(since, until))


def _body_of(table: Any) -> tuple[Table, ColumnElement[bool]]:  # noqa: ANN401 - a table or an alias of one
    return attributes, and_(attributes.c.home_id == table.c.home_id, attributes.c.key == table.c.attributes)


def _row(row: Any) -> Logged:  # noqa: ANN401 - SQLAlchemy's rows have no columns for a type checker
    return Logged(row.state, _body(row.body), row.at)


def _body(text: str | None) -> JsonObject:
    body = loads(text) if text else None
    return body if isinstance(body, dict) else EMPTY
