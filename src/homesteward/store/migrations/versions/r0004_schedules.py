"""What is to be done once, later.

Revision ID: 0004
"""

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table."""
