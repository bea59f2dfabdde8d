"""The tables of `homesteward.db`. Every one belongs to a home: `home_id` is part of every key."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
)

from homesteward.core import json

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Moment(TypeDecorator[datetime]):
    """A moment, kept as whole microseconds since 1970 in UTC: it sorts, and no driver can shift it."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002 - SQLAlchemy's
        """Return the microseconds of an aware moment."""
        return None if value is None else (value - EPOCH) // timedelta(microseconds=1)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's
        """Return the moment in UTC."""
        return None if value is None else EPOCH + timedelta(microseconds=value)


class Json(TypeDecorator[Any]):
    """Any JSON value, kept as text."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: object, dialect: Dialect) -> str:  # noqa: ARG002 - SQLAlchemy's
        """Return the text of the value."""
        return json.dumps(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> object:  # noqa: ARG002 - SQLAlchemy's
        """Return the value of the text."""
        return None if value is None else json.loads(value)


metadata = MetaData()

plans = Table(
    "plans",
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("state", Text, nullable=False),
    Column("needs", Text),
    Column("role", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("area_id", Text),
    Column("request", Text, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
    Column("decided_by", Text, nullable=False),
    Column("finished", Moment),
    Index("plans_by_state", "home_id", "state", "expires"),
    Index("plans_by_age", "home_id", "created"),
    Index("plans_by_run", "home_id", "run_id"),
)

steps = Table(
    "steps",
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("plan_id", Text, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("domain", Text, nullable=False),
    Column("service", Text, nullable=False),
    Column("entity_ids", Json, nullable=False),
    Column("data", Json, nullable=False),
    Column("decision", Json, nullable=False),
    Column("state", Text, nullable=False),
    Column("before", Json, nullable=False),
    Column("evidence", Json, nullable=False),
    Column("error", Text, nullable=False),
    Column("context_id", Text),
    Column("note", Text, nullable=False),
    ForeignKeyConstraint(["home_id", "plan_id"], ["plans.home_id", "plans.id"], ondelete="CASCADE"),
    Index("steps_by_context", "home_id", "context_id"),
)

runs = Table(
    "runs",
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("conversation_id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("request", Text, nullable=False),
    Column("started", Moment, nullable=False),
    Column("finished", Moment),
    Column("outcome", Text, nullable=False),
    Column("answer", Json),
    Index("runs_by_age", "home_id", "started"),
)

meta = Table(
    "meta",
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("value", Json, nullable=False),
)
