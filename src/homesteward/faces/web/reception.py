"""Sessions begun and ended: after a sign-in with Home Assistant, with the one-time code of the first run, and at the sign-out."""

from fastapi import Request
from starlette.responses import Response

from homesteward.faces.web.address import Seen
from homesteward.faces.web.asker import lasts_s
from homesteward.faces.web.authority import NotAllowedError
from homesteward.faces.web.callers import Entrance
from homesteward.faces.web.cookies import SESSION, cookie_of, drop_cookie, set_cookie
from homesteward.faces.web.door import seen_by
from homesteward.faces.web.rooms import Rooms
from homesteward.home.users import HaUser
from homesteward.people import Channel
from homesteward.people.desk import FrontDesk
from homesteward.people.errors import NobodyError
from homesteward.people.person import Person


class Reception:
    """Let people in and out of their sessions."""

    def __init__(self, rooms: Rooms, entrance: Entrance) -> None:
        """Keep the sessions at the desk of `rooms`."""
        self._rooms = rooms
        self._entrance = entrance

    async def signed_in(self, request: Request, answer: Response, user: HaUser) -> None:
        """Begin a session for whom Home Assistant says it is; the one before ends. Raises NobodyError for somebody kept out."""
        address = seen_by(request).peer
        people = self._desk().people
        person = await people.signed_in_with_ha(user.user_id, user.name, is_admin=user.is_admin, address=address)
        await self._begin(request, answer, person)

    async def sign_in_failed(self, why: str, address: str) -> None:
        """Put on record that a sign-in failed."""
        if self._rooms.desk:
            await self._rooms.desk.people.sign_in_failed(why, address)

    async def signed_out(self, request: Request, answer: Response, given: str) -> None:
        """End the session of the browser; `given` is its page's token. Raises NobodyError where there is none."""
        asker, seen = await self._entrance.asker(request), seen_by(request)
        self._entrance.require_page_token(asker, given)
        if asker.session:
            desk = self._desk()
            await desk.sessions.sign_out(cookie_of(request, SESSION, seen))
            desk.step_up.forget(asker.key)
        request.state.cookie = None  # a new secret for it, perhaps, which must not outlive it
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
        await self._begin(request, answer, await self._desk().setup.finish(code, name, address=seen.peer))

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
        set_cookie(answer, SESSION, opened.cookie or "", seen, max_age=lasts_s(channel))

    def _desk(self) -> FrontDesk:
        if self._rooms.desk is None:
            raise NobodyError("This service keeps no people.", next="Use its own token.")
        return self._rooms.desk


def _require_local(seen: Seen) -> None:
    if not seen.local:
        raise NotAllowedError("The first owner is set up on this machine.", next="Open the page there.")
