"""The first run: whoever reads the one-time code in the service's log, on the machine itself, becomes the first owner."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.people.audit import NOBODY, AuditKind, Witness
from homesteward.people.errors import SetupClosedError, WrongCodeError
from homesteward.people.person import Person
from homesteward.people.persons import People
from homesteward.people.secret import digest, fits
from homesteward.store import Database

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is read as another
LENGTH = 8
GOOD_FOR = timedelta(minutes=10)
TRIES = 5


@dataclass(slots=True)
class _Open:
    kept: str
    until: datetime
    tries: int = TRIES


class Setup:
    """The set-up of a home that nobody owns yet. Its face lets only this machine reach it."""

    def __init__(
        self, database: Database, clock: Clock, witness: Witness, people: People, say: Callable[[str], None]
    ) -> None:
        """Tell the code with `say`, which reaches a person at this machine: its terminal or its log."""
        self._database = database
        self._clock = clock
        self._witness = witness
        self._people = people
        self._say = say
        self._open: _Open | None = None

    async def needed(self) -> bool:
        """Return whether nobody owns this home yet."""
        return not await self._people.has_owner()

    async def begin(self) -> None:
        """Tell a new code, good for ten minutes and five tries; one that was told before ends. Raises SetupClosedError where there is an owner."""
        if not await self.needed():
            raise _closed("This home has an owner already.")
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self._open = _Open(digest(code), self._clock.now() + GOOD_FOR)
        self._say(f"To set up Homesteward, enter this code: {code[:4]}-{code[4:]}. It is good for ten minutes.")

    async def finish(self, code: str, name: str, *, address: str = "") -> Person:
        """Return the first owner, named `name`, for the code that was told.

        Raises WrongCodeError, which counts, SetupClosedError where no code is open or somebody owns the home, and
        InvalidPersonError for a name that is none.
        """
        opened = self._open
        if opened is None or opened.tries <= 0 or self._clock.now() >= opened.until:
            raise _closed("No code is open.")
        opened.tries -= 1
        if not fits("".join(letter for letter in code.upper() if letter.isalnum()), opened.kept):
            await self._database.write(lambda connection: self._failed(connection, address, opened.tries))
            raise WrongCodeError("That is not the code.", next=f"{opened.tries} tries are left.")
        person = await self._people.first_owner(name, address)
        self._open = None
        if person is None:
            raise _closed("This home has an owner already.")
        return person

    def _failed(self, connection: Connection, address: str, left: int) -> None:
        told: JsonObject = {"address": address, "left": left}
        self._witness(connection, AuditKind.SETUP_FAILED, NOBODY, "", told)


def _closed(why: str) -> SetupClosedError:
    return SetupClosedError(why, next="Sign in, or have a new code told in the log.")
