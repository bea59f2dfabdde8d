"""Plans in the database, and every change of a plan's state as one atomic statement."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, insert, or_, select, update

from homesteward.actions.crowding import require_first, require_room
from homesteward.actions.ending import INTERRUPTED
from homesteward.actions.entries import Entry, end_entry, proposal_entries
from homesteward.actions.plan import Plan, PlanState, Step, StepState
from homesteward.actions.plan_rows import plan_of, plan_row, progress, step_row
from homesteward.actions.sent_before import Sent, sent_since
from homesteward.actions.states import move
from homesteward.actions.ties import Witness, not_witnessed
from homesteward.store import Database
from homesteward.store.tables import plans, steps

MOST_OF_RUN = 100


@dataclass(frozen=True, slots=True)
class Decided:
    """What becomes of a stored plan, if it still stands at the start of `path`: see `PlanStore.advance`."""

    plan_id: str
    path: Sequence[PlanState]
    changed: Sequence[Step] = ()
    entries: Sequence[Entry] = ()
    values: Mapping[str, str | datetime | None] = field(default_factory=dict)
    alive_at: datetime | None = None


class PlanStore:
    """The plans of one home."""

    def __init__(self, database: Database, home_id: str, witness: Witness = not_witnessed) -> None:
        """Keep the plans of `home_id` in `database`; `witness` takes down every move in the transaction that makes it."""
        self._database = database
        self._home_id = home_id
        self._witness = witness

    async def add(
        self,
        new: Iterable[tuple[Plan, Sequence[PlanState]]],
        taken_back: Plan | None = None,
        replaced: Decided | None = None,
    ) -> bool:
        """Store each proposed plan and take it along its path of states, all in one transaction.

        `taken_back` is the plan that they undo, as it was read: another undo since is cannot_undo. `replaced` is what becomes of the
        plan in whose place they come: of any number at once one wins it, the others get False, and nothing of theirs is stored.
        Raises too_many_waiting.
        """
        listed = [(plan, tuple(path)) for plan, path in new]

        def work(connection: Connection) -> bool:
            if replaced is not None and not self._decide(connection, replaced):
                return False
            if taken_back is not None:
                require_first(connection, taken_back)
            require_room(connection, [plan for plan, path in listed if path[-1] is PlanState.WAITING])
            for plan, path in listed:
                connection.execute(insert(plans), plan_row(plan))
                connection.execute(insert(steps), [step_row(self._home_id, plan.id, step) for step in plan.steps])
                self._move(connection, (plan.state, *path), plans.c.id == plan.id)
                self._take_down(connection, proposal_entries(plan, path[-1]))
            return True

        return await self._database.write(work)

    async def advance(
        self,
        plan_id: str,
        path: Sequence[PlanState],
        changed: Iterable[Step] = (),
        *,
        alive_at: datetime | None = None,
        entries: Sequence[Entry] = (),
        **values: str | datetime | None,
    ) -> bool:
        """Take the plan along `path` and store its `changed` steps; return False, and change nothing, if it was not at its start.

        With `alive_at`, a plan that had expired by then does not move either. `values` are further columns of the plan, `entries` what
        the audit keeps of it if it moves.
        """
        return await self.decide(Decided(plan_id, path, tuple(changed), entries, values, alive_at))

    async def decide(self, decided: Decided) -> bool:
        """Do the same as `advance`, for what is decided already."""
        return await self._database.write(lambda connection: self._decide(connection, decided))

    async def save(self, plan_id: str, *changed: Step, entries: Sequence[Entry] = ()) -> None:
        """Store how far the steps have come, and in the audit the `entries` about it."""

        def work(connection: Connection) -> None:
            self._save(connection, plan_id, changed)
            self._take_down(connection, entries)

        await self._database.write(work)

    async def amend(self, plan_id: str, change: Callable[[Plan], tuple[Step, Sequence[Entry]] | None]) -> bool:
        """Let `change` see the plan as it is stored, and store the step that it returns; False where it wants nothing changed.

        It runs in the transaction, on a thread of the database: what came to light later is never written over what is newer.
        """

        def work(connection: Connection) -> bool:
            found = self._load(connection, plans.c.id == plan_id, 1)
            changed = change(found[0]) if found else None
            if changed is None:
                return False
            self._save(connection, plan_id, [changed[0]])
            self._take_down(connection, changed[1])
            return True

        return await self._database.write(work)

    async def get(self, plan_id: str) -> Plan | None:
        """Return the plan, None if this home has none of that id."""
        found = await self._database.read(lambda connection: self._load(connection, plans.c.id == plan_id, 1))
        return found[0] if found else None

    async def of_run(self, run_id: str) -> tuple[Plan, ...]:
        """Return the newest plans of one run, at most `MOST_OF_RUN` of them."""
        where = plans.c.run_id == run_id
        return await self._database.read(lambda connection: self._load(connection, where, MOST_OF_RUN))

    async def of_schedule(self, schedule_id: str) -> tuple[Plan, ...]:
        """Return the plans that a schedule made when it came to its time."""
        where = plans.c.schedule == schedule_id
        return await self._database.read(lambda connection: self._load(connection, where, MOST_OF_RUN))

    async def list(self, state: PlanState | None, limit: int, before: Plan | None = None) -> tuple[Plan, ...]:
        """Return at most `limit` plans, the newest first, of those older than `before`."""
        where = plans.c.state == state.value if state else plans.c.id.is_not(None)
        if before is not None:
            older = and_(plans.c.created == before.created, plans.c.id < before.id)
            where = and_(where, or_(plans.c.created < before.created, older))
        return await self._database.read(lambda connection: self._load(connection, where, limit))

    async def interrupt_stale(self) -> tuple[str, ...]:
        """Turn every executing plan into an interrupted one and say which; a step that was running becomes uncertain."""

        def work(connection: Connection) -> tuple[str, ...]:
            stale = self._move(connection, (PlanState.EXECUTING, PlanState.INTERRUPTED), plans.c.id.is_not(None))
            connection.execute(
                update(steps)
                .where(steps.c.home_id == self._home_id, steps.c.plan_id.in_(stale))
                .where(steps.c.state == StepState.RUNNING.value)
                .values(state=StepState.UNCERTAIN.value, error=INTERRUPTED)
            )
            ends = [end_entry(plan_id, PlanState.INTERRUPTED, why=INTERRUPTED) for plan_id in stale]
            self._take_down(connection, ends)
            return stale

        return await self._database.write(work)

    async def sent_since(self, since: datetime) -> tuple[Sent, ...]:
        """Return what was sent since then, the oldest first."""
        return await self._database.read(lambda connection: sent_since(connection, self._home_id, since))

    async def expire_due(self, at: datetime) -> tuple[str, ...]:
        """Expire every plan that nobody decided about by `at`, and say which."""

        def work(connection: Connection) -> tuple[str, ...]:
            due = plans.c.expires <= at
            expired = tuple(
                plan_id
                for state in (PlanState.WAITING, PlanState.APPROVED)
                for plan_id in self._move(connection, (state, PlanState.EXPIRED), due)
            )
            self._take_down(connection, [end_entry(plan_id, PlanState.EXPIRED) for plan_id in expired])
            return expired

        return await self._database.write(work)

    def _move(
        self,
        connection: Connection,
        path: Sequence[PlanState],
        where: ColumnElement[bool],
        **values: str | datetime | None,
    ) -> tuple[str, ...]:
        """Move the rows from the path's first state to its last and return which moved.

        Every hop is one of the table's. The database decides whether a row still stood at the start: of any number of
        callers at once, one moves it.
        """
        for state, to in pairwise(path):
            move(state, to)
        if path[0] is PlanState.WAITING:
            values["needs"] = None  # it waits for nobody any more
        moved = (
            update(plans)
            .where(plans.c.home_id == self._home_id, plans.c.state == path[0].value, where)
            .values(state=path[-1].value, **values)
            .returning(plans.c.id)
        )
        return tuple(connection.execute(moved).scalars())

    def _decide(self, connection: Connection, decided: Decided) -> bool:
        where = plans.c.id == decided.plan_id
        if decided.alive_at is not None:
            where = and_(where, plans.c.expires > decided.alive_at)
        moved = self._move(connection, decided.path, where, **decided.values)
        if moved:
            self._save(connection, decided.plan_id, decided.changed)
            self._take_down(connection, decided.entries)
        return bool(moved)

    def _take_down(self, connection: Connection, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._witness(connection, entry.kind, entry.actor, entry.plan_id, entry.data)

    def _save(self, connection: Connection, plan_id: str, changed: Iterable[Step]) -> None:
        for step in changed:
            connection.execute(
                update(steps)
                .where(steps.c.home_id == self._home_id, steps.c.plan_id == plan_id, steps.c.n == step.n)
                .values(progress(step))
            )

    def _load(self, connection: Connection, where: ColumnElement[bool], limit: int) -> tuple[Plan, ...]:
        here = plans.c.home_id == self._home_id
        newest = select(plans).where(here, where).order_by(plans.c.created.desc(), plans.c.id.desc()).limit(limit)
        found = connection.execute(newest).mappings().all()
        ids = [row["id"] for row in found]
        of_them = select(steps).where(steps.c.home_id == self._home_id, steps.c.plan_id.in_(ids)).order_by(steps.c.n)
        rows: defaultdict[str, list[RowMapping]] = defaultdict(list)
        for row in connection.execute(of_them).mappings():
            rows[row["plan_id"]].append(row)
        taking_back = (
            select(plans.c.undoes, plans.c.id)
            .where(here, plans.c.undoes.in_(ids), plans.c.undoes != "")
            .order_by(plans.c.created, plans.c.id)
        )
        undoing: defaultdict[str, list[str]] = defaultdict(list)
        for undone, by in connection.execute(taking_back):
            undoing[undone].append(by)
        return tuple(
            plan_of(
                row,
                rows[row["id"]],
                undoing[row["id"]],
            )
            for row in found
        )
