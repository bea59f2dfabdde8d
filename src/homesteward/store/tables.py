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
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)

from homesteward.core import json

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(moment: datetime) -> int:
    """Return the whole microseconds from 1970 to an aware moment."""
    return (moment - EPOCH) // timedelta(microseconds=1)


class Moment(TypeDecorator[datetime]):
    """A moment, kept as whole microseconds since 1970 in UTC: it sorts, and no driver can shift it."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002 - SQLAlchemy's
        """Return the microseconds of an aware moment."""
        return None if value is None else microseconds(value)

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


def _who() -> tuple[Column[str], ...]:
    """Return the columns for who asked; each is empty where it was none of them."""
    return tuple(
        Column(name, Text, nullable=False, server_default=text("''")) for name in ("person_id", "device_id", "token_id")
    )


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
    *_who(),
    Column("decided_person_id", Text, nullable=False, server_default=text("''")),
    Column("undoes", Text, nullable=False, server_default=text("''")),  # the plan that this one takes back
    Column("schedule", Text, nullable=False, server_default=text("''")),  # the schedule whose firing made it
    Index("plans_by_state", "home_id", "state", "expires"),
    Index("plans_by_age", "home_id", "created"),
    Index("plans_by_run", "home_id", "run_id"),
    Index("plans_by_undoes", "home_id", "undoes"),
    Index("plans_by_schedule", "home_id", "schedule"),
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
    Column("healed", Json, nullable=False, server_default=text("'[]'")),  # what was put right in the data, in words
    Column("decision", Json, nullable=False),
    Column("state", Text, nullable=False),
    Column("before", Json, nullable=False),
    Column("evidence", Json, nullable=False),
    Column("error", Text, nullable=False),
    Column("context_id", Text),
    Column("note", Text, nullable=False),
    Column("after", Json, nullable=False, server_default=text("'{}'")),  # what it left, as `before` is what it found
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
    *_who(),
    Index("runs_by_age", "home_id", "started"),
)

meta = Table(
    "meta",
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("value", Json, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("n", BigInteger, primary_key=True, autoincrement=False),  # 1, 2, 3 ... without a gap
    Column("at", Moment, nullable=False),
    Column("kind", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("data", Json, nullable=False),
    Column("hash", Text, nullable=False),  # over this row and the hash of the one before, keyed
    Index("audit_by_kind", "home_id", "kind", "n"),
    Index("audit_by_subject", "home_id", "subject", "n"),
)

secrets = Table(
    "secrets",
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("key_id", Text, nullable=False),  # which key it is encrypted with
    Column("sealed", LargeBinary, nullable=False),
    Column("changed", Moment, nullable=False),
)

persons = Table(
    "persons",
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("ha_user_id", Text),  # None for somebody who has no user in Home Assistant
    Column("created", Moment, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("ends", Moment),  # a guest's stay ends; None is for good
    Column("disabled", Moment),
    Column("last_seen", Moment),
    UniqueConstraint("home_id", "ha_user_id", name="persons_by_ha_user"),
)

devices = Table(
    "devices",  # satellites and kiosks, with a role of their own
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),  # Home Assistant's device id
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("created_by", Text, nullable=False),
)

pins = Table(
    "pins",
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("person_id", Text, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("changed", Moment, nullable=False),
    Column("set_by", Text, nullable=False),  # who chose it: one that somebody else chose has to be changed first
)

lockouts = Table(
    "lockouts",  # failures that count against somebody, kept so that no restart forgives them
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("subject", Text, primary_key=True),  # such as pin:<person> or address:<ip>
    Column("failures", Integer, nullable=False),
    Column("last", Moment, nullable=False),
    Column("until", Moment),  # refused until then
)

sessions = Table(
    "sessions",
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("family", Text, nullable=False),  # hash of the part of the cookie that all secrets of the session share
    Column("hash", Text, nullable=False),  # of the secret in the cookie
    Column("next", Text, nullable=False),  # of the one that follows: given out, not used yet; empty where there is none
    Column(
        "before", Text, nullable=False
    ),  # of the one it replaced, good for parallel requests; empty where there is none
    Column("person_id", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("seen", Moment, nullable=False),
    Column("rotated", Moment, nullable=False),
    Column("signed_in", Moment, nullable=False),  # when they last proved who they are
    Column("ends", Moment, nullable=False),
    Column("address", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Index("sessions_by_person", "home_id", "person_id"),
)

tokens = Table(
    "tokens",
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("scopes", Json, nullable=False),
    Column("reach", Json, nullable=False),  # null: every entity; else {areas, labels, entities}
    Column("person_id", Text, nullable=False),  # whose it is, and whose role it can never exceed
    Column("role", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("ends", Moment),
    Column("used", Moment),
    Column("revoked", Moment),
)

config_versions = Table(
    "config_versions",  # of objects of Home Assistant's configuration, as they were found and as they were left
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("object_id", Text, primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    Column("author", Text, nullable=False),
    Column("plan_id", Text, nullable=False),
    Column("config", Json, nullable=False),  # null where there was none at the time
    Column("hash", Text, nullable=False),
)

policy_versions = Table(
    "policy_versions",  # every version of the rule file
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    Column("author", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("problem", Text, nullable=False),  # why it could not be used, empty where it could
)

notices = Table(
    "notices",  # what somebody is to be told
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column(
        "subject", Text, nullable=False
    ),  # what it is about, such as a plan's id: one open notice per kind and subject
    Column("text", Text, nullable=False),
    Column("person_id", Text, nullable=False),  # for whom; empty is for every owner
    Column("created", Moment, nullable=False),
    Column("sent", Moment),  # when it went out to the notify target
    Column("problem", Text, nullable=False),  # why it could not be sent
    Column("seen", Moment),
    Column("settled", Moment),
    Index("notices_open", "home_id", "settled", "created"),
    Index("notices_by_subject", "home_id", "subject"),
    Index(
        "notices_once",  # of two who tell the same at once, one does
        "home_id",
        "kind",
        "subject",
        "person_id",
        unique=True,
        sqlite_where=text("settled IS NULL"),
        postgresql_where=text("settled IS NULL"),
    ),
)

offers = Table(
    "offers",  # external tools and discovered controls: what was found, and what an owner made of it
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("source", Text, nullable=False),  # a server's id, or ha_script
    Column("tool", Text, nullable=False),  # its name there, the same after it was renamed for people
    Column("state", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("phrases", Json, nullable=False),  # what a person calls it
    Column("service", Text, nullable=False),  # what carries it out, and on what
    Column("entity_id", Text, nullable=False),
    Column("roles", Json, nullable=False),  # who may say it, and where
    Column("areas", Json, nullable=False),
    Column("effect", Text, nullable=False),  # what policy said of it when it was last looked at
    Column("schema", Json, nullable=False),
    Column("fingerprint", Text, nullable=False),  # of service, entity and schema
    Column("changed", Text, nullable=False),  # why it is proposed again, in words
    Column("enabled_by", Text, nullable=False),
    Column("enabled_person_id", Text, nullable=False),
    Column("enabled_plan", Text, nullable=False),
    Column("enabled_fingerprint", Text, nullable=False),  # what it was enabled for
    Column("exposed", Integer, nullable=False),
    Column("found", Moment, nullable=False),
    Column("gone", Moment),  # since when its source lists it no more
    Column("enabled_at", Moment),
    UniqueConstraint("home_id", "source", "tool", name="offers_by_tool"),
    Index("offers_by_state", "home_id", "state"),
)

schedules = Table(
    "schedules",  # what is to be done once, later
    metadata,
    Column("home_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("state", Text, nullable=False),
    Column("at", Moment, nullable=False),  # when it is due
    Column("latest", Moment, nullable=False),  # past this it is not done any more
    Column("created", Moment, nullable=False),
    Column("request", Text, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("plan_id", Text, nullable=False),  # the plan that made it
    Column("caller", Json, nullable=False),  # who asked, with the scopes and the reach of then
    *_who(),
    Column("call", Json, nullable=False),
    Column("hash", Text, nullable=False),  # of the call: what was agreed to
    Column("conditions", Json, nullable=False),
    Column("ends", Json, nullable=False),  # the call that it is the end of; null where it stands alone
    Column("agreed", Json, nullable=False),  # the verdict of then, what it reached, and whose yes it has
    Column("claimed", Moment),
    Column("ended", Moment),
    Column("why", Text, nullable=False),  # it came to nothing
    Index("schedules_due", "home_id", "state", "at"),
    Index("schedules_by_run", "home_id", "run_id"),
)
