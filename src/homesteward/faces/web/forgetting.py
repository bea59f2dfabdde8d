"""Forgetting on purpose: what is older than a moment goes from the chronicle, and that it was done stays in the audit."""

from typing import Any

from homesteward.chronicle.chronicle import Chronicle
from homesteward.chronicle.retention import Purged
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.rooms import Rooms
from homesteward.people import Caller
from homesteward.people.audit import actor_of
from homesteward.store.audit import Audit

PURGED = "chronicle.purged"  # in the audit


class NoChronicleError(HomestewardError):
    """This Homesteward remembers nothing."""

    code = "not_enabled"


def chronicle_of(rooms: Rooms) -> Chronicle:
    """Return what remembers; raise NoChronicleError."""
    if rooms.chronicle is None:
        raise NoChronicleError("This service remembers nothing.", next="Run it as 'homesteward run'.")
    return rooms.chronicle


async def forgotten(chronicle: Chronicle, audit: Audit | None, by: Caller, before: str) -> Purged:
    """Forget what is older than a moment, written as people write one; raise what the chronicle raises."""
    moment = chronicle.history.moment(before).at
    told: dict[str, Any] = {"before": moment.isoformat()}
    try:
        purged = await chronicle.purge(moment)
        told |= {"rows": dict(purged.rows), "partitions": purged.partitions}
    except HomestewardError as error:
        told |= {"failed": error.code}  # some of it may be gone
        raise
    finally:
        if audit:
            await audit.append(PURGED, actor_of(by), "chronicle", told)
    return purged
