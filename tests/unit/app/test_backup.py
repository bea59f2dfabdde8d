"""Backup and restore: everything in one file while the house lives, and back as it was."""

import asyncio
import json
import stat
import tarfile
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from homesteward.app import wire
from homesteward.app.archive import LIST, BackupError
from homesteward.app.backup import back_up, restore
from homesteward.app.folder import kept_home_id
from homesteward.core import SystemClock
from homesteward.core.redaction import Redactor
from homesteward.people import Caller, Channel, Role
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings, StoreSettings
from homesteward.store import DataFolder
from homesteward.store.folder import DataFolderLockedError

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)
RULES = "version: 1\nrules:\n- name: Nothing\n  then: deny\n"
SERVICE = Caller(Role.OWNER, Channel.API, "owner")


def settings_for(folder: Path, **more) -> Settings:
    return Settings(policy=PolicySettings(dry_run=False, verify_factor=0.01), data=folder, **more)


def begun(home, folder: Path) -> None:
    """The folder knows its home."""
    folder.mkdir(mode=0o700, exist_ok=True)
    kept_home_id(folder, "http://ha")
    (folder / "home_id").write_text(home.home_id)


@asynccontextmanager
async def living(home, folder: Path):
    """A Homesteward over `home` that keeps its state in `folder`."""
    begun(home, folder)
    async with wire(settings_for(folder), home, home, folder, SystemClock(), Redactor()) as house:
        yield house


@pytest.fixture
async def made(home, tmp_path):
    """A backup of a house with a person, a rule, a secret and a session; and its folder."""
    async with living(home, tmp_path / "data") as house:
        person = await house.desk.people.signed_in_with_ha("ha_robin", "Robin", is_admin=True)
        cookie = (await house.desk.sessions.begin(person, Channel.PAGE)).cookie
        await house.rules.replace(RULES, SERVICE)
        await house.strongbox.put(SERVICE, "lock.front_door", "4711")
        await house.memory.chronicle.flush()
        file = tmp_path / "kept.hsb"
        back_up(settings_for(tmp_path / "data"), file, NOW)
    return file, tmp_path / "data", cookie


async def test_what_is_put_back_elsewhere_is_the_same_house(home, made, tmp_path):
    file, _, _ = made
    summary = restore(settings_for(tmp_path / "new"), file, NOW)
    assert summary.home_id == home.home_id
    async with living(home, tmp_path / "new") as house:
        assert [person.name for person in await house.desk.people.list()] == ["Robin"]
        assert house.rules.text == RULES
        assert await house.strongbox.code_of("lock.front_door") == "4711"
        assert (await house.audit.verify()).ok


async def test_everybody_signs_in_again_after_it(home, made, tmp_path):
    file, _, cookie = made
    restore(settings_for(tmp_path / "new"), file, NOW)
    async with living(home, tmp_path / "new") as house:
        with pytest.raises(Exception, match="sign"):
            await house.desk.sessions.resolve(cookie)


async def test_what_happened_after_the_backup_is_gone_and_lies_aside(home, made, tmp_path):
    file, data, _ = made
    (data / "policy.yaml").write_text("version: 1\n")
    summary = restore(settings_for(data), file, NOW)
    assert (data / "policy.yaml").read_text() == RULES
    assert set_aside(Path(summary.aside)) == ("version: 1\n", True, 0o700)


def set_aside(folder: Path):
    return (
        (folder / "policy.yaml").read_text(),
        (folder / "homesteward.db").exists(),
        stat.S_IMODE(folder.stat().st_mode),
    )


async def test_it_is_made_while_things_are_being_written(home, tmp_path):
    async with living(home, tmp_path / "data") as house:
        done = asyncio.Event()

        async def write() -> None:
            while not done.is_set():
                await house.desk.people.signed_in_with_ha("ha_robin", "Robin", is_admin=True)

        writing = asyncio.create_task(write())
        file = tmp_path / "kept.hsb"
        try:
            await asyncio.to_thread(back_up, settings_for(tmp_path / "data"), file, NOW)
        finally:
            done.set()
            await writing
    restore(settings_for(tmp_path / "new"), file, NOW)
    async with living(home, tmp_path / "new") as house:
        assert (await house.audit.verify()).ok


