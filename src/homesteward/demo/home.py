"""A demo home, from an empty folder to a house that answers."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Self

from homesteward.demo.environment import ha_environment
from homesteward.demo.errors import DemoError
from homesteward.demo.inventory import inventory
from homesteward.demo.past import SEED, write_past
from homesteward.demo.process import HomeAssistant, Timeouts, free_port
from homesteward.demo.socket import setup_socket

if TYPE_CHECKING:
    from homesteward.demo.seed import Keys, Kind, Units

ASSISTANT = "conversation"


@dataclass(frozen=True, slots=True)
class DemoAddress:
    """Where a demo home is, and how to get in as its owner or as a member of the household."""

    url: str
    token: str
    user: str
    password: str
    member_token: str


class DemoHome:
    """A real Home Assistant with a furnished house in it. It listens on loopback only and asks nobody anything."""

    def __init__(self, process: HomeAssistant, address: DemoAddress, kind: Kind) -> None:
        """Describe a home that is about to start; use `start`."""
        self.address = address
        self.kind = kind
        self.entities = 0
        """How many entities it has."""
        self.ready_s = 0.0
        """How long the last start took, until everything was set up."""
        self._process = process

    @classmethod
    async def start(
        cls,
        directory: Path,
        *,
        kind: Kind = "demo",
        port: int | None = None,
        entities: int | None = None,
        units: Units | None = None,
        past: timedelta | None = None,
        progress: Callable[[str], None] = lambda _line: None,
        timeouts: Timeouts | None = None,
    ) -> Self:
        """Start the home that lives in `directory`, furnishing it first if it is new.

        `demo` is our own house, `ha-demo` Home Assistant's own demo integration. Our own can be grown to `entities` things
        and count in other `units`; a folder keeps both. It can be given a `past` of that length before its first start, and
        keeps that too. The environment is made first where there is none; `progress` hears
        about that.
        """
        python = await asyncio.to_thread(ha_environment, progress)
        directory = await asyncio.to_thread(directory.resolve)
        port = port or free_port()
        keys = await asyncio.to_thread(_seed, directory, kind, port, entities, units)
        if past is not None:
            await write_past(directory, inventory(keys.entities), datetime.now(UTC), past, SEED, python)
        process = HomeAssistant(python, directory, port, keys.token, timeouts=timeouts)
        address = DemoAddress(process.url, keys.token, keys.user, keys.password, keys.member_token)
        home = cls(process, address, kind)
        await home._begin()
        return home

    @property
    def log(self) -> str:
        """Return what Home Assistant has logged."""
        return self._process.log

    @property
    def pid(self) -> int | None:
        """Return the process id while it runs."""
        return self._process.pid

    @property
    def restarts(self) -> int:
        """Return how often Home Assistant asked to be started again, and was."""
        return self._process.restarts

    async def wait_running(self) -> None:
        """Wait until the home is up, also through a restart that was asked of it."""
        await self._process.wait_running()

    async def wait_restarted(self, times: int) -> None:
        """Wait until the home has been started again `times` times because it asked for that."""
        await self._process.wait_restarted(times)

    async def stop(self) -> None:
        """Stop the home; its folder can be started again."""
        await self._process.stop()

    async def restart(self) -> None:
        """Stop the home and start it again at the same address."""
        await self._process.stop()
        await self._begin()

    async def kill(self) -> None:
        """End the home as a power cut would; `restart` brings it back."""
        await self._process.kill()

    async def _begin(self) -> None:
        self.ready_s = await self._process.start()
        try:
            async with setup_socket(self.address.url, self.address.token) as home:
                states = await home.ask("get_states")
                if self.kind == "ha-demo":
                    ids = [state["entity_id"] for state in states]
                    await home.ask(
                        "homeassistant/expose_entity", assistants=[ASSISTANT], entity_ids=ids, should_expose=True
                    )
        except BaseException:
            await self._process.kill()
            raise
        self.entities = len(states)


def _seed(directory: Path, kind: Kind, port: int, entities: int | None, units: Units | None) -> Keys:
    try:
        from homesteward.demo.seed import seed  # noqa: PLC0415 - needs the `demo` extra, which a service has no use for
    except ImportError as error:
        raise DemoError(
            f"The demo home needs the package {error.name}.",
            code="demo_extra_missing",
            next="Install Homesteward with its `demo` extra.",
        ) from error
    return seed(directory, kind, port, entities=entities, units=units)
