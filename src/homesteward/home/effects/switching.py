"""Effects of turning things on and off, for every domain whose state is just that."""

from homesteward.core.json import JsonObject
from homesteward.home.effects.effect import Asked, Effect, Rule
from homesteward.home.model import EMPTY

SWITCHED = ("switch", "input_boolean", "siren", "remote", "automation", "group", "humidifier")
FLIPPED = {"on": "off", "off": "on"}


def turn_on(asked: Asked) -> Effect:
    """Expect that the entity is on."""
    return asked.effect("on", "on")


def turn_off(asked: Asked) -> Effect:
    """Expect that the entity is off."""
    return asked.effect("off", "off")


def toggle(asked: Asked) -> Effect:
    """Expect that the entity is the other of on and off; where it was neither, its state has changed."""
    return flip(asked)


def flip(asked: Asked, also_on: JsonObject = EMPTY) -> Effect:
    """Return the effect of toggling, `also_on` being what a simulation adds when that turns it on."""
    to = FLIPPED.get(asked.before.state)
    if to is None:
        return asked.effect("toggled", moved=("state",), repeatable=False)
    return asked.effect(to, to, repeatable=False, also=also_on if to == "on" else EMPTY)


RULES: dict[str, Rule] = {
    f"{domain}.{service}": rule
    for domain in SWITCHED
    for service, rule in (("turn_on", turn_on), ("turn_off", turn_off), ("toggle", toggle))
}
