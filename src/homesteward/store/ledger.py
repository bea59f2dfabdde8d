"""A ledger: one set of tables, kept and migrated together, in a SQLite file or in a PostgreSQL schema of its own."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Durability(StrEnum):
    """What a commit survives."""

    FULL = "full"
    """A power cut: for what was decided and done."""
    NORMAL = "normal"
    """The death of the process; a power cut may take the last commits with it, and never damages what was there before."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """A name, which is also the name of its PostgreSQL schema, and the revisions its tables went through."""

    name: str
    revisions: tuple[str, ...]
    """Every revision this version knows, oldest first."""
    migrations: Path
    """The folder whose `versions` holds one file per revision."""
    durability: Durability = Durability.FULL


HOMESTEWARD = Ledger("homesteward", ("0001", "0002", "0003", "0004", "0005"), Path(__file__).parent / "migrations")
