"""Errors on the wire: `application/problem+json` (RFC 9457) with our code, whether to retry, and the next step."""

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from homesteward.core.errors import ErrorInfo, HomestewardError
from homesteward.people.errors import WaitError

LOG = logging.getLogger(__name__)

PROBLEM = "application/problem+json"

# The HTTP status of a code; every other code is a bad request.
STATUS = {
    "not_signed_in": 401,
    "not_allowed": 403,
    "cannot_raise_role": 403,
    "foreign_request": 403,
    "proof_needed": 403,
    "wrong_pin": 403,
    "wrong_code": 403,
    "pin_not_set": 403,
    "pin_must_change": 403,
    "setup_closed": 403,
    "unknown_run": 404,
    "unknown_plan": 404,
    "unknown_tool": 404,
    "unknown_entity": 404,
    "unknown_person": 404,
    "unknown_device": 404,
    "unknown_token": 404,
    "unknown_session": 404,
    "unknown_notice": 404,
    "secret_missing": 404,
    "unknown_version": 404,
    "not_found": 404,
    "not_enabled": 404,
    "already_decided": 409,
    "plan_expired": 409,
    "plan_changed": 409,
    "cannot_undo": 409,
    "not_interrupted": 409,
    "conflict": 409,
    "last_owner": 409,
    "too_large": 413,
    "unknown_host": 421,
    "locked_out": 429,
    "rate_limited": 429,
    "too_many_streams": 429,
    "internal": 500,
    "not_connected": 503,
    "connection_lost": 503,
    "sign_in_failed": 503,
    "database_full": 503,
}

MEANINGS = {
    400: "It cannot be done like this.",
    401: "Nobody is signed in, or no longer.",
    403: "This caller may not do this, or has to prove anew who they are.",
    404: "There is no such thing, or not for this caller.",
    409: "It was decided otherwise before, or would leave the home without an owner.",
    413: "The request is too large.",
    421: "The service is not set up to be reached by this name.",
    422: "The request has not the form it must have.",
    429: "Too often, or locked out for a while: see Retry-After.",
    500: "Something failed inside Homesteward.",
    503: "Home Assistant or the store cannot be reached at present.",
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
    everywhere = (400, 413, 421, 422, 429, 500, 503)
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


def answer_problems(api: FastAPI) -> None:
    """Make every failure of `api` a problem document."""

    @api.exception_handler(HomestewardError)
    async def ours(_: Request, error: HomestewardError) -> JSONResponse:
        wait = int(error.wait.total_seconds()) + 1 if isinstance(error, WaitError) else None
        return problem(error.info, wait_s=wait)

    @api.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        details = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
        return problem(ErrorInfo("invalid_request", details, retry=False, next="See /openapi.json for the form."), 422)

    @api.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> JSONResponse:
        code = "not_found" if error.status_code == 404 else "invalid_request"
        answer = problem(ErrorInfo(code, str(error.detail), retry=False, next="See /openapi.json."), error.status_code)
        answer.headers.update(error.headers or {})
        return answer

    @api.exception_handler(Exception)
    async def ours_to_mend(_: Request, error: Exception) -> JSONResponse:
        LOG.error("A request failed inside Homesteward", exc_info=error)
        return problem(
            ErrorInfo("internal", "Something failed inside Homesteward.", retry=False, next="See the service's log.")
        )


def _headers(status: int, wait_s: int | None) -> dict[str, str]:
    """Return the headers that HTTP asks for with a status."""
    if status == 401:
        return {"www-authenticate": "Bearer"}
    return {"retry-after": str(wait_s)} if wait_s is not None else {}
