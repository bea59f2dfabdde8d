"""Settings of people: who lives here or stays here, in which role, and the devices that ask by themselves."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, time
from enum import StrEnum
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from homesteward.core.errors import HomestewardError
from homesteward.faces.web.authority import Purpose
from homesteward.faces.web.fields import fields_of
from homesteward.faces.web.managing import desk_of
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.menu import ROLE_WORDS
from homesteward.faces.web.pages.proving import Proving, Refused, proven, proving, refused
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.tabs import Tab, settings_tabs
from homesteward.faces.web.pages.visit import Visit
from homesteward.people import Caller, Role
from homesteward.people.desk import FrontDesk
from homesteward.people.errors import InvalidPersonError
from homesteward.people.lockout import of_pin
from homesteward.people.person import Change, Person
from homesteward.people.pins import PinState

HERE = "settings"
ROLES = (Role.OWNER, Role.MEMBER, Role.GUEST)
MOST_DEVICES = 500  # that the form offers

type Fields = dict[str, str]
type Work = Callable[[FrontDesk, Caller, Fields], Awaitable[object]]


class Deed(StrEnum):
    """What an owner does with somebody."""

    CHANGE = "change"
    DISABLE = "disable"
    ENABLE = "enable"
    PIN = "pin"
    UNLOCK = "unlock"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody on record, and what may be known of their PIN."""

    id: str
    name: str
    role: Role
    role_word: str
    in_ha: bool
    me: bool
    ends: Moment | None
    ends_day: str
    disabled: bool
    over: bool
    seen: Moment | None
    pin: PinState
    locked: Moment | None


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """A satellite or kiosk that may ask by itself."""

    id: str
    name: str
    role_word: str
    area: str


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Everybody, and the devices."""

    people: tuple[PersonRow, ...]
    devices: tuple[DeviceRow, ...]
    choices: tuple[tuple[str, str], ...]
    roles: tuple[tuple[Role, str], ...]
    today: str
    proving: Proving
    refused: Refused | None
    tabs: tuple[Tab, ...]
    tab: str = "people"


def settings_people(stage: Stage) -> APIRouter:
    """Return the routes of people and devices."""
    router = APIRouter(include_in_schema=False)
    forms = Forms(stage)
    _people(router, stage, forms)
    _devices(router, stage, forms)
    return router


class Forms:
    """What the forms of the page come to: done and shown anew, or as it is with why that could not be."""

    def __init__(self, stage: Stage) -> None:
        """Work with the people of `stage`."""
        self._stage = stage

    async def shown(self, visit: Visit, wrong: Refused | None = None) -> Response:
        """Return the page."""
        view = await _view(self._stage, visit, wrong)
        return await self._stage.page(
            visit, "settings_people", view, here=HERE, kept=False, status=wrong.status if wrong else 200
        )

    async def done(self, visit: Visit, request: Request, work: Work) -> Response:
        """Carry out `work` for an owner who has just proven who they are."""
        fields = await fields_of(request)
        try:
            by = await proven(self._stage, visit, Purpose.PEOPLE, fields)
            await work(desk_of(self._stage.rooms), by, fields)
        except HomestewardError as error:
            return await self.shown(visit, refused(error))
        return self._stage.onward(visit, "/settings/people")


def _people(router: APIRouter, stage: Stage, forms: Forms) -> None:
    visitor = Depends(stage.visitor())

    @router.get("/settings/people")
    async def people(visit: Annotated[Visit, visitor]) -> Response:
        """Show everybody."""
        return await forms.shown(visit)

    @router.post("/settings/people")
    async def add(visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Add a guest, who may stay until the end of a day."""

        async def work(desk: FrontDesk, by: Caller, fields: Fields) -> object:
            ends = _end_of(fields.get("ends", ""), visit)
            return await desk.people.add(by, fields.get("name", ""), Role.GUEST, ends=ends)

        return await forms.done(visit, request, work)

    @router.post("/settings/people/{person_id}/{deed}")
    async def change(person_id: str, deed: Deed, visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Do something with somebody."""

        async def work(desk: FrontDesk, by: Caller, fields: Fields) -> None:
            await _carried_out(deed, person_id, desk, by, fields, visit)

        return await forms.done(visit, request, work)


def _devices(router: APIRouter, stage: Stage, forms: Forms) -> None:
    visitor = Depends(stage.visitor())

    @router.post("/settings/devices")
    async def put(visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Let a device ask by itself."""

        async def work(desk: FrontDesk, by: Caller, fields: Fields) -> object:
            role = Role.MEMBER if fields.get("role") == Role.MEMBER else Role.GUEST
            return await desk.devices.put(by, stage.rooms.home, fields.get("device_id", ""), role)

        return await forms.done(visit, request, work)

    @router.post("/settings/devices/{device_id}")
    async def drop(device_id: str, visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Let a device ask for nothing any more."""

        async def work(desk: FrontDesk, by: Caller, _fields: Fields) -> None:
            await desk.devices.remove(by, device_id)

        return await forms.done(visit, request, work)


async def _carried_out(deed: Deed, person_id: str, desk: FrontDesk, by: Caller, fields: Fields, visit: Visit) -> None:
    match deed:
        case Deed.CHANGE:
            await desk.people.change(by, person_id, _change(fields, visit))
        case Deed.DISABLE | Deed.ENABLE:
            await desk.people.change(by, person_id, Change(disabled=deed is Deed.DISABLE))
        case Deed.PIN:
            await desk.pins.put(by, person_id, fields.get("pin", ""))
        case Deed.UNLOCK:
            await desk.people.get(person_id)
            await desk.lockouts.lift(by, of_pin(person_id))
        case Deed.REMOVE:
            await desk.people.remove(by, person_id)


def _change(fields: Fields, visit: Visit) -> Change:
    role = next((each for each in ROLES if each == fields.get("role")), None)
    ends = _end_of(fields["ends"], visit) if role is Role.GUEST and fields.get("ends") else None
    return Change(fields.get("name") or None, role, ends)


def _end_of(day: str, visit: Visit) -> datetime:
    """Return the last moment of a day in the home's time; raise InvalidPersonError for what is no day."""
    try:
        return datetime.combine(
            datetime.fromisoformat(day[:10]), time(23, 59, 59), ZoneInfo(visit.home.config.time_zone)
        )
    except ValueError:
        raise InvalidPersonError("That is no day.", next="Choose the last day of the stay.") from None


async def _view(stage: Stage, visit: Visit, wrong: Refused | None) -> PeoplePage:
    desk, home = desk_of(stage.rooms), stage.rooms.home
    pins, locked = await desk.pins.states(), await desk.lockouts.locked()
    known = await desk.devices.list()
    ids = {device.id for device in known}
    named = sorted((device.name, key) for key, device in home.devices.items() if device.name and key not in ids)
    return PeoplePage(
        people=tuple(
            _row(person, pins.get(person.id, PinState()), locked.get(of_pin(person.id)), visit)
            for person in await desk.people.list()
        ),
        devices=tuple(
            DeviceRow(
                device.id,
                device.name,
                ROLE_WORDS[device.role],
                area.name if (area := home.areas.get(str(device.as_json(home)["area_id"]))) else "",
            )
            for device in known
        ),
        choices=tuple((key, name) for name, key in named[:MOST_DEVICES]),
        roles=tuple((role, ROLE_WORDS[role]) for role in ROLES),
        today=f"{visit.now.astimezone(ZoneInfo(home.config.time_zone)):%Y-%m-%d}",
        proving=await proving(stage, visit, Purpose.PEOPLE),
        refused=wrong,
        tabs=settings_tabs(visit.caller.role),
    )


def _row(person: Person, pin: PinState, locked: datetime | None, visit: Visit) -> PersonRow:
    zone = ZoneInfo(visit.home.config.time_zone)
    return PersonRow(
        id=person.id,
        name=person.name,
        role=person.role,
        role_word=ROLE_WORDS[person.role],
        in_ha=person.ha_user_id is not None,
        me=person.id == visit.caller.person_id,
        ends=visit.when(person.ends) if person.ends else None,
        ends_day=f"{person.ends.astimezone(zone):%Y-%m-%d}" if person.ends else "",
        disabled=person.disabled is not None,
        over=not person.active(visit.now),
        seen=visit.when(person.last_seen) if person.last_seen else None,
        pin=pin,
        locked=visit.when(locked) if locked else None,
    )
