"""The persons of a home: linked to Home Assistant's users where they have one, guests by an owner's word."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.home.users import HaUser
from homesteward.people.audit import HOME_ASSISTANT, NOBODY, AuditKind, Witness, actor_of
from homesteward.people.caller import Caller, Channel, Proof, Role
from homesteward.people.devices import Device
from homesteward.people.errors import InvalidPersonError, NobodyError
from homesteward.people.names import LONGEST, checked_name
from homesteward.people.person import Change, Person, changed, check_role
from homesteward.people.person_rows import PersonRows
from homesteward.people.rights import require_owner
from homesteward.people.roles import least
from homesteward.store import Database


class People:
    """The persons of one home. Every change and every sign-in is witnessed."""

    def __init__(self, database: Database, home_id: str, clock: Clock, witness: Witness) -> None:
        self._database = database
        self._clock = clock
        self._witness = witness
        self._rows = PersonRows(home_id, clock, witness)
        self._in_ha: dict[str, HaUser] = {}

    async def list(self) -> tuple[Person, ...]:
        """Return everybody on record, the longest known first."""
        return await self._database.read(self._rows.all)

    async def get(self, person_id: str) -> Person:
        """Return the person; raise UnknownPersonError."""
        return await self._database.read(lambda c: self._rows.one(c, person_id))

    async def of_ha_user(self, user_id: str) -> Person | None:
        """Return who signs in as this user of Home Assistant, None where nobody has yet."""
        return await self._database.read(lambda c: self._rows.of_user(c, user_id))

    def caller_of(
        self,
        person: Person,
        channel: Channel,
        *,
        device: Device | None = None,
        area_id: str | None = None,
        proof: Proof | None = None,
    ) -> Caller:
        """Return `person` as a caller; on a device with a role of its own, with the lesser of both roles.

        Raises NobodyError where they are disabled, or their stay is over.
        """
        if not person.active(self._clock.now()):
            raise _nobody()
        return Caller(
            least(person.role, device.role) if device else person.role,
            channel,
            person.name,
            area_id,
            person_id=person.id,
            device_id=device.id if device else None,
            proof=proof,
        )

    async def signed_in_with_ha(self, user_id: str, name: str, *, is_admin: bool, address: str = "") -> Person:
        """Return who signs in as this user: an administrator of Home Assistant is new here as owner, everybody else as member.

        Raises NobodyError for somebody who is disabled, or whose stay is over.
        """
        if person := await self._database.write(lambda c: self._sign_in(c, user_id, name, address, is_admin=is_admin)):
            return person
        raise _nobody()

    async def sign_in_failed(self, why: str, address: str) -> None:
        """Put a sign-in that nobody came of on record; `why` is ours, never what was sent."""
        data: JsonObject = {"why": why, "address": address}
        await self._database.write(lambda c: self._witness(c, AuditKind.SIGN_IN_FAILED, NOBODY, "", data))

    async def look(self, users: Collection[HaUser]) -> tuple[Person, ...]:
        """Take over what Home Assistant says of its users, and return whom that changed.

        An owner who no longer administrates it becomes member; whose user is gone or inactive is disabled until an owner
        says otherwise. Home Assistant's word stands above our rule of the last owner: it always has an administrator, who is
        owner here by signing in. A list without one is not believed.
        """
        if not any(user.is_admin and user.is_active for user in users):
            return ()
        self._in_ha = {user.user_id: user for user in users}
        return await self._database.write(self._follow)

    async def add(
        self, by: Caller, name: str, role: Role, *, ha_user_id: str | None = None, ends: datetime | None = None
    ) -> Person:
        """Add a guest whose stay `ends`, or a member before their first sign-in with Home Assistant.

        Raises NotAllowedError for anybody but an owner, InvalidPersonError for what cannot be.
        """
        require_owner(by)
        shown = checked_name(name)
        if role not in {Role.GUEST, Role.MEMBER}:
            raise InvalidPersonError(
                "Only a member or a guest can be added.",
                next="An administrator of Home Assistant is owner by signing in.",
            )
        if role is Role.MEMBER and ends:
            raise InvalidPersonError("Only a guest's stay ends.", next="Add them as a guest.")
        check_role(role, ha_user_id, ends, self._clock.now(), self._in_ha)

        def work(connection: Connection) -> Person:
            if ha_user_id and self._rows.of_user(connection, ha_user_id):
                raise InvalidPersonError(
                    "This user of Home Assistant is on record already.", next="Change that person."
                )
            return self._rows.add(connection, shown, role, actor_of(by), ha_user_id=ha_user_id, ends=ends)

        return await self._database.write(work)

    async def change(self, by: Caller, person_id: str, change: Change) -> Person:
        """Rename, give another role, prolong, disable or enable somebody; a change of role ends their sessions.

        Raises NotAllowedError, UnknownPersonError, InvalidPersonError, and LastOwnerError where nobody would own the home.
        """
        require_owner(by)

        def work(connection: Connection) -> Person:
            before = self._rows.one(connection, person_id)
            after = changed(before, change, self._clock.now(), self._in_ha)
            self._rows.keep_an_owner(connection, before, after)
            return self._rows.replace(connection, before, after, actor_of(by))

        return await self._database.write(work)

    async def remove(self, by: Caller, person_id: str) -> None:
        """Forget a person, with sessions, PIN and tokens. A user of Home Assistant may sign in anew: disabling keeps somebody out.

        Raises NotAllowedError, UnknownPersonError and LastOwnerError.
        """
        require_owner(by)

        def work(connection: Connection) -> None:
            person = self._rows.one(connection, person_id)
            self._rows.keep_an_owner(connection, person, None)
            self._rows.remove(connection, person, actor_of(by))

        await self._database.write(work)

    async def has_owner(self) -> bool:
        """Return whether somebody owns this home, so that there is nothing left to set up."""
        return bool(await self._database.read(self._rows.owners))

    async def first_owner(self, name: str, address: str) -> Person | None:
        """Return the first owner, made now; None where there is one already."""
        shown = checked_name(name)

        def work(connection: Connection) -> Person | None:
            if self._rows.owners(connection):
                return None
            person = self._rows.add(connection, shown, Role.OWNER, "setup")
            self._witness(connection, AuditKind.SETUP_DONE, f"person:{person.id}", person.id, {"address": address})
            return person

        return await self._database.write(work)

    def _sign_in(
        self, connection: Connection, user_id: str, name: str, address: str, *, is_admin: bool
    ) -> Person | None:
        """Return who signs in, None for somebody who is nobody at the moment."""
        person = self._rows.of_user(connection, user_id)
        if person is None:
            role = Role.OWNER if is_admin else Role.MEMBER
            shown = checked_name(name.strip()[:LONGEST] or "Somebody")
            person = self._rows.add(connection, shown, role, HOME_ASSISTANT, ha_user_id=user_id)
        elif person.role is Role.OWNER and not is_admin:
            person = self._rows.replace(connection, person, replace(person, role=Role.MEMBER), HOME_ASSISTANT)
        active = person.active(self._clock.now())
        kind = AuditKind.SIGNED_IN if active else AuditKind.SIGN_IN_FAILED
        how: JsonObject = {"with": HOME_ASSISTANT, "address": address}
        self._witness(connection, kind, f"person:{person.id}", person.id, how)
        if not active:
            return None
        self._rows.seen(connection, person.id)
        return replace(person, last_seen=self._clock.now())

    def _follow(self, connection: Connection) -> tuple[Person, ...]:
        """Bring everybody who has a user in Home Assistant to what it says of them; return whom that changed."""
        linked = [person for person in self._rows.all(connection) if person.ha_user_id]
        pairs = [(person, self._as_in_ha(person)) for person in linked]
        return tuple(self._rows.replace(connection, old, new, HOME_ASSISTANT) for old, new in pairs if new != old)

    def _as_in_ha(self, person: Person) -> Person:
        user = self._in_ha.get(person.ha_user_id or "")
        if user is None or not user.is_active:
            return replace(person, disabled=person.disabled or self._clock.now())
        if person.role is Role.OWNER and not user.is_admin:
            return replace(person, role=Role.MEMBER)
        return person


def _nobody() -> NobodyError:
    return NobodyError("You are not let in here at the moment.", next="Ask an owner of this home.")
