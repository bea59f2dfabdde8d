"""The fields of a form, as browsers send it."""

from starlette.datastructures import QueryParams
from starlette.requests import Request

FORM = "application/x-www-form-urlencoded"


async def fields_of(request: Request) -> dict[str, str]:
    """Return the fields of a form; anything else has none."""
    if request.headers.get("content-type", "").partition(";")[0] != FORM:
        return {}
    return dict(QueryParams(await request.body()))
