"""How a thing misbehaves, or how long it takes: data that the inventory gives and `set_fault` changes."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import probatio
from homeassistant.helpers import config_validation as cv

SCHEMA = {
    probatio.Optional("dead"): cv.boolean,
    probatio.Optional("unavailable"): cv.boolean,
    probatio.Optional("jams"): cv.boolean,
    probatio.Optional("delay"): probatio.All(probatio.Coerce(float), probatio.Range(min=0, max=60)),
    probatio.Optional("error"): cv.string,
    probatio.Optional("clamp"): probatio.Any(
        None, probatio.All([probatio.Coerce(float)], probatio.Length(min=2, max=2))
    ),
    probatio.Optional("travel"): probatio.All(probatio.Coerce(float), probatio.Range(min=0, max=120)),
}
"""The fields below, as a service takes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """What happens when a thing is told to do something; as it stands here, everything works at once."""

    dead: bool = False
    """Accepts every command and does nothing: no error, no event."""
    unavailable: bool = False
    """Cannot be reached."""
    jams: bool = False
    """A lock that ends `jammed` after every movement."""
    delay: float = 0.0
    """Seconds before a command takes effect; the service call waits for it."""
    error: str = ""
    """The message every command is answered with."""
    clamp: tuple[float, float] | None = None
    """The range a set temperature is silently forced into."""
    travel: float = 1.0
    """Seconds a whole movement takes after the command was accepted: a cover, a lock, a valve, arming an alarm."""

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """Return this behaviour with some fields changed."""
        changes = dict(changes)
        if changes.get("clamp"):
            low, high = changes["clamp"]
            changes["clamp"] = (float(low), float(high))
        return replace(self, **changes)


FIELDS = frozenset(field.name for field in fields(Behaviour))
