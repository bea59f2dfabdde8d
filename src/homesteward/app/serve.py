"""The service: the house behind a port, until it is told to stop."""

import asyncio
import json
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import uvicorn

from homesteward.app.house import House
from homesteward.app.opening import open_house
from homesteward.core.errors import HomestewardError
from homesteward.home.life import Phase

SERVICE_FILE = "service.json"  # where the command line finds the running service
MOST_AT_ONCE = 600  # connections: streams, pages and programs of a whole household, within the files a process may open
GRACE_S = 5  # how long requests that are under way may take once it is told to stop

type Say = Callable[[str], None]
type Ready = Callable[[House, str], None]


class PortTakenError(HomestewardError):
    """The port is in use."""

    code = "port_taken"


async def serve(
    config: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    *,
    say: Say,
    ready: Ready = lambda _house, _url: None,
) -> None:
    """Run the service until it is cancelled, which ends it in order. `ready` hears the address once requests are answered.

    That Home Assistant is away keeps it from nothing: it starts, says so, and is connected when Home Assistant is there.
    """
    say("Connecting to Home Assistant ...")
    async with open_house(config, overrides, patient=True) as house:
        await house.understander.warm(house.settings.language or house.home.config.language)
        if house.desk and await house.desk.setup.needed():
            await house.desk.setup.begin()
        with _warm_again(house), _listening(house.settings.web.host, house.settings.web.port) as listener:
            url = _url(house.settings.web.host, listener.getsockname()[1])

            def announce() -> None:
                say(f"Homesteward answers at {url}, {_known(house)}.")
                ready(house, url)

            with _announced(house, url):
                await _until_cancelled(_Server(house, announce), listener)


def _known(house: House) -> str:
    home = house.home
    if home.connected:
        return f"for {len(home.states)} entities of {home.config.name!r}"
    return "and is connected as soon as Home Assistant is there"


@contextmanager
def _warm_again(house: House) -> Iterator[None]:
    """Load the grammar of the home's own language as soon as it is known, where the home was not there at the start."""
    tasks: set[asyncio.Task[None]] = set()

    def look(phase: Phase) -> None:
        if phase is Phase.LIVE and not tasks:
            language = house.settings.language or house.home.config.language
            tasks.add(asyncio.create_task(house.understander.warm(language), name="grammar"))

    undo = house.link.life.watch(look) if house.link and not house.home.connected else lambda: None
    try:
        yield
    finally:
        undo()
        for task in tasks:
            task.cancel()


class _Server(uvicorn.Server):
    """A server that says when it has begun to answer, and leaves signals to whoever runs it."""

    def __init__(self, house: House, announce: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                house.api,
                log_config=None,
                access_log=False,
                timeout_graceful_shutdown=GRACE_S,
                limit_concurrency=MOST_AT_ONCE,
                proxy_headers=False,  # anybody on this machine could name any address: the face believes whom the settings name
                server_header=False,
            )
        )
        self._announce = announce

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override] # uvicorn's is a generator's
        """Leave signals alone: uvicorn would raise them again at its end, before the house has been put in order."""
        return nullcontext()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._announce()


async def _until_cancelled(server: _Server, listener: socket.socket) -> None:
    """Serve on `listener`; once cancelled, let what is under way end before the cancellation goes on."""
    serving = asyncio.create_task(server.serve([listener]), name="http")
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        server.should_exit = True
        await serving
        raise


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """Bind the port before anything is announced; raise PortTakenError if it is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP: of a socket without its protocol, asyncio leaves Nagle's delay on, and every answer waits 40 ms.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            raise PortTakenError(
                f"Port {port} on {host} cannot be used: {error.strerror}.",
                next="Stop what uses it, or set web.port (0 takes a free one).",
            ) from None
        yield listener


def _url(host: str, port: int) -> str:
    """Return the address to be written down: one that can be asked, where the service listens on every one."""
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - the owner's choice, not ours
    return f"http://{f'[{reached}]' if ':' in reached else reached}:{port}"


@contextmanager
def _announced(house: House, url: str) -> Iterator[None]:
    """Leave `service.json` in the data folder, readable by this account only, for as long as the service runs."""
    file = house.settings.data / SERVICE_FILE
    new = file.with_suffix(".new")
    new.touch(mode=0o600)
    new.chmod(0o600)
    new.write_text(json.dumps({"url": url, "token": house.token, "pid": os.getpid()}))
    new.replace(file)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)
