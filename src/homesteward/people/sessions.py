"""Sessions: a secret in a cookie that is another every quarter of an hour, so that a copied one is found out or grows useless.

The cookie is `<id>.<family>.<secret>`. The family is the same for a session's whole life, and proves that whoever sends an old
secret once had this cookie: then it was copied, and the session ends for both. A secret that is wrong without the family is
only wrong: nobody can end another's session by guessing at its id.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.people.audit import NOBODY, AuditKind, Witness, actor_of
from homesteward.people.caller import Caller, Channel
from homesteward.people.errors import NobodyError, UnknownSessionError
from homesteward.people.person import Person
from homesteward.people.person_rows import PersonRows
from homesteward.people.rights import require_own
from homesteward.people.secret import digest, fits, new_secret, new_short_id
from homesteward.people.session import PARALLEL, RETRY, Session, limits_of, session_of
from homesteward.store import Database
from homesteward.store.tables import sessions

MOST = 20  # of one person; the one unused for longest ends first
SEEN_EVERY = timedelta(minutes=1)
AGENT_LENGTH = 200


@dataclass(frozen=True, slots=True, repr=False)
class Opened:
    """A session that a cookie opened. `cookie` is what the browser must keep from now on, None where nothing changes."""

    session: Session
    person: Person
    cookie: str | None = None


class Sessions:
    """The sessions of one home."""

    def __init__(self, database: Database, home_id: str, clock: Clock, witness: Witness) -> None:
        self._database = database
        self._home_id = home_id
        self._clock = clock
        self._witness = witness
        self._people = PersonRows(home_id, clock, witness)

    async def begin(
        self, person: Person, channel: Channel, *, address: str = "", agent: str = "", instead_of: str | None = None
    ) -> Opened:
        """Begin a session for somebody who has just signed in, and end the one of the cookie `instead_of`.

        Its id and secrets are new, whatever the browser sent: a cookie that was planted before is worth nothing.
        Raises NobodyError where the person is nobody at the moment.
        """
        now = self._clock.now()
        session_id, family, secret = new_short_id(), new_secret(), new_secret()
        session = Session(
            session_id,
            person.id,
            channel,
            now,
            now,
            now,
            now,
            now + limits_of(channel).absolute,
            address,
            agent[:AGENT_LENGTH],
        )

        def work(connection: Connection) -> bool:
            self._end_cookie(connection, instead_of)
            known = self._people.find(connection, person.id)
            if known is None or not known.active(now):
                return False
            self._make_room(connection, person.id)
            connection.execute(sessions.insert().values(**self._row_of(session, family, secret)))
            return True

        if not await self._database.write(work):
            raise _ended()
        return Opened(session, person, f"{session_id}.{family}.{secret}")

    async def resolve(self, cookie: str, *, rotate: bool = True) -> Opened:
        """Return the session that the cookie opens; raise NobodyError for one that is none, or has ended.

        Not `rotate` for a request whose answer takes its time: a new cookie has to arrive before another one does.
        """
        opened, due = await self._database.read(lambda connection: self._look(connection, cookie))
        if due:
            opened = await self._database.write(lambda connection: self._go_on(connection, cookie, rotate=rotate))
        if opened is None:
            raise _ended()
        return opened

    async def is_newest(self, cookie: str) -> bool:
        """Return whether the cookie is the last that its session was given, and not one that another has taken the place of."""

        def look(connection: Connection) -> bool:
            found = self._found(connection, cookie)
            if found is None:
                return False
            row, _, secret = found
            return fits(secret, row.next or row.hash)

        return await self._database.read(look)

    async def proved(self, session_id: str) -> None:
        """Note that the person of the session has just proved who they are."""
        now = self._clock.now()
        changed = sessions.update().where(*self._key(session_id)).values(signed_in=now)
        await self._database.write(lambda connection: connection.execute(changed))

    async def alive(self, session_id: str) -> bool:
        """Return whether the session still holds, for a stream that was opened with it."""
        return await self._database.read(lambda connection: self._alive(connection, session_id))

    async def list(self, by: Caller, person_id: str = "") -> tuple[Session, ...]:
        """Return the sessions that last, the latest used first: of one person, or of everybody for an owner; raise NotAllowedError."""
        require_own(by, person_id)
        query = select(sessions).where(sessions.c.home_id == self._home_id).order_by(sessions.c.seen.desc())
        if person_id:
            query = query.where(sessions.c.person_id == person_id)
        found = await self._database.read(lambda connection: tuple(map(session_of, connection.execute(query))))
        return tuple(session for session in found if not session.over(self._clock.now()))

    async def end(self, by: Caller, session_id: str) -> None:
        """End a session, one's own or as an owner anybody's; raise NotAllowedError and UnknownSessionError."""

        def work(connection: Connection) -> None:
            row = connection.execute(select(sessions).where(*self._key(session_id))).first()
            require_own(by, row.person_id if row else "")
            if row is None:
                raise UnknownSessionError
            self._end(connection, session_of(row), actor_of(by), "ended")

        await self._database.write(work)

    async def sign_out(self, cookie: str) -> None:
        """End the session of this cookie, where it is one."""
        await self._database.write(lambda connection: self._end_cookie(connection, cookie))

    async def tidy(self) -> int:
        """Forget the sessions that are over, and return how many those were."""
        return await self._database.write(self._tidy)

    def _look(self, connection: Connection, cookie: str) -> tuple[Opened | None, bool]:
        """Return what the cookie opens, and whether anything is to be written because of it."""
        found = self._found(connection, cookie)
        if found is None:
            return None, False
        row, session, secret = found
        person = self._people.find(connection, session.person_id)
        now = self._clock.now()
        if person is None or not person.active(now) or session.over(now):
            return None, False
        if fits(secret, row.hash):
            return Opened(session, person), _rotates(row, session, now) or now - session.seen >= SEEN_EVERY
        if fits(secret, row.before) and now - session.rotated < PARALLEL:
            return Opened(session, person), False
        return None, True

    def _go_on(self, connection: Connection, cookie: str, *, rotate: bool) -> Opened | None:
        """Do what the cookie calls for: take its next secret for the present one, give out another, or end what was copied."""
        found = self._found(connection, cookie)
        opened, due = self._look(connection, cookie)
        if found is None or not due:
            return opened
        row, session, secret = found
        now = self._clock.now()
        if opened is None and fits(secret, row.next):
            return self._take_next(connection, row, session)
        if opened is None:
            self._end(connection, session, NOBODY, "an old secret was used")
            return None
        self._see(connection, session)
        if not (rotate and _rotates(row, session, now)):
            return opened
        following = new_secret()
        changed = {"next": digest(following), "before": "", "rotated": now}
        connection.execute(sessions.update().where(*self._key(session.id)).values(**changed))
        return Opened(session, opened.person, ".".join((*cookie.split(".")[:2], following)))

    def _take_next(self, connection: Connection, row: Row[Any], session: Session) -> Opened | None:
        """Take the secret that was given out last for the present one: it has arrived."""
        changed = {"hash": row.next, "next": "", "before": row.hash, "rotated": self._clock.now()}
        connection.execute(sessions.update().where(*self._key(session.id)).values(**changed))
        self._see(connection, session)
        person = self._people.find(connection, session.person_id)
        return Opened(session, person) if person else None

    def _found(self, connection: Connection, cookie: str) -> tuple[Row[Any], Session, str] | None:
        """Return the session whose id and family the cookie holds, with the secret in it that is still to be looked at."""
        parts = cookie.split(".")
        session_id, family, secret = parts if len(parts) == 3 else ("", "", "")
        row = connection.execute(select(sessions).where(*self._key(session_id))).first()
        right = fits(family, row.family if row else "")
        return (row, session_of(row), secret) if right and row is not None else None

    def _see(self, connection: Connection, session: Session) -> None:
        connection.execute(sessions.update().where(*self._key(session.id)).values(seen=self._clock.now()))
        self._people.seen(connection, session.person_id)

    def _end_cookie(self, connection: Connection, cookie: str | None) -> None:
        found = self._found(connection, cookie) if cookie else None
        if found:
            _, session, _ = found
            self._end(connection, session, f"person:{session.person_id}", "signed out")

    def _end(self, connection: Connection, session: Session, by: str, why: str) -> None:
        connection.execute(delete(sessions).where(*self._key(session.id)))
        kind = AuditKind.SESSION_REUSED if by == NOBODY else AuditKind.SIGNED_OUT
        told: JsonObject = {"session": session.id, "why": why, "begun": session.created.isoformat()}
        self._witness(connection, kind, by, session.person_id, told)

    def _make_room(self, connection: Connection, person_id: str) -> None:
        """End the sessions of a person that were unused for longest, so that one more fits."""
        own = (sessions.c.home_id == self._home_id, sessions.c.person_id == person_id)
        query = select(sessions).where(*own).order_by(sessions.c.seen.desc()).offset(MOST - 1)
        for row in connection.execute(query).all():
            self._end(connection, session_of(row), f"person:{person_id}", "too many sessions")

    def _alive(self, connection: Connection, session_id: str) -> bool:
        row = connection.execute(select(sessions).where(*self._key(session_id))).first()
        if row is None or session_of(row).over(self._clock.now()):
            return False
        person = self._people.find(connection, row.person_id)
        return person is not None and person.active(self._clock.now())

    def _tidy(self, connection: Connection) -> int:
        rows = connection.execute(select(sessions).where(sessions.c.home_id == self._home_id)).all()
        over = [row.id for row in rows if session_of(row).over(self._clock.now())]
        for session_id in over:
            connection.execute(delete(sessions).where(*self._key(session_id)))
        return len(over)

    def _row_of(self, session: Session, family: str, secret: str) -> dict[str, Any]:
        fields = ("id", "person_id", "created", "seen", "rotated", "signed_in", "ends", "address", "agent")
        return {key: getattr(session, key) for key in fields} | {
            "home_id": self._home_id,
            "channel": session.channel.value,
            "family": digest(family),
            "hash": digest(secret),
            "next": "",
            "before": "",
        }

    def _key(self, session_id: str) -> tuple[Any, ...]:
        return (sessions.c.home_id == self._home_id, sessions.c.id == session_id)


def _rotates(row: Row[Any], session: Session, now: datetime) -> bool:
    """Return whether it is time for another secret, or for one in place of one that has not arrived."""
    return now - session.rotated >= (RETRY if row.next else limits_of(session.channel).rotate)


def _ended() -> NobodyError:
    return NobodyError("You are not signed in, or no longer.", next="Sign in again.")
