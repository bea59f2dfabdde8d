"""The entrance of every route: who asks is held against what the route needs, before anything else of it runs."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Depends, Header, Request
from starlette.types import Scope

from homesteward.faces.web.asker import BROWSERS, Asker, Askers, Source
from homesteward.faces.web.authority import ROUTES, Access, Authority, NotAllowedError, Purpose, require
from homesteward.faces.web.door import seen_by
from homesteward.faces.web.fields import fields_of
from homesteward.faces.web.origin import FIELD, HEADER, SAFE_METHODS, Csrf, require_same_origin
from homesteward.faces.web.rooms import Rooms
from homesteward.faces.web.under_way import UnderWay
from homesteward.people import Caller, Proof, Role
from homesteward.people.audit import actor_of
from homesteward.people.caller import LOWER
from homesteward.people.errors import NobodyError, ProofNeededError
from homesteward.people.lockout import of_address
from homesteward.people.proofs import GOOD_FOR

__all__ = ["Asker", "Entrance"]

LOWERABLE = tuple(role.value for role in LOWER)


class Entrance:
    """Let in who may come in. One per face: page tokens of another are worth nothing here."""

    def __init__(self, rooms: Rooms) -> None:
        """Judge by the people and the token of `rooms`."""
        self._rooms = rooms
        self._askers = Askers(rooms)
        self._csrf = Csrf(rooms.desk.page_key if rooms.desk else None)
        self.under_way = UnderWay(rooms.desk.leaving if rooms.desk else None, self.still)
        """What people have under way, by whichever route they began it."""

    async def guard(
        self,
        request: Request,
        x_homesteward_role: Annotated[
            str,
            Header(description="A role to be lowered to.", max_length=40, json_schema_extra={"enum": ["", *LOWERABLE]}),
        ] = "",
    ) -> Asker:
        """Return who asks, if they may use this route; the dependency of every route that is not open."""
        access = ROUTES[(request.method, request.scope["route"].path)]
        asker = await self.asker(request)
        await self._require_page(request, asker)
        self._count(request, asker, access)
        caller = replace(lowered(asker.caller, x_homesteward_role), address=seen_by(request).peer)
        asker = replace(asker, caller=caller)
        require(asker.caller, access.authority)
        return await self.with_proof(asker, access.proof) if access.proof and not access.in_form else asker

    async def asker(self, request: Request) -> Asker:
        """Return who asks; raise NobodyError, and RateLimitedError to an address that keeps trying."""
        known: Asker | None = getattr(request.state, "asker", None)
        if known is not None:
            return known
        try:
            request.state.asker = found = await self._askers.of(request)
        except NobodyError:
            self.limit("refused", seen_by(request).peer)
            raise
        return found

    async def admit(self, scope: Scope) -> None:
        """Find out who asks before anything of what they send is taken in; raise as `asker` does."""
        await self.asker(Request(scope))

    def limited(self, kind: str) -> Callable[..., Awaitable[None]]:
        """Return the dependency that keeps a caller and an address from using a route too often."""

        async def limit(request: Request, asker: Annotated[Asker, Depends(self.guard)]) -> None:
            if asker.source is not Source.SERVICE:
                self.limit(kind, seen_by(request).peer, asker.caller)

        return limit

    def limit(self, kind: str, address: str, caller: Caller | None = None) -> None:
        """Count one use by an address and, where it is known, whoever asks; raise RateLimitedError where there were too many."""
        if self._rooms.desk:
            self._rooms.desk.rates.take(kind, of_address(address), *([actor_of(caller)] if caller else []))

    def described(self, asker: Asker) -> dict[str, Any]:
        """Return who asks, as a page or a program needs to know it."""
        caller, session = asker.caller, asker.session
        return {
            "person": caller.person,
            "person_id": caller.person_id,
            "role": caller.role.value,
            "channel": caller.channel.value,
            "source": asker.source.value,
            "scopes": sorted(caller.scopes) if caller.scopes is not None else None,
            "reach": dict(caller.reach.as_json()) if caller.reach else None,
            "session": dict(session.as_json(session.id)) if session else None,
            "csrf": self.page_token(asker) or None,
        }

    async def still(self, asker: Asker) -> bool:
        """Return whether whoever began something is still let in, and no less than they were."""
        if (desk := self._rooms.desk) is None or asker.source is Source.SERVICE:
            return True
        if asker.source is Source.SESSION and not (asker.session and await desk.sessions.alive(asker.session.id)):
            return False
        return await desk.still.holds(asker.caller)

    async def stepped_up(self, asker: Asker, purpose: str, pin: str | None, address: str) -> Proof:
        """Return the proof that a PIN gives, or without one a sign-in that is fresh; raise what StepUp raises."""
        if (desk := self._rooms.desk) is None:
            raise NobodyError("This service keeps no people.", next="Use its own token.")
        if pin is not None:
            return await desk.step_up.with_pin(asker.caller, pin, purpose, holder=asker.key, address=address)
        if asker.session is None:
            raise ProofNeededError("This needs your PIN.", next="Send it, or sign in afresh in a browser.")
        return await desk.step_up.with_sign_in(asker.caller, asker.session.signed_in, purpose, holder=asker.key)

    def proven(self, asker: Asker, purpose: str) -> Caller:
        """Return the caller with the proof that is held for `purpose`, where there is one."""
        if (desk := self._rooms.desk) is None or not asker.caller.person_id:
            return asker.caller
        return desk.step_up.carried(asker.caller, purpose, holder=asker.key)

    async def with_proof(self, asker: Asker, purpose: Purpose) -> Asker:
        """Return the asker with a fresh proof for `purpose`; a sign-in that is fresh is one. Raises ProofNeededError.

        The service's own token needs none: whoever reads service.json could read the keys too.
        """
        if asker.source is Source.SERVICE:
            return asker
        caller = self.proven(asker, purpose)
        if caller.proof is None and self.freshly_signed_in(asker):
            await self.stepped_up(asker, purpose, None, "")
            caller = self.proven(asker, purpose)
        if caller.proof is None:
            raise ProofNeededError(
                "This needs your PIN or a fresh sign-in first.",
                next=f"Prove who you are for '{purpose}' (step-up), then do it within five minutes.",
            )
        return replace(asker, caller=caller)

    def freshly_signed_in(self, asker: Asker) -> bool:
        """Return whether the sign-in of this session is a proof by itself."""
        return asker.session is not None and self._rooms.clock.now() < asker.session.signed_in + GOOD_FOR

    def page_token(self, asker: Asker) -> str:
        """Return what a page of this asker's sends back with every change; empty for a program, which needs none."""
        return self._csrf.token(asker.key) if asker.source in BROWSERS else ""

    def require_page_token(self, asker: Asker, given: str) -> None:
        """Raise ForeignRequestError unless `given` is what a page of this asker's was given."""
        self._csrf.require(asker.key, given)

    async def _require_page(self, request: Request, asker: Asker) -> None:
        """Raise ForeignRequestError where a browser may have been made to send this by another site's page."""
        if asker.source in BROWSERS and request.method not in SAFE_METHODS:
            require_same_origin(request, seen_by(request))
            given = request.headers.get(HEADER) or (await fields_of(request)).get(FIELD, "")
            self.require_page_token(asker, given)

    def _count(self, request: Request, asker: Asker, access: Access) -> None:
        """Count what changes something or reads much; raise RateLimitedError. What is asked in words has a limit of its own."""
        counts = access.slow or request.method not in SAFE_METHODS
        if counts and access.authority is not Authority.PROPOSE and asker.source is not Source.SERVICE:
            self.limit("change", seen_by(request).peer, asker.caller)


def lowered(caller: Caller, role: str) -> Caller:
    """Return `caller` with the authority of the role named `role`; empty changes nothing."""
    if not role:
        return caller
    if role not in set(Role):
        raise NotAllowedError(f"There is no role {role!r}.", next=f"Choose one of {', '.join(Role)}.")
    return caller.lowered(Role(role))
