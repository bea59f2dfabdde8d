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
    probatio.Optional("sticks"): cv.boolean,
    probatio.Optional("lag"): probatio.All(probatio.Coerce(float), probatio.Range(min=0, max=120)),
    probatio.Optional("drops"): probatio.All(probatio.Coerce(float), probatio.Range(min=0, max=120)),
    probatio.Optional("frozen"): cv.boolean,
    probatio.Optional("assumed"): cv.boolean,
    probatio.Optional("volume_limit"): probatio.Any(
        None, probatio.All(probatio.Coerce(float), probatio.Range(min=0, max=1))
    ),
    probatio.Optional("undone"): cv.boolean,
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
    sticks: bool = False
    """Starts a movement and never ends it: a cover stays opening, an alarm arming."""
    lag: float = 0.0
    """Seconds until what it does is reported; what happens meanwhile is reported once, at their end."""
    drops: float = 0.0
    """Seconds for which it cannot be reached as soon as it is told something, which it then has not done."""
    frozen: bool = False
    """Reports nothing any more: it goes on showing what it showed, whatever happens."""
    assumed: bool = False
    """Is never asked how it is; its state is what it was told last."""
    volume_limit: float | None = None
    """The volume, 0 to 1, above which a player refuses; none for no limit."""
    undone: bool = False
    """The automation that the inventory names for this thing (`traits.undone_by`) switches it back."""

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """Return this behaviour with some fields changed."""
        changes = dict(changes)
        if changes.get("clamp"):
            low, high = changes["clamp"]
            changes["clamp"] = (float(low), float(high))
        return replace(self, **changes)


FIELDS = frozenset(field.name for field in fields(Behaviour))
