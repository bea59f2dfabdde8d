"""A home written in a file: read, checked key by key, and turned into the inventory of a simulated home."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BeforeValidator, Field, ValidationError

from homesteward.core.errors import HomestewardError
from homesteward.core.text import fold
from homesteward.home.calls import ENTITY_ID, BodyStep, parse_call
from homesteward.home.inventory import Inventory, Thing
from homesteward.home.model import Area, Device, Floor, Label
from homesteward.trial.case import Part
from homesteward.trial.shown import shown

# What is usual for a domain, beside what is in any simulated home: its state, and its attributes.
USUAL: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "todo": ("0", {"supported_features": 1 | 2 | 4 | 8}),
    "calendar": ("off", {}),
}


class HomeFileError(HomestewardError):
    """The home file is not of the form a home file has."""

    code = "bad_home"


class WrittenArea(Part):
    """An area. `floor` is the id of a floor of the file, or the name of one that is listed nowhere."""

    id: str
    name: str
    floor: str | None = None
    aliases: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


class WrittenFloor(Part):
    """A floor."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    level: int | None = None


class WrittenDevice(Part):
    """A device. `info` (make, model) is for the reader."""

    id: str
    name: str
    area: str | None = None
    labels: tuple[str, ...] = ()
    info: dict[str, Any] = Field(default_factory=dict)


def _lower(written: object) -> object:
    """Return an id in lower case, as Home Assistant takes it."""
    return written.lower() if isinstance(written, str) else written


class WrittenEntity(Part):
    """An entity. What is not given is as usual for its domain; `body` is what a script, scene or automation does."""

    id: Annotated[str, BeforeValidator(_lower), Field(pattern=f"^{ENTITY_ID.pattern}$")]
    name: str = ""
    area: str | None = None
    device: str | None = None
    state: Any = None
    attributes: dict[str, Any] = Field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    exposed: bool = True
    body: tuple[dict[str, Any] | None, ...] | None = None


class WrittenHome(Part):
    """A whole home file."""

    language: str = "en"
    areas: tuple[WrittenArea, ...] = ()
    floors: tuple[WrittenFloor, ...] = ()
    devices: tuple[WrittenDevice, ...] = ()
    entities: tuple[WrittenEntity, ...]


@dataclass(frozen=True, slots=True)
class HomeFile:
    """A home read from a file, ready to be simulated."""

    name: str
    language: str
    inventory: Inventory


def load_home(file: Path) -> HomeFile:
    """Read a home file; raise HomeFileError naming the file and the key that is wrong."""
    try:
        written = WrittenHome.model_validate(_without_empty(yaml.load(file.read_text(encoding="utf-8"), _Loader)))  # noqa: S506 - a SafeLoader
    except OSError as error:
        raise HomeFileError(f"{file} cannot be read: {error.strerror}.", next="Check the path.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise HomeFileError(f"{file} is not YAML: {error}", next="Mend the file.") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _bad(file, ".".join(map(str, first["loc"])) or "the file", first["msg"]) from None
    _check(file, written)
    return HomeFile(file.stem, written.language, _inventory(file, written))


class _Loader(yaml.SafeLoader):
    """A loader to which a value with a tag of its own (`!secret x`) is one that was not given."""


_Loader.add_multi_constructor("!", lambda _loader, _suffix, _node: None)


def _without_empty(document: object) -> object:
    """Return the document without its empty keys: `devices:` with nothing behind it lists no devices."""
    if not isinstance(document, dict):
        return document
    return {key: value for key, value in document.items() if value is not None}


def _check(file: Path, written: WrittenHome) -> None:
    """Raise HomeFileError for a name given twice, or for a place or device that is not there."""
    for key in ("areas", "floors", "devices", "entities"):
        seen: set[str] = set()
        for n, part in enumerate(getattr(written, key)):
            if part.id in seen:
                raise _bad(file, f"{key}.{n}.id", f"{part.id} is there twice")
            seen.add(part.id)
    areas, devices = {area.id for area in written.areas}, {device.id for device in written.devices}
    for where, name, known in _references(written, areas, devices):
        if name is not None and name not in known:
            raise _bad(file, where, f"there is no {name}")


def _references(written: WrittenHome, areas: set[str], devices: set[str]) -> Iterator[tuple[str, str | None, set[str]]]:
    yield from ((f"devices.{n}.area", device.area, areas) for n, device in enumerate(written.devices))
    for n, entity in enumerate(written.entities):
        yield f"entities.{n}.area", entity.area, areas
        yield f"entities.{n}.device", entity.device, devices
    if written.floors:
        floors = {floor.id for floor in written.floors}
        yield from ((f"areas.{n}.floor", area.floor, floors) for n, area in enumerate(written.areas))


def _inventory(file: Path, written: WrittenHome) -> Inventory:
    floors = [Floor(floor.id, floor.name, floor.aliases, floor.level) for floor in written.floors]
    if not floors:
        floors = [Floor(_slug(name), name) for name in dict.fromkeys(area.floor for area in written.areas) if name]
    by_name = {floor.name: floor.floor_id for floor in floors}
    areas = [
        Area(area.id, area.name, by_name.get(area.floor or "", area.floor), area.aliases, frozenset(area.labels))
        for area in written.areas
    ]
    return Inventory(
        things=tuple(_thing(file, n, entity) for n, entity in enumerate(written.entities)),
        areas=tuple(areas),
        floors=tuple(floors),
        labels=tuple(Label(name, name) for name in _labels(written)),
        devices=tuple(Device(d.id, d.name, d.area, frozenset(d.labels)) for d in written.devices),
    )


def _labels(written: WrittenHome) -> Iterable[str]:
    carried = [part.labels for parts in (written.areas, written.devices, written.entities) for part in parts]
    return dict.fromkeys(label for labels in carried for label in labels)


def _thing(file: Path, n: int, entity: WrittenEntity) -> Thing:
    domain = entity.id.partition(".")[0]
    usual, usually = USUAL.get(domain, ("", {}))
    try:
        state, attributes = shown(domain, entity.state, entity.attributes)
    except KeyError as error:
        raise _bad(file, f"entities.{n}.attributes", f"Home Assistant has no {error.args[0]}") from None
    return Thing(
        entity.id,
        entity.name,
        entity.area,
        state or usual,
        {**usually, **attributes},
        aliases=entity.aliases,
        labels=frozenset(entity.labels),
        device=entity.device,
        exposed=entity.exposed,
        body=None if entity.body is None else tuple(_steps(file, n, entity.body)),
    )


def _steps(file: Path, n: int, body: Iterable[dict[str, Any] | None]) -> Iterator[BodyStep]:
    """Yield the calls of a body; an empty one stands for a call that a template hides."""
    for step, raw in enumerate(body):
        if raw is None:
            yield BodyStep(None, "hidden by a template")
            continue
        try:
            call = parse_call(raw)
        except HomestewardError as error:
            raise _bad(file, f"entities.{n}.body.{step}", error.message) from None
        yield BodyStep(call, call.id)


def _bad(file: Path, key: str, problem: str) -> HomeFileError:
    return HomeFileError(
        f"{file}: {key}: {problem.rstrip('.')}.", next="See docs/evals.md for the form of a home file."
    )


def _slug(name: str) -> str:
    return fold(name).replace(" ", "_")
