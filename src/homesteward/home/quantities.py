"""Amounts as people and models write them: with a unit, in percent, on another scale. Each has one reading, or none."""

import re

from homesteward.core.json import LARGEST, JsonValue
from homesteward.home.effects.effect import number, shown

AMOUNT = re.compile(r"([-+]?\d+(?:\.\d+|,\d{1,2})?)\s*(\D*)")
# unit of a field -> how it is written beside a number
SPELLED = {
    "%": {"%", "percent", "pct"},
    "°C": {"°c", "c", "celsius", "°", "degrees"},
    "°F": {"°f", "f", "fahrenheit", "°", "degrees"},
    "°": {"°", "degrees"},
    "kelvin": {"k", "kelvin"},
    "seconds": {"s", "sec", "second", "seconds"},
}
OTHER_SCALE = {"°C": "°F", "°F": "°C"}
MIRED = 1_000_000  # a colour temperature in mired is this divided by that in kelvin
# What a lamp can be is between these, in kelvin and in mired; the two do not meet, so a bare number has one reading.
KELVIN, MIREDS = (1000, 20_000), (50, 999)


def amount_in(unit: str, text: str) -> int | float | None:
    """Return the number that `text` says in `unit`: bare, with that unit, or in the other scale of temperature; None for anything else."""
    found = AMOUNT.fullmatch(text.strip())
    amount = number(found[1].replace(",", ".")) if found else None
    if found is None or amount is None:
        return number_of(text)
    written = found[2].strip().casefold()
    if not written or written in SPELLED.get(unit, set()):
        return _whole(amount)
    other = OTHER_SCALE.get(unit, "")
    if written in SPELLED.get(other, set()):
        return _whole(round((amount - 32) / 1.8 if other == "°F" else amount * 1.8 + 32, 2))
    return None


def number_of(text: str) -> int | float | None:
    """Return a bare number, also one with an exponent; None for anything else."""
    amount = number(text.strip())
    return None if amount is None else _whole(amount)


def percent(value: JsonValue) -> int | float | None:
    """Return the percentage that a text says, None for one without its sign or word."""
    if not isinstance(value, str):
        return None
    found = AMOUNT.fullmatch(value.strip())
    written = found[2].strip().casefold() if found else ""
    return amount_in("%", value) if written in SPELLED["%"] else None


def share(value: JsonValue) -> float | None:
    """Return as a share of 1 what was said in percent, or as a whole number above 1; None for what is none of these."""
    if (per_cent := percent(value)) is not None:
        return per_cent / 100
    amount = number_of(value) if isinstance(value, str) else value
    if isinstance(amount, int) and not isinstance(amount, bool) and 1 < amount <= 100:
        return amount / 100
    return None


def colour_temperature(value: JsonValue) -> tuple[str, JsonValue, str] | None:
    """Return a colour temperature as its field, in kelvin, and in words; it may be in kelvin or in mired, as the number itself shows."""
    text = str(value)
    for unit in ("mireds", "mired"):
        text = text.removesuffix(unit)
    amount = None if isinstance(value, bool | list | dict | None) else amount_in("kelvin", text)
    if amount is None:
        return None
    if KELVIN[0] <= amount <= KELVIN[1] and text == str(value):
        return "color_temp_kelvin", amount, f"colour temperature {shown(amount)} put into color_temp_kelvin"
    if MIREDS[0] <= amount <= MIREDS[1]:
        kelvin = round(MIRED / amount)
        return "color_temp_kelvin", kelvin, f"colour temperature {shown(amount)} mired is {kelvin} K"
    return None


def brightness(value: JsonValue) -> tuple[str, JsonValue, str] | None:
    """Return a brightness that was said in percent, or as a share of 1, as its field and in words; None for one from 0 to 255."""
    per_cent = percent(value)
    if per_cent is None and isinstance(value, float) and 0 < value < 1:
        per_cent = _whole(round(value * 100, 2))
    if per_cent is None:
        return None
    return (
        "brightness_pct",
        per_cent,
        f"brightness {value if isinstance(value, str) else shown(value)} is {shown(per_cent)} %",
    )


def _whole(amount: float) -> int | float:
    return int(amount) if amount.is_integer() and abs(amount) <= LARGEST else amount
