"""The house as the past sees it: things by what they are and where they stand, hardly ever by their ids."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from homesteward.core.json import loads
from homesteward.demo.inventory import Inventory

NO_USE = ("unavailable", "dead", "undone", "drops")
"""Behaviours of things that nobody would use day by day."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One entity, with what the inventory says about it."""

    entity_id: str
    name: str
    area: str | None
    device: str
    device_class: str | None = None
    unit: str | None = None
    state_class: str | None = None
    state: str = "unknown"
    facts: Mapping[str, Any] = field(default_factory=dict)
    works: bool = True
    """Whether commands take effect and it can be reached."""
    follows: Mapping[str, str] | None = None
    """Another thing (`entity`), and what this one shows for each of its states."""
    frozen: bool = False
    """It reports nothing any more."""
    own: bool = False
    """Home Assistant makes it itself: no device stands behind it."""

    @property
    def domain(self) -> str:
        """Return the domain."""
        return self.entity_id.partition(".")[0]

    @property
    def slug(self) -> str:
        """Return the id without the domain."""
        return self.entity_id.partition(".")[2]

    @property
    def number(self) -> float | None:
        """Return the state as a number where it counts something."""
        try:
            return float(self.state) if self.unit is not None else None
        except ValueError:
            return None


@dataclass(frozen=True)
class House:
    """Everything in the house, devices' things first."""

    things: tuple[Thing, ...]
    floors: Mapping[str, str]
    """The floor of each area that has one."""

    @classmethod
    def of(cls, inventory: Inventory) -> House:
        """Read what stands in `inventory`."""
        document: Any = loads(inventory.document)
        devices = [_thing(device, spec) for device in document["devices"] for spec in device["entities"]]
        others = [_other(spec) for spec in document.get("others", ())]
        floors = {area["name"]: area["floor"] for area in document["areas"] if area.get("floor")}
        return cls(tuple(thing for thing in (*devices, *others) if thing is not None), floors)

    def __getitem__(self, entity_id: str) -> Thing:
        """Return one thing that is here."""
        return self._by_id[entity_id]

    def get(self, entity_id: str) -> Thing | None:
        """Return one thing, if it is here."""
        return self._by_id.get(entity_id)

    def all(self, domain: str, *, area: str | None = None, device_class: str | None = None) -> Iterator[Thing]:
        """Yield the things of a domain, in one area or of one class where that is asked."""
        for thing in self.things:
            if (
                thing.domain == domain
                and (area is None or thing.area == area)
                and (device_class is None or thing.device_class == device_class)
            ):
                yield thing

    def first(self, domain: str, *, area: str | None = None, device_class: str | None = None) -> Thing | None:
        """Return the first of them that works."""
        return next((thing for thing in self.all(domain, area=area, device_class=device_class) if thing.works), None)

    def beside(self, thing: Thing, domain: str) -> Thing | None:
        """Return what else belongs to the same device."""
        return next((other for other in self.all(domain, area=thing.area) if other.device == thing.device), None)

    def joined_by(self, things: Iterable[Thing]) -> House:
        """Return the house with what Home Assistant adds to it: people, the sun, the zone."""
        known = {thing.entity_id for thing in self.things}
        return House((*self.things, *(thing for thing in things if thing.entity_id not in known)), self.floors)

    @cached_property
    def _by_id(self) -> Mapping[str, Thing]:
        return {thing.entity_id: thing for thing in self.things}


def _thing(device: Mapping[str, Any], spec: Mapping[str, Any]) -> Thing | None:
    if spec.get("disabled"):
        return None
    traits, behaviour = spec.get("traits", {}), spec.get("behaviour", {})
    state = spec.get("state")
    return Thing(
        entity_id=spec["id"],
        name=" ".join(part for part in (device["name"], spec.get("name")) if part),
        area=device.get("area"),
        device=f"{device.get('area', '')}/{device['name']}",
        device_class=spec.get("device_class"),
        unit=traits.get("unit"),
        state_class=traits.get("state_class"),
        state="unavailable" if behaviour.get("unavailable") else "unknown" if state is None else str(state),
        facts=_facts(spec, traits),
        works=not any(behaviour.get(fault) for fault in NO_USE),
        follows=traits.get("follows"),
        frozen=bool(behaviour.get("frozen")),
    )


def _facts(spec: Mapping[str, Any], traits: Mapping[str, Any]) -> Mapping[str, Any]:
    hidden = set() if traits.get("positions", True) else {"current_position"}
    unit = {"temperature_unit": traits["unit"]} if spec["id"].startswith("climate.") and "unit" in traits else {}
    return {key: value for key, value in spec.get("attributes", {}).items() if key not in hidden} | unit


def _other(spec: Mapping[str, Any]) -> Thing:
    slug = spec["id"].partition(".")[2]
    name = slug.replace("_", " ").capitalize()
    return Thing(spec["id"], name, None, slug, state=str(spec.get("state", "unknown")), own=True)
