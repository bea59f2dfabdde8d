"""The runs that ended, kept: what was asked, by whom, and what was answered."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, RowMapping, insert, select

from homesteward.actions.rights import same_asker
from homesteward.core import Clock
from homesteward.core.json import JsonObject, plain
from homesteward.people import Caller, Channel, Role
from homesteward.steward.answer import answer_json
from homesteward.steward.runs import Run
from homesteward.store import Database
from homesteward.store.tables import runs

MOST_LISTED = 500


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run that ended: who asked what and when, and the answer as it was shown."""

    id: str
    caller: Caller
    conversation_id: str
    text: str
    started: datetime
    answer: JsonObject


class RunStore:
    """Keep the runs of one home."""

    def __init__(self, database: Database, home_id: str, clock: Clock) -> None:
        """Write to `database`, stamped by `clock`."""
        self._database, self._home_id, self._clock = database, home_id, clock

    async def keep(self, run: Run) -> None:
        """Write down a run that has its answer."""
        if run.answer is None:
            return
        caller = run.request.caller
        row = {
            "home_id": self._home_id,
            "id": run.id,
            "conversation_id": run.answer.conversation_id,
            "role": caller.role.value,
            "channel": caller.channel.value,
            "person": caller.person,
            "person_id": caller.person_id,
            "device_id": caller.device_id or "",
            "token_id": caller.token_id,
            "request": run.request.text,
            "started": run.started,
            "finished": self._clock.now(),
            "outcome": run.answer.outcome.value,
            "answer": plain(answer_json(run.answer)),
        }
        await self._database.write(lambda connection: connection.execute(insert(runs).values(row)))

    async def find(self, run_id: str) -> KeptRun | None:
        """Return a run that ended, also one of an earlier start; None if there is no such run."""

        def read(connection: Connection) -> KeptRun | None:
            chosen = (runs.c.home_id == self._home_id) & (runs.c.id == run_id)
            row = connection.execute(select(runs).where(chosen)).mappings().one_or_none()
            return _kept(row) if row else None

        return await self._database.read(read)

    async def list(self, by: Caller, *, conversation_id: str = "", limit: int = MOST_LISTED) -> tuple[KeptRun, ...]:
        """Return what `by` asked themselves, over every channel or in one conversation, the newest first."""
        where = [runs.c.home_id == self._home_id, runs.c.person_id == by.person_id, runs.c.token_id == by.token_id]
        if conversation_id:
            where.append(runs.c.conversation_id == conversation_id)
        newest = select(runs).where(*where).order_by(runs.c.started.desc(), runs.c.id).limit(min(limit, MOST_LISTED))
        rows = await self._database.read(lambda connection: connection.execute(newest).mappings().all())
        return tuple(kept for row in rows if same_asker((kept := _kept(row)).caller, by))


def _kept(row: RowMapping) -> KeptRun:
    return KeptRun(row["id"], _caller_of(row), row["conversation_id"], row["request"], row["started"], row["answer"])


def _caller_of(row: RowMapping) -> Caller:
    return Caller(
        Role(row["role"]),
        Channel(row["channel"]),
        row["person"],
        person_id=row["person_id"],
        device_id=row["device_id"] or None,
        token_id=row["token_id"],
    )
