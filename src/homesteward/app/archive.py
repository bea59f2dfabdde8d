"""The file that a backup is: a packed folder of known members, with a list of them that shows when one was touched."""

import os
import tarfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from hashlib import file_digest
from io import BytesIO
from pathlib import Path

from homesteward.core import HomestewardError
from homesteward.core.json import dumps, loads

LIST = "backup.json"
FORMAT = 1
MAX_LIST = 64 * 1024  # bytes


class BackupError(HomestewardError):
    """A backup cannot be made, read or put back."""

    code = "backup_failed"


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a backup: its name in it, how long it is and what it hashes to."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Contents:
    """What a backup says of itself. `key` is where the store key was: in the file, or in the settings, which are not part of it."""

    made: str
    version: str
    home_id: str
    key: str
    database: str
    members: tuple[Member, ...]
    format: int = FORMAT


def member_of(file: Path) -> Member:
    """Return the entry of a file."""
    with file.open("rb") as opened:
        return Member(file.name, file.stat().st_size, file_digest(opened, "sha256").hexdigest())


def pack(contents: Contents, folder: Path, to: Path) -> None:
    """Write the members that lie in `folder` to one file, whole or not at all, readable by its owner's account alone."""
    beside = to.with_name(f".{to.name}.new")
    beside.unlink(missing_ok=True)
    handle = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as out:
            with tarfile.open(fileobj=out, mode="w:zst") as archive:
                _add_list(archive, contents)
                for member in contents.members:
                    archive.add(folder / member.name, member.name, recursive=False, filter=_plain)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(to)
    finally:
        beside.unlink(missing_ok=True)


def unpack(file: Path, folder: Path, known: Iterable[str]) -> Contents:
    """Put the members of a backup into `folder`, each held against the list; raise BackupError for anything that is not as it says."""
    try:
        with tarfile.open(file, "r:zst") as archive:
            contents = _contents(archive)
            if strange := {member.name for member in contents.members} - set(known):
                raise BackupError(f"The backup holds {', '.join(sorted(strange))}, which is none of ours.", next=OTHER)
            for member in contents.members:
                _put(archive, member, folder)
    except (tarfile.TarError, EOFError, ValueError, KeyError, TypeError) as error:
        raise BackupError(f"{file} is no backup, or a damaged one ({type(error).__name__}).", next=OTHER) from None
    except OSError as error:
        raise BackupError(f"{file} cannot be read: {error.strerror or type(error).__name__}.", next=OTHER) from None
    return contents


OTHER = "Take another backup."


def _add_list(archive: tarfile.TarFile, contents: Contents) -> None:
    text = dumps(asdict(contents)).encode()
    entry = tarfile.TarInfo(LIST)
    entry.size, entry.mode = len(text), 0o600
    archive.addfile(entry, BytesIO(text))


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return the entry without whose account it was."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o600
    return entry


def _contents(archive: tarfile.TarFile) -> Contents:
    first = archive.next()
    opened = archive.extractfile(first) if first and first.name == LIST and first.size <= MAX_LIST else None
    found = loads(opened.read()) if opened else None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BackupError(
            "This is no backup that this version knows.", next="Take one made by this version, or update."
        )
    members = found.pop("members")
    if not isinstance(members, list):
        raise TypeError("no list of members")
    return Contents(**found, members=tuple(Member(**each) for each in members))


def _put(archive: tarfile.TarFile, member: Member, folder: Path) -> None:
    """Write one member, no longer than it says, and hold it against its hash."""
    opened = archive.extractfile(member.name)
    if opened is None:
        raise ValueError("not a file")
    to = folder / member.name
    with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        left = member.size
        while left > 0 and (piece := opened.read(min(left, 1 << 20))):
            out.write(piece)
            left -= len(piece)
        out.flush()
        os.fsync(out.fileno())
    if member_of(to) != member or opened.read(1):
        raise BackupError(f"{member.name} in the backup is not what was put there.", next=OTHER)
