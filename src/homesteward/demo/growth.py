"""The same house, larger: more rooms with more of what rooms have, always the same ones for the same size."""

import random
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from homesteward.demo.errors import DemoError

type Document = dict[str, Any]

SEED = 20261101
LARGEST = 10_000  # Home Assistant takes no more entities than this from one integration's entry
WINGS = ("North wing", "East wing", "South wing", "West wing")
ROOMS = ("bedroom", "bathroom", "sitting room", "studio", "store room", "corridor", "conservatory", "workshop")
ROOMS_PER_WING = 40  # a further wing is begun after that many, so that floors grow with the house

NUMBER = {"state_class": "measurement"}


def grown(house: Document, entities: int) -> Document:
    """Return `house` with rooms added until it has `entities` things; a DemoError where that is too many or too few."""
    own = sum(len(device["entities"]) for device in house["devices"])
    if not own <= entities <= LARGEST:
        raise DemoError(f"A demo home has {own} to {LARGEST} entities, not {entities}.", code="demo_size")
    floors, areas, devices = list(house["floors"]), list(house["areas"]), list(house["devices"])
    missing = entities - own
    for number in count():
        if missing <= 0:
            break
        wing, room = _place(number)
        if wing not in {floor["name"] for floor in floors}:
            floors.append({"name": wing, "level": len(floors), "icon": "mdi:home-group"})
        areas.append({"name": room, "floor": wing, "icon": "mdi:door"})
        for device in _furnished(room, random.Random(SEED + number)):  # noqa: S311 - furniture, not a secret
            kept = device["entities"][:missing]
            if kept:
                devices.append({**device, "entities": kept})
            missing -= len(kept)
    return {**house, "floors": floors, "areas": areas, "devices": devices}


def _place(number: int) -> tuple[str, str]:
    """Return the wing and the name of the room with this number; every name exists once."""
    wing = number // ROOMS_PER_WING
    side, story = WINGS[wing % len(WINGS)], wing // len(WINGS) + 1
    kind = ROOMS[number % len(ROOMS)]
    return f"{side} {story}", f"{side.split(maxsplit=1)[0]} {kind} {number + 1}"


def _furnished(room: str, chance: random.Random) -> Iterator[Document]:
    """Yield what stands in one room: 12 to 24 entities."""
    slug = room.lower().replace(" ", "_")
    for kind, likely in KINDS.items():
        if chance.random() < likely:
            things = THINGS[kind](slug, chance)
            yield {"name": f"{room} {kind}", "area": room, "entities": things}


def _light(slug: str, chance: random.Random) -> list[Document]:
    modes = chance.choice((["onoff"], ["brightness"], ["color_temp"], ["color_temp", "hs"]))
    lit = {} if modes == ["onoff"] else {"brightness": chance.randrange(40, 255)}
    light = _thing(f"light.{slug}_ceiling", chance.choice(("on", "off", "off")), traits={"color_modes": modes})
    return [{**light, "attributes": lit}, *_radio(f"{slug}_ceiling", chance)]


def _lamp(slug: str, chance: random.Random) -> list[Document]:
    lamp = _thing(f"light.{slug}_lamp", "off", attributes={"brightness": chance.randrange(40, 255)})
    return [lamp, *_radio(f"{slug}_lamp", chance)]


def _blinds(slug: str, chance: random.Random) -> list[Document]:
    blinds = _thing(f"cover.{slug}_blinds", "open", device_class="blind", attributes={"current_position": 100})
    return [{**blinds, "behaviour": {"travel": 3}}, *_radio(f"{slug}_blinds", chance)]


def _thermostat(slug: str, chance: random.Random) -> list[Document]:
    now, wanted = round(chance.uniform(16, 22), 1), chance.randrange(34, 44) / 2
    attributes = {"current_temperature": now, "temperature": wanted}
    return [
        _thing(f"climate.{slug}", chance.choice(("heat", "off")), attributes=attributes),
        *_radio(f"{slug}_thermostat", chance),
    ]


