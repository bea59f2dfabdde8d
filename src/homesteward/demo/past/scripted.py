"""The house's own scripts and automations, as far as they are plain: what they wait for and what they call.

A past that follows from the files themselves stays true to them. One that chooses, repeats, is made of templates or
reaches for locks and doors has not run in it.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from homesteward.demo.past.rooms import House

type Document = Mapping[str, Any]

HARMLESS: Final = {"climate", "fan", "humidifier", "input_boolean", "light", "media_player", "switch", "vacuum"}
TRIGGERS: Final = {"state", "numeric_state", "sun", "time"}
TEMPLATE: Final = re.compile(r"{{|{%")
CONDITIONS: Final = {"state", "numeric_state", "sun"}


@dataclass(frozen=True, slots=True)
class Step:
    """One service call, with the things that its target comes to."""

    service: str
    target: Document
    entity_ids: tuple[str, ...]
    data: Document


@dataclass(frozen=True, slots=True)
class Pause:
    """A step that waits: some seconds, or for a state trigger."""

    seconds: float = 0.0
    until: Document | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """A script of plain steps."""

    entity_id: str
    item_id: str
    name: str
    steps: tuple[Step | Pause, ...]

    @property
    def calls(self) -> tuple[Step, ...]:
        """Return the service calls among the steps."""
        return tuple(step for step in self.steps if isinstance(step, Step))


@dataclass(frozen=True, slots=True)
class Automation(Script):
    """A script that starts by itself."""

    triggers: tuple[Document, ...] = ()
    conditions: tuple[Document, ...] = ()
    restarts: bool = False
    """Whether it begins anew when it is woken while it runs."""


def scripts(house: House, documents: Mapping[str, Document]) -> dict[str, Script]:
    """Return the plain scripts of a `scripts.yaml` that the house has, by entity id."""
    found = {}
    for item_id, document in documents.items():
        steps = _steps(house, document.get("sequence", ()))
        entity_id = f"script.{item_id}"
        plain = steps is not None and all(isinstance(step, Step) for step in steps)
        if plain and steps and house.get(entity_id):
            found[entity_id] = Script(entity_id, item_id, document.get("alias", item_id), steps)
    return found


def automations(house: House, documents: Sequence[Document]) -> Iterator[Automation]:
    """Yield the plain and harmless automations of an `automations.yaml` that the house has and that are on."""
    for document in documents:
        name = document.get("alias", "")
        entity_id = f"automation.{slug(name)}"
        automation = house.get(entity_id)
        steps = _steps(house, _list(document, "action"))
        triggers, conditions = _list(document, "trigger"), _list(document, "condition")
        if (
            automation is not None
            and automation.state == "on"
            and steps
            and all(isinstance(step, Pause) or _harmless(house, step) for step in steps)
            and all(isinstance(trigger, Mapping) and trigger.get("trigger") in TRIGGERS for trigger in triggers)
            and all(isinstance(test, Mapping) and test.get("condition") in CONDITIONS for test in conditions)
        ):
            item_id = str(document["id"])
            restarts = document.get("mode") == "restart"
            yield Automation(entity_id, item_id, name, steps, tuple(triggers), tuple(conditions), restarts)


def slug(name: str) -> str:
    """Return the id that Home Assistant makes of a name."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")


def each(value: object) -> tuple[str, ...]:
    """Return a value that may be one or a list as a tuple of texts."""
    if value is None:
        return ()
    return tuple(str(item) for item in value) if isinstance(value, list) else (str(value),)


def _list(document: Document, key: str) -> list[Any]:
    value = document.get(f"{key}s", document.get(key, []))
    return value if isinstance(value, list) else [value]


def seconds(value: object) -> float:
    """Return seconds from `hh:mm:ss`, a number or a mapping of units."""
    if isinstance(value, Mapping):
        return timedelta(**{unit: float(amount) for unit, amount in value.items()}).total_seconds()
    if isinstance(value, str):
        sign = -1 if value.startswith("-") else 1
        parts = [float(part) for part in value.lstrip("+-").split(":")]
        return sign * sum(part * unit for part, unit in zip(parts, (3600, 60, 1), strict=False))
    return float(value) if isinstance(value, int | float) else 0.0


def _steps(house: House, sequence: Sequence[Document]) -> tuple[Step | Pause, ...] | None:
    found = [_step(house, item) for item in sequence]
    return None if None in found else tuple(step for step in found if step is not None)


def _step(house: House, item: Document) -> Step | Pause | None:
    """Return one step, or None where it is not plain."""
    if TEMPLATE.search(str(item)):
        return None
    match item:
        case {"action": str(service)}:
            target = item.get("target", {})
            told = {key: list(each(value)) if key == "entity_id" else value for key, value in target.items()}
            return Step(service, told, tuple(_reached(house, service, target)), item.get("data", {}))
        case {"delay": value}:
            return Pause(seconds=seconds(value))
        case {"wait_for_trigger": [{"trigger": "state"} as until]} | {
            "wait_for_trigger": {"trigger": "state"} as until
        }:
            return Pause(until=until)
    return None


def _reached(house: House, service: str, target: Document) -> Iterator[str]:
    domain = service.partition(".")[0]
    yield from each(target.get("entity_id"))
    areas, floors = set(each(target.get("area_id"))), set(each(target.get("floor_id")))
    for thing in house.all(domain):
        if thing.area and (slug(thing.area) in areas or slug(house.floors.get(thing.area, "")) in floors):
            yield thing.entity_id


def _harmless(house: House, step: Step) -> bool:
    """Return whether nothing behind `step` lets a person in, makes a noise or is unknown."""
    domain = step.service.partition(".")[0]
    things = [house.get(entity_id) for entity_id in step.entity_ids]
    if domain == "cover":
        return all(thing and thing.device_class in {"blind", "curtain", "shade", "shutter"} for thing in things)
    return domain in HARMLESS and all(things)
