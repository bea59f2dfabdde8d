"""An open database with the tables of `homesteward.db`, on either engine, with a key, an audit and secrets on it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from homesteward.core import FrozenClock
from homesteward.core.redaction import Redactor
from homesteward.store import Audit, Database, KeyRing, Secrets, StoreKey


@pytest.fixture
async def database(open_database) -> Database:
    return await open_database()


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(datetime(2026, 3, 1, 12, tzinfo=UTC))


@pytest.fixture
def keys() -> KeyRing:
    return KeyRing([StoreKey.new()])


@pytest.fixture
def redactor() -> Redactor:
    return Redactor()


@pytest.fixture
def anchor(tmp_path: Path) -> Path:
    return tmp_path / "audit.anchor"


@pytest.fixture
def make_audit(database, keys, clock, redactor, anchor):
    """Make the audit of a home anew, as after a restart."""

    def make(home_id: str = "h", **given: object) -> Audit:
        settings = {"redactor": redactor, "anchor": anchor, **given}
        return Audit(settings.pop("database", database), home_id, settings.pop("keys", keys), clock, **settings)

    return make


@pytest.fixture
def audit(make_audit) -> Audit:
    return make_audit()


@pytest.fixture
def secrets(database, keys, clock, redactor) -> Secrets:
    return Secrets(database, "h", keys, clock, redactor)
