"""Who makes a request: found out once, from what a browser or a program proves, and held against what the route needs."""

import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any

from fastapi import Depends, Header, Request
from starlette.responses import Response

from homesteward.faces.web.address import Seen
from homesteward.faces.web.authority import ROUTES, NotAllowedError, Purpose, require
from homesteward.faces.web.cookies import SESSION, cookie_of, drop_cookie, set_cookie
from homesteward.faces.web.door import keep_cookie, seen_by
from homesteward.faces.web.origin import HEADER, SAFE_METHODS, Csrf, require_same_origin
from homesteward.faces.web.rooms import Rooms
from homesteward.home.users import HaUser
from homesteward.people import Caller, Channel, Proof, Role
from homesteward.people.audit import actor_of
from homesteward.people.caller import LOWER
from homesteward.people.desk import FrontDesk
from homesteward.people.errors import NobodyError, ProofNeededError
from homesteward.people.person import Person
from homesteward.people.proofs import GOOD_FOR
from homesteward.people.session import LIMITS, Session
from homesteward.people.sessions import Opened

USER_ID, USER_NAME = "x-remote-user-id", "x-remote-user-display-name"
MAX_HEADER = 200  # characters of an id or a name that ingress hands on


class Source(StrEnum):
    """How a request proves who makes it."""

    SERVICE = "service"
    """The token in service.json: the owner, on this machine."""
    TOKEN = "token"  # noqa: S105 - a way, not a secret
    SESSION = "session"
    INGRESS = "ingress"


LOWERABLE = tuple(role.value for role in LOWER)
BROWSERS = frozenset({Source.SESSION, Source.INGRESS})  # what a browser sends by itself, also for another site's page


@dataclass(frozen=True, slots=True)
class Asker:
    """Who makes a request, and how that is known. `key` is what proofs and page tokens are held for."""

    caller: Caller
    source: Source
    key: str
    session: Session | None = None


