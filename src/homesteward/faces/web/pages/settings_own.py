"""Settings, one's own: the PIN, where one is signed in, and the tokens of one's programs."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from homesteward.core.errors import HomestewardError
from homesteward.faces.web.authority import Purpose
from homesteward.faces.web.fields import fields_of
from homesteward.faces.web.managing import desk_of
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.proving import Proving, Refused, proven, proving, refused
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.tabs import Tab, settings_tabs
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.people import Role, Scope
from homesteward.people.errors import PinRefusedError
from homesteward.people.pins import PinState
from homesteward.people.roles import SCOPES
from homesteward.people.session import Session
from homesteward.people.token import Token
from homesteward.people.tokens import Wanted

HERE = "settings"
SCOPE_WORDS = {
    Scope.READ: N_("See how things are"),
    Scope.PROPOSE: N_("Ask for changes, which then wait for a person"),
    Scope.ACT: N_("Do what its role may do at once"),
    Scope.CONFIGURE: N_("See and change rules and settings"),
    Scope.ADMIN: N_("Everything, people and tokens too"),
}
LASTING = (("30", N_("a month")), ("365", N_("a year")), ("", N_("until it is revoked")))
LONGEST_DAYS = 3650


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A browser in which somebody is signed in. `mine`: it is this person's, `here`: it is this one."""

    id: str
    who: str
    agent: str
    address: str
    seen: Moment
    ends: Moment
    mine: bool
    here: bool


@dataclass(frozen=True, slots=True)
class OwnPage:
    """Somebody's own settings; `pin` is None for one who is no person on record."""

    pin: PinState | None
    changed: Moment | None
    sessions: tuple[SessionRow, ...]
    proving: Proving
    refused: Refused | None
    tabs: tuple[Tab, ...]
    tab: str = "you"


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token on record, without its secret."""

    id: str
    name: str
    who: str
    scopes: tuple[str, ...]
    part: bool
    created: Moment
    ends: Moment | None
    used: Moment | None
    revoked: Moment | None


@dataclass(frozen=True, slots=True)
class TokensPage:
    """Tokens; `made` is the text of a new one, which is shown this once."""

    tokens: tuple[TokenRow, ...]
    made: str
    may_make: bool
    scopes: tuple[tuple[Scope, str], ...]
    lasting: tuple[tuple[str, str], ...]
    name: str
    proving: Proving
    refused: Refused | None
    tabs: tuple[Tab, ...]
    tab: str = "tokens"


def settings_own(stage: Stage) -> APIRouter:
    """Return the routes of what is somebody's own."""
    router = APIRouter(include_in_schema=False)
    _own(router, stage)
    _sessions(router, stage)
    _tokens(router, stage)
    return router


