"""The authority each route needs: one table, checked before the route itself runs. A test holds it to what is served: no more, and no less."""

from dataclasses import dataclass
from enum import StrEnum

from homesteward.core.errors import HomestewardError
from homesteward.people import Caller, Role, Scope
from homesteward.people.past import require_household


class Authority(StrEnum):
    """What a caller must be allowed to do."""

    NONE = "none"
    """Anybody who reaches the port."""
    READ = "read"
    REMEMBER = "remember"
    """Read what was: what was done, when and by whom."""
    PROPOSE = "propose"
    """Ask for something, which may be a change: the gate judges it."""
    ACT = "act"
    DECIDE = "decide"
    """Approve or reject what waits."""
    OWN = "own"
    """What is somebody's own: their PIN, tokens and sessions; an owner's hand reaches everybody's."""
    CONFIGURE = "configure"
    ADMIN = "admin"


class Purpose(StrEnum):
    """What a fresh proof is asked for; one given for a plan names the plan instead."""

    PEOPLE = "people"
    PIN = "pin"
    TOKENS = "tokens"
    PURGE = "purge"
    SECRETS = "secrets"
    POLICY = "policy"
    OFFERS = "offers"


@dataclass(frozen=True, slots=True)
class Access:
    """What a route needs: the authority, whether it shows only what the caller's reach holds, and a fresh proof's purpose.

    With `in_form` the route itself asks for the proof: a form of a page brings it, and a refusal is told beside what was filled in.
    `slow` is a look whose answer may take its time, at the past or at many things: no cookie is renewed with it, and it is
    counted, as every change is.
    """

    authority: Authority
    bound: bool = False
    proof: Purpose | None = None
    slow: bool = False
    in_form: bool = False


OPEN = Access(Authority.NONE)
READ = Access(Authority.READ)
BOUND = Access(Authority.READ, bound=True)
LONG = Access(Authority.READ, bound=True, slow=True)
PAST = Access(Authority.REMEMBER, bound=True, slow=True)
ASK = Access(Authority.PROPOSE, bound=True)
ACT = Access(Authority.ACT, bound=True)
DECIDE = Access(Authority.DECIDE, bound=True)
OWN = Access(Authority.OWN)
CONFIGURE = Access(Authority.CONFIGURE)
ADMIN = Access(Authority.ADMIN)
PEOPLE = Access(Authority.ADMIN, proof=Purpose.PEOPLE)
FORM_PEOPLE = Access(Authority.ADMIN, proof=Purpose.PEOPLE, in_form=True)
FORM_POLICY = Access(Authority.CONFIGURE, proof=Purpose.POLICY, in_form=True)

