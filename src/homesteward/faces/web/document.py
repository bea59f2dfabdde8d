"""The API's own document, true to the table of routes: what each needs, how it is proven, and every failure in one form."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from homesteward.faces.web.authority import ROUTES, Authority
from homesteward.faces.web.cookies import SESSION
from homesteward.faces.web.origin import HEADER
from homesteward.faces.web.problems import Problem

INTO = (
    "Homesteward's API. Send a token as `Authorization: Bearer ...`. A page that is signed in sends its cookie by itself, and with "
    f"every change the token that `/api/v1/me` gives it, as `{HEADER}`. Every failure is a problem document with a code, whether "
    "to repeat the request, and what to do next."
)
SCHEMES: dict[str, Any] = {
    "token": {"type": "http", "scheme": "bearer"},
    "session": {"type": "apiKey", "in": "cookie", "name": f"__Host-homesteward-{SESSION}"},
}


def documented(api: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document of `api`, made once."""
    if api.openapi_schema is None:
        document = get_openapi(title=api.title, version=api.version, description=INTO, routes=api.routes)
        parts = document.setdefault("components", {})
        parts["securitySchemes"] = SCHEMES
        parts.setdefault("schemas", {})["Problem"] = Problem.model_json_schema()
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                _say_access(operation, method.upper(), path)
        for unused in ("HTTPValidationError", "ValidationError"):
            parts["schemas"].pop(unused, None)
        api.openapi_schema = document
    return api.openapi_schema


def _say_access(operation: dict[str, Any], method: str, path: str) -> None:
    access = ROUTES[(method, path)]
    operation["x-authority"] = access.authority.value
    operation["x-bound-to-reach"] = access.bound
    if access.proof:
        operation["x-proof"] = access.proof.value
    if access.authority is not Authority.NONE:
        operation["security"] = [{name: []} for name in SCHEMES]
