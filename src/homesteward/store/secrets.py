"""Secrets, sealed in the database: alarm codes, tokens, passwords. Everywhere else only their names are seen."""

import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import datetime

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Connection, Row, delete, insert, select, update

from homesteward.core import Clock, HomestewardError
from homesteward.core.json import canonical
from homesteward.core.redaction import Redactor
from homesteward.store.database import Database
from homesteward.store.key import KeyLostError, KeyRing, StoreKey, Use
from homesteward.store.tables import secrets

PREFIX = "secret:"
OWN = "~"  # begins the names of what the store seals for itself; nobody else gets at those
RETIRED = f"{OWN}audit."  # followed by a key's id: what the audit was chained with before the key was renewed
NONCE_BYTES = 12
MAX_NAME, MAX_BYTES = 200, 65_536


class SecretMissingError(HomestewardError):
    """There is no secret of that name."""

    code = "secret_missing"


class BadSecretError(HomestewardError):
    """The name or the value is none that can be kept, or what stands in the database is not what was put there."""

    code = "bad_secret"


class Secrets:
    """The secrets of one home. None of them is in a repr, an error or a log."""

    def __init__(
        self, database: Database, home_id: str, keys: KeyRing, clock: Clock, redactor: Redactor | None = None
    ) -> None:
        """Keep them in `database`; what is put in or taken out is registered with `redactor`, so that no log shows it."""
        self._database, self._home_id, self._keys, self._clock = database, home_id, keys, clock
        self._redactor = redactor or Redactor()

    async def put(self, name: str, value: str) -> None:
        """Seal `value` under `name`, in place of what was there; raise BadSecretError for a name or a value out of bounds."""
        _check(name, value)
        self._redactor.add(value)
        await self._database.write(
            lambda connection: _put(
                connection, self._home_id, name, value.encode(), self._keys.current, self._clock.now()
            )
        )

    async def get(self, name: str) -> str:
        """Return the secret.

        Raises SecretMissingError, KeyLostError where it was sealed with a key that is not here, and BadSecretError where it was tampered with.
        """
        row = await self._database.read(lambda connection: _find(connection, self._home_id, name))
        if row is None or name.startswith(OWN):
            raise SecretMissingError(
                f"There is no secret named {name!r} here.", next="Enter it under that name, and ask again."
            )
        value = _opened(self._keys, row).decode()
        self._redactor.add(value)
        return value

    async def resolve(self, reference: str) -> str:
        """Return the secret that `secret:<name>` stands for; raise as `get` does, and BadSecretError for any other text."""
        if not reference.startswith(PREFIX):
            raise BadSecretError("This is no reference to a secret.", next=f"Write it as {PREFIX}<name>.")
        return await self.get(reference.removeprefix(PREFIX))

    async def delete(self, name: str) -> bool:
        """Remove the secret; return whether there was one."""
        if name.startswith(OWN):
            return False
        return await self._database.write(lambda connection: bool(_remove(connection, self._home_id, name)))

    async def names(self) -> tuple[str, ...]:
        """Return the names of all secrets, sorted."""
        where = (secrets.c.home_id == self._home_id) & secrets.c.name.not_like(f"{OWN}%")
        found = await self._database.read(lambda c: c.execute(select(secrets.c.name).where(where)).scalars().all())
        return tuple(sorted(found))

    def own(self, use: str) -> OwnSecrets:
        """Return what is sealed for one room of ours alone, under names that nobody else sees."""
        return OwnSecrets(self._database, self._home_id, self._keys, self._clock, f"{OWN}{use}.")


class OwnSecrets:
    """Values that a room of ours seals for itself."""

    def __init__(self, database: Database, home_id: str, keys: KeyRing, clock: Clock, prefix: str) -> None:
        """Keep them under names that begin with `prefix`."""
        self._database, self._home_id, self._keys, self._clock = database, home_id, keys, clock
        self._prefix = prefix

    async def kept(self, names: Collection[str]) -> Mapping[str, str]:
        """Return those of these that there are; what cannot be opened is left out."""

        def work(connection: Connection) -> dict[str, str]:
            found: dict[str, str] = {}
            for name in names:
                if (row := _find(connection, self._home_id, f"{self._prefix}{name}")) is not None:
                    with suppress(KeyLostError, BadSecretError):
                        found[name] = _opened(self._keys, row).decode()
            return found

        return await self._database.read(work)

    async def keep(self, values: Mapping[str, str]) -> None:
        """Seal values under names; what is there under such a name, and can be opened, stays as it is."""

        def work(connection: Connection) -> None:
            for name, value in values.items():
                row = _find(connection, self._home_id, whole := f"{self._prefix}{name}")
                with suppress(KeyLostError, BadSecretError):
                    if row is not None and _opened(self._keys, row):
                        continue
                _put(connection, self._home_id, whole, value.encode(), self._keys.current, self._clock.now())

        await self._database.write(work)