ROUTES: dict[tuple[str, str], Access] = {
    ("GET", "/"): OPEN,
    ("GET", "/openapi.json"): OPEN,
    ("GET", "/static/{name}"): OPEN,
    ("GET", "/service-worker.js"): OPEN,
    ("GET", "/offline"): OPEN,
    ("POST", "/look"): OPEN,
    ("GET", "/live"): BOUND,
    ("GET", "/home/{part}"): BOUND,
    ("GET", "/ask"): BOUND,
    ("POST", "/ask"): ASK,
    ("GET", "/ask/{run_id}"): BOUND,
    ("POST", "/ask/{run_id}/cancel"): ASK,
    ("GET", "/plans/{plan_id}"): BOUND,
    ("POST", "/plans/{plan_id}/approve"): DECIDE,
    ("POST", "/plans/{plan_id}/confirm"): ACT,
    ("POST", "/plans/{plan_id}/reject"): ACT,
    ("POST", "/plans/{plan_id}/undo"): ASK,
    ("POST", "/plans/{plan_id}/resume"): DECIDE,
    ("GET", "/policy"): CONFIGURE,
    ("POST", "/policy"): FORM_POLICY,
    ("POST", "/policy/check"): CONFIGURE,
    ("GET", "/policy/try"): CONFIGURE,
    ("GET", "/policy/past"): Access(Authority.CONFIGURE, slow=True),
    ("POST", "/policy/past"): CONFIGURE,
    ("GET", "/policy/versions"): CONFIGURE,
    ("GET", "/policy/versions/{n}"): CONFIGURE,
    ("POST", "/policy/versions/{n}"): FORM_POLICY,
    ("GET", "/settings"): OWN,
    ("POST", "/settings/pin"): Access(Authority.OWN, proof=Purpose.PIN, in_form=True),
    ("POST", "/settings/pin/remove"): Access(Authority.OWN, proof=Purpose.PIN, in_form=True),
    ("POST", "/settings/sessions"): OWN,
    ("POST", "/settings/sessions/{session_id}"): OWN,
    ("GET", "/settings/tokens"): OWN,
    ("POST", "/settings/tokens"): Access(Authority.OWN, proof=Purpose.TOKENS, in_form=True),
    ("POST", "/settings/tokens/{token_id}"): OWN,
    ("GET", "/settings/people"): ADMIN,
    ("POST", "/settings/people"): FORM_PEOPLE,
    ("POST", "/settings/people/{person_id}/{deed}"): FORM_PEOPLE,
    ("POST", "/settings/devices"): FORM_PEOPLE,
    ("POST", "/settings/devices/{device_id}"): FORM_PEOPLE,
    ("GET", "/settings/connection"): Access(Authority.CONFIGURE, slow=True),
    ("POST", "/settings/connection/model"): CONFIGURE,
    ("GET", "/settings/privacy"): Access(Authority.CONFIGURE, slow=True),
    ("POST", "/settings/privacy/purge"): Access(Authority.ADMIN, proof=Purpose.PURGE, in_form=True),
    ("GET", "/settings/backup"): CONFIGURE,
    ("GET", "/settings/about"): READ,
    ("GET", "/actions"): BOUND,
    ("GET", "/actions/past"): BOUND,
    ("GET", "/actions/schedules"): BOUND,
    ("POST", "/actions/schedules/{schedule_id}/cancel"): ASK,
    ("GET", "/actions/offers"): DECIDE,
    ("POST", "/actions/offers/{offer_id}/enable"): Access(Authority.CONFIGURE, proof=Purpose.OFFERS, in_form=True),
    ("POST", "/actions/offers/{offer_id}/disable"): DECIDE,
    ("POST", "/actions/offers/{offer_id}/forget"): CONFIGURE,
    ("GET", "/chronicle"): PAST,
    ("GET", "/chronicle/why"): PAST,
    ("GET", "/chronicle/then"): PAST,
    ("GET", "/chronicle/cascades"): PAST,
    ("GET", "/house"): BOUND,
    ("GET", "/house/{entity_id}"): LONG,
    ("GET", "/house/{entity_id}/versions/{n}"): CONFIGURE,
    ("POST", "/house/{entity_id}/versions/{n}"): CONFIGURE,
    ("GET", "/auth/sign-in"): OPEN,
    ("GET", "/auth/callback"): OPEN,
    ("POST", "/auth/sign-out"): OPEN,
    ("GET", "/auth/set-up"): OPEN,
    ("POST", "/auth/set-up"): OPEN,
    ("POST", "/auth/set-up/code"): OPEN,
    ("GET", "/api/v1/health"): OPEN,
    ("GET", "/api/v1/me"): READ,
    ("GET", "/api/v1/status"): BOUND,
    ("GET", "/api/v1/doctor"): Access(Authority.CONFIGURE, slow=True),
    ("POST", "/api/v1/ask"): ASK,
    ("POST", "/api/v1/runs"): ASK,
    ("GET", "/api/v1/runs/{run_id}"): BOUND,
    ("GET", "/api/v1/runs/{run_id}/events"): BOUND,
    ("POST", "/api/v1/runs/{run_id}/cancel"): ASK,
    ("GET", "/api/v1/plans"): BOUND,
    ("GET", "/api/v1/plans/{plan_id}"): BOUND,
    ("POST", "/api/v1/plans/{plan_id}/approve"): DECIDE,
    ("POST", "/api/v1/plans/{plan_id}/reject"): DECIDE,
    ("POST", "/api/v1/plans/{plan_id}/confirm"): ACT,
    ("POST", "/api/v1/plans/{plan_id}/edit"): ASK,
    ("POST", "/api/v1/plans/{plan_id}/undo"): ASK,
    ("POST", "/api/v1/plans/{plan_id}/resume"): DECIDE,
    ("POST", "/api/v1/policy/explain"): BOUND,
    ("GET", "/api/v1/config"): CONFIGURE,
    ("GET", "/api/v1/config/versions"): CONFIGURE,
    ("GET", "/api/v1/config/versions/{n}"): CONFIGURE,
    ("POST", "/api/v1/config/propose"): ASK,
    ("POST", "/api/v1/config/delete"): ASK,
    ("POST", "/api/v1/config/restore"): CONFIGURE,
    ("GET", "/api/v1/policy"): CONFIGURE,
    ("PUT", "/api/v1/policy"): Access(Authority.CONFIGURE, proof=Purpose.POLICY),
    ("GET", "/api/v1/policy/versions"): CONFIGURE,
    ("GET", "/api/v1/policy/versions/{n}"): CONFIGURE,
    ("POST", "/api/v1/policy/restore"): Access(Authority.CONFIGURE, proof=Purpose.POLICY),
    ("POST", "/api/v1/policy/test"): CONFIGURE,
    ("GET", "/api/v1/policy/simulate"): CONFIGURE,
    ("POST", "/api/v1/policy/simulate"): CONFIGURE,
    ("GET", "/api/v1/tools"): BOUND,
    ("POST", "/api/v1/tools/{name}"): BOUND,  # a tool that changes something needs `propose`
    ("GET", "/api/v1/schedules"): BOUND,
    ("POST", "/api/v1/schedules"): ASK,
    ("GET", "/api/v1/schedules/{schedule_id}"): BOUND,
    ("POST", "/api/v1/schedules/{schedule_id}/cancel"): ASK,
    ("GET", "/api/v1/offers"): BOUND,
    ("GET", "/api/v1/offers/{offer_id}"): BOUND,
    ("POST", "/api/v1/offers/{offer_id}/enable"): Access(Authority.CONFIGURE, proof=Purpose.OFFERS),
    ("POST", "/api/v1/offers/{offer_id}/disable"): ACT,
    ("POST", "/api/v1/offers/{offer_id}/forget"): CONFIGURE,
    ("GET", "/api/v1/history"): PAST,
    ("GET", "/api/v1/why/{entity_id}"): PAST,
    ("GET", "/api/v1/home-at"): PAST,
    ("GET", "/api/v1/chain/{start}"): PAST,
    ("GET", "/api/v1/recent"): PAST,
    ("GET", "/api/v1/chronicle"): Access(Authority.CONFIGURE, slow=True),
    ("GET", "/api/v1/chronicle/filter"): CONFIGURE,
    ("GET", "/api/v1/chronicle/windows"): Access(Authority.CONFIGURE, slow=True),
    ("GET", "/api/v1/chronicle/export"): PAST,
    ("POST", "/api/v1/chronicle/purge"): Access(Authority.ADMIN, proof=Purpose.PURGE),
    ("GET", "/api/v1/audit"): ADMIN,
    ("GET", "/api/v1/audit/verify"): Access(Authority.ADMIN, slow=True),
    ("GET", "/api/v1/people"): ADMIN,
    ("POST", "/api/v1/people"): PEOPLE,
    ("PATCH", "/api/v1/people/{person_id}"): PEOPLE,
    ("DELETE", "/api/v1/people/{person_id}"): PEOPLE,
    ("PUT", "/api/v1/people/{person_id}/pin"): Access(Authority.OWN, proof=Purpose.PIN),
    ("DELETE", "/api/v1/people/{person_id}/pin"): Access(Authority.OWN, proof=Purpose.PIN),
    ("POST", "/api/v1/people/{person_id}/unlock"): PEOPLE,
    ("GET", "/api/v1/devices"): ADMIN,
    ("POST", "/api/v1/devices"): PEOPLE,
    ("DELETE", "/api/v1/devices/{device_id}"): PEOPLE,
    ("GET", "/api/v1/tokens"): OWN,
    ("POST", "/api/v1/tokens"): Access(Authority.OWN, proof=Purpose.TOKENS),
    ("DELETE", "/api/v1/tokens/{token_id}"): OWN,  # ending one is never made hard
    ("GET", "/api/v1/sessions"): OWN,
    ("DELETE", "/api/v1/sessions/{session_id}"): OWN,
    ("POST", "/api/v1/step-up"): READ,
    ("GET", "/api/v1/notices"): BOUND,
    ("GET", "/api/v1/notices/events"): BOUND,
    ("POST", "/api/v1/notices/{notice_id}/seen"): BOUND,
    ("GET", "/api/v1/secrets"): ADMIN,
    ("PUT", "/api/v1/secrets/{name}"): Access(Authority.ADMIN, proof=Purpose.SECRETS),
    ("DELETE", "/api/v1/secrets/{name}"): Access(Authority.ADMIN, proof=Purpose.SECRETS),
}

