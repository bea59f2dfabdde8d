"""The homes that cases are run in: a fresh one for each trial, put back in its first state between cases."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import aiohttp

from homesteward.app import House, open_house
from homesteward.core import SystemClock
from homesteward.core.errors import HomestewardError
from homesteward.demo import DemoHome
from homesteward.demo.socket import setup_socket
from homesteward.home.calls import ResolvedCall
from homesteward.home.live import Dispatched, LiveHome

SETTLED_S = 10.0  # a reset home shows its first state again well within this
PLATFORMS = {"demo": "homesteward_demo", "ha-demo": "demo"}


class HomeNotSettledError(HomestewardError):
    """A home under trial did not show the state it was put in."""

    code = "home_not_settled"


class Sender(Protocol):
    """Send one call: the form of the dispatcher."""

    async def call(self, call: ResolvedCall) -> Dispatched:
        """Send `call`."""
        ...


@dataclass(slots=True)
class Recorder:
    """Pass calls on and keep them: what is here is what reached the home."""

    inner: Sender
    calls: list[ResolvedCall] = field(default_factory=list)

    async def call(self, call: ResolvedCall) -> Dispatched:
        """Keep `call`, then send it."""
        self.calls.append(call)
        return await self.inner.call(call)


class TrialClock(SystemClock):
    """The machine's clock, unless a case says what time it is."""

    def __init__(self) -> None:
        """Go with the machine."""
        self.at: datetime | None = None

    def now(self) -> datetime:
        """Return the case's time, else the machine's."""
        return self.at or super().now()


@dataclass(frozen=True, slots=True)
class TrialHome:
    """A house under trial. `reset` puts the home back, `given` puts entities in a state; both return when the house sees it."""

    house: House
    clock: TrialClock
    recorder: Recorder
    reset: Callable[[], Awaitable[None]]
    given: Callable[[Mapping[str, str]], Awaitable[None]]


@asynccontextmanager
async def real_home(
    kind: str, preset: str, config: Path | None, say: Callable[[str], None]
) -> AsyncIterator[TrialHome]:
    """Start a real Home Assistant of `kind` (demo or ha-demo) in a folder of its own, with a Homesteward beside it."""
    async with AsyncExitStack() as undo:
        folder = Path(undo.enter_context(TemporaryDirectory(prefix="homesteward-trial-")))
        say(f"Starting a fresh home ({kind}) ...")
        demo = await DemoHome.start(folder / "ha", kind="ha-demo" if kind == "ha-demo" else "demo", progress=say)
        undo.push_async_callback(demo.stop)
        recorders: list[Recorder] = []
        clock = TrialClock()

        def recorded(sender: Sender) -> Recorder:
            recorders.append(Recorder(sender))
            return recorders[-1]

        overrides = {
            "ha": {"url": demo.address.url, "token": demo.address.token},
            **trial_overrides(preset, config, folder / "data"),
        }
        house = await undo.enter_async_context(open_house(config, overrides, clock, through=recorded))
        await house.understander.warm(house.home.config.language)
        own = [entity.entity_id for entity in house.home.entities.values() if entity.platform == PLATFORMS[kind]]
        first = {entity_id: house.home.states[entity_id].state for entity_id in own if entity_id in house.home.states}

        async def reset() -> None:
            await RESETS[kind](demo)
            await settled(house.home, first)

        async def given(states: Mapping[str, str]) -> None:
            for entity_id, state in states.items():
                await GIVENS[kind](demo, entity_id, state)
            await settled(house.home, states)

        yield TrialHome(house, clock, recorders[0], reset, given)


def trial_overrides(preset: str, config: Path | None, data: Path) -> dict[str, Any]:
    """Return what a trial decides itself. Without a settings file there is no model, whatever the environment sets up."""
    policy = {"preset": preset, "mode": "auto", "dry_run": False}
    return {"policy": policy, "data": data} | ({} if config else {"model": {"kind": "none"}})


async def settled(home: LiveHome, states: Mapping[str, str]) -> None:
    """Wait until `home` shows `states`; raise HomeNotSettledError naming what differs."""

    def differing() -> list[str]:
        return [
            entity for entity, state in states.items() if (now := home.states.get(entity)) is None or now.state != state
        ]

    changed = asyncio.Event()
    undo = home.watch(lambda _old, _new: changed.set(), list(states))
    try:
        async with asyncio.timeout(SETTLED_S):
            while differing():
                await changed.wait()
                changed.clear()
    except TimeoutError:
        raise HomeNotSettledError(
            f"Not in its state: {', '.join(differing())}.", next="Does the home have these?"
        ) from None
    finally:
        undo()


async def _reset_demo(demo: DemoHome) -> None:
    await _call(demo, "homesteward_demo", "reset", {})


async def _reset_ha_demo(demo: DemoHome) -> None:
    """Reload the demo integration: its entities start anew."""
    headers = {"Authorization": f"Bearer {demo.address.token}"}
    async with aiohttp.ClientSession(demo.address.url, headers=headers) as session:
        async with session.get("/api/config/config_entries/entry") as answer:
            entries = await answer.json()
        for entry in entries:
            if entry["domain"] == "demo":
                async with session.post(f"/api/config/config_entries/entry/{entry['entry_id']}/reload") as answer:
                    answer.raise_for_status()


async def _given_demo(demo: DemoHome, entity_id: str, state: str) -> None:
    await _call(demo, "homesteward_demo", "set_state", {"entity_id": entity_id, "state": state})


# How Home Assistant's own demo entities are put in a state: by asking for it, as anybody would.
ASKED = {
    "on": "turn_on",
    "off": "turn_off",
    "locked": "lock",
    "unlocked": "unlock",
    "open": "open_cover",
    "closed": "close_cover",
    "playing": "media_play",
    "paused": "media_pause",
}


async def _given_ha_demo(demo: DemoHome, entity_id: str, state: str) -> None:
    if state not in ASKED:
        raise HomeNotSettledError(
            f"{entity_id} cannot be put in the state {state!r}.", next=f"Use one of {', '.join(ASKED)}."
        )
    await _call(demo, entity_id.partition(".")[0], ASKED[state], {"entity_id": entity_id})


async def _call(demo: DemoHome, domain: str, service: str, data: dict[str, Any]) -> None:
    async with setup_socket(demo.address.url, demo.address.token) as home:
        await home.ask("call_service", domain=domain, service=service, service_data=data)


RESETS = {"demo": _reset_demo, "ha-demo": _reset_ha_demo}
GIVENS = {"demo": _given_demo, "ha-demo": _given_ha_demo}
