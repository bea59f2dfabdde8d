"""Who makes a request: found out once, from what a program sends or a browser keeps, or from what Home Assistant's panel says."""

import hmac
from dataclasses import dataclass
from enum import StrEnum

from fastapi import Request

from homesteward.faces.web.authority import ROUTES
from homesteward.faces.web.cookies import SESSION, cookie_of
from homesteward.faces.web.door import keep_cookie, seen_by
from homesteward.faces.web.origin import SAFE_METHODS
from homesteward.faces.web.rooms import Rooms
from homesteward.people import Caller, Channel, Role
from homesteward.people.desk import FrontDesk
from homesteward.people.errors import NobodyError
from homesteward.people.session import LIMITS, Session
from homesteward.people.sessions import Opened

USER_ID, USER_NAME = "x-remote-user-id", "x-remote-user-display-name"
MAX_HEADER = 200  # characters of an id or a name that the panel hands on


class Source(StrEnum):
    """How a request proves who makes it."""

    SERVICE = "service"
    """The token in service.json: the owner, on this machine."""
    TOKEN = "token"  # noqa: S105 - a way, not a secret
    SESSION = "session"
    INGRESS = "ingress"


BROWSERS = frozenset({Source.SESSION, Source.INGRESS})  # what a browser sends by itself, also for another site's page


@dataclass(frozen=True, slots=True)
class Asker:
    """Who makes a request, and how that is known. `key` is what proofs and page tokens are held for."""

    caller: Caller
    source: Source
    key: str
    session: Session | None = None


class Askers:
    """Find out who asks, by the first proof there is; a first one that is worth nothing is not mended by a second."""

    def __init__(self, rooms: Rooms) -> None:
        """Know the token and the people of `rooms`."""
        self._rooms = rooms

    async def of(self, request: Request) -> Asker:
        """Return who asks; raise NobodyError."""
        for source in (self._by_bearer, self._by_session, self._by_ingress):
            if (found := await source(request)) is not None:
                return found
        raise NobodyError(
            "Nobody is signed in.", next="Sign in on the front page, or send a token as 'Authorization: Bearer ...'."
        )

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
            opened = await desk.sessions.resolve(cookie, rotate=_is_quick(request))
        except NobodyError:
            if seen.ingress:  # Home Assistant still says who it is
                return None
            raise
        if seen.ingress and opened.person.ha_user_id != request.headers.get(USER_ID):
            return None  # somebody else uses this browser now, and Home Assistant knows who
        return _in_session(request, desk, opened)

    async def _by_ingress(self, request: Request) -> Asker | None:
        """Believe who Home Assistant says it is, where it says so itself; what they may do there is read from it."""
        seen, desk = seen_by(request), self._rooms.desk
        user_id = request.headers.get(USER_ID, "")[:MAX_HEADER]
        if not seen.ingress or desk is None or not user_id:
            return None
        person = await desk.people.of_ha_user(user_id)
        if person is None:
            user = await self._rooms.ha_user(user_id)
            if user is None or not user.is_active:
                raise NobodyError("Home Assistant does not know who you are.", next="Open Homesteward in it again.")
            name = request.headers.get(USER_NAME, "")[:MAX_HEADER] or user.name
            person = await desk.people.signed_in_with_ha(user_id, name, is_admin=user.is_admin, address=seen.peer)
        return Asker(desk.people.caller_of(person, Channel.INGRESS), Source.INGRESS, f"ingress:{person.id}")


def _is_quick(request: Request) -> bool:
    """Return whether the answer leaves at once, so that a new cookie with it arrives before anybody is given another.

    What changes something may take any time: a model thinks, a light is waited for.
    """
    if request.method not in SAFE_METHODS:
        return False
    route = request.scope.get("route")
    access = ROUTES.get((request.method, route.path)) if route else None
    return access is not None and not access.slow


def lasts_s(channel: Channel) -> int:
    """Return for how many seconds a browser keeps a session's cookie."""
    return int(LIMITS[channel].absolute.total_seconds())


def _in_session(request: Request, desk: FrontDesk, opened: Opened) -> Asker:
    channel = opened.session.channel
    if (given := opened.cookie) is not None:
        keep_cookie(request, SESSION, given, lasts_s(channel), lambda: desk.sessions.is_newest(given))
    caller = desk.people.caller_of(opened.person, channel)
    return Asker(caller, Source.SESSION, f"session:{opened.session.id}", opened.session)
