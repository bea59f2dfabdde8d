"""Backup and restore: the whole state of a Homesteward in one file, made while it runs, put back while it does not."""

import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from homesteward import __version__
from homesteward.app.archive import BackupError, Contents, member_of, pack, unpack
from homesteward.app.entry import ANCHOR
from homesteward.chronicle.chronicle import CHRONICLE_FILE
from homesteward.settings import Settings
from homesteward.store import DataFolder
from homesteward.store.key import KEY_FILE

DATABASE = "homesteward.db"
HOME_ID = "home_id"
RULES = "policy.yaml"  # in a backup, wherever the settings have it
DATABASES = (DATABASE, CHRONICLE_FILE)
KNOWN = (HOME_ID, KEY_FILE, ANCHOR, RULES, *DATABASES)
BESIDE = ("-wal", "-shm")  # of a database: they belong to the one that goes
ATTEMPTS = 3  # while the key is renewed at the same moment


@dataclass(frozen=True, slots=True)
class Summary:
    """What a backup holds or what was put back, and what a person has to know about it."""

    file: str
    made: str
    version: str
    home_id: str
    key: str
    holds: Mapping[str, int]
    notes: tuple[str, ...]
    aside: str = ""
    """The folder in which lies what was there before."""

    def as_json(self) -> dict[str, object]:
        """Return the summary for the command line."""
        return asdict(self)


def back_up(settings: Settings, to: Path, now: datetime) -> Summary:
    """Put everything in the data folder that is state into the file `to`, which must not be there yet. A service may go on meanwhile.

    Raises BackupError.
    """
    if to.exists():
        raise BackupError(f"{to} is there already.", next="Name another file; a backup is never written over.")
    if not (settings.data / HOME_ID).exists():
        raise BackupError(f"There is nothing to back up in {settings.data}.", next="Is HOMESTEWARD_DATA right?")
    try:
        with TemporaryDirectory(prefix=".homesteward-", dir=to.absolute().parent) as name:
            contents = _gathered(settings, Path(name), now)
            pack(contents, Path(name), to)
    except OSError as error:
        raise BackupError(f"The backup cannot be written: {error.strerror}.", next="Name a file elsewhere.") from None
    except sqlite3.Error as error:
        raise BackupError(f"A database cannot be read: {error}.", next="See 'homesteward doctor'.") from None
    return _summary(to, contents)


def restore(settings: Settings, file: Path, now: datetime) -> Summary:
    """Put a backup in the place of what the data folder holds, which is put aside. No service may run on it.

    Raises BackupError, before anything is changed, and DataFolderLockedError.
    """
    with DataFolder.open(settings.data) as folder, TemporaryDirectory(prefix=".restore-", dir=folder.path) as name:
        staged = Path(name)
        contents = unpack(file, staged, KNOWN)
        _require_fitting(settings, contents)
        _prepared(staged)
        aside = folder.path / f"before-restore-{now:%Y%m%d-%H%M%S}"
        try:
            _put_in_place(settings, staged, aside)
        except OSError as error:
            raise BackupError(
                f"Not all of it could be put back: {error.strerror}.", next=f"What was there before lies in {aside}."
            ) from None
    return _summary(file, contents, aside)


def _gathered(settings: Settings, into: Path, now: datetime) -> Contents:
    """Copy everything: what must not be newer than the databases first, and the key before and after them."""
    data = settings.data
    for _ in range(ATTEMPTS):
        key = _bytes(data / KEY_FILE)
        for name, source in ((HOME_ID, data / HOME_ID), (ANCHOR, data / ANCHOR), (RULES, data / settings.policy.file)):
            _copy(source, into / name)
        for name in DATABASES:
            if (data / name).exists():
                _copy_database(data / name, into / name)
        if key == _bytes(data / KEY_FILE):
            break
    else:
        raise BackupError("The store key is being renewed.", next="Try again in a moment.")
    if key is not None:
        _write(into / KEY_FILE, key)
    return Contents(
        made=now.isoformat(),
        version=__version__,
        home_id=(into / HOME_ID).read_text().strip(),
        key="inside" if key is not None else "settings",
        database="postgresql" if settings.store.url.get_secret_value() else "sqlite",
        members=tuple(member_of(into / name) for name in KNOWN if (into / name).exists()),
    )