async def test_only_its_owner_can_read_it_and_it_says_that_the_key_is_inside(made):
    file, data, _ = made
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with tarfile.open(file, "r:zst") as archive:
        assert set(archive.getnames()) == {
            LIST, "home_id", "store.key", "audit.anchor", "policy.yaml", "homesteward.db", "chronicle.db"
        }  # fmt: skip
        assert json.loads(archive.extractfile(LIST).read())["key"] == "inside"
    summary = restore(settings_for(data), file, NOW)
    assert any("whoever has this file can open everything" in note for note in summary.notes)


async def test_a_backup_is_never_written_over(made):
    file, data, _ = made
    before = file.read_bytes()
    with pytest.raises(BackupError, match="there already"):
        back_up(settings_for(data), file, NOW)
    assert file.read_bytes() == before


def test_a_folder_without_a_house_is_said_to_be_one(tmp_path):
    with pytest.raises(BackupError, match="nothing to back up"):
        back_up(settings_for(tmp_path), tmp_path / "kept.hsb", NOW)


async def test_nothing_is_put_back_under_a_service_that_runs(made):
    file, data, _ = made
    with DataFolder.open(data), pytest.raises(DataFolderLockedError):
        restore(settings_for(data), file, NOW)


def rewritten(file: Path, to: Path, change) -> Path:
    """The same backup with another content of some members."""
    with tarfile.open(file, "r:zst") as old, tarfile.open(to, "w:zst") as new:
        for entry in old.getmembers():
            content = old.extractfile(entry).read()
            other, content = change(entry, content)
            other.size = len(content)
            new.addfile(other, BytesIO(content))
    return to


def touched(entry, content):
    return (entry, content.replace(b"deny", b"deni")) if entry.name == "policy.yaml" else (entry, content)


def wandering(entry, content):
    if entry.name == LIST:
        return entry, content.replace(b'"policy.yaml"', b'"../policy.yaml"')
    if entry.name == "policy.yaml":
        entry.name = "../policy.yaml"
    return entry, content


def linked(entry, content):
    if entry.name == "policy.yaml":
        entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
        return entry, b""
    return entry, content


def other_format(entry, content):
    return (entry, content.replace(b'"format":1', b'"format":99')) if entry.name == LIST else (entry, content)


@pytest.mark.parametrize("change", [touched, wandering, linked, other_format])
async def test_one_that_is_not_what_was_made_changes_nothing(made, tmp_path, change):
    file, data, _ = made
    strange = rewritten(file, tmp_path / "strange.hsb", change)
    before = {path.name: path.read_bytes() for path in data.iterdir() if path.is_file() and path.name != "lock"}
    with pytest.raises(BackupError):
        restore(settings_for(data), strange, NOW)
    assert {path.name: path.read_bytes() for path in data.iterdir() if path.is_file() and path.name != "lock"} == before
    assert [path for path in data.iterdir() if path.is_dir()] == []
    assert not (tmp_path / "policy.yaml").exists()


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x28\xb5\x2f\xfd" + bytes(40)])
def test_a_file_that_is_no_backup_is_said_to_be_none(tmp_path, content):
    file = tmp_path / "kept.hsb"
    file.write_bytes(content)
    with pytest.raises(BackupError):
        restore(settings_for(tmp_path / "data"), file, NOW)


async def test_one_that_was_cut_short_is_refused(made, tmp_path):
    file, data, _ = made
    short = tmp_path / "short.hsb"
    short.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(BackupError):
        restore(settings_for(data), short, NOW)


async def test_a_backup_of_files_does_not_go_into_a_postgresql(made, tmp_path):
    file, _, _ = made
    elsewhere = settings_for(tmp_path / "new", store=StoreSettings(url="postgresql://u:p@db/h"))
    with pytest.raises(BackupError, match="on sqlite, and this one is on postgresql"):
        restore(elsewhere, file, NOW)


def emptied(folder: Path) -> None:
    for name in ("homesteward.db", "chronicle.db"):
        (folder / name).unlink()


async def test_with_a_postgresql_it_says_that_the_database_is_not_inside(home, tmp_path):
    async with living(home, tmp_path / "data"):
        pass
    emptied(tmp_path / "data")
    there = settings_for(tmp_path / "data", store=StoreSettings(url="postgresql://u:p@db/h"))
    summary = back_up(there, tmp_path / "kept.hsb", NOW)
    assert set(summary.holds) <= {"home_id", "store.key", "audit.anchor"}
    assert any("pg_dump" in note for note in summary.notes)
