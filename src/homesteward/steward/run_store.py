"""The runs that ended, kept: what was asked, by whom, and what was answered."""

from typing import Any

from sqlalchemy import Connection, insert, select

from homesteward.core import Clock
from homesteward.core.json import plain
from homesteward.steward.answer import answer_json
from homesteward.steward.runs import Run
from homesteward.store import Database
from homesteward.store.tables import runs


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
            "request": run.request.text,
            "started": run.started,
            "finished": self._clock.now(),
            "outcome": run.answer.outcome.value,
            "answer": plain(answer_json(run.answer)),
        }
        await self._database.write(lambda connection: connection.execute(insert(runs).values(row)))

    async def answer(self, run_id: str) -> dict[str, Any] | None:
        """Return the answer of a run that ended, also one of an earlier start; None if there is no such run."""

        def read(connection: Connection) -> dict[str, Any] | None:
            chosen = (runs.c.home_id == self._home_id) & (runs.c.id == run_id)
            return connection.execute(select(runs.c.answer).where(chosen)).scalar_one_or_none()

        return await self._database.read(read)
