"""External tools and discovered controls: proposed, enabled or disabled.

Revision ID: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

WORDS = (
    "source",
    "tool",
    "state",
    "title",
    "description",
    "phrases",
    "service",
    "entity_id",
    "roles",
    "areas",
    "effect",
)
MARKS = ("schema", "fingerprint", "changed", "enabled_by", "enabled_person_id", "enabled_plan", "enabled_fingerprint")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "offers",
        sa.Column("home_id", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in (*WORDS, *MARKS)),
        sa.Column("exposed", sa.Integer, nullable=False),
        sa.Column("found", sa.BigInteger, nullable=False),
        sa.Column("gone", sa.BigInteger),
        sa.Column("enabled_at", sa.BigInteger),
        sa.UniqueConstraint("home_id", "source", "tool", name="offers_by_tool"),
    )
    op.create_index("offers_by_state", "offers", ["home_id", "state"])
