"""Plans, their steps, runs, and what is remembered about each home.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "plans",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("needs", sa.Text),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("area_id", sa.Text),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("decided_by", sa.Text, nullable=False),
        sa.Column("finished", sa.BigInteger),
    )
    op.create_index("plans_by_state", "plans", ["home_id", "state", "expires"])
    op.create_index("plans_by_age", "plans", ["home_id", "created"])
    op.create_index("plans_by_run", "plans", ["home_id", "run_id"])
    op.create_table(
        "steps",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("plan_id", sa.Text, primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("domain", sa.Text, nullable=False),
        sa.Column("service", sa.Text, nullable=False),
        sa.Column("entity_ids", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("decision", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("evidence", sa.Text, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
        sa.Column("context_id", sa.Text),
        sa.Column("note", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["home_id", "plan_id"], ["plans.home_id", "plans.id"], ondelete="CASCADE"),
    )
    op.create_index("steps_by_context", "steps", ["home_id", "context_id"])
    op.create_table(
        "runs",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("conversation_id", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("finished", sa.BigInteger),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("answer", sa.Text),
    )
    op.create_index("runs_by_age", "runs", ["home_id", "started"])
    op.create_table(
        "meta",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