class Entrance:
    """Let in who may come in. One per face: page tokens of another are worth nothing here."""

    def __init__(self, rooms: Rooms) -> None:
        """Judge by the people and the token of `rooms`."""
        self._rooms = rooms
        self._csrf = Csrf()

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
        self._require_page(request, asker)
        asker = replace(asker, caller=lowered(asker.caller, x_homesteward_role))
        require(asker.caller, access.authority)
        return await self._with_proof(asker, access.proof) if access.proof else asker

    async def asker(self, request: Request) -> Asker:
        """Return who asks by the first proof there is; raise NobodyError where there is none, or the first is worth nothing."""
        for source in (self._by_bearer, self._by_session, self._by_ingress):
            if (found := await source(request)) is not None:
                return found
        raise NobodyError(
            "Nobody is signed in.", next="Sign in on the front page, or send a token as 'Authorization: Bearer ...'."
        )

    def limited(self, kind: str) -> Callable[..., Awaitable[None]]:
        """Return the dependency that keeps a caller and an address from using a route too often."""

        async def limit(request: Request, asker: Annotated[Asker, Depends(self.guard)]) -> None:
            if asker.source is not Source.SERVICE:
                self.limit(kind, seen_by(request).peer, asker.caller)

        return limit

    def limit(self, kind: str, address: str, caller: Caller | None = None) -> None:
        """Count one use by an address and, where it is known, whoever asks; raise RateLimitedError where there were too many."""
        if self._rooms.desk:
            self._rooms.desk.rates.take(kind, f"address:{address}", *([actor_of(caller)] if caller else []))

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
            "csrf": self._csrf.token(asker.key) if asker.source in BROWSERS else None,
        }

    async def still(self, asker: Asker) -> bool:
        """Return whether whoever opened a stream is still let in."""
        if (desk := self._rooms.desk) is None or asker.source is Source.SERVICE:
            return True
        if asker.source is Source.SESSION:
            return asker.session is not None and await desk.sessions.alive(asker.session.id)
        if asker.source is Source.TOKEN:
            return await desk.tokens.alive(asker.caller.token_id)
        people = await desk.people.list()
        return any(one.id == asker.caller.person_id and one.active(self._rooms.clock.now()) for one in people)

    async def stepped_up(self, asker: Asker, purpose: str, pin: str | None, address: str) -> Proof:
        """Return the proof that a PIN gives, or without one a sign-in that is fresh; raise what StepUp raises."""
        desk = self._desk()
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

    async def signed_in(self, request: Request, answer: Response, user: HaUser) -> None:
        """Begin a session for whom Home Assistant says it is; the one before ends. Raises NobodyError for somebody kept out."""
        desk, seen = self._desk(), seen_by(request)
        person = await desk.people.signed_in_with_ha(user.user_id, user.name, is_admin=user.is_admin, address=seen.peer)
        await self._begin(request, answer, person)

    async def sign_in_failed(self, why: str, address: str) -> None:
        """Put on record that a sign-in failed."""
        if self._rooms.desk:
            await self._rooms.desk.people.sign_in_failed(why, address)

    async def signed_out(self, request: Request, answer: Response, given: str) -> None:
        """End the session of the browser; `given` is its page's token. Raises NobodyError where there is none."""
        asker, seen = await self.asker(request), seen_by(request)
        self._csrf.require(asker.key, given)
        if asker.session:
            desk = self._desk()
            await desk.sessions.sign_out(cookie_of(request, SESSION, seen))
            desk.step_up.forget(asker.key)
        request.state.cookie = None
        drop_cookie(answer, SESSION, seen)

    async def set_up_open(self, seen: Seen) -> bool:
        """Return whether the first owner can be made from where the request comes from."""
        desk = self._rooms.desk
        return desk is not None and seen.local and await desk.setup.needed()

    async def tell_code(self, seen: Seen) -> None:
        """Have another one-time code told in the log; raise SetupClosedError where there is an owner."""
        _require_local(seen)
        await self._desk().setup.begin()

    async def first_owner(self, request: Request, answer: Response, name: str, code: str) -> None:
        """Make the first owner of whoever has the one-time code, and sign them in; raise what the set-up raises."""
        seen = seen_by(request)
        _require_local(seen)
        person = await self._desk().setup.finish(code, name, address=seen.peer)
        await self._begin(request, answer, person)

    async def _begin(self, request: Request, answer: Response, person: Person) -> None:
        seen = seen_by(request)
        channel = Channel.INGRESS if seen.ingress else Channel.PAGE
        opened = await self._desk().sessions.begin(
            person,
            channel,
            address=seen.peer,
            agent=request.headers.get("user-agent", ""),
            instead_of=cookie_of(request, SESSION, seen) or None,
        )
        set_cookie(answer, SESSION, opened.cookie or "", seen, max_age=_lasts(channel))

    async def _by_bearer(self, request: Request) -> Asker | None:
        kind, _, given = request.headers.get("authorization", "").partition(" ")
        if not kind:
            return None
        given = given.strip()
        if kind.lower() == "bearer" and hmac.compare_digest(given.encode(), self._rooms.token.encode()):
            return Asker(Caller(Role.OWNER, Channel.API, "owner"), Source.SERVICE, Source.SERVICE)
        if kind.lower() != "bearer" or self._rooms.desk is None:
            raise NobodyError(
                "This is no token that is known here.",
                next="Send one as 'Authorization: Bearer ...'; the service's own stands in service.json.",
            )
        caller = await self._rooms.desk.tokens.caller_of(given, Channel.API, address=seen_by(request).peer)
        return Asker(caller, Source.TOKEN, f"token:{caller.token_id}")

    async def _by_session(self, request: Request) -> Asker | None:
        seen, desk = seen_by(request), self._rooms.desk
        cookie = cookie_of(request, SESSION, seen)
        if not cookie or desk is None:
            return None
        try:
            opened = await desk.sessions.resolve(cookie)
        except NobodyError:
            if seen.ingress:  # Home Assistant still says who it is
                return None
            raise
        return self._in_session(request, desk, opened)

    def _in_session(self, request: Request, desk: FrontDesk, opened: Opened) -> Asker:
        channel = opened.session.channel
        if opened.cookie:
            keep_cookie(request, SESSION, opened.cookie, _lasts(channel))
        caller = desk.people.caller_of(opened.person, channel)
        return Asker(caller, Source.SESSION, f"session:{opened.session.id}", opened.session)

    async def _by_ingress(self, request: Request) -> Asker | None:
        """Believe who Home Assistant says it is, where it says so itself; what they may do there is read from it."""
        seen, desk = seen_by(request), self._rooms.desk
        user_id = request.headers.get(USER_ID, "")[:MAX_HEADER]
        if not seen.ingress or desk is None or not user_id:
            return None
        person = await desk.people.of_ha_user(user_id)
        if person is None:
            name = request.headers.get(USER_NAME, "")[:MAX_HEADER]
            user = await self._rooms.ha_user(user_id)
            if user is None or not user.is_active:
                raise NobodyError("Home Assistant does not know who you are.", next="Open Homesteward in it again.")
            person = await desk.people.signed_in_with_ha(
                user_id, name or user.name, is_admin=user.is_admin, address=seen.peer
            )
        caller = desk.people.caller_of(person, Channel.INGRESS)
        return Asker(caller, Source.INGRESS, f"ingress:{person.id}")

    def _require_page(self, request: Request, asker: Asker) -> None:
        """Raise ForeignRequestError where a browser may have been made to send this by another site's page."""
        if asker.source in BROWSERS and request.method not in SAFE_METHODS:
            require_same_origin(request, seen_by(request))
            self._csrf.require(asker.key, request.headers.get(HEADER, ""))

    async def _with_proof(self, asker: Asker, purpose: Purpose) -> Asker:
        """Return the asker with a fresh proof for `purpose`; a sign-in that is fresh is one. Raises ProofNeededError.

        The service's own token needs none: whoever reads service.json could read the keys too.
        """
        if asker.source is Source.SERVICE:
            return asker
        caller = self.proven(asker, purpose)
        if caller.proof is None and asker.session and self._rooms.clock.now() < asker.session.signed_in + GOOD_FOR:
            await self.stepped_up(asker, purpose, None, "")
            caller = self.proven(asker, purpose)
        if caller.proof is None:
            raise ProofNeededError(
                "This needs your PIN or a fresh sign-in first.",
                next=f"Prove who you are for '{purpose}' (step-up), then do it within five minutes.",
            )
        return replace(asker, caller=caller)

    def _desk(self) -> FrontDesk:
        if self._rooms.desk is None:
            raise NobodyError("This service keeps no people.", next="Use its own token.")
        return self._rooms.desk


def lowered(caller: Caller, role: str) -> Caller:
    """Return `caller` with the authority of the role named `role`; empty changes nothing."""
    if not role:
        return caller
    if role not in set(Role):
        raise NotAllowedError(f"There is no role {role!r}.", next=f"Choose one of {', '.join(Role)}.")
    return caller.lowered(Role(role))


def _require_local(seen: Seen) -> None:
    if not seen.local:
        raise NotAllowedError("The first owner is set up on this machine.", next="Open the page there.")


def _lasts(channel: Channel) -> int:
    return int(LIMITS[channel].absolute.total_seconds())
