"""The Python environment that Home Assistant runs in: its own, made once from the lock file beside this module."""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from homesteward.demo.errors import EnvironmentFailedError

type Progress = Callable[[str], None]

LOCK = Path(__file__).with_name("requirements-ha.lock")
STAMP = "complete"
LOG_TAIL = 2000
INSTALL_SECONDS = 900


def ha_environment(progress: Progress) -> Path:
    """Return the Python interpreter that has Home Assistant, making its environment if there is none yet.

    A virtual environment knows its own path, so it cannot be made elsewhere and moved into place: it counts as made
    once its stamp exists, which is written last. Two processes that want it at once wait for each other.
    """
    root = cache_folder() / f"ha-{ha_version()}-{_fingerprint()}"
    python = root / "bin" / "python"
    if _complete(root, python):
        return python
    root.parent.mkdir(parents=True, exist_ok=True)
    with _alone(root.with_name(f"{root.name}.lock"), progress):
        if not _complete(root, python):
            _make(root, python, progress)
    return python


def cache_folder() -> Path:
    """Return the folder for what can be made again: `HOMESTEWARD_CACHE`, else the user's own."""
    named = os.environ.get("HOMESTEWARD_CACHE")
    return Path(named).expanduser().resolve() if named else Path.home() / ".cache" / "homesteward"


def ha_version() -> str:
    """Return the version of Home Assistant that is locked."""
    found = re.search(r"^homeassistant==(\S+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise EnvironmentFailedError(f"{LOCK.name} names no Home Assistant.", next="Make it again with scripts/lock.")
    return found[1]


def clean_environ() -> Mapping[str, str]:
    """Return this process's environment without what would bend another Python.

    Among the `PYTHON*` variables is PYTHONDONTWRITEBYTECODE, with which each start of Home Assistant takes 5 s, not 2.
    """
    foreign = ("PYTHON", "VIRTUAL_ENV", "COVERAGE")
    return {name: value for name, value in os.environ.items() if not name.startswith(foreign)}


def _fingerprint() -> str:
    return hashlib.sha256(LOCK.read_bytes() + sys.version.encode()).hexdigest()[:10]


def _complete(root: Path, python: Path) -> bool:
    return (root / STAMP).exists() and python.exists()


def _make(root: Path, python: Path, progress: Progress) -> None:
    uv = _uv()
    shutil.rmtree(root, ignore_errors=True)
    progress(f"Installing Home Assistant {ha_version()} (once, about 1 GB)")
    _run([uv, "venv", "--quiet", "--no-project", "--python", sys.executable, str(root)])
    # Compiled now: the first start takes as long as every other one.
    install = [uv, "pip", "install", "--quiet", "--compile-bytecode", "--require-hashes"]
    _run([*install, "--python", str(python), "-r", str(LOCK)])
    (root / STAMP).touch()


def _uv() -> str:
    own = Path(sys.executable).parent / "uv"
    found = str(own) if own.exists() else shutil.which("uv")
    if found is None:
        raise EnvironmentFailedError(
            "The demo home needs uv to install Home Assistant, and there is none.",
            next="Install Homesteward with its `demo` extra, or put uv on PATH.",
        )
    return found


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - the commands of this module, on paths of this machine
            command,
            env={"UV_SYSTEM_CERTS": "1", **clean_environ()},  # whom to trust is the machine's decision
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise EnvironmentFailedError(
            f"`{Path(command[0]).name} {command[1]}` took longer than {INSTALL_SECONDS} s.", retry=True
        ) from error
    if done.returncode:
        raise EnvironmentFailedError(
            f"`{Path(command[0]).name} {command[1]}` failed: {done.stderr.strip()[-LOG_TAIL:]}",
            retry=True,
            next="Check the network and the free disk space, then try again.",
        )


@contextmanager
def _alone(path: Path, progress: Progress) -> Iterator[None]:
    with path.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("Waiting for another process that installs Home Assistant")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
