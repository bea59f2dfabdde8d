"""Machine tokens: named, bound to scopes and an entity set, never above their person, shown once and kept as a hash."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.home.view import HomeView
from homesteward.people.audit import NOBODY, AuditKind, Witness, actor_of
from homesteward.people.caller import Caller, Channel, Role, Scope
from homesteward.people.errors import InvalidPersonError, NobodyError, NotAllowedError, UnknownTokenError
from homesteward.people.names import checked_name
from homesteward.people.person import Person
from homesteward.people.person_rows import PersonRows
from homesteward.people.reach import MOST as MOST_NAMED
from homesteward.people.reach import Reach
from homesteward.people.rights import require_own, require_owner
from homesteward.people.roles import ORDER, SCOPES, least
from homesteward.people.secret import digest, fits, new_secret, new_short_id
from homesteward.people.token import PREFIX, Token, dead, parts_of, token_of
from homesteward.store import Database
from homesteward.store.tables import tokens

MOST = 500
USE_NOTED_EVERY = timedelta(minutes=1)
REVOKED_KEPT_FOR = timedelta(days=90)  # shown that long, so that somebody finds out why a machine was refused
LONGEST_LIFE = timedelta(days=3660)
OF_THE_WHOLE = frozenset({Scope.CONFIGURE, Scope.ADMIN})


@dataclass(frozen=True, slots=True)
class Wanted:
    """A token that somebody asks for. `reach` None is the whole home, `person_id` None whoever asks, `ends` None for good."""

    name: str
    scopes: frozenset[Scope]
    reach: Reach | None = None
    role: Role = Role.TOKEN
    person_id: str | None = None
    ends: datetime | None = None


@dataclass(frozen=True, slots=True, repr=False)
class NewToken:
    """A token just made: `text` is shown this once and cannot be had again."""

    token: Token
    text: str


class Tokens:
    """The tokens of one home."""

    def __init__(self, database: Database, home_id: str, clock: Clock, witness: Witness) -> None:
        self._database = database
        self._home_id = home_id
        self._clock = clock
        self._witness = witness
        self._people = PersonRows(home_id, clock, witness)
        self._refused: dict[str, datetime] = {}

    async def list(self, by: Caller) -> tuple[Token, ...]:
        """Return the tokens that `by` may see, the oldest first: an owner all, everybody else their own."""
        query = select(tokens).where(tokens.c.home_id == self._home_id).order_by(tokens.c.created, tokens.c.id)
        found = await self._database.read(lambda connection: tuple(map(token_of, connection.execute(query))))
        return tuple(token for token in found if _may(by, token))

    async def add(self, by: Caller, home: HomeView, wanted: Wanted) -> NewToken:
        """Make a token and return it with its text, which is shown once.

        Raises NotAllowedError for a guest, a token, or another's token without being owner; UnknownPersonError; and
        InvalidPersonError for a scope, a role or a set of entities that it cannot have.
        """
        person_id = by.person_id if wanted.person_id is None else wanted.person_id
        if by.token_id or by.role is Role.GUEST:
            raise NotAllowedError("A token is made by a person who lives here.", next="Sign in as yourself.")
        require_own(by, person_id)
        self._check(wanted)
        secret = new_secret()
        token = Token(
            new_short_id(),
            checked_name(wanted.name),
            wanted.scopes,
            None if wanted.reach is None else _checked_reach(home, wanted.reach),
            person_id,
            wanted.role,
            self._clock.now(),
            wanted.ends,
        )
        await self._database.write(lambda connection: self._insert(connection, token, digest(secret), actor_of(by)))
        return NewToken(token, f"{PREFIX}{token.id}_{secret}")

    async def caller_of(self, text: str, channel: Channel, *, address: str = "") -> Caller:
        """Return whom the token `text` stands for now; raise NobodyError for one that is unknown, ended, revoked, or whose person is nobody."""
        parts = parts_of(text)
        token_id, secret = parts or ("", "")
        row, person = await self._database.read(lambda connection: self._known(connection, token_id))
        right = fits(secret, row.hash if row else "")  # also for an unknown id: it must take as long
        if not right or row is None:
            raise _unknown()
        token = token_of(row)
        if why := dead(token, person, self._clock.now()):
            await self._failed(token, why, address)
            raise NobodyError(f"This token is no longer valid: {why}.", next="Make another: homesteward tokens add.")
        await self._note_use(token, address)
        return token.caller(person, channel)

    async def alive(self, token_id: str) -> bool:
        """Return whether the token still stands for somebody, for a stream that was opened with it."""
        row, person = await self._database.read(lambda connection: self._known(connection, token_id))
        return row is not None and not dead(token_of(row), person, self._clock.now())

    async def revoke(self, by: Caller, token_id: str) -> Token:
        """End a token for good, and return it; raise NotAllowedError and UnknownTokenError."""

        def work(connection: Connection) -> Token:
            row = self._row(connection, token_id)
            if row is None or not _may(by, token_of(row)):
                require_owner(by)
                raise UnknownTokenError
            token = token_of(row)
            if token.revoked:
                return token
            revoked = self._clock.now()
            connection.execute(tokens.update().where(*self._key(token_id)).values(revoked=revoked))
            self._witness(connection, AuditKind.TOKEN_REVOKED, actor_of(by), token_id, {"name": token.name})
            return replace(token, revoked=revoked)

        return await self._database.write(work)

    def _check(self, wanted: Wanted) -> None:
        if not wanted.scopes:
            raise InvalidPersonError("A token has at least one scope.", next=f"Choose of {', '.join(Scope)}.")
        if wanted.role not in ORDER:
            raise InvalidPersonError(f"A token cannot be {wanted.role}.", next=f"Choose one of {', '.join(ORDER)}.")
        if wanted.reach is not None and (beyond := wanted.scopes & OF_THE_WHOLE):
            raise InvalidPersonError(
                f"A token for a part of the home cannot have {', '.join(sorted(beyond))}: people, settings and records are of the whole.",
                next="Leave it out, or make the token for the whole home.",
            )
        now = self._clock.now()
        if wanted.ends and not now < wanted.ends <= now + LONGEST_LIFE:
            raise InvalidPersonError("A token's end lies ahead, within ten years.", next="Choose another end.")

    def _insert(self, connection: Connection, token: Token, kept: str, by: str) -> None:
        person = self._people.one(connection, token.person_id) if token.person_id else None
        _check_within(token, person)
        self._make_room(connection)
        told = token.as_json()
        row: dict[str, Any] = {
            "id": token.id,
            "hash": kept,
            "created": token.created,
            "ends": token.ends,
            "used": None,
            "revoked": None,
        }
        row |= {key: told[key] for key in ("name", "scopes", "reach", "person_id", "role")}
        connection.execute(tokens.insert().values(home_id=self._home_id, **row))
        self._witness(connection, AuditKind.TOKEN_ADDED, by, token.id, told)

    def _make_room(self, connection: Connection) -> None:
        """Drop tokens that were revoked long ago; raise InvalidPersonError where there is no room all the same."""
        own = tokens.c.home_id == self._home_id
        connection.execute(delete(tokens).where(own, tokens.c.revoked < self._clock.now() - REVOKED_KEPT_FOR))
        held = connection.execute(select(tokens.c.id).where(own)).all()
        if len(held) >= MOST:
            raise InvalidPersonError(f"A home has at most {MOST} tokens.", next="Revoke what nobody uses.")

    def _known(self, connection: Connection, token_id: str) -> tuple[Row[Any] | None, Person | None]:
        """Return the row of the token, and its person as they are now."""
        row = self._row(connection, token_id)
        return row, self._people.find(connection, row.person_id) if row and row.person_id else None

    async def _note_use(self, token: Token, address: str) -> None:
        """Note the use, at most once a minute; the first use ever and of each day goes on record."""
        now = self._clock.now()
        if token.used and now - token.used < USE_NOTED_EVERY:
            return

        def work(connection: Connection) -> None:
            connection.execute(tokens.update().where(*self._key(token.id)).values(used=now))
            if token.used is None or token.used.date() != now.date():
                told: JsonObject = {"name": token.name, "first": token.used is None, "address": address}
                self._witness(connection, AuditKind.TOKEN_USED, f"token:{token.id}", token.id, told)

        await self._database.write(work)

    async def _failed(self, token: Token, why: str, address: str) -> None:
        """Put on record that a dead token was sent, at most once a minute: a machine goes on sending it."""
        last, now = self._refused.get(token.id), self._clock.now()
        if last and now - last < USE_NOTED_EVERY:
            return
        self._refused[token.id] = now
        told: JsonObject = {"name": token.name, "why": why, "address": address}
        await self._database.write(lambda c: self._witness(c, AuditKind.TOKEN_FAILED, NOBODY, token.id, told))

    def _row(self, connection: Connection, token_id: str) -> Row[Any] | None:
        return connection.execute(select(tokens).where(*self._key(token_id))).first()

    def _key(self, token_id: str) -> tuple[Any, ...]:
        return (tokens.c.home_id == self._home_id, tokens.c.id == token_id)


def _may(by: Caller, token: Token) -> bool:
    try:
        require_own(by, token.person_id)
    except NotAllowedError:
        return False
    return True


def _checked_reach(home: HomeView, reach: Reach) -> Reach:
    """Return the reach by the home's ids; raise InvalidPersonError for one that names what is not there, or too much."""
    if len(reach.areas) + len(reach.labels) + len(reach.entities) > MOST_NAMED:
        raise InvalidPersonError(f"At most {MOST_NAMED} can be named.", next="Name areas or a label instead.")
    found, unknown = reach.named_in(home)
    if unknown:
        raise InvalidPersonError(
            f"The home has no {', '.join(unknown[:5])}.",
            next="Name areas, labels and entities as Home Assistant has them.",
        )
    return found


def _check_within(token: Token, person: Person | None) -> None:
    """Raise InvalidPersonError for a token that would be more than its person is."""
    role = person.role if person else Role.OWNER
    if least(token.role, role) is not token.role:
        raise InvalidPersonError(f"A token of a {role} cannot be {token.role}.", next=f"Choose {role} or less.")
    if beyond := token.scopes - SCOPES[role]:
        raise InvalidPersonError(f"A token of a {role} cannot have {', '.join(sorted(beyond))}.", next="Leave it out.")


def _unknown() -> NobodyError:
    return NobodyError("This is no token that is known here.", next="Check it, or make one: homesteward tokens add.")
