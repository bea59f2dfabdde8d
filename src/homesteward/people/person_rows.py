"""Persons as rows: what reading and changing them means inside one transaction. Who may do so is decided before."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, delete, select

from homesteward.core import Clock, new_id
from homesteward.people.audit import AuditKind, Witness
from homesteward.people.caller import Role
from homesteward.people.errors import InvalidPersonError, LastOwnerError, UnknownPersonError
from homesteward.people.person import Person, difference
from homesteward.store.tables import lockouts, persons, pins, sessions, tokens

MOST = 200


class PersonRows:
    """The rows of one home's persons. Every change is witnessed in the same transaction."""

    def __init__(self, home_id: str, clock: Clock, witness: Witness) -> None:
        self._home_id = home_id
        self._clock = clock
        self._witness = witness

    def all(self, connection: Connection) -> tuple[Person, ...]:
        """Return everybody, the longest known first."""
        query = self._of_home().order_by(persons.c.created, persons.c.id)
        return tuple(map(_person, connection.execute(query)))

    def one(self, connection: Connection, person_id: str) -> Person:
        """Return the person; raise UnknownPersonError."""
        found = self.find(connection, person_id)
        if found is None:
            raise UnknownPersonError
        return found

    def find(self, connection: Connection, person_id: str) -> Person | None:
        """Return the person, None where there is none."""
        return _found(connection, self._of_home().where(persons.c.id == person_id))

    def of_user(self, connection: Connection, user_id: str) -> Person | None:
        """Return who signs in as this user of Home Assistant."""
        return _found(connection, self._of_home().where(persons.c.ha_user_id == user_id))

    def owners(self, connection: Connection) -> frozenset[str]:
        """Return the ids of the owners who are not disabled."""
        everybody = self.all(connection)
        return frozenset(person.id for person in everybody if person.role is Role.OWNER and not person.disabled)

    def add(
        self,
        connection: Connection,
        name: str,
        role: Role,
        by: str,
        *,
        ha_user_id: str | None = None,
        ends: datetime | None = None,
    ) -> Person:
        """Put somebody new on record; raise InvalidPersonError where the home is full."""
        if len(self.all(connection)) >= MOST:
            raise InvalidPersonError(f"A home has at most {MOST} persons.", next="Remove somebody first.")
        person = Person(new_id("person"), name, role, ha_user_id, self._clock.now(), by, ends)
        connection.execute(persons.insert().values(home_id=self._home_id, **_values(person)))
        self._witness(connection, AuditKind.PERSON_ADDED, by, person.id, {"name": name, "role": role.value})
        return person

    def replace(self, connection: Connection, before: Person, after: Person, by: str) -> Person:
        """Keep `after` in place of `before`; sessions end where the role is another, or they are nobody any more."""
        if after == before:
            return before
        if after.role is not before.role or not after.active(self._clock.now()):
            self._forget(connection, sessions, before.id)
        self._witness(connection, AuditKind.PERSON_CHANGED, by, before.id, difference(before, after))
        connection.execute(persons.update().where(*self._key(before.id)).values(**_values(after)))
        return after

    def seen(self, connection: Connection, person_id: str) -> None:
        """Note that they were here now."""
        connection.execute(persons.update().where(*self._key(person_id)).values(last_seen=self._clock.now()))

    def remove(self, connection: Connection, person: Person, by: str) -> None:
        """Forget somebody, with sessions, PIN, lockout and tokens."""
        for table in (sessions, pins, tokens):
            self._forget(connection, table, person.id)
        subject = f"pin:{person.id}"
        connection.execute(delete(lockouts).where(lockouts.c.home_id == self._home_id, lockouts.c.subject == subject))
        connection.execute(delete(persons).where(*self._key(person.id)))
        gone = {"name": person.name, "role": person.role.value}
        self._witness(connection, AuditKind.PERSON_REMOVED, by, person.id, gone)

    def keep_an_owner(self, connection: Connection, before: Person, after: Person | None) -> None:
        """Raise LastOwnerError where `after` (None: removed) would leave the home without an enabled owner."""
        still = after is not None and after.role is Role.OWNER and after.disabled is None
        if before.role is Role.OWNER and not still and self.owners(connection) <= {before.id}:
            raise LastOwnerError

    def _forget(self, connection: Connection, table: Table, person_id: str) -> None:
        connection.execute(delete(table).where(table.c.home_id == self._home_id, table.c.person_id == person_id))

    def _of_home(self) -> Select[Any]:
        return select(persons).where(persons.c.home_id == self._home_id)

    def _key(self, person_id: str) -> Sequence[ColumnElement[bool]]:
        return (persons.c.home_id == self._home_id, persons.c.id == person_id)


def _found(connection: Connection, query: Select[Any]) -> Person | None:
    row = connection.execute(query).first()
    return _person(row) if row else None


def _values(person: Person) -> dict[str, object]:
    return asdict(person) | {"role": person.role.value}


def _person(row: Row[Any]) -> Person:
    fields = dict(row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for a row as a mapping
    del fields["home_id"]
    return Person(**fields | {"role": Role(row.role)})
