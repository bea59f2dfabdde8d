"""`doctor`: the running service's checks, or those that can be made without one."""

from pathlib import Path
from typing import Any

from homesteward.cli.client import reach
from homesteward.cli.exits import Exit, error_exit
from homesteward.core.errors import HomestewardError

# Which check a failure to open the house belongs to; every other is the service's own.
CHECKS = {"bad_settings": "settings", "data_folder_unusable": "data folder", "newer_data": "database"} | dict.fromkeys(
    ("not_connected", "connection_lost", "auth_failed", "needs_admin", "ha_timeout", "unexpected_answer"),
    "home assistant",
)


async def examine(url: str, token: str, config: Path | None) -> list[dict[str, Any]]:
    """Return every check. What keeps the house from opening is itself the failed check, not an error of the command."""
    try:
        async with reach(url, token, "", config) as api:
            return list(await api.get("/doctor"))
    except HomestewardError as error:
        if error_exit(error.code) is Exit.REFUSED:  # it runs, and this is not its token: nothing was examined
            raise
        return [
            {
                "check": CHECKS.get(error.code, "service"),
                "status": "fail",
                "message": error.message,
                "next": error.next,
            }
        ]
