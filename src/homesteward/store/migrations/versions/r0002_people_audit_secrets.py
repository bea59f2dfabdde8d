"""The audit, secrets, people with their devices, proofs, sessions and tokens; and which of them stands behind a plan or a run.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables, and give what is there already an empty somebody."""
    _add_who()
    _add_ways_back()
    _make_audit()
    _make_people()
    _make_proofs()
    _make_rules()


def _add_who() -> None:
    for table in ("plans", "runs"):
        for name in ("person_id", "device_id", "token_id"):
            op.add_column(table, sa.Column(name, sa.Text, nullable=False, server_default=sa.text("''")))
    op.add_column("plans", sa.Column("decided_person_id", sa.Text, nullable=False, server_default=sa.text("''")))
    op.add_column("steps", sa.Column("healed", sa.Text, nullable=False, server_default=sa.text("'[]'")))


def _add_ways_back() -> None:
    op.add_column("plans", sa.Column("undoes", sa.Text, nullable=False, server_default=sa.text("''")))
    op.create_index("plans_by_undoes", "plans", ["home_id", "undoes"])
    op.add_column("steps", sa.Column("after", sa.Text, nullable=False, server_default=sa.text("'{}'")))


def _make_audit() -> None:
    op.create_table(
        "audit",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("n", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.create_index("audit_by_kind", "audit", ["home_id", "kind", "n"])
    op.create_index("audit_by_subject", "audit", ["home_id", "subject", "n"])
    op.create_table(
        "secrets",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("key_id", sa.Text, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
    )


def _make_people() -> None:
    op.create_table(
        "persons",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("ha_user_id", sa.Text),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
        sa.Column("ends", sa.BigInteger),
        sa.Column("disabled", sa.BigInteger),
        sa.Column("last_seen", sa.BigInteger),
        sa.UniqueConstraint("home_id", "ha_user_id", name="persons_by_ha_user"),
    )
    op.create_table(
        "devices",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
    )


def _make_proofs() -> None:
    op.create_table(
        "pins",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("person_id", sa.Text, primary_key=True),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("set_by", sa.Text, nullable=False),
    )
    op.create_table(
        "lockouts",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
    )
    op.create_table(
        "sessions",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("family", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("next", sa.Text, nullable=False),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("person_id", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("rotated", sa.BigInteger, nullable=False),
        sa.Column("signed_in", sa.BigInteger, nullable=False),
        sa.Column("ends", sa.BigInteger, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
    )
    op.create_index("sessions_by_person", "sessions", ["home_id", "person_id"])
    op.create_table(
        "tokens",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("reach", sa.Text, nullable=False),
        sa.Column("person_id", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("ends", sa.BigInteger),
        sa.Column("used", sa.BigInteger),
        sa.Column("revoked", sa.BigInteger),
    )


def _make_rules() -> None:
    op.create_table(
        "policy_versions",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("problem", sa.Text, nullable=False),
    )
    op.create_table(
        "notices",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("person_id", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("sent", sa.BigInteger),
        sa.Column("problem", sa.Text, nullable=False),
        sa.Column("seen", sa.BigInteger),
        sa.Column("settled", sa.BigInteger),
    )
    op.create_index("notices_open", "notices", ["home_id", "settled", "created"])
    op.create_index("notices_by_subject", "notices", ["home_id", "subject"])
    op.create_index(
        "notices_once",
        "notices",
        ["home_id", "kind", "subject", "person_id"],
        unique=True,
        sqlite_where=sa.text("settled IS NULL"),
        postgresql_where=sa.text("settled IS NULL"),
    )
