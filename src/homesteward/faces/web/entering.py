"""Signing in and out: Home Assistant says who somebody is, and a session of ours begins."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from homesteward.core.errors import HomestewardError
from homesteward.faces.web.callers import Entrance
from homesteward.faces.web.cookies import SIGNING_IN, cookie_of, drop_cookie, set_cookie
from homesteward.faces.web.door import seen_by
from homesteward.faces.web.fields import fields_of
from homesteward.faces.web.origin import FIELD, require_same_origin, safe_onward
from homesteward.faces.web.pages.rendering import bare_page
from homesteward.faces.web.pending import GOOD_FOR, PendingSignIns
from homesteward.faces.web.problems import STATUS
from homesteward.faces.web.reception import Reception
from homesteward.faces.web.rooms import Rooms
from homesteward.home.sign_in import SignIn
from homesteward.people.errors import NobodyError

CALLBACK = "auth/callback"
MAX_CODE = 200  # characters; Home Assistant's have 32
MAX_NAME = 80  # characters, as long as a name may be
AGAIN = "Begin again from the start page."


class SignInLostError(HomestewardError):
    """What the browser came back with does not belong to a sign-in that it began here."""

    code = "sign_in_lost"


class NoSignInError(HomestewardError):
    """Signing in with Home Assistant is not set up."""

    code = "not_enabled"


def entering(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`. None of them is part of the API's document: they are for browsers."""
    router = APIRouter(include_in_schema=False)
    reception = Reception(rooms, entrance)
    _signing_in(router, rooms, entrance, reception)
    _signing_out(router, reception)
    _setting_up(router, entrance, reception)
    return router


def _signing_in(router: APIRouter, rooms: Rooms, entrance: Entrance, reception: Reception) -> None:
    pending = PendingSignIns(rooms.clock)

    @router.get("/auth/sign-in")
    async def sign_in(request: Request, next: str = "/") -> Response:  # noqa: A002 - the name that browsers see
        """Send the browser to Home Assistant, which sends it back to the callback."""
        seen = seen_by(request)
        try:
            entrance.limit("sign_in", seen.peer)
            home = _open_to(rooms)
        except HomestewardError as error:
            return _trouble(error, request)
        cookie, begun = pending.begin(seen.base, safe_onward(next))
        there = home.address(seen.base, f"{seen.base}{CALLBACK}", begun.state, begun.challenge)
        answer = RedirectResponse(there, 303)
        set_cookie(answer, SIGNING_IN, cookie, seen, max_age=int(GOOD_FOR.total_seconds()))
        return answer

    @router.get("/auth/callback")
    async def callback(request: Request, code: str = "", state: str = "") -> Response:
        """Take what Home Assistant sent back, learn whose it is, and begin a session that is new in every part."""
        seen = seen_by(request)
        try:
            entrance.limit("sign_in", seen.peer)
        except HomestewardError as error:  # not put on record: it would grow by every request
            return _trouble(error, request)
        try:
            begun = pending.take(cookie_of(request, SIGNING_IN, seen), state)
            if begun is None or begun.base != seen.base or not 0 < len(code) <= MAX_CODE:
                raise SignInLostError("This sign-in was not begun in this browser, or too long ago.", next=AGAIN)
            user = await _open_to(rooms).user_of(code, begun.base, begun.verifier)
            answer = _onward(begun.onward)
            await reception.signed_in(request, answer, user)
        except HomestewardError as error:
            await reception.sign_in_failed(error.code, seen.peer)
            answer = _trouble(error, request)
        drop_cookie(answer, SIGNING_IN, seen)
        return answer


def _signing_out(router: APIRouter, reception: Reception) -> None:
    @router.post("/auth/sign-out")
    async def sign_out(request: Request) -> Response:
        """End the session of this browser."""
        answer, form = _onward("/"), await fields_of(request)
        try:
            require_same_origin(request, seen_by(request))
            await reception.signed_out(request, answer, form.get(FIELD, ""))
        except NobodyError:
            return answer
        except HomestewardError as error:
            return _trouble(error, request)
        return answer


def _setting_up(router: APIRouter, entrance: Entrance, reception: Reception) -> None:
    @router.get("/auth/set-up")
    async def set_up(request: Request) -> Response:
        """Ask for the one-time code of the first owner."""
        if not await reception.set_up_open(seen_by(request)):
            return _onward("/")
        return bare_page(request, "set_up", trouble="", name="")

    @router.post("/auth/set-up")
    async def first_owner(request: Request) -> Response:
        """Make the first owner of whoever has the one-time code, on this machine."""
        answer, form = _onward("/"), await fields_of(request)
        name = form.get("name", "")
        try:
            _require_setting_up(request, entrance)
            await reception.first_owner(request, answer, name, form.get("code", ""))
        except HomestewardError as error:
            status, trouble = STATUS.get(error.code, 400), f"{error.message} {error.next}"
            return bare_page(request, "set_up", status=status, trouble=trouble, name=name[:MAX_NAME])
        return answer

    @router.post("/auth/set-up/code")
    async def another_code(request: Request) -> Response:
        """Write another one-time code to the log."""
        try:
            _require_setting_up(request, entrance)
            await reception.tell_code(seen_by(request))
        except HomestewardError as error:
            return _trouble(error, request)
        return RedirectResponse("../set-up", 303)


def _require_setting_up(request: Request, entrance: Entrance) -> None:
    seen = seen_by(request)
    entrance.limit("setup", seen.peer)
    require_same_origin(request, seen)


def _open_to(rooms: Rooms) -> SignIn:
    """Return how to sign in with Home Assistant; raise NoSignInError where a browser cannot find it."""
    if rooms.sign_in is None or not rooms.sign_in.possible:
        raise NoSignInError("Signing in with Home Assistant is not set up.", next="Set web.ha_url in the settings.")
    return rooms.sign_in


def _onward(path: str) -> Response:
    """Send on from a page under /auth; the address is relative, as every link is."""
    return RedirectResponse(f"..{path}", 303)


def _trouble(error: HomestewardError, request: Request) -> Response:
    status = STATUS.get(error.code, 400)
    return bare_page(request, "trouble", status=status, signing_in=True, message=error.message, next=error.next)
