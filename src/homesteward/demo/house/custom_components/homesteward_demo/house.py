"""The furnished house while Home Assistant runs: what the inventory says, and the entities made from it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from homeassistant.config_entries import ConfigEntry

if TYPE_CHECKING:
    from .entity import DemoEntity

DOMAIN = "homesteward_demo"

type Spec = dict[str, Any]
type HouseEntry = ConfigEntry[House]


@dataclass(slots=True)
class House:
    """What stands in the house."""

    inventory: Spec
    entities: dict[str, DemoEntity] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the inventory that was written beside Home Assistant's configuration."""
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def specs(self) -> Iterator[tuple[Spec, Spec]]:
        """Yield every entity of the inventory after its device."""
        for device in self.inventory["devices"]:
            for entity in device["entities"]:
                yield device, entity

    def make[E: DemoEntity](self, domain: str, kind: Callable[[Self, Spec, Spec], E]) -> list[E]:
        """Return the entities of one platform, made by `kind`."""
        return [kind(self, device, spec) for device, spec in self.specs() if spec["id"].startswith(f"{domain}.")]
