"""Schedules in the database: every change of their state is one atomic statement, so that of any number of hands one has it."""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from homesteward.actions.errors import GateError
from homesteward.actions.schedule.rows import row_of, schedule_of
from homesteward.actions.schedule.schedule import WAYS, Schedule, ScheduleState, schedule_visible
from homesteward.chronicle.storable import is_storable
from homesteward.people import Caller
from homesteward.store import Database
from homesteward.store.tables import schedules as table

MOST_OF_ONE = 50  # that wait, of one asker
MOST = 500  # that wait, of a home
MOST_ENDED = 500  # of those that are over, the newest are kept
KEPT = timedelta(days=90)
AT_ONCE = 50  # due ones that are read together

type Then = Callable[[Connection, Schedule], None]
"""What is put down in the transaction in which a schedule ends."""


class UnknownScheduleError(GateError):
    """There is no such schedule, or not for whoever asks."""

    code = "not_found"


class TooManyScheduledError(GateError):
    """Whoever asks has as many things scheduled as anybody may."""

    code = "too_many_scheduled"


class ScheduleStore:
    """The schedules of one home."""

    def __init__(self, database: Database, home_id: str) -> None:
        """Keep them in `database`."""
        self._database, self._home_id = database, home_id

    async def add(self, schedule: Schedule) -> None:
        """Keep a new schedule; nothing where it is kept already. Raises too_many_scheduled."""

        def work(connection: Connection) -> None:
            if self._one(connection, schedule.id) is None:
                self._require_room(connection, schedule)
                connection.execute(insert(table), row_of(self._home_id, schedule))

        await self._database.write(work)

    async def get(self, schedule_id: str) -> Schedule | None:
        """Return the schedule, None if this home has none of that id."""
        return await self._database.read(lambda connection: self._one(connection, schedule_id))

    async def waiting(self) -> tuple[Schedule, ...]:
        """Return what is still to be done, the soonest first."""
        open_ = table.c.state.in_([ScheduleState.WAITING.value, ScheduleState.FIRING.value])
        return await self._many(open_, table.c.at, table.c.id, limit=MOST)

    async def ended(self, limit: int) -> tuple[Schedule, ...]:
        """Return what is over, the newest first."""
        return await self._many(table.c.ended.is_not(None), table.c.ended.desc(), table.c.id.desc(), limit=limit)

    async def due(self, now: datetime) -> tuple[Schedule, ...]:
        """Return what waits and is due, the soonest first."""
        return await self._many(_is(ScheduleState.WAITING), table.c.at <= now, table.c.at, table.c.id, limit=AT_ONCE)

    async def next_at(self, after: datetime) -> datetime | None:
        """Return when the next one is due after that moment."""
        query = select(func.min(table.c.at)).where(self._here, _is(ScheduleState.WAITING), table.c.at > after)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def claim(self, schedule_id: str, now: datetime) -> Schedule | None:
        """Take one that waits, to be fired; None where another hand has it, or it is over."""
        return await self._database.write(
            lambda connection: self._moved(
                connection, schedule_id, ScheduleState.WAITING, ScheduleState.FIRING, claimed=now
            )
        )

    async def beat(self, held: Schedule, now: datetime) -> Schedule | None:
        """Say of one that is being fired that whoever has it is alive; None where another hand has ended it."""

        def work(connection: Connection) -> Schedule | None:
            mine = (self._here, table.c.id == held.id, _is(ScheduleState.FIRING), table.c.claimed == held.claimed)
            still = connection.execute(update(table).where(*mine).values(claimed=now).returning(table.c.id)).scalar()
            return self._one(connection, held.id) if still is not None else None

        return await self._database.write(work)

    async def release(self, held: Schedule) -> None:
        """Give one back that was claimed and of which nothing was sent."""
        await self._move(held, ScheduleState.WAITING, claimed=None)

    async def end(
        self, schedule: Schedule, state: ScheduleState, why: str, now: datetime, then: Then | None = None
    ) -> bool:
        """Bring one to its end from the state and the claim it was read in, with what is put down about it; False where that is past."""
        return bool(await self._ended(schedule.id, schedule.state, state, why, now, then, schedule.claimed))

    async def cancel(self, schedule_id: str, now: datetime) -> tuple[Schedule, ...]:
        """Cancel one that waits, and with it what would be its end; return what was cancelled, nothing where it does not wait any more."""
        waits, off = ScheduleState.WAITING, ScheduleState.CANCELLED
        return await self._ended(schedule_id, waits, off, "", now, None, None)

    async def claimed(self) -> tuple[Schedule, ...]:
        """Return those that are being fired, by whoever last said so at `claimed`; or were, by a process that stopped."""
        return await self._many(_is(ScheduleState.FIRING), table.c.at, table.c.id, limit=MOST)

    async def _ended(
        self,
        schedule_id: str,
        was: ScheduleState,
        to: ScheduleState,
        why: str,
        now: datetime,
        then: Then | None,
        claim: datetime | None,
    ) -> tuple[Schedule, ...]:
        def work(connection: Connection) -> tuple[Schedule, ...]:
            ended = self._moved(connection, schedule_id, was, to, claim, ended=now, why=why)
            if ended is None:
                return ()
            if then is not None:
                then(connection, ended)
            behind = self._with_its_end(connection, ended, now) if to in TAKES_ITS_END_ALONG else ()
            self._tidy(connection, now)
            return (ended, *behind)

        return await self._database.write(work)

    def _with_its_end(self, connection: Connection, first: Schedule, now: datetime) -> tuple[Schedule, ...]:
        """Drop what would be the end of a schedule that is not carried out."""
        if not first.run_id:
            return ()
        same_run = select(table).where(self._here, _is(ScheduleState.WAITING), table.c.run_id == first.run_id)
        found = [schedule_of(row) for row in connection.execute(same_run).mappings()]
        to = ScheduleState.CANCELLED if first.state is ScheduleState.CANCELLED else ScheduleState.DROPPED
        moved = [
            self._moved(connection, each.id, each.state, to, ended=now, why=ITS_BEGINNING)
            for each in found
            if each.ends is not None and each.ends == first.call and each.at > first.at
        ]
        return tuple(each for each in moved if each)

    async def _move(self, held: Schedule, to: ScheduleState, **values: str | datetime | None) -> Schedule | None:
        return await self._database.write(
            lambda connection: self._moved(connection, held.id, held.state, to, held.claimed, **values)
        )

    def _moved(
        self,
        connection: Connection,
        schedule_id: str,
        was: ScheduleState,
        to: ScheduleState,
        claim: datetime | None = None,
        **values: str | datetime | None,
    ) -> Schedule | None:
        """Move the row, if it still stands where it was, and is held by no other `claim`; the database decides, of any number at once."""
        if to not in WAYS[was]:
            raise ValueError(f"a schedule does not go from {was} to {to}")
        held = (table.c.claimed == claim,) if claim is not None else ()
        where = (self._here, table.c.id == schedule_id, _is(was), *held)
        moved = update(table).where(*where).values(state=to.value, **values).returning(table.c.id)
        if connection.execute(moved).scalar() is None:
            return None
        return self._one(connection, schedule_id)

    async def _many(self, *parts: ColumnElement[bool] | ColumnElement[datetime], limit: int) -> tuple[Schedule, ...]:
        *where, first, second = parts
        query = select(table).where(self._here, *where).order_by(first, second).limit(limit)
        rows = await self._database.read(lambda connection: connection.execute(query).mappings().all())
        return tuple(map(schedule_of, rows))

    def _one(self, connection: Connection, schedule_id: str) -> Schedule | None:
        row = connection.execute(select(table).where(self._here, table.c.id == schedule_id)).mappings().one_or_none()
        return schedule_of(row) if row else None

    def _require_room(self, connection: Connection, schedule: Schedule) -> None:
        who = schedule.caller
        of_one = (
            table.c.person_id == who.person_id,
            table.c.device_id == (who.device_id or ""),
            table.c.token_id == who.token_id,
        )
        for most, where in ((MOST_OF_ONE, of_one), (MOST, ())):
            count = select(func.count()).select_from(table).where(self._here, _is(ScheduleState.WAITING), *where)
            if connection.execute(count).scalar_one() >= most:
                raise TooManyScheduledError(
                    f"{most} things are scheduled already, and more are not kept.", next="Cancel some of them first."
                )

    def _tidy(self, connection: Connection, now: datetime) -> None:
        over = (self._here, table.c.ended.is_not(None))
        oldest = select(table.c.id).where(*over).order_by(table.c.ended.desc(), table.c.id.desc()).offset(MOST_ENDED)
        ids = connection.execute(oldest).scalars().all()
        connection.execute(delete(table).where(*over, table.c.ended < now - KEPT))
        if ids:
            connection.execute(delete(table).where(self._here, table.c.id.in_(ids)))

    @property
    def _here(self) -> ColumnElement[bool]:
        return table.c.home_id == self._home_id


ITS_BEGINNING = "what it would have ended was not done"
TAKES_ITS_END_ALONG = frozenset({ScheduleState.CANCELLED, ScheduleState.MISSED, ScheduleState.DROPPED})


def _is(state: ScheduleState) -> ColumnElement[bool]:
    return table.c.state == state.value


async def listed(store: ScheduleStore, by: Caller, *, ended: bool = False, limit: int = MOST) -> tuple[Schedule, ...]:
    """Return what exists for `by`: what is still to be done, the soonest first, and with `ended` what is over, the newest first."""
    found = (*await store.waiting(), *(await store.ended(MOST_ENDED) if ended else ()))
    return tuple(each for each in found if schedule_visible(each, by))[: max(limit, 0)]


async def one_of(store: ScheduleStore, schedule_id: str, by: Caller) -> Schedule:
    """Return the schedule; raise UnknownScheduleError, also for one that does not exist for `by`."""
    found = await store.get(schedule_id) if is_storable(schedule_id) else None
    if found is None or not schedule_visible(found, by):
        raise UnknownScheduleError(
            f"Nothing is scheduled as {schedule_id[:60]!r}.", next="List what is scheduled to see the ids."
        )
    return found