def _own(router: APIRouter, stage: Stage) -> None:
    visitor = Depends(stage.visitor())

    @router.get("/settings")
    async def show(visit: Annotated[Visit, visitor]) -> Response:
        """Show one's own settings."""
        return await _own_shown(stage, visit)

    @router.post("/settings/pin")
    async def put(visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Choose one's PIN: with the one there is, or a fresh sign-in, and the new one twice."""
        fields = await fields_of(request)
        try:
            if fields.get("pin", "") != fields.get("again", ""):
                raise PinRefusedError("The two are not the same.", next="Write the new PIN twice.")
            by = await proven(stage, visit, Purpose.PIN, fields)
            await desk_of(stage.rooms).pins.put(by, by.person_id, fields.get("pin", ""))
        except HomestewardError as error:
            return await _own_shown(stage, visit, refused(error))
        return stage.onward(visit, "/settings")

    @router.post("/settings/pin/remove")
    async def remove(visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Take one's PIN away."""
        try:
            by = await proven(stage, visit, Purpose.PIN, await fields_of(request))
            await desk_of(stage.rooms).pins.remove(by, by.person_id)
        except HomestewardError as error:
            return await _own_shown(stage, visit, refused(error))
        return stage.onward(visit, "/settings")


def _sessions(router: APIRouter, stage: Stage) -> None:
    visitor = Depends(stage.visitor())

    @router.post("/settings/sessions")
    async def end_all(visit: Annotated[Visit, visitor]) -> Response:
        """Sign out everywhere: every session of one's own ends, this one last."""
        desk, here = desk_of(stage.rooms), visit.asker.session
        if visit.caller.person_id:
            found = await desk.sessions.list(visit.caller, visit.caller.person_id)
            for session in sorted(found, key=lambda each: here is not None and each.id == here.id):
                await _ended(stage, visit, session.id)
        return stage.onward(visit, "/")

    @router.post("/settings/sessions/{session_id}")
    async def end(session_id: str, visit: Annotated[Visit, visitor]) -> Response:
        """End a session: whoever is in it is signed out."""
        await _ended(stage, visit, session_id)
        return stage.onward(visit, "/settings")


def _tokens(router: APIRouter, stage: Stage) -> None:
    visitor = Depends(stage.visitor())

    @router.get("/settings/tokens")
    async def show(visit: Annotated[Visit, visitor]) -> Response:
        """Show tokens, one's own and for an owner all."""
        return await _tokens_shown(stage, visit)

    @router.post("/settings/tokens")
    async def make(visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Make a token, and show it: this once, on no page that is kept."""
        fields = await fields_of(request)
        try:
            by = await proven(stage, visit, Purpose.TOKENS, fields)
            made = await desk_of(stage.rooms).tokens.add(by, stage.rooms.home, _wanted(fields, visit))
        except HomestewardError as error:
            return await _tokens_shown(stage, visit, wrong=refused(error), name=fields.get("name", "")[:80])
        return await _tokens_shown(stage, visit, made=made.text)

    @router.post("/settings/tokens/{token_id}")
    async def revoke(token_id: str, visit: Annotated[Visit, visitor]) -> Response:
        """End a token for good."""
        await desk_of(stage.rooms).tokens.revoke(visit.caller, token_id)
        return stage.onward(visit, "/settings/tokens")


async def _ended(stage: Stage, visit: Visit, session_id: str) -> None:
    desk = desk_of(stage.rooms)
    await desk.sessions.end(visit.caller, session_id)
    desk.step_up.forget(f"session:{session_id}")


async def _own_shown(stage: Stage, visit: Visit, wrong: Refused | None = None) -> Response:
    desk, by = desk_of(stage.rooms), visit.caller
    pin = await desk.pins.state(by.person_id) if by.person_id else None
    whose = "" if by.role is Role.OWNER else by.person_id
    names = {person.id: person.name for person in await desk.people.list()}
    view = OwnPage(
        pin=pin,
        changed=visit.when(pin.changed) if pin and pin.changed else None,
        sessions=tuple(_session_rows(await desk.sessions.list(by, whose), names, visit)),
        proving=await proving(stage, visit, Purpose.PIN),
        refused=wrong,
        tabs=settings_tabs(by.role),
    )
    return await stage.page(visit, "settings_you", view, here=HERE, kept=False, status=wrong.status if wrong else 200)


def _session_rows(found: Iterable[Session], names: dict[str, str], visit: Visit) -> list[SessionRow]:
    here = visit.asker.session.id if visit.asker.session else ""
    rows = [
        SessionRow(
            id=each.id,
            who=names.get(each.person_id, ""),
            agent=each.agent,
            address=each.address,
            seen=visit.when(each.seen),
            ends=visit.when(each.ends),
            mine=each.person_id == visit.caller.person_id,
            here=each.id == here,
        )
        for each in found
    ]
    return sorted(rows, key=lambda row: (not row.here, not row.mine))


async def _tokens_shown(
    stage: Stage, visit: Visit, *, made: str = "", wrong: Refused | None = None, name: str = ""
) -> Response:
    desk, by = desk_of(stage.rooms), visit.caller
    names = {person.id: person.name for person in await desk.people.list()}
    held = SCOPES.get(by.role, frozenset())
    view = TokensPage(
        tokens=tuple(_token_row(each, names, visit) for each in reversed(await desk.tokens.list(by))),
        made=made,
        may_make=by.role is not Role.GUEST and not by.token_id,
        scopes=tuple((scope, words) for scope, words in SCOPE_WORDS.items() if scope in held),
        lasting=LASTING,
        name=name,
        proving=await proving(stage, visit, Purpose.TOKENS),
        refused=wrong,
        tabs=settings_tabs(by.role),
    )
    return await stage.page(
        visit, "settings_tokens", view, here=HERE, kept=False, status=wrong.status if wrong else 200
    )


def _token_row(token: Token, names: dict[str, str], visit: Visit) -> TokenRow:
    return TokenRow(
        id=token.id,
        name=token.name,
        who=names.get(token.person_id, ""),
        scopes=tuple(SCOPE_WORDS[scope] for scope in SCOPE_WORDS if scope in token.scopes),
        part=token.reach is not None,
        created=visit.when(token.created),
        ends=visit.when(token.ends) if token.ends else None,
        used=visit.when(token.used) if token.used else None,
        revoked=visit.when(token.revoked) if token.revoked else None,
    )


def _wanted(fields: dict[str, str], visit: Visit) -> Wanted:
    scopes = frozenset(scope for scope in Scope if f"scope-{scope}" in fields)
    days = fields.get("days", "")
    lasts = (
        timedelta(days=min(int(days), LONGEST_DAYS)) if days.isascii() and days.isdigit() and len(days) < 6 else None
    )
    role = visit.caller.role if fields.get("as") == "me" else Role.TOKEN
    return Wanted(fields.get("name", ""), scopes, role=role, ends=visit.now + lasts if lasts else None)
