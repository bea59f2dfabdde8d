"""External tools and discovered controls: proposed, enabled or disabled.

Revision ID: 0005
"""

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table."""
