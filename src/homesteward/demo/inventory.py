"""What stands in the demo home, read from the one file that Home Assistant's side is furnished from as well."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from homesteward.core.json import dumps

SOURCE = Path(__file__).with_name("inventory.yaml")


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
    document: str
    """The whole inventory as JSON, for Home Assistant's side."""


@cache
def inventory() -> Inventory:
    """Read the inventory."""
    document: dict[str, Any] = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))
    entities = [_furnishing(device, entity) for device in document["devices"] for entity in device["entities"]]
    return Inventory(
        floors=tuple(floor["name"] for floor in document["floors"]),
        areas=tuple(area["name"] for area in document["areas"]),
        labels=tuple(label["name"] for label in document["labels"]),
        entities={entity.entity_id: entity for entity in entities},
        document=dumps(document),
    )


def _furnishing(device: Mapping[str, Any], entity: Mapping[str, Any]) -> Furnishing:
    behaviour = entity.get("behaviour", {})
    return Furnishing(
        entity_id=entity["id"],
        name=" ".join(part for part in (device["name"], entity.get("name")) if part),
        area=device.get("area"),
        state="unavailable" if behaviour.get("unavailable") else entity["state"],
        exposed=entity.get("exposed", True),
        behaviour=behaviour,
    )
