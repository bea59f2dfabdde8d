"""Readings in one unit: an entity may have changed its unit since, and the recorder keeps each state as it was."""

from collections.abc import Mapping
from itertools import chain

# One table per quantity: unit -> how much of the first unit it is.
QUANTITIES: tuple[Mapping[str, float], ...] = (
    {"Wh": 1, "kWh": 1e3, "MWh": 1e6, "GWh": 1e9, "J": 1 / 3600, "kJ": 1 / 3.6, "MJ": 1e3 / 3.6, "GJ": 1e6 / 3.6},
    {"W": 1, "mW": 1e-3, "kW": 1e3, "MW": 1e6},
    {
        "L": 1, "mL": 1e-3, "m³": 1e3, "ft³": 28.316846592, "CCF": 2831.6846592, "MCF": 28316.846592,
        "gal": 3.785411784, "fl. oz.": 0.0295735295625,
    },
    {"m": 1, "mm": 1e-3, "cm": 1e-2, "km": 1e3, "in": 0.0254, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344},
    {"g": 1, "mg": 1e-3, "kg": 1e3, "t": 1e6, "oz": 28.349523125, "lb": 453.59237},
    {
        "Pa": 1, "hPa": 1e2, "kPa": 1e3, "mbar": 1e2, "bar": 1e5, "cbar": 1e3, "mmHg": 133.322387415,
        "inHg": 3386.388640341, "psi": 6894.757293168,
    },
    {"m/s": 1, "km/h": 1 / 3.6, "mph": 0.44704, "kn": 1852 / 3600, "ft/s": 0.3048},
    {"s": 1, "ms": 1e-3, "min": 60, "h": 3600, "d": 86400},
)  # fmt: skip
# unit -> its size in kelvin, and what it shows at 0 K
TEMPERATURES: Mapping[str, tuple[float, float]] = {"K": (1, 0), "°C": (1, -273.15), "°F": (5 / 9, -459.67)}
_SIZES = {unit: (number, size) for number, table in enumerate(QUANTITIES) for unit, size in table.items()}
KNOWN = frozenset(chain(_SIZES, TEMPERATURES))


def converted(value: float, unit: str | None, wanted: str | None) -> float | None:
    """Return `value` in the unit `wanted`, None where the two measure different things or one is not known."""
    if unit == wanted:
        return value
    if unit is None or wanted is None:
        return None
    if unit in TEMPERATURES and wanted in TEMPERATURES:
        (size, zero), (other_size, other_zero) = TEMPERATURES[unit], TEMPERATURES[wanted]
        return (value - zero) * size / other_size + other_zero
    if unit in _SIZES and wanted in _SIZES and _SIZES[unit][0] == _SIZES[wanted][0]:
        return value * _SIZES[unit][1] / _SIZES[wanted][1]
    return None
