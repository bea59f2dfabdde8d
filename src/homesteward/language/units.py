"""Degrees in the unit that was said, brought to the unit of the home: what a service is given is always in the home's."""

import re

CELSIUS, FAHRENHEIT = "°C", "°F"
PER_CELSIUS = 9 / 5
ICE = 32.0  # degrees Fahrenheit at 0 °C
_SPOKEN = re.compile(r"(?:celsi\w*|(?<=\d)\s*°?\s*c\b)|(?P<f>fahrenheit\w*|(?<=\d)\s*°?\s*f\b)")


def degrees(value: float, spoken: str | None, home: str) -> float:
    """Return the temperature in the unit `home`; `spoken` is the one it was said in, None for the home's."""
    if spoken is None or spoken == home:
        return value
    return value * PER_CELSIUS + ICE if home == FAHRENHEIT else (value - ICE) / PER_CELSIUS


def difference(value: float, spoken: str | None, home: str) -> float:
    """Return a difference of temperatures in the unit `home`."""
    if spoken is None or spoken == home:
        return value
    return value * PER_CELSIUS if home == FAHRENHEIT else value / PER_CELSIUS


def unit_in(text: str) -> str | None:
    """Return the unit of temperature that a tidy sentence of any language names beside a number, None if it names none."""
    found = _SPOKEN.search(text)
    return None if not found else FAHRENHEIT if found["f"] else CELSIUS
