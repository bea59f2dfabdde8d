"""Errors on the wire: `application/problem+json` (RFC 9457) with our code, whether to retry, and the next step."""

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from homesteward.core.errors import ErrorInfo, HomestewardError

LOG = logging.getLogger(__name__)

# The HTTP status of a code; every other code is a bad request.
STATUS = {
    "not_signed_in": 401,
    "not_allowed": 403,
    "cannot_raise_role": 403,
    "unknown_run": 404,
    "unknown_plan": 404,
    "unknown_tool": 404,
    "not_found": 404,
    "already_decided": 409,
    "plan_expired": 409,
    "plan_changed": 409,
    "not_connected": 503,
    "internal": 500,
}


def problem(error: ErrorInfo, status: int | None = None) -> JSONResponse:
    """Return `error` as a problem document."""
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
        media_type="application/problem+json",
    )


def answer_problems(api: FastAPI) -> None:
    """Make every failure of `api` a problem document."""

    @api.exception_handler(HomestewardError)
    async def ours(_: Request, error: HomestewardError) -> JSONResponse:
        return problem(error.info)

    @api.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        details = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
        return problem(ErrorInfo("invalid_request", details, retry=False, next="See /openapi.json for the form."), 422)

    @api.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> JSONResponse:
        code = "not_found" if error.status_code == 404 else "invalid_request"
        return problem(ErrorInfo(code, str(error.detail), retry=False, next="See /openapi.json."), error.status_code)

    @api.exception_handler(Exception)
    async def ours_to_mend(_: Request, error: Exception) -> JSONResponse:
        LOG.error("A request failed inside Homesteward", exc_info=error)
        return problem(
            ErrorInfo("internal", "Something failed inside Homesteward.", retry=False, next="See the service's log.")
        )
