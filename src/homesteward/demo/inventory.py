"""What stands in the demo home, read from the files that Home Assistant's side is furnished from as well."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from homesteward.core.json import dumps
from homesteward.demo.growth import grown

FURNITURE = Path(__file__).with_name("furniture")
NOT_REACHED = "unavailable"


@dataclass(frozen=True, slots=True)
class Furnishing:
    """One entity of the demo home."""

    entity_id: str
    name: str
    area: str | None
    state: str
    exposed: bool
    behaviour: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Inventory:
    """The demo home as it stands after a reset."""

    floors: tuple[str, ...]
    areas: tuple[str, ...]
    labels: tuple[str, ...]
    entities: Mapping[str, Furnishing]
    """What has a state, by entity id."""
    disabled: tuple[str, ...]
    """What is only registered."""
    document: str
    """The whole inventory as JSON, for Home Assistant's side."""


@cache
def inventory(entities: int | None = None) -> Inventory:
    """Read the inventory; with `entities`, of the same house grown to about that many."""
    document = _read() if entities is None else grown(_read(), entities)
    described = [(device, entity) for device in document["devices"] for entity in device["entities"]]
    things = [_furnishing(device, entity) for device, entity in described if not entity.get("disabled")]
    return Inventory(
        floors=tuple(floor["name"] for floor in document["floors"]),
        areas=tuple(area["name"] for area in document["areas"]),
        labels=tuple(label["name"] for label in document["labels"]),
        entities={thing.entity_id: thing for thing in things},
        disabled=tuple(entity["id"] for _device, entity in described if entity.get("disabled")),
        document=dumps(document),
    )


def _read() -> dict[str, Any]:
    """Return the files of the inventory as one document: a list of the same name in two files is one list."""
    document: dict[str, list[Any]] = {}
    for file in sorted(FURNITURE.glob("*.yaml")):
        for name, part in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            document.setdefault(name, []).extend(part)
    return document


def _furnishing(device: Mapping[str, Any], entity: Mapping[str, Any]) -> Furnishing:
    behaviour = entity.get("behaviour", {})
    return Furnishing(
        entity_id=entity["id"],
        name=" ".join(part for part in (device["name"], entity.get("name")) if part),
        area=device.get("area"),
        state=NOT_REACHED if behaviour.get("unavailable") else entity["state"],
        exposed=entity.get("exposed", True),
        behaviour=behaviour,
    )
