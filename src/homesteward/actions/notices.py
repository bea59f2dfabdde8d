"""The outbox for "somebody is told": one open notice per thing, kept until it is settled, and heard of at once by whoever watches."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Insert, Row, delete, func, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from homesteward.actions.errors import GateError
from homesteward.actions.notice import FORMS, Notice, NoticeKind, notice_visible
from homesteward.core import Clock, new_id
from homesteward.people import Caller
from homesteward.store import Database, after_commit
from homesteward.store.tables import notices as table

MAX_TEXT = 1000
LATER = "Not sent yet:"  # how a problem begins that is over by itself: it is tried again
MOST_OPEN = 500  # the oldest that nothing stands on goes first
MOST_SETTLED = 200
MOST_READ = 5000  # at once: those that something stands on are bounded by the things themselves
FADES = timedelta(days=30)
"""What nobody looked at for so long, and nothing stands on, is over."""

type Undo = Callable[[], None]


class What(StrEnum):
    """What happened to a notice."""

    ADDED = "notice"
    CHANGED = "changed"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class Change:
    """A notice as it is now, and what has just happened to it."""

    what: What
    notice: Notice


type Listener = Callable[[Change], None]


class UnknownNoticeError(GateError):
    """There is no such notice, or not for whoever asks."""

    code = "unknown_notice"


class Notices:
    """The notices of one home. `put` and `settle_in` are for whoever is in a transaction: both are kept, or neither is."""

    def __init__(self, database: Database, home_id: str, clock: Clock) -> None:
        """Keep them in `database`."""
        self._database, self._home_id, self._clock = database, home_id, clock
        self._listeners: dict[int, tuple[asyncio.AbstractEventLoop, Listener]] = {}
        self._next = 0
        self._telling: set[asyncio.Task[None]] = set()

    async def add(self, kind: NoticeKind, subject: str, text: str, person_id: str = "") -> None:
        """Tell the person, or every owner; where the same is open already, nothing is added."""
        await self._database.write(lambda connection: self.put(connection, kind, subject, text, person_id))

    async def stands(self, kind: NoticeKind, subject: str, text: str) -> None:
        """Tell every owner how a thing stands, in place of how it stood; empty ends what was told. What is told so already is not told again."""

        def work(connection: Connection) -> None:
            self.settle_in(connection, subject, kind, but=text[:MAX_TEXT])
            if text:
                self.put(connection, kind, subject, text)

        await self._database.write(work)

    def tell(self, kind: str, subject: str, text: str, person_id: str = "") -> None:
        """Add a notice without waiting for it. `kind` is the word of a kind: ValueError for any other."""
        task = asyncio.create_task(self.add(NoticeKind(kind), subject, text, person_id))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def close(self) -> None:
        """Wait for what was told without waiting."""
        await asyncio.gather(*self._telling, return_exceptions=True)

    async def list(self, by: Caller, *, settled: bool = False, limit: int = 100) -> tuple[Notice, ...]:
        """Return the notices that exist for `by`, the newest first: the open ones, or with `settled` all that are kept."""
        where = [_here(self._home_id)] + ([] if settled else [table.c.settled.is_(None)])
        newest = select(table).where(*where).order_by(table.c.created.desc(), table.c.id.desc())
        rows = await self._database.read(lambda connection: connection.execute(newest.limit(MOST_READ)).all())
        return tuple(notice for row in rows if notice_visible(notice := _notice(row), by))[: max(limit, 0)]

    async def seen(self, notice_id: str, by: Caller) -> Notice:
        """Take down that it was looked at, which ends one that nothing stands on; raise unknown_notice."""

        def work(connection: Connection) -> Notice:
            notice = self._one(connection, notice_id)
            if notice is None or not notice_visible(notice, by):
                raise UnknownNoticeError(f"There is no notice {notice_id!r}.", next="List the notices to see them.")
            if notice.seen:
                return notice
            now = self._clock.now()
            over = notice.settled or (None if notice.form.stays else now)
            return self._change(connection, replace(notice, seen=now, settled=over), over=not notice.settled and over)

        return await self._database.write(work)

    async def settle(self, subject: str, *kinds: NoticeKind) -> int:
        """End the open notices of these kinds about `subject`; return how many there were."""
        return await self._database.write(lambda connection: self.settle_in(connection, subject, *kinds))

    async def unsent(self, since: datetime) -> tuple[Notice, ...]:
        """Return the open notices for owners that were made since then and neither went out nor failed for good, the oldest first."""
        due = or_(table.c.problem == "", table.c.problem.startswith(LATER, autoescape=True))
        where = (_here(self._home_id), table.c.settled.is_(None), table.c.sent.is_(None), due)
        rows = select(table).where(*where, table.c.person_id == "", table.c.created > since).order_by(table.c.created)
        found = await self._database.read(lambda connection: connection.execute(rows).all())
        return tuple(map(_notice, found))

    async def sent_since(self, since: datetime) -> int:
        """Return how many went out since then."""
        count = select(func.count()).select_from(table).where(_here(self._home_id), table.c.sent > since)
        return await self._database.read(lambda connection: connection.execute(count).scalar_one())

    async def mark(self, notice: Notice, *, sent: datetime | None = None, problem: str = "") -> None:
        """Take down that it went out, or why it did not."""

        def work(connection: Connection) -> None:
            if (now := self._one(connection, notice.id)) is not None:
                self._change(connection, replace(now, sent=sent, problem=problem[:MAX_TEXT]), over=False)

        await self._database.write(work)

    def subscribe(self, callback: Listener) -> Undo:
        """Call `callback` on this loop with every change, once it is kept, until the returned undo is called. It must not fail."""
        self._next += 1
        key = self._next
        self._listeners[key] = (asyncio.get_running_loop(), callback)

        def undo() -> None:
            self._listeners.pop(key, None)

        return undo

    def put(self, connection: Connection, kind: NoticeKind, subject: str, text: str, person_id: str = "") -> None:
        """Add a notice within a transaction, on a thread of the database; nothing where the same is open already."""
        notice = Notice(new_id("notice"), kind, subject, text[:MAX_TEXT], person_id, self._clock.now())
        added = _insert_once(connection).values(_row(self._home_id, notice)).returning(table.c.id)
        if connection.execute(added).scalar() is not None:
            self._tidy(connection)
            self._announce(connection, Change(What.ADDED, notice))
        elif notice.form.grows:
            self._grow(connection, notice)

    def settle_in(self, connection: Connection, subject: str, *kinds: NoticeKind, but: str = "") -> int:
        """End the open notices of these kinds about `subject` within a transaction, `but` those with this text; return how many ended."""
        where = (_here(self._home_id), table.c.subject == subject, table.c.kind.in_([kind.value for kind in kinds]))
        found = connection.execute(select(table).where(*where, table.c.settled.is_(None), table.c.text != but)).all()
        for row in found:
            self._change(connection, replace(_notice(row), settled=self._clock.now()), over=True)
        return len(found)

    def _one(self, connection: Connection, notice_id: str) -> Notice | None:
        row = connection.execute(select(table).where(_here(self._home_id), table.c.id == notice_id)).one_or_none()
        return _notice(row) if row else None

    def _grow(self, connection: Connection, more: Notice) -> None:
        """Add to the open notice about the same what is told of it now."""
        same = (table.c.kind == more.kind.value, table.c.subject == more.subject, table.c.person_id == more.person_id)
        query = select(table).where(_here(self._home_id), *same, table.c.settled.is_(None))
        open_one = _notice(connection.execute(query).one())
        if more.text not in open_one.text:
            text = f"{open_one.text} {more.text}"[:MAX_TEXT]
            self._change(connection, replace(open_one, text=text, seen=None), over=False)

    def _change(self, connection: Connection, notice: Notice, *, over: object) -> Notice:
        where = (_here(self._home_id), table.c.id == notice.id)
        connection.execute(update(table).where(*where).values(_row(self._home_id, notice)))
        self._announce(connection, Change(What.SETTLED if over else What.CHANGED, notice))
        return notice

    def _tidy(self, connection: Connection) -> None:
        """Keep within bounds: the settled beyond the newest go, and what faded or flooded and nothing stands on."""
        here, now = _here(self._home_id), self._clock.now()
        passing = (table.c.settled.is_(None), table.c.kind.in_([kind.value for kind in FORMS if not FORMS[kind].stays]))
        faded = select(table.c.id).where(here, *passing, table.c.created < now - FADES)
        flooded = select(table.c.id).where(here, *passing).order_by(table.c.created.desc()).offset(MOST_OPEN)
        old = select(table.c.id).where(here, table.c.settled.is_not(None))
        for query in (faded, flooded, old.order_by(table.c.settled.desc()).offset(MOST_SETTLED)):
            if gone := connection.execute(query).scalars().all():
                connection.execute(delete(table).where(here, table.c.id.in_(gone)))

    def _announce(self, connection: Connection, change: Change) -> None:
        after_commit(connection, partial(self._pass_on, change))

    def _pass_on(self, change: Change) -> None:
        for loop, callback in list(self._listeners.values()):
            with suppress(RuntimeError):  # the loop has ended: nobody listens there any more
                loop.call_soon_threadsafe(callback, change)


def _here(home_id: str) -> ColumnElement[bool]:
    return table.c.home_id == home_id


def _insert_once(connection: Connection) -> Insert:
    """Return an insert that does nothing where the same is open: the index of open notices decides, of any number at once."""
    if connection.dialect.name == "postgresql":
        return postgres_insert(table).on_conflict_do_nothing()
    if connection.dialect.name == "sqlite":
        return sqlite_insert(table).on_conflict_do_nothing()
    return insert(table)


def _row(home_id: str, notice: Notice) -> dict[str, Any]:
    return (
        {"home_id": home_id} | {name: getattr(notice, name) for name in Notice.__slots__} | {"kind": notice.kind.value}
    )


def _notice(row: Row[Any]) -> Notice:
    return Notice(
        row.id, NoticeKind(row.kind), row.subject, row.text, row.person_id, row.created, row.sent, row.problem, row.seen,
        row.settled,
    )  # fmt: skip
