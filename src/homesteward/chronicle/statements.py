"""Every question that is asked of the tables in one form, made once: what differs is bound when it is asked.

`home` is the home's key. A set of keys is bound as a list. Making a statement costs ten times what SQLite takes to answer it.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    FromClause,
    Integer,
    ScalarSelect,
    Select,
    Table,
    Text,
    and_,
    bindparam,
    or_,
    select,
)

from homesteward.chronicle.tables import (
    acts,
    attributes,
    calls,
    contexts,
    entities,
    homes,
    runs,
    state_changes,
    targets,
    users,
)
from homesteward.store.tables import Moment

TABLES = (state_changes, runs, calls, acts)

HOME: BindParameter[Any] = bindparam("home", type_=Integer)
KEYS: BindParameter[Any] = bindparam("keys", expanding=True)
KEY: BindParameter[Any] = bindparam("key", type_=Integer)
AT: BindParameter[Any] = bindparam("at", type_=Moment)
ID: BindParameter[Any] = bindparam("id", type_=BigInteger)
SINCE: BindParameter[Any] = bindparam("since", type_=Moment)
UNTIL: BindParameter[Any] = bindparam("until", type_=Moment)
LIMIT: BindParameter[Any] = bindparam("limit", type_=Integer)


def before_columns(of: FromClause) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    """Return the columns `before` and `before_attributes`: what the entity's row before each row of `of` has for them."""
    return _before(of, "state").label("before"), _before(of, "attributes").label("before_attributes")


def _before(of: FromClause, column: str) -> ScalarSelect[Any]:
    earlier = state_changes.alias("earlier")
    return (
        select(earlier.c[column])
        .where(earlier.c.home_id == of.c.home_id, earlier.c.entity == of.c.entity, earlier.c.at <= of.c.at)
        .where(or_(earlier.c.at < of.c.at, earlier.c.id < of.c.id))
        .order_by(earlier.c.at.desc(), earlier.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )


def _single(table: Table) -> Select[Any]:
    """Return a question for rows that are not all there is of an entity: each with what was before it."""
    found = select(table, *before_columns(table)) if table is state_changes else select(table)
    return found.where(table.c.home_id == HOME)


def _newest() -> Select[Any]:
    """Return the question for the newest state row of each entity before a position; of one moment there may be several."""
    inner, outer = state_changes.alias("earlier"), state_changes
    newest = (
        select(inner.c.at)
        .where(inner.c.home_id == entities.c.home_id, inner.c.entity == entities.c.key, inner.c.at <= AT)
        .where(or_(inner.c.at < AT, inner.c.id < ID))
        .order_by(inner.c.at.desc(), inner.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    joined = and_(outer.c.home_id == entities.c.home_id, outer.c.entity == entities.c.key, outer.c.at == newest)
    found = select(outer).select_from(entities.join(outer, joined)).where(entities.c.home_id == HOME)
    return found.where(or_(outer.c.at < AT, outer.c.id < ID))


def _aimed(table: Table) -> Select[Any]:
    same = [targets.c[name] == table.c[name] for name in ("home_id", "at", "id")]
    return (
        select(table)
        .join(targets, and_(*same))
        .where(targets.c.home_id == HOME, targets.c.entity == KEY, targets.c.at >= SINCE, targets.c.at <= UNTIL)
        .order_by(targets.c.at.desc(), targets.c.id.desc())
        .limit(LIMIT)
    )


_CHANGES = _single(state_changes).where(
    state_changes.c.entity == KEY, state_changes.c.at >= SINCE, state_changes.c.at <= UNTIL
)

HOME_KEY = select(homes.c.key).where(homes.c.home_id == bindparam("home_id", type_=Text))
NEW_ENTITIES = select(entities.c.key, entities.c.entity_id).where(entities.c.home_id == HOME, entities.c.key > KEY)
USERS = select(users.c.key, users.c.user_id, users.c.name).where(users.c.home_id == HOME)
BODIES = select(attributes.c.key, attributes.c.body).where(attributes.c.home_id == HOME, attributes.c.key.in_(KEYS))
CONTEXTS_BY_KEY = select(contexts).where(contexts.c.home_id == HOME, contexts.c.key.in_(KEYS))
CONTEXTS_BY_ID = select(contexts).where(contexts.c.home_id == HOME, contexts.c.context_id.in_(KEYS))
CHILDREN = (
    select(contexts)
    .where(contexts.c.home_id == HOME, contexts.c.parent_id.in_(KEYS))
    .order_by(contexts.c.key)
    .limit(LIMIT)
)
TARGETS = (
    select(targets.c.at, targets.c.id, targets.c.entity)
    .where(targets.c.home_id == HOME, targets.c.at.in_(KEYS))
    .order_by(targets.c.entity)
)
NEWEST = _newest()
NEWEST_OF = NEWEST.where(entities.c.key.in_(KEYS))
ROW_AT = {table: _single(table).where(table.c.at == AT, table.c.id == ID) for table in TABLES}
CARRYING = {
    table: _single(table).where(table.c.context.in_(KEYS)).order_by(table.c.at, table.c.id).limit(LIMIT)
    for table in TABLES
}
ALONE = _single(state_changes).where(
    state_changes.c.at >= SINCE, state_changes.c.at < UNTIL, state_changes.c.own == bindparam("own")
)
CHANGES_BEFORE = _CHANGES.order_by(state_changes.c.at.desc(), state_changes.c.id.desc()).limit(LIMIT)
CHANGES_AFTER = (
    _CHANGES.where(state_changes.c.context.is_(None)).order_by(state_changes.c.at, state_changes.c.id).limit(LIMIT)
)
AIMED = {table: _aimed(table) for table in (calls, acts)}
ACTORS = select(acts.c.context, acts.c.person, acts.c.role).where(acts.c.home_id == HOME, acts.c.context.in_(KEYS))
