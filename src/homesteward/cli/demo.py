"""`demo up|down|status`: the demo home with Homesteward beside it, in front or in the background."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from homesteward.cli import show
from homesteward.cli.client import alive, answers
from homesteward.cli.ending import until_told
from homesteward.core.errors import HomestewardError
from homesteward.core.json import dumps, loads
from homesteward.settings.folders import demo_folder

if TYPE_CHECKING:
    from homesteward.app import House as OpenHouse
    from homesteward.demo import DemoHome

STARTING_S = 900.0  # the environment is made on the first start; after that it takes a few seconds
LONGEST_PAST_DAYS = 60  # as far back as the hourly statistics go
STOPPING_S = 45.0  # requests that are under way, then Home Assistant, which may take thirty
SENTENCES = ("turn on the kitchen light", "unlock the front door", "which lights are on?")
SETTINGS = {"dry_run": False, "mode": "auto", "preset": "family"}


@dataclass(frozen=True, slots=True)
class House:
    """Which demo home is started, and where: ports (0 takes a free one), entities (0 for the house as furnished), past in days."""

    ha_port: int = 0
    port: int = 0
    entities: int = 0
    past_days: int = 0
    fresh: bool = False


async def up(wanted: House, *, as_json: bool) -> None:
    """Start Home Assistant with the demo home, then Homesteward, and stay until a signal; then stop both."""
    await _none_runs()
    if wanted.fresh:
        await asyncio.to_thread(_forget, demo_folder())
    await until_told(lambda: _stay(wanted, as_json=as_json))


async def detached(wanted: House, *, as_json: bool) -> None:
    """Start the demo in the background and return once it answers."""
    await _none_runs()
    folder = demo_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    log = folder / "demo.log"
    show.progress(f"Starting the demo home in the background; {log} tells how far it is.")
    child, line = _spawn(_words(wanted), log), b""
    try:
        line = await asyncio.wait_for(asyncio.to_thread(_line, child), STARTING_S)
    except TimeoutError:
        raise _failed(None, log) from None
    finally:
        if not line:
            child.terminate()  # nobody waits for it any more; this also ends the reading of its answer
    told = loads(line) if line else None
    if not isinstance(told, Mapping) or "error" in told:
        raise _failed(told, log)
    _show(told, as_json=as_json)


def days_of(text: str) -> int:
    """Return the days of a span written as `21d`, 0 for none; raise bad_usage for anything else."""
    if not text:
        return 0
    number = text.removesuffix("d")
    if not (text.endswith("d") and number.isdecimal() and 1 <= int(number) <= LONGEST_PAST_DAYS):
        raise HomestewardError(
            f"{text!r} is not a past: 1d to {LONGEST_PAST_DAYS}d.",
            code="bad_usage",
            next="Write it in days, such as --past 21d.",
        )
    return int(number)


async def down() -> bool:
    """Stop the demo that runs and wait for its end; return whether there was one."""
    found = await status()
    if not found:
        return False
    await _end(found["pid"])
    return True


async def status() -> dict[str, Any]:
    """Return where the demo runs, or nothing.

    The file it left is believed only if its process lives and its service knows its token: process ids are used again.
    """
    file = demo_folder() / "demo.json"
    try:
        found = loads(await asyncio.to_thread(file.read_bytes))
    except OSError, ValueError:
        return {}
    if not isinstance(found, Mapping) or not alive(found.get("pid")):
        return {}
    return dict(found) if await answers(str(found.get("url")), str(found.get("token"))) else {}


async def _none_runs() -> None:
    if found := await status():
        raise HomestewardError(
            f"A demo home runs already, at {found['url']}.",
            code="already_running",
            next="Use it, or stop it with 'homesteward demo down'.",
        )


def _forget(folder: Path) -> None:
    """Remove the demo home and Homesteward's data about it; the log stays, this very start may be writing it."""
    for path in folder.glob("*"):
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != "demo.log":
            path.unlink()


def _words(wanted: House) -> list[str]:
    """Return the options that start `wanted` again."""
    words = ["--ha-port", str(wanted.ha_port), "--port", str(wanted.port), "--entities", str(wanted.entities)]
    words += ["--past", f"{wanted.past_days}d"] if wanted.past_days else []
    return [*words, "--fresh"] if wanted.fresh else words


