"""A ledger in a PostgreSQL schema of its own. The driver is imported only here, and only when a server is asked for."""

from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from homesteward.store.failures import BadAddressError, DriverMissingError
from homesteward.store.ledger import Durability, Ledger

SCHEMES = {"postgresql", "postgres", "postgresql+psycopg"}
LOCK_MS = 10_000  # how long a statement waits for another transaction before it fails

# A server that vanished without a word is given up after half a minute, in place of the operating system's quarter of an hour.
REACH = {"connect_timeout": 10, "keepalives_idle": 15, "tcp_user_timeout": 30_000, "application_name": "homesteward"}
COMMIT = {Durability.FULL: "SET synchronous_commit TO on", Durability.NORMAL: ""}  # NORMAL leaves it to the server


def engines(address: str, ledger: Ledger, readers: int) -> tuple[Engine, Engine]:
    """Return the engine that writes and the one that reads.

    Raises BadAddressError for an address that is none, and DriverMissingError where psycopg is not installed.
    """
    url = _url(address)
    return _engine(url, ledger, 1), _engine(url, ledger, readers, reading=True)


def password_of(address: str) -> str:
    """Return the password in an address, to be kept out of logs; empty where there is none, or no address."""
    try:
        return make_url(address).password or ""
    except ArgumentError, ValueError:
        return ""


def make_schema(connection: Connection, ledger: Ledger) -> None:
    """Make the ledger's schema where there is none, and hold every other process off it until this transaction ends."""
    connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:name))"), {"name": f"homesteward.{ledger.name}"})
    if not inspect(connection).has_schema(ledger.name):
        connection.execute(text(f'CREATE SCHEMA "{ledger.name}"'))


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except ArgumentError, ValueError:
        url = None
    if url is None or url.drivername not in SCHEMES:
        raise BadAddressError(
            "store.url is no address of a PostgreSQL.",
            next="Write it as postgresql://user:password@host/database, or leave it empty for files in the data folder.",
        )
    return url.set(drivername="postgresql+psycopg")


def _engine(url: URL, ledger: Ledger, size: int, *, reading: bool = False) -> Engine:
    """Return an engine; one that reads sees one picture of the database per transaction, and can change nothing."""
    level = "REPEATABLE READ" if reading else "READ COMMITTED"
    given = {name: value for name, value in REACH.items() if name not in url.query}
    try:
        engine = create_engine(
            url, pool_size=size, max_overflow=0, isolation_level=level, connect_args=given, hide_parameters=True
        )
    except ImportError as error:
        raise DriverMissingError(
            "PostgreSQL needs a library that is not installed here.",
            next="Install it: pip install 'homesteward[postgres]'.",
        ) from error

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's, which may be missing
        connection.autocommit = True  # else a transaction that is undone would undo these as well
        for command in _commands(ledger):
            connection.execute(command)
        connection.autocommit = False
        connection.read_only = reading

    return engine


def _commands(ledger: Ledger) -> tuple[str, ...]:
    """Return what every connection is told first; the search path holds no schema but the ledger's own."""
    found = (f'SET search_path TO "{ledger.name}"', f"SET lock_timeout TO {LOCK_MS}", COMMIT[ledger.durability])
    return tuple(command for command in found if command)
