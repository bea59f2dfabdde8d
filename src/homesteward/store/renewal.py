"""Where the store key comes from when the house opens, and how a new one takes its place."""

from pathlib import Path

from sqlalchemy import Connection, exists, select

from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.store.audit import Audit
from homesteward.store.database import Database
from homesteward.store.key import KEY_FILE, KeyRing
from homesteward.store.secrets import reseal, retire
from homesteward.store.tables import audit as entries
from homesteward.store.tables import secrets

RENEWED = "store_key.renewed"


async def open_keys(database: Database, folder: Path, given: str = "") -> KeyRing:
    """Return the keys of the setting, else of the file in the data folder, which is made where nothing is sealed yet.

    Raises KeyLostError where something is sealed and the file is gone, and BadKeyError for a key that is none.
    """
    if given:
        return KeyRing.given(given)
    return KeyRing.kept(folder / KEY_FILE, anew=not await database.read(_is_sealed))


async def renew_key(database: Database, keys: KeyRing, audit: Audit, clock: Clock, *, actor: str) -> int:
    """Put a new key in the place of the present one and return how many secrets it sealed anew.

    Raises BadKeyError for a key from the settings. Cut short at any point, `settle_keys` finishes it.
    """
    keys.renew()
    return await settle_keys(database, keys, audit, clock, actor=actor)


async def settle_keys(database: Database, keys: KeyRing, audit: Audit, clock: Clock, *, actor: str) -> int:
    """Seal with the present key what older ones sealed, all in one transaction, and only then drop them. At every start."""
    if not keys.older:
        return 0

    def work(connection: Connection) -> int:
        for home_id in connection.execute(select(entries.c.home_id).distinct()).scalars().all():
            retire(connection, home_id, keys, clock.now())
        count, spoiled = reseal(connection, keys, clock.now())
        older = [key.id for key in keys.older]
        done: JsonObject = {"older": older, "secrets": count, "unreadable": list(spoiled)}
        audit.witness_everywhere(connection, RENEWED, actor, keys.current.id, done)
        return count

    count = await database.write(work)
    keys.forget()
    return count


def _is_sealed(connection: Connection) -> bool:
    return any(connection.execute(select(exists(select(table.c.home_id)))).scalar() for table in (secrets, entries))
