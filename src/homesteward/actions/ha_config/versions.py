"""Every version of what is written into Home Assistant's configuration, as it was found and as it was left; no code is in one."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select

from homesteward.actions.ha_config.errors import UnknownVersionError
from homesteward.actions.ha_config.text import fingerprint
from homesteward.actions.ties import AnyWitness, nothing_witnessed
from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.store import Database
from homesteward.store.tables import config_versions as table

MOST = 50  # of one object, the newest
FOUND = "home assistant"
"""Who made a version that was found there."""
KEPT = "config.version"


@dataclass(frozen=True, slots=True)
class Version:
    """One version of one object. `config` is None where there was none at the time."""

    kind: str
    object_id: str
    n: int
    at: datetime
    author: str
    plan_id: str
    config: JsonObject | None
    hash: str

    def as_json(self) -> JsonObject:
        """Return the version for faces, without its content."""
        return {
            "kind": self.kind,
            "id": self.object_id,
            "n": self.n,
            "at": self.at.isoformat(),
            "author": self.author,
            "plan_id": self.plan_id,
            "there": self.config is not None,
            "hash": self.hash,
        }


class Versions:
    """The versions of one home's objects."""

    def __init__(self, database: Database, home_id: str, clock: Clock, witness: AnyWitness = nothing_witnessed) -> None:
        """Keep them in `database`; each is told to `witness` in the transaction that keeps it."""
        self._database, self._home_id, self._clock, self._witness = database, home_id, clock, witness

    async def keep(self, kind: str, object_id: str, config: JsonObject | None, author: str, plan_id: str) -> int:
        """Keep a version and return its number; where the newest is the same already, that one's."""

        def work(connection: Connection) -> int:
            newest = connection.execute(self._of(kind, object_id).limit(1)).first()
            if newest is not None and newest.hash == fingerprint(config):
                return int(newest.n)
            n = (newest.n if newest else 0) + 1
            row = self._row(kind, object_id, n, config) | {"author": author, "plan_id": plan_id}
            connection.execute(insert(table), row)
            connection.execute(delete(table).where(*self._which(kind, object_id), table.c.n <= n - MOST))
            about = {"kind": kind, "id": object_id, "n": n, "hash": row["hash"], "plan_id": plan_id}
            self._witness(connection, KEPT, author, f"{kind}.{object_id}", about)
            return n

        return await self._database.write(work)

    async def listed(self, kind: str, object_id: str) -> tuple[Version, ...]:
        """Return the versions of an object, the newest first."""
        rows = await self._database.read(lambda connection: connection.execute(self._of(kind, object_id)).all())
        return tuple(_version(row) for row in rows)

    async def get(self, kind: str, object_id: str, n: int) -> Version:
        """Return one version; raise UnknownVersionError if there is none such."""
        found = next((version for version in await self.listed(kind, object_id) if version.n == n), None)
        if found is None:
            raise UnknownVersionError(f"There is no version {n} of {kind} {object_id}.", next="List its versions.")
        return found

    async def newest(self, kind: str, object_id: str) -> JsonObject | None:
        """Return what was kept last, None where nothing was, or where it was gone by then."""
        rows = await self._database.read(
            lambda connection: connection.execute(self._of(kind, object_id).limit(1)).all()
        )
        return _version(rows[0]).config if rows else None

    async def objects(self) -> tuple[tuple[str, str, int], ...]:
        """Return everything that has versions: kind, id and the newest number."""
        newest = (
            select(table.c.kind, table.c.object_id, func.max(table.c.n))
            .where(table.c.home_id == self._home_id)
            .group_by(table.c.kind, table.c.object_id)
            .order_by(table.c.kind, table.c.object_id)
        )
        rows = await self._database.read(lambda connection: connection.execute(newest).all())
        return tuple((kind, object_id, int(n)) for kind, object_id, n in rows)

    def _row(self, kind: str, object_id: str, n: int, config: JsonObject | None) -> dict[str, Any]:
        return {
            "home_id": self._home_id,
            "kind": kind,
            "object_id": object_id,
            "n": n,
            "at": self._clock.now(),
            "config": dict(config) if config is not None else None,
            "hash": fingerprint(config),
        }

    def _which(self, kind: str, object_id: str) -> tuple[Any, ...]:
        return table.c.home_id == self._home_id, table.c.kind == kind, table.c.object_id == object_id

    def _of(self, kind: str, object_id: str) -> Any:  # noqa: ANN401 - SQLAlchemy's own type names every column
        return select(table).where(*self._which(kind, object_id)).order_by(table.c.n.desc())


def _version(row: Row[Any]) -> Version:
    return Version(row.kind, row.object_id, row.n, row.at, row.author, row.plan_id, row.config, row.hash)