OF_THE_WHOLE = frozenset({Authority.OWN, Authority.CONFIGURE, Authority.ADMIN})  # nothing that a part of the home has

ANYBODY = frozenset({Authority.NONE})
GUESTS = frozenset({Authority.READ, Authority.PROPOSE, Authority.ACT, Authority.OWN}) | ANYBODY
GRANTED: dict[Role, frozenset[Authority]] = {
    Role.OWNER: frozenset(Authority),
    Role.MEMBER: GUESTS | {Authority.REMEMBER, Authority.DECIDE},
    Role.GUEST: GUESTS,
    Role.TOKEN: frozenset({Authority.READ, Authority.REMEMBER, Authority.PROPOSE, Authority.ACT}) | ANYBODY,
}

# Which scopes of a token open what its role holds; one of them is enough. No machine decides about what waits for a person.
OPENED_BY: dict[Authority, frozenset[Scope]] = {
    Authority.NONE: frozenset(Scope),
    Authority.READ: frozenset({Scope.READ}),
    Authority.REMEMBER: frozenset({Scope.READ}),
    Authority.PROPOSE: frozenset({Scope.PROPOSE, Scope.ACT}),
    Authority.ACT: frozenset({Scope.ACT}),
    Authority.DECIDE: frozenset({Scope.ADMIN}),
    Authority.OWN: frozenset({Scope.ADMIN}),
    Authority.CONFIGURE: frozenset({Scope.CONFIGURE}),
    Authority.ADMIN: frozenset({Scope.ADMIN}),
}


