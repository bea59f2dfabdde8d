"""Whether a caller is still who they were when they came in: what was begun before somebody is put out does nothing afterwards."""

from typing import Any

from sqlalchemy import Connection, Row, select

from homesteward.core import Clock
from homesteward.people.caller import Caller, Role
from homesteward.people.errors import NotAllowedError
from homesteward.people.person_rows import PersonRows
from homesteward.people.roles import ORDER, least
from homesteward.people.token import dead, token_of
from homesteward.store import Database
from homesteward.store.tables import devices, tokens


class StillThere:
    """Ask anew, of the records, what a caller was let in by."""

    def __init__(self, database: Database, home_id: str, clock: Clock, people: PersonRows) -> None:
        """Look among the people, tokens and devices of one home."""
        self._database, self._home_id, self._clock, self._people = database, home_id, clock, people

    async def require(self, caller: Caller) -> None:
        """Raise NotAllowedError where the caller's person, token or device is gone, disabled, over or less than it was.

        Who is none of these is the service itself or a trial, and cannot be put out.
        """
        if (caller.token_id or caller.person_id or caller.device_id) and not await self.holds(caller):
            raise NotAllowedError(
                "Whoever asked for this is not let in any more, or not as they were: nothing is done.",
                next="Ask for it again, as who you are now.",
            )

    async def holds(self, caller: Caller) -> bool:
        """Return whether each of the caller's person, token and device still gives the role, and a token the scopes, it came with."""
        return await self._database.read(lambda connection: self._holds(connection, caller))

    def _holds(self, connection: Connection, caller: Caller) -> bool:
        if caller.token_id:
            return self._token_holds(connection, caller)
        roles: list[Role] = []
        if caller.person_id:
            person = self._people.find(connection, caller.person_id)
            if person is None or not person.active(self._clock.now()):
                return False
            roles.append(person.role)
        if caller.device_id:
            row = connection.execute(select(devices).where(*self._key(devices, caller.device_id))).first()
            if row is None:
                return False
            roles.append(Role(row.role))
        return all(_no_more(caller.role, role) for role in roles)

    def _token_holds(self, connection: Connection, caller: Caller) -> bool:
        row: Row[Any] | None = connection.execute(select(tokens).where(*self._key(tokens, caller.token_id))).first()
        if row is None:
            return False
        token = token_of(row)
        person = self._people.find(connection, token.person_id) if token.person_id else None
        if dead(token, person, self._clock.now()):
            return False
        now = token.caller(person, caller.channel)
        return _no_more(caller.role, now.role) and (caller.scopes or frozenset()) <= (now.scopes or frozenset())

    def _key(self, table: Any, one: str) -> tuple[Any, ...]:  # noqa: ANN401 - either of two tables
        return (table.c.home_id == self._home_id, table.c.id == one)


def _no_more(asked: Role, held: Role) -> bool:
    """Return whether `asked` is `held` or less; a role that no person has is judged by nobody here."""
    return asked in ORDER and least(asked, held) is asked
