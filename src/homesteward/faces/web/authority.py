"""The authority each route needs: one table, checked before anything else of the route runs."""

import hmac
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

from fastapi import Header, Request

from homesteward.core.errors import HomestewardError
from homesteward.people import Caller, Channel, Role


class Authority(StrEnum):
    """What a caller must be allowed to do."""

    NONE = "none"  # anybody who reaches the port
    READ = "read"
    ACT = "act"
    DECIDE = "decide"  # approve or reject what waits


ROUTES: dict[tuple[str, str], Authority] = {
    ("GET", "/"): Authority.NONE,
    ("GET", "/api/v1/health"): Authority.NONE,
    ("GET", "/api/v1/status"): Authority.READ,
    ("GET", "/api/v1/doctor"): Authority.READ,
    ("POST", "/api/v1/ask"): Authority.ACT,
    ("POST", "/api/v1/runs"): Authority.ACT,
    ("GET", "/api/v1/runs/{run_id}"): Authority.READ,
    ("GET", "/api/v1/runs/{run_id}/events"): Authority.READ,
    ("GET", "/api/v1/plans"): Authority.READ,
    ("GET", "/api/v1/plans/{plan_id}"): Authority.READ,
    ("POST", "/api/v1/plans/{plan_id}/approve"): Authority.DECIDE,
    ("POST", "/api/v1/plans/{plan_id}/reject"): Authority.DECIDE,
    ("POST", "/api/v1/plans/{plan_id}/confirm"): Authority.ACT,
    ("POST", "/api/v1/policy/explain"): Authority.READ,
    ("GET", "/api/v1/tools"): Authority.READ,
    ("POST", "/api/v1/tools/{name}"): Authority.ACT,
}

GRANTED: dict[Role, frozenset[Authority]] = {
    Role.OWNER: frozenset({Authority.READ, Authority.ACT, Authority.DECIDE}),
    Role.MEMBER: frozenset({Authority.READ, Authority.ACT, Authority.DECIDE}),
    Role.GUEST: frozenset({Authority.READ, Authority.ACT}),
}


class SignedOutError(HomestewardError):
    """No token, or not the right one."""

    code = "not_signed_in"


class NotAllowedError(HomestewardError):
    """The caller's role does not reach this far."""

    code = "not_allowed"


def caller_from(token: str) -> Callable[..., Caller]:
    """Return the dependency that names the caller of a route, or refuses. The service's token is the owner's."""

    def authorise(
        request: Request,
        authorization: Annotated[str, Header()] = "",
        x_homesteward_role: Annotated[str, Header(description="A role to be lowered to.")] = "",
    ) -> Caller:
        kind, _, given = authorization.partition(" ")
        if kind.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), token.encode()):
            raise SignedOutError(
                "This needs the service's token.",
                next="Send it as 'Authorization: Bearer ...'; it stands in service.json.",
            )
        caller = lowered(Caller(Role.OWNER, Channel.API, "owner"), x_homesteward_role)
        needed = ROUTES[(request.method, request.scope["route"].path)]
        if needed not in GRANTED.get(caller.role, frozenset()):
            raise NotAllowedError(f"A {caller.role} may not {needed} here.", next="Ask an owner.")
        return caller

    return authorise


def lowered(caller: Caller, role: str) -> Caller:
    """Return `caller` with the authority of the role named `role`; empty changes nothing."""
    if not role:
        return caller
    if role not in set(Role):
        raise NotAllowedError(f"There is no role {role!r}.", next=f"Choose one of {', '.join(Role)}.")
    return caller.lowered(Role(role))