def _copy_database(source: Path, to: Path) -> None:
    """Copy a database that may be written meanwhile, by SQLite's own way of doing that."""
    with closing(sqlite3.connect(source, timeout=30)) as read, closing(sqlite3.connect(to)) as written:
        read.backup(written)
        written.execute("PRAGMA journal_mode=DELETE")


def _require_fitting(settings: Settings, contents: Contents) -> None:
    here = "postgresql" if settings.store.url.get_secret_value() else "sqlite"
    if contents.database != here:
        raise BackupError(
            f"The backup is of a Homesteward on {contents.database}, and this one is on {here}.",
            next="Set store.url as it was there, or move the database with its own tools.",
        )
    if contents.key == "settings" and not settings.store.key.get_secret_value():
        raise BackupError(
            "The store key is not in this backup: it was in the settings there.",
            next="Set store.key to the same key first.",
        )


def _prepared(staged: Path) -> None:
    """Hold the databases against themselves, and end every sign-in: one that was ended since would hold again."""
    try:
        for name in DATABASES:
            if (staged / name).exists():
                with closing(sqlite3.connect(staged / name)) as opened:
                    if opened.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                        raise BackupError(f"{name} in the backup is damaged.", next="Take another backup.")
        if (staged / DATABASE).exists():
            with closing(sqlite3.connect(staged / DATABASE)) as opened, opened:
                opened.execute("DELETE FROM sessions")
    except sqlite3.Error as error:
        raise BackupError(f"A database in the backup cannot be read: {error}.", next="Take another backup.") from None


def _put_in_place(settings: Settings, staged: Path, aside: Path) -> None:
    aside.mkdir(mode=0o700)
    for name, place in _places(settings):
        for there in (place, *(place.with_name(f"{place.name}{end}") for end in BESIDE if name in DATABASES)):
            if there.exists():
                shutil.move(there, aside / there.name)
    for name, place in _places(settings):
        if (staged / name).exists():
            shutil.move(staged / name, place)
    _settled(settings.data)


def _places(settings: Settings) -> Iterator[tuple[str, Path]]:
    """Yield each member with where it belongs here. On a PostgreSQL no database file is touched."""
    for name in KNOWN:
        if not (name in DATABASES and settings.store.url.get_secret_value()):
            yield name, settings.data / (settings.policy.file if name == RULES else name)


def _settled(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _summary(file: Path, contents: Contents, aside: Path | None = None) -> Summary:
    return Summary(
        file=str(file),
        made=contents.made,
        version=contents.version,
        home_id=contents.home_id,
        key=contents.key,
        holds={member.name: member.size for member in contents.members},
        notes=tuple(_notes(contents, restored=aside is not None)),
        aside=str(aside) if aside else "",
    )


def _notes(contents: Contents, *, restored: bool) -> Iterator[str]:
    if contents.key == "inside":
        yield "The store key is inside: whoever has this file can open everything in it. Keep it where only you can read it."
    else:
        yield "The store key is not inside: it is in the settings. Without it nothing that is sealed can be opened."
    if contents.database == "postgresql":
        yield "The database is not inside: it is a PostgreSQL. Keep it with pg_dump, from the same moment."
    yield "The settings file and the environment are not inside."
    if restored:
        yield "Everybody has to sign in again. Tokens that were revoked after the backup was made hold again: look through them."


def _copy(source: Path, to: Path) -> None:
    if (found := _bytes(source)) is not None:
        _write(to, found)


def _bytes(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


def _write(file: Path, content: bytes) -> None:
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(content)
