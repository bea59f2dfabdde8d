"""The routes of the audit: what was decided and done by whom, and whether the record is whole."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query

from homesteward.core.errors import HomestewardError
from homesteward.core.json import plain
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms
from homesteward.store.audit import Audit

MOST = 1000


class NoAuditError(HomestewardError):
    """This Homesteward keeps no audit."""

    code = "not_enabled"


def recording(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(401, 403, 404))
    guard = Depends(entrance.guard)

    def kept() -> Audit:
        if rooms.audit is None:
            raise NoAuditError("This service keeps no audit.", next="Run it as 'homesteward run'.")
        return rooms.audit

    @router.get("/audit")
    async def entries(
        _: Annotated[Asker, guard],
        audit: Annotated[Audit, Depends(kept)],
        kind: Annotated[str | None, Query(max_length=100)] = None,
        subject: Annotated[str | None, Query(max_length=255)] = None,
        before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
        limit: Annotated[int, Query(ge=1, le=MOST)] = 100,
    ) -> list[dict[str, Any]]:
        """List entries, the newest first: of a kind, about a subject, before a number."""
        found = await audit.entries(kind=kind, subject=subject, before=before, limit=limit)
        return [plain(entry) for entry in found]

    @router.get("/audit/verify")
    async def verify(_: Annotated[Asker, guard], audit: Annotated[Audit, Depends(kept)]) -> dict[str, Any]:
        """Go through the whole record and say whether anything in it was changed, and where first."""
        verdict = await audit.verify()
        return {**plain(verdict), "ok": verdict.ok}

    return router