class NotAllowedError(HomestewardError):
    """The caller's role or scopes do not reach this far."""

    code = "not_allowed"


def require(caller: Caller, authority: Authority) -> None:
    """Raise NotAllowedError unless the caller's role and, where it has a token, a scope of that reach `authority`.

    Who reaches only a part of the home has no say about the whole of it, whatever its scopes.
    """
    if authority is Authority.REMEMBER:
        require_household(caller)
    if authority not in GRANTED.get(caller.role, ANYBODY):
        raise NotAllowedError(f"A {caller.role} may not {WORDS[authority]} here.", next="Ask an owner.")
    if caller.reach is not None and authority in OF_THE_WHOLE:
        raise NotAllowedError(
            f"A token for a part of the home may not {WORDS[authority]} here.", next="Use one for the whole home."
        )
    if not any(caller.may(scope) for scope in OPENED_BY[authority]):
        needed = " or ".join(sorted(OPENED_BY[authority]))
        raise NotAllowedError(
            f"This token may not {WORDS[authority]} here.", next=f"Use a token with the scope {needed}."
        )


WORDS: dict[Authority, str] = {
    Authority.NONE: "come in",
    Authority.READ: "read",
    Authority.REMEMBER: "look back",
    Authority.PROPOSE: "ask for anything",
    Authority.ACT: "act",
    Authority.DECIDE: "decide",
    Authority.OWN: "manage sign-ins",
    Authority.CONFIGURE: "see or change settings",
    Authority.ADMIN: "manage people and records",
}
