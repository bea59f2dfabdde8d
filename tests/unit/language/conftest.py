"""A furnished home and a way to talk to it."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from homes import COLOURFUL, DIMMABLE, small_home
from homesteward.core import FrozenClock
from homesteward.demo.inventory import inventory
from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Floor
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Reading, Understander

type Read = Callable[..., Reading]
NOON = FrozenClock(datetime(2026, 11, 30, 12, tzinfo=UTC))


@pytest.fixture(scope="session")
def furnished() -> SimulatedHome:
    """The small home, for tests that change nothing in it."""
    return small_home(NOON)


@pytest.fixture
def home() -> SimulatedHome:
    return small_home(NOON)


@pytest.fixture(scope="session")
def demo_house() -> SimulatedHome:
    """The demo home's inventory, simulated: its names, rooms and kinds of things."""
    return simulated_demo()


@pytest.fixture(scope="session")
def speaking_to() -> Callable[[SimulatedHome], Read]:
    """Return the way to talk to a home."""

    def to(home: SimulatedHome) -> Read:
        understander = Understander(home, NOON)
        return lambda text, language="en", **where: understander.read(text, language, **where)

    return to


@pytest.fixture(scope="session")
def read(furnished, speaking_to) -> Read:
    return speaking_to(furnished)


@pytest.fixture(scope="session")
def calls() -> Callable[[Reading], list[tuple[str, list[str], dict[str, object]]]]:
    """Return the calls of a reading as plain values, [] for one that does not act."""

    def of(reading: Reading) -> list[tuple[str, list[str], dict[str, object]]]:
        asked = reading.calls if isinstance(reading, Acts) else ()
        return [(call.id, list(call.target.entity_id), dict(call.data)) for call in asked]

    return of


def simulated_demo() -> SimulatedHome:
    """Bring the demo home's inventory to life in this process."""
    written: dict[str, Any] = json.loads(inventory().document)
    floors = [
        Floor(_slug(floor["name"]), floor["name"], tuple(floor.get("aliases", ()))) for floor in written["floors"]
    ]
    areas = [
        Area(
            _slug(area["name"]),
            area["name"],
            _slug(area["floor"]) if area.get("floor") else None,
            tuple(area.get("aliases", ())),
        )
        for area in written["areas"]
    ]
    things = [*_things(written), *(_from_configuration(other) for other in written.get("others", ()))]
    return SimulatedHome.build(things, areas=areas, floors=floors, clock=NOON)


def _things(written: Mapping[str, Any]) -> Iterator[Thing]:
    for device in written["devices"]:
        for entity in device["entities"]:
            unit = entity.get("traits", {}).get("unit")
            yield Thing(
                entity["id"],
                " ".join(part for part in (device["name"], entity.get("name")) if part),
                _slug(device["area"]) if device.get("area") else None,
                "unavailable" if entity.get("behaviour", {}).get("unavailable") else str(entity.get("state", "")),
                {**_light(entity), **entity.get("attributes", {}), **({"unit_of_measurement": unit} if unit else {})},
                aliases=tuple(entity.get("aliases", ())),
                device_class=entity.get("device_class"),
                exposed=entity.get("exposed", True),
                hidden=entity.get("hidden", False),
                category="diagnostic" if entity.get("diagnostic") else None,
            )


def _light(entity: Mapping[str, Any]) -> Mapping[str, Any]:
    if not entity["id"].startswith("light."):
        return {}
    modes = entity.get("traits", {}).get("color_modes", ["brightness"])
    return {**(COLOURFUL if "hs" in modes else DIMMABLE), "supported_color_modes": modes}


def _from_configuration(other: Mapping[str, Any]) -> Thing:
    return Thing(other["id"], state=str(other.get("state", "")), exposed=other.get("exposed", True))


def _slug(name: str) -> str:
    return name.lower().replace(" ", "_")
