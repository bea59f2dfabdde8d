"""Where the store key comes from when the house opens, and how a new one takes its place."""

from pathlib import Path

from sqlalchemy import Connection, select

from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.store.audit import Audit
from homesteward.store.chain import key_id_of
from homesteward.store.database import Database
from homesteward.store.key import KEY_FILE, KeyLostError, KeyRing
from homesteward.store.secrets import reseal, retire
from homesteward.store.tables import audit as entries
from homesteward.store.tables import secrets

RENEWED = "store_key.renewed"
REPLACED = "store_key.replaced"


async def open_keys(database: Database, folder: Path, given: str = "", home_id: str = "") -> KeyRing:
    """Return the keys of the setting, else of the file in the data folder, which is made where nothing is sealed yet.

    Raises KeyLostError where something is sealed and the file is gone, or the key of the newest entry or secret is not among
    the keys: going on with another would spoil the audit for good. An empty file is somebody's word to do so all the same.
    Raises BadKeyError for a key that is none.
    """
    newest, file = await database.read(lambda connection: _newest_key(connection, home_id)), folder / KEY_FILE
    if given:
        keys = KeyRing.given(given)
        asked_for = file.exists() and not file.read_bytes().strip()
    else:
        keys = KeyRing.kept(file, anew=not newest)
        asked_for = keys.made
    if newest and keys.find(newest) is None and not asked_for:
        raise KeyLostError(
            f"The store key of {keys.where} is {keys.current.id}, and what is kept here was sealed with {newest}.",
            next=f"Put that key back from a backup. To go on without it, put an empty file {KEY_FILE} into the data folder: "
            "secrets must then be entered again (docs/store.md).",
        )
    return keys


async def note_replaced(database: Database, keys: KeyRing, audit: Audit, folder: Path, home_id: str) -> None:
    """Say in the audit that another key took the place of one that is lost, where `open_keys` let it; from then on it is the one."""
    newest = await database.read(lambda connection: _newest_key(connection, home_id))
    if newest and keys.find(newest) is None:
        await audit.append(REPLACED, "system", keys.current.id, {"lost": newest})
        if keys.from_settings:
            (folder / KEY_FILE).unlink(missing_ok=True)  # the word was given for this once


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


def _newest_key(connection: Connection, home_id: str) -> str:
    """Return the id of the key that the home's last entry was chained with, else anybody's last; else that of the last secret."""
    own = select(entries.c.hash).where(entries.c.home_id == home_id).order_by(entries.c.n.desc())
    anybodys = select(entries.c.hash).order_by(entries.c.at.desc(), entries.c.n.desc())
    for last in (own, anybodys):
        if found := connection.execute(last.limit(1)).scalar():
            return key_id_of(found)
    return connection.execute(select(secrets.c.key_id).order_by(secrets.c.changed.desc()).limit(1)).scalar() or ""
