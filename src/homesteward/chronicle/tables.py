"""The tables of the chronicle, on SQLite and on PostgreSQL alike.

Every key begins with the home and the moment, so that new rows go to the end, a time span is one stretch of the table, and PostgreSQL
can keep a partition per month. `id` is given by the writer and grows over all kinds, so that rows of one microsecond keep their order.

What repeats is kept once: entities, users, attribute sets, and those contexts that tie records together. The context of a
change that came by itself ties it to nothing unless something names it as its parent, so it is not kept as a row: Home Assistant makes
its id from the moment of the change, whose milliseconds are in `at` already, and the other ten bytes are in `own`. Such a context is
only ever used in its own millisecond: whoever looks for one looks at the rows of that millisecond (`contexts.own_span`) as well as for a
row of it in `contexts`. Both `own` and `context` null: no context is known.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.schema import SchemaItem

from homesteward.store.tables import Moment

metadata = MetaData()

homes = Table(
    "homes",
    metadata,
    Column("key", Integer, primary_key=True),
    Column("home_id", Text, nullable=False, unique=True),
    Column("last_id", BigInteger, nullable=False),  # the id of the newest record of any kind
    Column("heard", Moment),  # until when all that was heard is stored
)


def _home() -> Column[int]:
    return Column("home_id", Integer, primary_key=True, autoincrement=False)


def _interned(name: str, *columns: SchemaItem) -> Table:
    return Table(name, metadata, _home(), Column("key", Integer, primary_key=True, autoincrement=False), *columns)


def _happened(name: str, *columns: SchemaItem) -> Table:
    return Table(
        name,
        metadata,
        _home(),
        Column("at", Moment, primary_key=True),
        Column("id", BigInteger, primary_key=True, autoincrement=False),
        *columns,
        sqlite_with_rowid=False,
        postgresql_partition_by="RANGE (at)",
    )


entities = _interned(
    "entities",
    Column("entity_id", Text, nullable=False),
    UniqueConstraint("home_id", "entity_id", name="entities_by_id"),
)

users = _interned(
    "users",
    Column("user_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    UniqueConstraint("home_id", "user_id", name="users_by_id"),
)

attributes = _interned(
    "attributes",
    Column("hash", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Column("used", Moment, nullable=False),  # no record after this moment refers to it (up to a day too late)
    Index("attributes_by_hash", "home_id", "hash"),
)

contexts = _interned(
    "contexts",
    Column("context_id", LargeBinary, nullable=False),  # the 16 bytes of a ULID; see chronicle.contexts for any other
    Column("parent_id", LargeBinary),
    Column("user", Integer),
    Column("at", Moment, nullable=False),  # when it was first heard of
    UniqueConstraint("home_id", "context_id", name="contexts_by_id"),
    Index(
        "contexts_by_parent", "home_id", "parent_id",
        sqlite_where=text("parent_id IS NOT NULL"), postgresql_where=text("parent_id IS NOT NULL"),
    ),
)  # fmt: skip


def _by_context(table: str) -> Index:
    present = text("context IS NOT NULL")
    return Index(
        f"{table}_by_context", "home_id", "context", "at", "id", sqlite_where=present, postgresql_where=present
    )


state_changes = _happened(
    "state_changes",
    Column("entity", Integer, nullable=False),
    Column("state", Text),  # None: the entity is gone
    Column("old", Text),  # only where it is not the state of the entity's row before, which None stands for
    Column("attributes", Integer),
    Column("context", Integer),
    Column("own", LargeBinary),
    Column("source", SmallInteger, nullable=False),
    Index("state_changes_by_entity", "home_id", "entity", "at", "id"),
    _by_context("state_changes"),
)

runs = _happened(
    "runs",
    Column("kind", Text, nullable=False),
    Column("entity", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("trigger", Text, nullable=False),
    Column("trigger_entity", Integer),
    Column("item_id", Text, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("context", Integer),
    Column("source", SmallInteger, nullable=False),
    Index("runs_by_entity", "home_id", "entity", "at", "id"),
    Index("runs_by_trigger", "home_id", "trigger_entity", "at", "id"),
    _by_context("runs"),
)

calls = _happened(
    "calls",
    Column("service", Text, nullable=False),  # domain.service
    Column("data", Integer),  # a row of attributes
    Column("context", Integer),
    Column("source", SmallInteger, nullable=False),
    _by_context("calls"),
)

acts = _happened(
    "acts",
    Column("ended", Moment, nullable=False),
    Column("plan_id", Text, nullable=False),
    Column("step", Integer, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("request", Text, nullable=False),
    Column("service", Text, nullable=False),
    Column("data", Integer),
    Column("outcome", Text, nullable=False),
    Column("context", Integer),
    Index("acts_by_plan", "home_id", "plan_id"),
    _by_context("acts"),
)

targets = Table(
    "targets",  # which entities a call or an act was aimed at
    metadata,
    _home(),
    Column("entity", Integer, primary_key=True, autoincrement=False),
    Column("at", Moment, primary_key=True),
    Column("id", BigInteger, primary_key=True, autoincrement=False),  # the id of the call or the act
    Index("targets_by_row", "home_id", "at", "id"),  # the targets of one call, and those of a time that is purged
    sqlite_with_rowid=False,
)

outages = Table(
    "outages",
    metadata,
    _home(),
    Column("start", Moment, primary_key=True),
    Column("end", Moment),  # None while it goes on
    Column("reason", Text, nullable=False),
    Column("filled", Moment),
    Column("rows", Integer, nullable=False),
    sqlite_with_rowid=False,
)