def reseal(connection: Connection, keys: KeyRing, at: datetime) -> tuple[int, tuple[str, ...]]:
    """Seal with the current key all that an older one sealed, for every home in the database.

    Returns how much that was, and the names of what had been tampered with and is left as it is: nobody can read it any more.
    """
    count, spoiled = 0, []
    for row in connection.execute(select(secrets).where(secrets.c.key_id.in_([key.id for key in keys.older]))).all():
        try:
            sealed = _sealed(keys.current, row.home_id, row.name, _opened(keys, row))
        except BadSecretError:
            spoiled.append(row.name)
            continue
        here = (secrets.c.home_id == row.home_id) & (secrets.c.name == row.name)
        connection.execute(update(secrets).where(here).values(key_id=keys.current.id, sealed=sealed, changed=at))
        count += 1
    return count, tuple(spoiled)


def retire(connection: Connection, home_id: str, keys: KeyRing, at: datetime) -> None:
    """Keep what the home's audit was chained with under each older key."""
    for key in keys.older:
        _put(connection, home_id, f"{RETIRED}{key.id}", key.derived(Use.AUDIT), keys.current, at)


def retired(connection: Connection, home_id: str, keys: KeyRing) -> dict[str, bytes]:
    """Return what the home's audit was chained with before, by the id of its key; what cannot be opened is left out."""
    where = (secrets.c.home_id == home_id) & secrets.c.name.like(f"{RETIRED}%")
    found: dict[str, bytes] = {}
    for row in connection.execute(select(secrets).where(where)).all():
        with suppress(KeyLostError, BadSecretError):
            found[row.name.removeprefix(RETIRED)] = _opened(keys, row)
    return found


def _put(connection: Connection, home_id: str, name: str, value: bytes, key: StoreKey, at: datetime) -> None:
    _remove(connection, home_id, name)
    row = {
        "home_id": home_id,
        "name": name,
        "key_id": key.id,
        "sealed": _sealed(key, home_id, name, value),
        "changed": at,
    }
    connection.execute(insert(secrets).values(row))


def _find(connection: Connection, home_id: str, name: str) -> Row[tuple[object, ...]] | None:
    here = (secrets.c.home_id == home_id) & (secrets.c.name == name)
    return connection.execute(select(secrets).where(here)).one_or_none()


def _remove(connection: Connection, home_id: str, name: str) -> int:
    here = (secrets.c.home_id == home_id) & (secrets.c.name == name)
    return connection.execute(delete(secrets).where(here)).rowcount


def _sealed(key: StoreKey, home_id: str, name: str, value: bytes) -> bytes:
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(key.derived(Use.SECRETS)).encrypt(nonce, value, canonical([home_id, name]))


def _opened(keys: KeyRing, row: Row[tuple[object, ...]]) -> bytes:
    """Return what is sealed in a row; it opens only under the home and the name it was sealed for."""
    key = keys.find(row.key_id)
    if key is None:
        raise KeyLostError(
            f"The secret {row.name!r} was sealed with the store key {row.key_id}, which is not here.",
            next="Put that key back (docs/store.md), or enter the secret anew.",
        )
    try:
        nonce, body = row.sealed[:NONCE_BYTES], row.sealed[NONCE_BYTES:]
        return AESGCM(key.derived(Use.SECRETS)).decrypt(nonce, body, canonical([row.home_id, row.name]))
    except InvalidTag, ValueError:
        raise BadSecretError(
            f"The secret {row.name!r} is not what was put there: it was changed in the database, or is another's.",
            next="Enter it anew.",
        ) from None


def _check(name: str, value: str) -> None:
    if not name.strip() or len(name) > MAX_NAME or name.startswith(OWN):
        raise BadSecretError(
            f"A secret's name has 1 to {MAX_NAME} characters and does not begin with {OWN}.",
            next="Choose another name.",
        )
    if not value or len(value.encode()) > MAX_BYTES:
        raise BadSecretError(f"A secret has 1 to {MAX_BYTES} bytes.", next="Check what was entered.")
