"""One Home Assistant process: started, awaited, started again when it asks for that, and always stopped."""

import asyncio
import atexit
import os
import signal
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from homesteward.core import Clock, SystemClock
from homesteward.demo.environment import clean_environ
from homesteward.demo.errors import PortTakenError, StartFailedError
from homesteward.demo.socket import setup_socket

RESTART_CODE = 100  # Home Assistant leaves with this when it wants to be started again
POLL_SECONDS = 0.03
LOG = "home-assistant.out"
# On Linux the kernel ends it when the process that started it is gone, however that went: PR_SET_PDEATHSIG is 1.
LIFELINE = """
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
os.execv(sys.executable, [sys.executable, "-m", "homeassistant", *sys.argv[1:]])
"""
LOG_TAIL_LINES = 25


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long a start and a stop may take."""

    start: float = 90.0
    stop: float = 30.0


class HomeAssistant:
    """A Home Assistant that runs in `directory` on loopback.

    While it runs it is watched: leaving with the restart code starts it again, anything else ends it for good.
    """

    def __init__(
        self,
        python: Path,
        directory: Path,
        port: int,
        token: str,
        *,
        clock: Clock | None = None,
        timeouts: Timeouts | None = None,
    ) -> None:
        """Describe the process; `start` makes it."""
        self.url = f"http://127.0.0.1:{port}"
        self.restarts = 0
        """How often it asked to be started again, and was."""
        self._command = [str(python), "-c", LIFELINE, "-c", str(directory), "--skip-pip", "--log-no-color"]
        self._directory = directory
        self._port = port
        self._token = token
        self._clock = clock or SystemClock()
        self._timeouts = timeouts or Timeouts()
        self._process: asyncio.subprocess.Process | None = None
        self._watch: asyncio.Task[None] | None = None
        self._up = False
        self._lost: StartFailedError | None = None
        self._changed = asyncio.Condition()
        self._stopping = False

    @property
    def log(self) -> str:
        """Return everything the process has said so far."""
        file = self._directory / LOG
        return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""

    @property
    def pid(self) -> int | None:
        """Return the process id while it runs."""
        return self._process.pid if self._process and self._process.returncode is None else None

    async def start(self) -> float:
        """Start it and return the seconds until everything in it was set up."""
        check_port_free(self._port)
        if (log := self._directory / LOG).exists():
            log.replace(log.with_suffix(".previous"))
        began = self._clock.monotonic()
        self._stopping = False
        await self._spawn()
        try:
            await self._wait_running()
        except BaseException:
            await self.kill()
            raise
        await self._tell(up=True)
        self._watch = asyncio.create_task(self._keep_running(), name="demo home")
        return self._clock.monotonic() - began

    async def wait_running(self) -> None:
        """Wait until it is up, also through a restart that it asked for."""
        await self._wait_for(lambda: self._up)

    async def wait_restarted(self, times: int) -> None:
        """Wait until it is up after the restart with this number."""
        await self._wait_for(lambda: self._up and self.restarts >= times)

    async def stop(self) -> int | None:
        """Ask it to leave, make it leave if it does not, and return its exit code."""
        return await self._end(signal.SIGTERM)

    async def kill(self) -> None:
        """End it as a power cut would."""
        await self._end(signal.SIGKILL)

    async def _spawn(self) -> None:
        # Its output goes straight to a file: nobody has to read for it to go on, and a failed start can be shown.
        with (self._directory / LOG).open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                cwd=self._directory,
                env=self._environ(),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        _groups.add(self._process.pid)

    def _environ(self) -> Mapping[str, str]:
        # A proxy of this machine is none of a home's business; its own `bin` holds the stand-in for ffmpeg.
        clean = {name: value for name, value in clean_environ().items() if not name.lower().endswith("_proxy")}
        path = f"{self._directory / 'bin'}{os.pathsep}{clean.get('PATH', os.defpath)}"
        return {**clean, "PATH": path, "HA_DISABLE_LOG_FILE": "1"}

    async def _wait_running(self) -> None:
        end = self._clock.monotonic() + self._timeouts.start
        while self._clock.monotonic() < end:
            if self._process is None or self._process.returncode is not None:
                code = self._process.returncode if self._process else None
                raise StartFailedError(f"Home Assistant left with exit code {code} while starting.\n{self._tail()}")
            with suppress(aiohttp.ClientError, OSError, TypeError):  # not listening yet, or closing again
                if await self._ask_until_running(end):
                    return
            await asyncio.sleep(POLL_SECONDS)
        raise StartFailedError(
            f"Home Assistant was not ready after {self._timeouts.start:.0f} s.\n{self._tail()}", retry=True
        )

    async def _ask_until_running(self, end: float) -> bool:
        async with setup_socket(self.url, self._token) as home:
            while self._clock.monotonic() < end:
                config = await home.ask("get_config")
                if config["recovery_mode"]:
                    raise StartFailedError(f"Home Assistant came up in recovery mode.\n{self._tail()}")
                if config["state"] == "RUNNING":
                    return True
                await asyncio.sleep(POLL_SECONDS)
        return False

    async def _keep_running(self) -> None:
        while self._process is not None:
            code = await self._process.wait()
            _groups.discard(self._process.pid)
            if self._stopping:
                return
            if code != RESTART_CODE:
                gone = StartFailedError(f"Home Assistant left with exit code {code}.\n{self._tail()}")
                await self._tell(up=False, lost=gone)
                return
            await self._tell(up=False)
            try:
                await self._spawn()
                await self._wait_running()
            except StartFailedError as error:
                await self._tell(up=False, lost=error)
                return
            self.restarts += 1
            await self._tell(up=True)

    async def _end(self, how: signal.Signals) -> int | None:
        self._stopping = True
        process = self._process
        if process is None:
            return None
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.send_signal(how)
        try:
            code = await asyncio.wait_for(process.wait(), self._timeouts.stop)
        except TimeoutError:
            _end_group(process.pid)
            code = await process.wait()
        _groups.discard(process.pid)
        if self._watch is not None:
            self._watch.cancel()
            with suppress(asyncio.CancelledError):
                await self._watch
        self._process, self._watch = None, None
        await self._tell(up=False)
        return code

    async def _tell(self, *, up: bool, lost: StartFailedError | None = None) -> None:
        async with self._changed:
            self._up, self._lost = up, lost
            self._changed.notify_all()

    async def _wait_for(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(self._timeouts.start), self._changed:
            await self._changed.wait_for(lambda: holds() or self._lost is not None)
        if self._lost is not None:
            raise self._lost

    def _tail(self) -> str:
        return "\n".join(self.log.splitlines()[-LOG_TAIL_LINES:])


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def check_port_free(port: int) -> None:
    """Raise if somebody listens on `port`.

    Home Assistant would not stop there: it would come up in recovery mode, on all interfaces.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise PortTakenError(
                f"Port {port} of this machine cannot be used: {error.strerror}.", next="Name another port, or none."
            ) from error


_groups: set[int] = set()  # the process groups that must not outlive this process


@atexit.register
def _end_groups() -> None:
    for pid in _groups:
        _end_group(pid)


def _end_group(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