async def _stay(wanted: House, *, as_json: bool) -> None:
    from homesteward.app import serve  # noqa: PLC0415 - the whole house; status and down need nothing of it
    from homesteward.demo import DemoHome  # noqa: PLC0415 - as above

    folder = demo_folder()
    show.progress("Starting Home Assistant with the demo home ...")
    home = await DemoHome.start(
        folder / "ha",
        port=wanted.ha_port or None,
        entities=wanted.entities or None,
        past=timedelta(days=wanted.past_days) if wanted.past_days else None,
        progress=show.progress,
    )
    try:
        await serve(
            overrides={
                "ha": {"url": home.address.url, "token": home.address.token},
                "web": {"port": wanted.port},
                "policy": SETTINGS,
                "data": folder,
            },
            say=show.progress,
            ready=lambda house, url: _tell(folder, home, house, url, as_json=as_json),
        )
    finally:
        show.progress("Stopping ...")
        (folder / "demo.json").unlink(missing_ok=True)
        await home.stop()


def _spawn(options: list[str], log: Path) -> subprocess.Popen[bytes]:
    """Start `demo up` in a session of its own. Not with asyncio, whose processes are killed when its loop closes."""
    with log.open("wb") as written:
        return subprocess.Popen(  # noqa: S603 - this very program
            [sys.executable, "-m", "homesteward", "demo", "up", "--json", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=written,
            start_new_session=True,
        )


def _line(child: subprocess.Popen[bytes]) -> bytes:
    return child.stdout.readline() if child.stdout else b""


async def _end(pid: int) -> None:
    """Ask a process to stop and wait for its end; raise where it does not."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(handle, ended.set)  # readable once the process is gone
    try:
        os.kill(pid, signal.SIGTERM)
        await asyncio.wait_for(ended.wait(), STOPPING_S)
    except TimeoutError:
        raise HomestewardError(
            f"The demo (process {pid}) does not stop.", code="demo_failed", next=f"End it with 'kill -9 {pid}'."
        ) from None
    finally:
        loop.remove_reader(handle)
        os.close(handle)


def _tell(folder: Path, home: DemoHome, house: OpenHouse, url: str, *, as_json: bool) -> None:
    """Write down and show where everything is."""
    told = {
        "url": url,
        "token": house.token,
        "ha_url": home.address.url,
        "ha_token": home.address.token,
        "ha_user": home.address.user,
        "ha_password": home.address.password,
        "entities": home.entities,
        "ready_s": round(home.ready_s, 2),
        "pid": os.getpid(),
    }
    file = folder / "demo.json"
    new = file.with_suffix(".new")
    new.touch(mode=0o600)
    new.write_text(dumps(told))
    new.replace(file)
    _show(told, as_json=as_json)


def _show(told: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        show.as_json(told)
        return
    show.OUT.print(f"\n  [bold]Homesteward[/]     {told['url']}")
    show.OUT.print(
        f"  [bold]Home Assistant[/]  {told['ha_url']}   user {told['ha_user']}, password {told['ha_password']}"
    )
    show.OUT.print(f"  {told['entities']} entities, ready in {told['ready_s']} s\n\n  Try, in another terminal:\n")
    for sentence in SENTENCES:
        show.OUT.print(f'    {_command()} ask "{sentence}"')
    show.OUT.print(
        "\n  Ctrl-C stops both.\n" if told["pid"] == os.getpid() else "\n  'homesteward demo down' stops both.\n"
    )


def _command() -> str:
    """Return how this very program is called from the folder one is in."""
    program = Path(sys.executable).with_name("homesteward")
    with suppress(ValueError):
        return str(program.relative_to(Path.cwd()))
    return str(program) if program.exists() else "homesteward"


def _failed(told: object, log: Path) -> HomestewardError:
    """Return the error that the demo in the background ended with."""
    error = told.get("error") if isinstance(told, Mapping) else None
    if not isinstance(error, Mapping):
        return HomestewardError(
            f"The demo did not start; the end of {log} says why.", code="demo_failed", next="Read it."
        )
    return HomestewardError(
        str(error["message"]), code=str(error["code"]), retry=bool(error["retry"]), next=str(error["next"])
    )
