"""A call: what somebody asks of Home Assistant, before and after its targets are known by name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject, JsonValue, countable
from homesteward.home.model import EMPTY

SLUG = re.compile(r"[a-z0-9_]+")  # HA's own rule for domains and services; nothing else may reach a path or a table
ENTITY_ID = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")
REGISTRY_ID = re.compile(r"[0-9a-f]{32}")  # of an entity: what HA's editor writes instead of the entity id
TARGET_KEYS = ("entity_id", "device_id", "area_id", "floor_id", "label_id")
MAX_TARGETS = 500
MAX_TOLD, MAX_NAME = 20, 60  # of what was put right: so many fields, and so many characters of a name
# What may stand beside a service and is no field of it; anything else was meant for its data.
BESIDE_DATA = frozenset(
    {"domain", "service", "action", "target", "data", "service_data", "name", *TARGET_KEYS}
    | {"alias", "enabled", "metadata", "continue_on_error", "response_variable", "return_response"}
)


class InvalidCallError(HomestewardError):
    """The call is not of the form a call has; nothing was looked up and nothing was sent."""

    code = "invalid_call"


@dataclass(frozen=True, slots=True)
class Target:
    """What a call is aimed at, in HA's five ways. Empty means that no target was named."""

    entity_id: tuple[str, ...] = ()
    device_id: tuple[str, ...] = ()
    area_id: tuple[str, ...] = ()
    floor_id: tuple[str, ...] = ()
    label_id: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Return whether no target was named."""
        return not any(getattr(self, key) for key in TARGET_KEYS)


@dataclass(frozen=True, slots=True)
class Call:
    """A service call as asked for: `domain.service` on a target with data."""

    domain: str
    service: str
    target: Target = field(default_factory=Target)
    data: JsonObject = EMPTY
    healed: tuple[str, ...] = field(default=(), compare=False)
    """What was put right so far, in words."""

    @property
    def id(self) -> str:
        """Return `domain.service`."""
        return f"{self.domain}.{self.service}"


@dataclass(frozen=True, slots=True)
class ResolvedCall:
    """A call whose targets are concrete entities, checked against the home.

    `entity_ids` is what Home Assistant is sent: a group stays one entity. Empty only for services without a target.
    """

    domain: str
    service: str
    entity_ids: tuple[str, ...] = ()
    data: JsonObject = EMPTY
    healed: tuple[str, ...] = field(default=(), compare=False)
    """What was put right in the data before it was judged, in words; no part of what is done."""

    @property
    def id(self) -> str:
        """Return `domain.service`."""
        return f"{self.domain}.{self.service}"


@dataclass(frozen=True, slots=True)
class BodyStep:
    """One step found in the body of a script, scene or automation.

    It is a call, or `member`: an entity that a scene sets itself, by no service. Neither: it cannot be seen what it would do.
    """

    call: Call | None
    description: str
    member: str = ""
    event: str = ""
    """The type of an event that it fires; who listens is not all known."""
    service: str = ""
    """The service that a blank step calls, where only what it does that to is hidden."""
    reads: str = ""
    """A print of what stands there in a blank step: nobody sees through it, but whether it is another is seen."""


def parse_call(raw: Mapping[str, object]) -> Call:
    """Build a call from outside data, of the form `{domain, service, target?, data?}` or `{service: "domain.service", ...}`.

    `entity_id`, `area_id` and the like beside the target or inside the data are moved into the target, where they are seen; other
    words beside them into the data, where what stands there already wins. Raises InvalidCallError for anything else, before any look-up.
    """
    domain, service = _identifiers(raw)
    nested = _mapping(raw, "data") | _mapping(raw, "service_data")
    flat = {key: raw[key] for key in raw if key not in BESIDE_DATA and raw[key] is not None}
    data: dict[str, Any] = flat | nested
    if not countable(data):
        raise InvalidCallError(
            f"A number in the data of {domain}.{service} is too large or is none, or the data is nested too deep.",
            next="Send plain values.",
        )
    target: dict[str, list[str]] = {key: [] for key in TARGET_KEYS}
    for holder in (_mapping(raw, "target"), {k: v for k, v in raw.items() if k in TARGET_KEYS}, data):
        for key in TARGET_KEYS:
            target[key] += _names(key, holder.get(key))
    unknown = set(_mapping(raw, "target")) - set(TARGET_KEYS)
    if unknown:
        raise InvalidCallError(
            f"A target cannot have {', '.join(sorted(unknown))}.", next=f"Use one of {', '.join(TARGET_KEYS)}."
        )
    return Call(
        domain,
        service,
        Target(**{key: tuple(dict.fromkeys(values)) for key, values in target.items()}),
        {key: value for key, value in data.items() if key not in TARGET_KEYS},
        _nested(flat, nested),
    )


def _nested(flat: Mapping[str, object], data: Mapping[str, object]) -> tuple[str, ...]:
    """Say which fields stood beside the data, and what became of them."""
    told = {name: name[:MAX_NAME] for name in list(flat)[:MAX_TOLD]}
    moved = [f"{said} put into the data" for name, said in told.items() if name not in data]
    return (*moved, *(f"{said} taken from the data, not from beside it" for name, said in told.items() if name in data))


def _identifiers(raw: Mapping[str, object]) -> tuple[str, str]:
    domain, service = raw.get("domain"), raw.get("service") or raw.get("action")
    if domain is None and isinstance(service, str) and service.count(".") == 1:
        domain, service = service.split(".")
    for kind, name in (("domain", domain), ("service", service)):
        if not isinstance(name, str) or not SLUG.fullmatch(name):
            raise InvalidCallError(
                f"{name!r} is not a {kind}: only lower-case letters, digits and underscores are.",
                next="Write it as Home Assistant does, for example light.turn_on.",
            )
    return str(domain), str(service)


def _mapping(raw: Mapping[str, object], key: str) -> dict[str, JsonValue]:
    value = raw.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidCallError(
            f"{key} must be an object, not {type(value).__name__}.", next="Send an object or leave it out."
        )
    return dict(value)


def _names(key: str, value: object) -> list[str]:
    if value is None:
        return []
    values = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
    if (
        not isinstance(values, Sequence)
        or not all(isinstance(name, str) for name in values)
        or len(values) > MAX_TARGETS
    ):
        raise InvalidCallError(
            f"{key} must be a name or a list of at most {MAX_TARGETS} names.", next="Name fewer targets."
        )
    names = [str(name) for name in values if name]
    for name in names if key == "entity_id" else ():
        if name not in {"all", "none"} and not ENTITY_ID.fullmatch(name) and not REGISTRY_ID.fullmatch(name):
            raise InvalidCallError(f"{name!r} is not an entity id.", next="An entity id looks like light.kitchen.")
    return names
