"""Errors on the wire: `application/problem+json` (RFC 9457) with our code, whether to retry, and the next step."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from homesteward.core.errors import ErrorInfo, HomestewardError
from homesteward.people.errors import WaitError

LOG = logging.getLogger(__name__)

PROBLEM = "application/problem+json"

type Shown = Callable[[Request, ErrorInfo, Response], Awaitable[Response | None]]
"""Returns what a browser is shown in place of a problem document; None where no page was asked for."""

# The HTTP status of a code. One that is not here is a bad request: every code of the store, the home and the chronicle is.
CODES: dict[int, tuple[str, ...]] = {
    400: (
        "bad_call",
        "takes_no_target",
        "no_target",
        "nothing_there",
        "wrong_domain",
        "wrong_service",
        "too_many_targets",
        "not_supported",
        "invalid_data",
        "invalid_call",
        "unknown_service",
        "unknown_area",
        "unknown_floor",
        "unknown_label",
        "not_counted",
        "bad_window",
        "too_much_asked",
        "nothing_recorded",
        "bad_time",
        "in_the_future",
        "bad_query",
        "unknown_user",
        "bad_cursor",
        "bad_chain",
        "export_file",
        "needs_arguments",
        "unknown_kind",
        "unknown_reference",
        "bad_config",
        "other_id",
        "config_error",
    ),
    401: ("not_signed_in",),
    403: (
        "not_allowed",
        "cannot_raise_role",
        "foreign_request",
        "proof_needed",
        "wrong_pin",
        "wrong_code",
        "pin_not_set",
        "pin_must_change",
        "setup_closed",
    ),
    404: (
        "unknown_run",
        "unknown_plan",
        "unknown_tool",
        "unknown_entity",
        "unknown_person",
        "unknown_device",
        "unknown_token",
        "unknown_session",
        "unknown_notice",
        "unknown_version",
        "unknown_offer",
        "unknown_object",
        "no_server",
        "tool_gone",
        "secret_missing",
        "not_found",
        "not_enabled",
    ),
    408: ("too_slow",),
    409: (
        "already_decided",
        "plan_expired",
        "plan_changed",
        "cannot_undo",
        "already_there",
        "not_editable",
        "nothing_to_change",
        "code_not_kept",
        "not_taken",
        "cannot_end",
        "offer_changed",
        "offers_full",
        "not_interrupted",
        "conflict",
        "last_owner",
    ),
    413: ("too_large",),
    421: ("unknown_host",),
    429: (
        "locked_out",
        "rate_limited",
        "too_many_streams",
        "too_many_waiting",
        "too_many_scheduled",
    ),
    500: (
        "internal",
        "bad_database_address",
        "driver_missing",
        "extra_missing",
        "unexpected_event",
    ),
    503: (
        "home_error",
        "not_connected",
        "connection_lost",
        "sign_in_failed",
        "needs_admin",
        "auth_failed",
        "ha_timeout",
        "unexpected_answer",
        "call_failed",
        "call_uncertain",
        "recorder_error",
        "recorder_not_loaded",
        "database_unreadable",
        "disk_full",
        "disk_failing",
        "database_busy",
        "database_unreachable",
        "commit_unknown",
        "database_refused",
        "not_stored",
        "chronicle_stuck",
        "overloaded",
    ),
}
STATUS = {code: status for status, codes in CODES.items() for code in codes}

MEANINGS = {
    400: "It cannot be done like this.",
    401: "Nobody is signed in, or no longer.",
    403: "This caller may not do this, or has to prove anew who they are.",
    404: "There is no such thing, or not for this caller.",
    408: "The request did not arrive whole in time.",
    409: "It was decided otherwise before, or would leave the home without an owner.",
    413: "The request is too large.",
    421: "The service is not set up to be reached by this name.",
    422: "The request has not the form it must have.",
    429: "Too often, or locked out for a while: see Retry-After.",
    500: "Something failed inside Homesteward.",
    503: "Home Assistant or the store does not do it at present: the code says which, and whether it may have been done all the same.",
}


class Problem(BaseModel):
    """A failure: what happened, whether to repeat the same request, and what to do next."""

    type: str
    title: str
    status: int
    code: str
    message: str
    retry: bool
    next: str


def answers(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what a route documents for the failures that every route may have, and for `statuses` beside them."""
    schema = {"$ref": "#/components/schemas/Problem"}
    everywhere = (400, 408, 413, 421, 422, 429, 500, 503)
    return {
        status: {"description": MEANINGS[status], "content": {PROBLEM: {"schema": schema}}}
        for status in sorted({*everywhere, *statuses})
    }


def problem(error: ErrorInfo, status: int | None = None, wait_s: int | None = None) -> JSONResponse:
    """Return `error` as a problem document; `wait_s` says when to try again."""
    number = status or STATUS.get(error.code, 400)
    return JSONResponse(
        {
            "type": f"urn:homesteward:error:{error.code}",
            "title": error.message,
            "status": number,
            "code": error.code,
            "message": error.message,
            "retry": error.retry,
            "next": error.next,
        },
        number,
        headers=_headers(number, wait_s),
        media_type=PROBLEM,
    )


def problem_of(error: HomestewardError) -> JSONResponse:
    """Return a failure of ours as a problem document, with how long to wait where it says so."""
    wait = int(error.wait.total_seconds()) + 1 if isinstance(error, WaitError) else None
    return problem(error.info, wait_s=wait)


async def shows_nothing(_request: Request, _error: ErrorInfo, _problem: Response) -> Response | None:
    """Show no page."""
    return None


def answer_problems(api: FastAPI, shown: Shown = shows_nothing) -> None:
    """Make every failure of `api` a problem document, or what `shown` makes of it for a browser that asked for a page."""

    @api.exception_handler(HomestewardError)
    async def ours(request: Request, error: HomestewardError) -> Response:
        answer = problem_of(error)
        return await shown(request, error.info, answer) or answer

    @api.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        details = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
        info = ErrorInfo("invalid_request", details, retry=False, next="See /openapi.json for the form.")
        answer = problem(info, 422)
        return await shown(request, info, answer) or answer

    @api.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        code = "not_found" if error.status_code == 404 else "invalid_request"
        info = ErrorInfo(code, str(error.detail), retry=False, next="See /openapi.json.")
        answer = problem(info, error.status_code)
        answer.headers.update(error.headers or {})
        return await shown(request, info, answer) or answer

    @api.exception_handler(Exception)
    async def ours_to_mend(request: Request, error: Exception) -> Response:
        LOG.error("A request failed inside Homesteward", exc_info=error)
        info = ErrorInfo("internal", "Something failed inside Homesteward.", retry=False, next="See the service's log.")
        answer = problem(info)
        return await shown(request, info, answer) or answer


def _headers(status: int, wait_s: int | None) -> dict[str, str]:
    """Return the headers that HTTP asks for with a status."""
    if status == 401:
        return {"www-authenticate": "Bearer"}
    return {"retry-after": str(wait_s)} if wait_s is not None else {}
