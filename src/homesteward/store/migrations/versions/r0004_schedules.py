"""What is to be done once, later; and which plan was made by that.

Revision ID: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table, and give the plans that are there already no schedule behind them."""
    op.add_column("plans", sa.Column("schedule", sa.Text, nullable=False, server_default=sa.text("''")))
    op.create_index("plans_by_schedule", "plans", ["home_id", "schedule"])
    op.create_table(
        "schedules",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("latest", sa.BigInteger, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("plan_id", sa.Text, nullable=False),
        sa.Column("caller", sa.Text, nullable=False),
        sa.Column("person_id", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("device_id", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("token_id", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("call", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("conditions", sa.Text, nullable=False),
        sa.Column("ends", sa.Text, nullable=False),
        sa.Column("agreed", sa.Text, nullable=False),
        sa.Column("claimed", sa.BigInteger),
        sa.Column("ended", sa.BigInteger),
        sa.Column("why", sa.Text, nullable=False),
    )
    op.create_index("schedules_due", "schedules", ["home_id", "state", "at"])
    op.create_index("schedules_by_run", "schedules", ["home_id", "run_id"])
