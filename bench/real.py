"""The real Home Assistant that is measured on: the demo home, and the same one furnished with as many entities as a bar asks for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

from homesteward.core.json import dumps, loads
from homesteward.demo import DemoHome, inventory

FILE = "homesteward_demo.json"  # where Home Assistant's side reads what stands in the house

# What is added, again and again: a device of four entities.
DEVICE: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("light", "Light", {"state": "off", "attributes": {"brightness": 128}}),
    ("sensor", "Temperature", {"state": "20.5", "device_class": "temperature", "traits": {"unit": "°C"}}),
    ("sensor", "Humidity", {"state": "46", "device_class": "humidity", "traits": {"unit": "%"}}),
    ("binary_sensor", "Motion", {"state": "off", "device_class": "motion"}),
)


@dataclass(frozen=True, slots=True)
class Site:
    """A running demo home, which lives in `folder`/ha, and a folder for what is set up beside it."""

    demo: DemoHome
    folder: Path


async def enlarge(site: Site, entities: int) -> None:
    """Furnish the home up to at least `entities` and start it again; one that has as many stays as it is."""
    missing = -(-(entities - site.demo.entities) // len(DEVICE))
    if missing <= 0:
        return
    document = loads(inventory().document)
    if not isinstance(document, dict):
        raise TypeError("the inventory is no object")
    areas = [area["name"] for area in document["areas"]]
    document["devices"] += islice(_devices(areas), missing)
    await site.demo.stop()
    (site.folder / "ha" / FILE).write_text(dumps(document), encoding="utf-8")
    await site.demo.restart()


def extra_lights(entity_ids: Iterable[str]) -> list[str]:
    """Return the names of the lights that were added, as people call them."""
    return [
        f"Extra {int(found.removeprefix('light.extra_'))} light"
        for found in entity_ids
        if found.startswith("light.extra_")
    ]


def _devices(areas: list[str]) -> Iterator[dict[str, Any]]:
    for n in count(1):
        entities = [
            {"id": f"{domain}.extra_{n}{'' if domain == 'light' else '_' + name.lower()}", "name": name, **spec}
            for domain, name, spec in DEVICE
        ]
        yield {"name": f"Extra {n}", "area": areas[n % len(areas)], "entities": entities}
