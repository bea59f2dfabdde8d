"""The runs that ended, kept: what was asked, by whom, and what was answered."""

from dataclasses import dataclass

from sqlalchemy import Connection, RowMapping, insert, select

from homesteward.core import Clock
from homesteward.core.json import JsonObject, plain
from homesteward.people import Caller, Channel, Role
from homesteward.steward.answer import answer_json
from homesteward.steward.runs import Run
from homesteward.store import Database
from homesteward.store.tables import runs


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run that ended: who asked, and the answer as it was shown."""

    caller: Caller
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
            return KeptRun(_caller_of(row), row["answer"]) if row else None

        return await self._database.read(read)


def _caller_of(row: RowMapping) -> Caller:
    return Caller(
        Role(row["role"]),
        Channel(row["channel"]),
        row["person"],
        person_id=row["person_id"],
        device_id=row["device_id"] or None,
        token_id=row["token_id"],
    )
