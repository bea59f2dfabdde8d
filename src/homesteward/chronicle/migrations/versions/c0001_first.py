"""What happened, and what it refers to.

Revision ID: c0001
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import SchemaItem

revision = "c0001"
down_revision = None

PARTITIONED = ("state_changes", "runs", "calls", "acts")


def upgrade() -> None:
    """Make the first tables; on PostgreSQL each that grows with a partition for what has no month of its own."""
    _make_interned()
    _make_state_changes()
    _make_runs()
    _make_calls()
    _make_acts()
    _make_outages()
    if op.get_bind().dialect.name == "postgresql":
        for table in PARTITIONED:
            op.execute(f"CREATE TABLE {table}_rest PARTITION OF {table} DEFAULT")
    else:
        _tell_planner()


# What SQLite is to take for granted of the tables: rows, then how many of them share the first, the first two ... columns of an index.
# Without it the planner prefers the primary key, and looks for one entity among all of a home. The numbers are those of a house
# with ten million changes; only their proportions matter. ANALYZE would find the same, but not in tables that are empty yet.
PROPORTIONS = {
    ("state_changes", "state_changes"): "10000000 10000000 1 1",
    ("state_changes", "state_changes_by_entity"): "10000000 10000000 10000 1 1",
    ("state_changes", "state_changes_by_context"): "400000 400000 3 3 1",
    ("runs", "runs"): "130000 130000 1 1",
    ("runs", "runs_by_entity"): "130000 130000 2000 1 1",
    ("runs", "runs_by_trigger"): "130000 130000 500 1 1",
    ("runs", "runs_by_context"): "130000 130000 1 1 1",
    ("calls", "calls"): "130000 130000 1 1",
    ("calls", "calls_by_context"): "130000 130000 1 1 1",
    ("acts", "acts"): "30000 30000 1 1",
    ("acts", "acts_by_plan"): "30000 30000 2",
    ("acts", "acts_by_context"): "30000 30000 1 1 1",
    ("targets", "targets"): "400000 400000 2500 1 1",
    ("targets", "targets_by_row"): "400000 400000 3 3",
    ("contexts", "sqlite_autoindex_contexts_1"): "130000 130000 1",
    ("contexts", "sqlite_autoindex_contexts_2"): "130000 130000 1",
    ("contexts", "contexts_by_parent"): "130000 130000 1",
    ("attributes", "sqlite_autoindex_attributes_1"): "100000 100000 1",
    ("attributes", "attributes_by_hash"): "100000 100000 1",
    ("entities", "sqlite_autoindex_entities_1"): "1000 1000 1",
    ("entities", "sqlite_autoindex_entities_2"): "1000 1000 1",
}


def _tell_planner() -> None:
    op.execute("ANALYZE sqlite_schema")  # makes the table that it is written in
    for (table, index), proportions in PROPORTIONS.items():
        row = sa.text("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (:table, :index, :proportions)")
        op.execute(row.bindparams(table=table, index=index, proportions=proportions))
    op.execute("ANALYZE sqlite_schema")  # and has it read


def _home() -> sa.Column[int]:
    return sa.Column("home_id", sa.Integer, primary_key=True, autoincrement=False)


def _make_interned() -> None:
    op.create_table(
        "homes",
        sa.Column("key", sa.Integer, primary_key=True),
        sa.Column("home_id", sa.Text, nullable=False, unique=True),
        sa.Column("last_id", sa.BigInteger, nullable=False),
        sa.Column("heard", sa.BigInteger),
    )
    _interned(
        "entities",
        sa.Column("entity_id", sa.Text, nullable=False),
        sa.UniqueConstraint("home_id", "entity_id", name="entities_by_id"),
    )
    _interned(
        "users",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.UniqueConstraint("home_id", "user_id", name="users_by_id"),
    )
    _interned(
        "attributes",
        sa.Column("hash", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
    )
    op.create_index("attributes_by_hash", "attributes", ["home_id", "hash"])
    _interned(
        "contexts",
        sa.Column("context_id", sa.LargeBinary, nullable=False),
        sa.Column("parent_id", sa.LargeBinary),
        sa.Column("user", sa.Integer),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("home_id", "context_id", name="contexts_by_id"),
    )
    _index_where("parent_id", "contexts_by_parent", "contexts", ["home_id", "parent_id"])


def _make_state_changes() -> None:
    _happened(
        "state_changes",
        sa.Column("entity", sa.Integer, nullable=False),
        sa.Column("state", sa.Text),
        sa.Column("old", sa.Text),
        sa.Column("attributes", sa.Integer),
        sa.Column("context", sa.Integer),
        sa.Column("own", sa.LargeBinary),
        sa.Column("source", sa.SmallInteger, nullable=False),
    )
    op.create_index("state_changes_by_entity", "state_changes", ["home_id", "entity", "at", "id"])


def _make_runs() -> None:
    _happened(
        "runs",
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("entity", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("trigger", sa.Text, nullable=False),
        sa.Column("trigger_entity", sa.Integer),
        sa.Column("item_id", sa.Text, nullable=False),
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("context", sa.Integer),
        sa.Column("source", sa.SmallInteger, nullable=False),
    )
    op.create_index("runs_by_entity", "runs", ["home_id", "entity", "at", "id"])
    op.create_index("runs_by_trigger", "runs", ["home_id", "trigger_entity", "at", "id"])


def _make_calls() -> None:
    _happened(
        "calls",
        sa.Column("service", sa.Text, nullable=False),
        sa.Column("data", sa.Integer),
        sa.Column("context", sa.Integer),
        sa.Column("source", sa.SmallInteger, nullable=False),
    )


def _make_acts() -> None:
    _happened(
        "acts",
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("plan_id", sa.Text, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("rule", sa.Text, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("service", sa.Text, nullable=False),
        sa.Column("data", sa.Integer),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("context", sa.Integer),
    )
    op.create_index("acts_by_plan", "acts", ["home_id", "plan_id"])
    op.create_table(
        "targets",
        _home(),
        sa.Column("entity", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, primary_key=True),
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )
    op.create_index("targets_by_row", "targets", ["home_id", "at", "id"])


def _make_outages() -> None:
    op.create_table(
        "outages",
        _home(),
        sa.Column("start", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("end", sa.BigInteger),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("filled", sa.BigInteger),
        sa.Column("rows", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )


def _interned(name: str, *columns: SchemaItem) -> None:
    op.create_table(name, _home(), sa.Column("key", sa.Integer, primary_key=True, autoincrement=False), *columns)


def _happened(name: str, *columns: SchemaItem) -> None:
    op.create_table(
        name,
        _home(),
        sa.Column("at", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        *columns,
        sqlite_with_rowid=False,
        postgresql_partition_by="RANGE (at)",
    )
    _index_where("context", f"{name}_by_context", name, ["home_id", "context", "at", "id"])


def _index_where(present: str, name: str, table: str, columns: list[str]) -> None:
    there = sa.text(f"{present} IS NOT NULL")
    op.create_index(name, table, columns, sqlite_where=there, postgresql_where=there)
