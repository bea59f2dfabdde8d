"""The audit: who decided and did what, each entry chained to the one before with a key, so that nothing in it changes unseen."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, bindparam, exists, insert, select, text

from homesteward.core import Clock, json
from homesteward.core.json import JsonObject
from homesteward.core.redaction import Redactor
from homesteward.store.anchor import Anchor, AnchorFile
from homesteward.store.chain import BROKEN, START, Link, hashed
from homesteward.store.cleaning import clean_data, clean_word
from homesteward.store.database import Database, after_commit
from homesteward.store.key import KeyRing, Use
from homesteward.store.tables import audit, microseconds
from homesteward.store.verifying import Verdict, verify

MAX_ENTRIES = 1000

# Built once: every decision of the gate goes through these two.
LAST = select(audit.c.n, audit.c.hash).where(audit.c.home_id == bindparam("home")).order_by(audit.c.n.desc()).limit(1)
ADD = insert(audit)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its number in the home's chain, when, what kind of thing, who did it, to what, and the rest in `data`."""

    n: int
    at: datetime
    kind: str
    actor: str
    subject: str
    data: JsonObject
    hash: str


class Audit:
    """The audit of one home."""

    def __init__(
        self, database: Database, home_id: str, keys: KeyRing, clock: Clock, *, redactor: Redactor, anchor: Path
    ) -> None:
        """Keep it in `database`, cleaned by `redactor`; `anchor` is the file that says how far it has come."""
        self._database, self._home_id, self._keys, self._clock = database, home_id, keys, clock
        self._redactor, self._file = redactor, AnchorFile(anchor, home_id)
        self._anchor: Anchor | None = None

    def witness(self, connection: Connection, kind: str, actor: str, subject: str, data: JsonObject, /) -> None:
        """Take down an entry inside the caller's own transaction: both are kept, or neither is."""
        self._add(connection, kind, actor, subject, data)

    def witness_everywhere(self, connection: Connection, kind: str, actor: str, subject: str, data: JsonObject) -> None:
        """Take down an entry in the chain of every home of the database that has one, and in this home's."""
        for home_id in connection.execute(select(audit.c.home_id).distinct()).scalars().all():
            if home_id != self._home_id:
                _take_turn(connection, home_id)
                self._put(connection, home_id, _head(connection, home_id), (kind, actor, subject), data)
        self._add(connection, kind, actor, subject, data)

    async def append(self, kind: str, actor: str, subject: str, data: JsonObject) -> Entry:
        """Take down an entry in a transaction of its own, and return it as it was kept."""
        return await self._database.write(lambda connection: self._add(connection, kind, actor, subject, data))

    async def entries(
        self, *, kind: str | None = None, subject: str | None = None, before: int | None = None, limit: int = 100
    ) -> tuple[Entry, ...]:
        """Return at most `limit` entries (never over 1000), newest first: all, or those of a kind, about a subject, before a number."""
        where = [_here(self._home_id)]
        where += [audit.c.kind == kind] if kind is not None else []
        where += [audit.c.subject == subject] if subject is not None else []
        where += [audit.c.n < before] if before is not None else []
        newest = select(audit).where(*where).order_by(audit.c.n.desc()).limit(min(limit, MAX_ENTRIES))
        rows = await self._database.read(lambda connection: connection.execute(newest).all())
        return tuple(Entry(*row[1:]) for row in rows)

    @property
    def key(self) -> str:
        """Return which key it is chained with at present and where that comes from, for a person."""
        return f"key {self._keys.current.id} of {self._keys.where}"

    async def verify(self) -> Verdict:
        """Go through the whole chain and say whether anything in it was changed, and where first."""
        return await verify(self._database, self._home_id, self._keys, self._file.read())

    def _add(self, connection: Connection, kind: str, actor: str, subject: str, data: JsonObject) -> Entry:
        _take_turn(connection, self._home_id)
        head = _head(connection, self._home_id)
        anchor = self._anchor = self._anchor or self._file.read()
        if anchor and not _holds(connection, self._home_id, head, anchor):
            head = self._confess(connection, head, anchor)
        entry = self._put(connection, self._home_id, head, (kind, actor, subject), data)
        after_commit(connection, partial(self._move_anchor, entry, head.n))
        return entry

    def _put(
        self, connection: Connection, home_id: str, head: Head, words: tuple[str, str, str], data: JsonObject
    ) -> Entry:
        kind, actor, subject = (clean_word(word, self._redactor) for word in words)
        kept, at, key = clean_data(data, self._redactor), self._clock.now(), self._keys.current
        link = Link(head.n + 1, microseconds(at), kind, actor, subject, json.dumps(kept), "")
        own_hash = hashed(home_id, link, head.hash, key.id, key.derived(Use.AUDIT))
        entry = Entry(link.n, at, kind, actor, subject, kept, own_hash)
        row = {name: getattr(entry, name) for name in Entry.__slots__}
        connection.execute(ADD, {"home_id": home_id, **row})
        return entry

    def _confess(self, connection: Connection, head: Head, anchor: Anchor) -> Head:
        """Say in the chain itself, once, that what the anchor stands for is gone, so that going on does not hide it."""
        subject = f"entry {anchor.n}"
        said = _here(self._home_id) & (audit.c.kind == BROKEN) & (audit.c.subject == subject)
        if connection.execute(select(exists().where(said))).scalar():
            return head
        entry = self._put(
            connection, self._home_id, head, (BROKEN, "system", subject), {"expected": anchor.n, "found": head.n}
        )
        return Head(entry.n, entry.hash)

    def _move_anchor(self, entry: Entry, before: int) -> None:
        since = self._anchor.since if self._anchor else before
        self._anchor = Anchor(self._home_id, entry.n, entry.hash, since)
        self._file.write(self._anchor)


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of a chain, or that there is none yet."""

    n: int = 0
    hash: str = START


def _head(connection: Connection, home_id: str) -> Head:
    row = connection.execute(LAST, {"home": home_id}).one_or_none()
    return Head(row.n, row.hash) if row else Head()


def _holds(connection: Connection, home_id: str, head: Head, anchor: Anchor) -> bool:
    """Return whether the entry of the anchor is in the chain; the anchor may be behind."""
    if (head.n, head.hash) == (anchor.n, anchor.hash):
        return True
    found = select(audit.c.hash).where(_here(home_id), audit.c.n == anchor.n)
    return connection.execute(found).scalar() == anchor.hash


def _take_turn(connection: Connection, home_id: str) -> None:
    """Hold every other service off the chain until this transaction ends. SQLite has one writer at a time as it is."""
    if connection.dialect.name == "postgresql":
        name = {"name": f"homesteward.audit.{home_id}"}
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"), name)


def _here(home_id: str) -> ColumnElement[bool]:
    return audit.c.home_id == home_id