def _climate_sensor(slug: str, chance: random.Random) -> list[Document]:
    return [
        _measure(f"{slug}_temperature", "Temperature", "temperature", f"{chance.uniform(16, 23):.1f}", "°C"),
        _measure(f"{slug}_humidity", "Humidity", "humidity", str(chance.randrange(35, 65)), "%"),
        _measure(f"{slug}_battery", "Battery", "battery", str(chance.randrange(8, 101)), "%", noise=True),
        *_radio(f"{slug}_climate", chance),
    ]


def _motion_sensor(slug: str, chance: random.Random) -> list[Document]:
    return [
        _thing(f"binary_sensor.{slug}_motion", "off", name="Motion", device_class="motion"),
        _measure(f"{slug}_illuminance", "Illuminance", "illuminance", str(chance.randrange(5, 900)), "lx"),
        *_radio(f"{slug}_motion", chance),
    ]


def _window(slug: str, chance: random.Random) -> list[Document]:
    state = "on" if chance.random() < 0.1 else "off"
    return [
        _thing(f"binary_sensor.{slug}_window", state, device_class="window"),
        _measure(f"{slug}_window_battery", "Battery", "battery", str(chance.randrange(8, 101)), "%", noise=True),
    ]


def _socket(slug: str, chance: random.Random) -> list[Document]:
    follows = {"entity": f"switch.{slug}_socket", "on": "38", "off": "0.2"}
    power = _measure(f"{slug}_socket_power", "Power", "power", "0.2", "W")
    power["traits"]["follows"] = follows
    energy = _measure(f"{slug}_socket_energy", "Energy", "energy", f"{chance.uniform(1, 900):.1f}", "kWh", noise=True)
    energy["traits"]["state_class"] = "total_increasing"
    return [_thing(f"switch.{slug}_socket", "off", device_class="outlet"), power, energy]


def _speaker(slug: str, chance: random.Random) -> list[Document]:
    speaker = _thing(f"media_player.{slug}_speaker", "idle", device_class="speaker")
    return [speaker, *_radio(f"{slug}_speaker", chance)]


def _fan(slug: str, chance: random.Random) -> list[Document]:
    return [_thing(f"fan.{slug}_fan", "off", attributes={"percentage": chance.choice((33, 66, 100))})]


def _radio(slug: str, chance: random.Random) -> list[Document]:
    """Return what every radio adds: nobody asks for it, and it is not exposed."""
    signal = _measure(
        f"{slug}_signal", "Signal strength", "signal_strength", str(-chance.randrange(40, 90)), "dBm", noise=True
    )
    firmware = _thing(f"sensor.{slug}_firmware", f"1.{chance.randrange(9)}.{chance.randrange(9)}", name="Firmware")
    return [signal, {**firmware, "diagnostic": True, "exposed": False}]


def _measure(slug: str, name: str, device_class: str, state: str, unit: str, *, noise: bool = False) -> Document:
    thing = _thing(f"sensor.{slug}", state, name=name, device_class=device_class, traits={**NUMBER, "unit": unit})
    return {**thing, "diagnostic": True, "exposed": False} if noise else thing


def _thing(entity_id: str, state: str, **rest: Any) -> Document:  # noqa: ANN401 - as the inventory's own entries
    return {"id": entity_id, "state": state, **rest}


# kind -> how often a room has one
KINDS: Mapping[str, float] = {
    "ceiling light": 1.0,
    "lamp": 0.7,
    "blinds": 0.6,
    "thermostat": 0.6,
    "climate sensor": 0.8,
    "motion sensor": 0.6,
    "window": 0.7,
    "socket": 0.6,
    "speaker": 0.3,
    "fan": 0.2,
}
THINGS = {
    "ceiling light": _light,
    "lamp": _lamp,
    "blinds": _blinds,
    "thermostat": _thermostat,
    "climate sensor": _climate_sensor,
    "motion sensor": _motion_sensor,
    "window": _window,
    "socket": _socket,
    "speaker": _speaker,
    "fan": _fan,
}
