"""The routes of who is who: persons, devices, PINs, tokens, sessions, and proving oneself anew."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response

from homesteward.core.errors import HomestewardError
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.door import seen_by
from homesteward.faces.web.forms import (
    DeviceForm,
    PersonChangeForm,
    PersonForm,
    PinForm,
    ReachForm,
    StepUpForm,
    TokenForm,
)
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms
from homesteward.people import Reach, Role
from homesteward.people.desk import FrontDesk
from homesteward.people.person import Change
from homesteward.people.tokens import Wanted

FAILURES = answers(401, 403, 404, 409)
DONE = 204


class NoPeopleError(HomestewardError):
    """This Homesteward keeps no people."""

    code = "not_enabled"


def managing(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=FAILURES)
    guard = Depends(entrance.guard)

    def desk() -> FrontDesk:
        return desk_of(rooms)

    present = Depends(desk)
    _persons(router, guard, present)
    _pins(router, guard, present)
    _devices(router, guard, present, rooms)
    _tokens(router, guard, present, rooms)
    _sessions(router, guard, present, entrance)
    return router


def desk_of(rooms: Rooms) -> FrontDesk:
    """Return who knows people; raise NoPeopleError."""
    if rooms.desk is None:
        raise NoPeopleError("This service keeps no people.", next="Run it as 'homesteward run'.")
    return rooms.desk


def _persons(router: APIRouter, guard: Any, present: Any) -> None:  # noqa: ANN401 - FastAPI's own type for a dependency
    @router.get("/people")
    async def people(_: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]) -> list[dict[str, Any]]:
        """List everybody on record, with what may be known of their PIN."""
        states, locked = await desk.pins.states(), await desk.lockouts.locked()
        return [
            dict(person.as_json())
            | {"pin": person.id in states, "pin_must_change": person.id in states and states[person.id].must_change}
            | {"locked_until": until.isoformat() if (until := locked.get(f"pin:{person.id}")) else None}
            for person in await desk.people.list()
        ]

    @router.post("/people", status_code=201)
    async def add(
        form: PersonForm, asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]
    ) -> dict[str, Any]:
        """Add a guest, or a member before their first sign-in."""
        added = await desk.people.add(asker.caller, form.name, form.role, ha_user_id=form.ha_user_id, ends=form.ends)
        return dict(added.as_json())

    @router.patch("/people/{person_id}")
    async def change(
        person_id: str, form: PersonChangeForm, asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]
    ) -> dict[str, Any]:
        """Rename somebody, give them another role, prolong a stay, disable or enable them."""
        change = Change(form.name, form.role, form.ends, form.disabled)
        return dict((await desk.people.change(asker.caller, person_id, change)).as_json())

    @router.delete("/people/{person_id}", status_code=DONE, response_class=Response)
    async def remove(person_id: str, asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]) -> None:
        """Forget somebody, with their sessions, PIN and tokens."""
        await desk.people.remove(asker.caller, person_id)

    @router.post("/people/{person_id}/unlock", status_code=DONE, response_class=Response)
    async def unlock(person_id: str, asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]) -> None:
        """Lift the lockout of somebody's PIN."""
        await desk.people.get(person_id)
        await desk.lockouts.lift(asker.caller, f"pin:{person_id}")


def _pins(router: APIRouter, guard: Any, present: Any) -> None:  # noqa: ANN401 - as above
    @router.put("/people/{person_id}/pin", status_code=DONE, response_class=Response)
    async def put(
        person_id: str, form: PinForm, asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]
    ) -> None:
        """Choose one's own PIN, or as an owner give somebody one that they have to change."""
        await desk.pins.put(asker.caller, person_id, form.pin.get_secret_value())

    @router.delete("/people/{person_id}/pin", status_code=DONE, response_class=Response)
    async def drop(person_id: str, asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]) -> None:
        """Take a PIN away."""
        await desk.pins.remove(asker.caller, person_id)


def _devices(router: APIRouter, guard: Any, present: Any, rooms: Rooms) -> None:  # noqa: ANN401 - as above
    @router.get("/devices")
    async def devices(_: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]) -> list[dict[str, Any]]:
        """List the satellites and kiosks that may ask by themselves."""
        return [dict(device.as_json(rooms.home)) for device in await desk.devices.list()]

    @router.post("/devices", status_code=201)
    async def put(
        form: DeviceForm, asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]
    ) -> dict[str, Any]:
        """Let a device of Home Assistant's ask by itself, or change its role."""
        device = await desk.devices.put(asker.caller, rooms.home, form.device_id, form.role, form.name)
        return dict(device.as_json(rooms.home))

    @router.delete("/devices/{device_id}", status_code=DONE, response_class=Response)
    async def remove(device_id: str, asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]) -> None:
        """Let a device ask for nothing any more."""
        await desk.devices.remove(asker.caller, device_id)


def _tokens(router: APIRouter, guard: Any, present: Any, rooms: Rooms) -> None:  # noqa: ANN401 - as above
    @router.get("/tokens")
    async def tokens(asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]) -> list[dict[str, Any]]:
        """List one's own tokens, as an owner all."""
        return [dict(token.as_json()) for token in await desk.tokens.list(asker.caller)]

    @router.post("/tokens", status_code=201)
    async def add(
        form: TokenForm, asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]
    ) -> dict[str, Any]:
        """Make a token; its `token` is in this answer and cannot be had again."""
        wanted = Wanted(form.name, frozenset(form.scopes), _reach(form.reach), form.role, form.person_id, form.ends)
        made = await desk.tokens.add(asker.caller, rooms.home, wanted)
        return dict(made.token.as_json()) | {"token": made.text}

    @router.delete("/tokens/{token_id}", status_code=DONE, response_class=Response)
    async def revoke(token_id: str, asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]) -> None:
        """End a token for good."""
        await desk.tokens.revoke(asker.caller, token_id)


def _sessions(router: APIRouter, guard: Any, present: Any, entrance: Entrance) -> None:  # noqa: ANN401 - as above
    @router.get("/sessions")
    async def sessions(asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]) -> list[dict[str, Any]]:
        """List one's own sessions, as an owner everybody's."""
        here = asker.session.id if asker.session else ""
        person_id = "" if asker.caller.role is Role.OWNER else asker.caller.person_id
        return [dict(session.as_json(here)) for session in await desk.sessions.list(asker.caller, person_id)]

    @router.delete("/sessions/{session_id}", status_code=DONE, response_class=Response)
    async def end(session_id: str, asker: Annotated[Asker, guard], desk: Annotated[FrontDesk, present]) -> None:
        """End a session: whoever is in it is signed out."""
        await desk.sessions.end(asker.caller, session_id)
        desk.step_up.forget(f"session:{session_id}")

    @router.post("/step-up", dependencies=[Depends(entrance.limited("step_up"))])
    async def step_up(
        request: Request, form: StepUpForm, asker: Annotated[Asker, guard], _: Annotated[FrontDesk, present]
    ) -> dict[str, Any]:
        """Prove anew who one is, for one purpose and five minutes."""
        pin = form.pin.get_secret_value() if form.pin else None
        proof = await entrance.stepped_up(asker, form.purpose, pin, seen_by(request).peer)
        return {"kind": proof.kind.value, "purpose": proof.purpose, "until": proof.until.isoformat()}


def _reach(form: ReachForm | None) -> Reach | None:
    return None if form is None else Reach.of(form.areas, form.labels, form.entities)
