"""A whole Home Assistant behind connections, scripted: it starts, stops, hangs, drops its clients and comes back."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import aiohttp

from homesteward.home.connection import Connection, Heartbeat
from homesteward.home.errors import HomeError, NotConnectedError
from homesteward.home.life import Life, Phase
from unit.home.far_end import FarEnd


class FarHome:
    """A home whose states and registries outlive its connections. Every connection to it is in `ends`."""

    def __init__(self, *names: str) -> None:
        self.states: dict[str, dict[str, Any]] = {
            name: {"s": "off", "a": {"friendly_name": name}, "c": "C0", "lc": 1.0} for name in names
        }
        self.rows = [{"entity_id": name, "area_id": "hall", "aliases": [None]} for name in names]
        self.phase = "RUNNING"
        self.refuses: HomeError | None = None
        self.silent: set[str] = set()
        self.breaks_on: set[str] = set()
        self.ends: list[FarEnd] = []
        self.opened = asyncio.Event()

    async def open(self, opened: Callable[[], object]) -> Connection:
        """Open a connection, as Connection.open does."""
        if self.refuses and isinstance(self.refuses, NotConnectedError):
            raise self.refuses
        opened()
        await asyncio.sleep(0)
        if self.refuses:
            raise self.refuses
        end = FarEnd()
        end.answers, end.silent, end.breaks_on = self._answers(end), self.silent, self.breaks_on
        self.ends.append(end)
        self.opened.set()
        return Connection(
            cast("aiohttp.ClientWebSocketResponse", end),
            "http://home.test:8123",
            None,
            heartbeat=Heartbeat(3600, 3600),
        )

    def change(self, entity_id: str, state: str, *, told: bool = True) -> None:
        """Let an entity change, and tell the present connection of it."""
        raw = self.states[entity_id] = {**self.states[entity_id], "s": state, "lc": 2.0}
        if told:
            self.ends[-1].tell("subscribe_entities", {"c": {entity_id: {"+": {"s": state, "lc": raw["lc"]}}}})

    def fire(self, event_type: str, **data: object) -> None:
        """Tell the present connection of an event."""
        self.ends[-1].tell("subscribe_events", {"event_type": event_type, "data": data}, event_type=event_type)

    def _answers(self, end: FarEnd) -> dict[str, Callable[[dict[str, Any]], object]]:
        config = {"location_name": "Test home", "time_zone": "Europe/Paris", "version": "2026.11.0"}
        return {
            "get_config": lambda _message: {**config, "state": self.phase},
            "get_services": lambda _message: {"light": {"turn_on": {"target": {"entity": [{"domain": ["light"]}]}}}},
            "config/area_registry/list": lambda _message: [{"area_id": "hall", "name": "Hall"}],
            "config/floor_registry/list": lambda _message: [],
            "config/label_registry/list": lambda _message: [],
            "config/device_registry/list": lambda _message: [],
            "config/entity_registry/list": lambda _message: self.rows,
            "config/entity_registry/get_entries": lambda message: {
                name: next((row for row in self.rows if row["entity_id"] == name), None)
                for name in message["entity_ids"]
            },
            "homeassistant/expose_entity/list": lambda _message: {
                "exposed_entities": {name: {"conversation": True} for name in self.states}
            },
            "subscribe_entities": lambda message: end.say(
                {"id": message["id"], "type": "event", "event": {"a": dict(self.states)}}
            ),
        }


async def reached(life: Life, phase: Phase) -> None:
    """Wait until the life is in `phase`."""
    there = asyncio.Event()
    undo = life.watch(lambda now: there.set() if now is phase else None)
    try:
        async with asyncio.timeout(30):
            if life.phase is not phase:
                await there.wait()
    finally:
        undo()
