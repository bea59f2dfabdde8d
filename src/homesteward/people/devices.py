"""Satellites and kiosks: devices that speak for whoever stands before them, and so hold a role of their own, never more than member's."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.home.view import HomeView
from homesteward.people.audit import AuditKind, Witness, actor_of
from homesteward.people.caller import Caller, Channel, Role
from homesteward.people.errors import InvalidPersonError, NobodyError, UnknownDeviceError
from homesteward.people.names import LONGEST, checked_name
from homesteward.people.rights import require_owner
from homesteward.store import Database
from homesteward.store.tables import devices

MOST = 200
ROLES = (Role.MEMBER, Role.GUEST)


@dataclass(frozen=True, slots=True)
class Device:
    """A device on record, by the id Home Assistant has for it."""

    id: str
    name: str
    role: Role
    created: datetime
    created_by: str

    def as_json(self, home: HomeView) -> JsonObject:
        """Return the device as the API shows it, with the area that `home` has it in."""
        return {
            "id": self.id,
            "name": self.name,
            "role": self.role.value,
            "area_id": area_of_device(home, self.id),
            "created": self.created.isoformat(),
            "created_by": self.created_by,
        }


class Devices:
    """The devices of one home that may ask for things by themselves."""

    def __init__(self, database: Database, home_id: str, clock: Clock, witness: Witness) -> None:
        self._database = database
        self._home_id = home_id
        self._clock = clock
        self._witness = witness

    async def list(self) -> tuple[Device, ...]:
        """Return every device on record, by name."""
        query = select(devices).where(devices.c.home_id == self._home_id).order_by(devices.c.name, devices.c.id)
        return await self._database.read(lambda connection: tuple(map(_device, connection.execute(query))))

    async def find(self, device_id: str) -> Device | None:
        """Return the device, None where it is not on record."""
        return await self._database.read(lambda connection: self._find(connection, device_id))

    def caller_of(self, device: Device, channel: Channel, home: HomeView) -> Caller:
        """Return the device as a caller, in the area that Home Assistant has it in now; raise NobodyError if it is gone there."""
        if device.id not in home.devices:
            raise NobodyError("This device is no longer in Home Assistant.", next="Remove it, or add it there again.")
        area_id = area_of_device(home, device.id)
        return Caller(device.role, channel, device.name, area_id, device_id=device.id)

    async def put(self, by: Caller, home: HomeView, device_id: str, role: Role, name: str = "") -> Device:
        """Let a device of `home` ask with `role`, or change its role; without a name it has Home Assistant's.

        Raises NotAllowedError for anybody but an owner, UnknownDeviceError, InvalidPersonError for a role above member.
        """
        require_owner(by)
        if role not in ROLES:
            raise InvalidPersonError(f"A device cannot be {role}.", next=f"Choose one of {', '.join(ROLES)}.")
        known = home.devices.get(device_id)
        if known is None:
            raise UnknownDeviceError
        shown = checked_name(name or known.name[:LONGEST] or "Device")

        def work(connection: Connection) -> Device:
            return self._put(connection, Device(device_id, shown, role, self._clock.now(), actor_of(by)), actor_of(by))

        return await self._database.write(work)

    async def remove(self, by: Caller, device_id: str) -> None:
        """Let the device ask for nothing any more; raise NotAllowedError and UnknownDeviceError."""
        require_owner(by)

        def work(connection: Connection) -> None:
            gone = connection.execute(delete(devices).where(*self._key(device_id)))
            if not gone.rowcount:
                raise UnknownDeviceError
            self._witness(connection, AuditKind.DEVICE_REMOVED, actor_of(by), device_id, {})

        await self._database.write(work)

    def _put(self, connection: Connection, device: Device, by: str) -> Device:
        before = self._find(connection, device.id)
        told: JsonObject = {"name": device.name, "role": device.role.value}
        if before is None:
            held = connection.execute(select(devices.c.id).where(devices.c.home_id == self._home_id)).all()
            if len(held) >= MOST:
                raise InvalidPersonError(f"A home has at most {MOST} such devices.", next="Remove one first.")
            row = {"id": device.id, "created": device.created, "created_by": by}
            connection.execute(devices.insert().values(home_id=self._home_id, **row, **told))
        else:
            connection.execute(devices.update().where(*self._key(device.id)).values(**told))
        kind = AuditKind.DEVICE_CHANGED if before else AuditKind.DEVICE_ADDED
        self._witness(connection, kind, by, device.id, told)
        return self._find(connection, device.id) or device

    def _find(self, connection: Connection, device_id: str) -> Device | None:
        row = connection.execute(select(devices).where(*self._key(device_id))).first()
        return _device(row) if row else None

    def _key(self, device_id: str) -> tuple[Any, ...]:
        return (devices.c.home_id == self._home_id, devices.c.id == device_id)


def area_of_device(home: HomeView, device_id: str) -> str | None:
    """Return the area that Home Assistant has the device in."""
    device = home.devices.get(device_id)
    return device.area_id if device else None


def _device(row: Row[Any]) -> Device:
    return Device(row.id, row.name, Role(row.role), row.created, row.created_by)
