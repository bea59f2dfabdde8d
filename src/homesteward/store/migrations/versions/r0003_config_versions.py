"""Every version of what is written into Home Assistant's configuration, as it was found and as it was left.

Revision ID: 0003
"""

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
