"""What is noise in a house, as data: what is never kept, and how far a number must move to be worth a row.

A deadband is how far a number must be from the last one that was kept. It stands for one device class in one unit; where a sensor has no
device class, its unit alone says what is measured. What no table names is kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Deadband:
    """How far a number must move: `amount` in its own unit, or as a share of the last one kept (of 1 where that is smaller)."""

    amount: float
    relative: bool = False

    def width(self, last: float) -> float:
        """Return the distance from `last` that is enough."""
        return self.amount * max(abs(last), 1.0) if self.relative else self.amount


# Pictures change all the time, and what changed in them cannot be kept.
NOISY_DOMAINS = frozenset({"image"})

# An object id that ends in one of these (a number behind it does not count) is about the device, not about the house.
NOISY_SUFFIXES: tuple[str, ...] = (
    # radio
    "_lqi", "_signal_strength", "_rssi", "_bssid", "_ssid", "_link_quality", "_linkquality", "_snr", "_wifi_signal",
    # phones, and what is only ever new
    "_last_update_trigger", "_audio_output", "_last_seen",
    # meters that count what others count
    "_summation_delivered", "_summation_received",
    # vacuum robots
    "_cleaning_area", "_cleaning_time", "_cleaning_progress", "_filter_time_left", "_main_brush_time_left",
    "_side_brush_time_left", "_dock_strainer_time_left", "_sensor_dirty_time_left",
)  # fmt: skip

NOISY_CLASSES = frozenset({"signal_strength"})
NOISY_UNITS = frozenset({"dBm", "dB", "lqi"})  # unless a device class says that it is a loudness


def _in(base: float, **units: float) -> dict[str, float]:
    """Return one deadband in several units; each is given as how many of the base unit it has."""
    return {name: base / size for name, size in units.items()}


_RATES = {"bit/s": 1.25e-7, "kbit/s": 1.25e-4, "Mbit/s": 0.125, "Gbit/s": 125, "B/s": 1e-6, "kB/s": 1e-3, "MB/s": 1, "GB/s": 1e3,
          "KiB/s": 1.024e-3, "MiB/s": 1.048576, "GiB/s": 1073.741824}  # fmt: skip
_SIZES = {"bit": 1.25e-7, "kbit": 1.25e-4, "Mbit": 0.125, "Gbit": 125, "B": 1e-6, "kB": 1e-3, "MB": 1, "GB": 1e3, "TB": 1e6,
          "KiB": 1.024e-3, "MiB": 1.048576, "GiB": 1073.741824, "TiB": 1.099511627776e6}  # fmt: skip
_PRESSURE = {"hPa": 1.0, "mbar": 1.0, "Pa": 100, "kPa": 0.1, "cbar": 0.1, "bar": 0.02, "atm": 0.02, "psi": 0.3, "inHg": 0.03, "mmHg": 1.0,
             "inH₂O": 0.4, "mPa": 100_000}  # fmt: skip
_SPEED = {"km/h": 5, "mph": 3, "m/s": 1.5, "ft/s": 5, "kn": 3, "Beaufort": 1, "mm/s": 1500, "m/min": 90, "in/s": 60}
_VOLUME = {"L": 1, "m³": 0.001, "mL": 1000, "ft³": 0.05, "CCF": 0.0005, "MCF": 0.00005, "gal": 0.25, "fl. oz.": 32}
_DENSITY = {"μg/m³": 5, "mg/m³": 0.005, "g/m³": 0.5, "ppb": 10, "ppm": 0.05}
_RAIN = {"mm": 0.5, "cm": 0.05, "in": 0.02}
_ENERGY = _in(0.01, kWh=1, Wh=1e-3, mWh=1e-6, MWh=1e3, GWh=1e6, TWh=1e9, J=2.7778e-7, kJ=2.7778e-4, MJ=0.27778, GJ=277.78,
              cal=1.163e-6, kcal=1.163e-3, Mcal=1.163, Gcal=1163, thm=29.3)  # fmt: skip
_POWER = _in(50, W=1, mW=1e-3, kW=1e3, MW=1e6, GW=1e9, TW=1e12)
_TEMPERATURE = {
    "°C": 0.5,
    "K": 0.5,
    "°F": 0.5,
}  # thermostats in °F count in whole degrees: 0.9 would lose every second one
_VOLTAGE = {
    "V": 2,
    "kV": 0.002,
    "MV": 0.000002,
    "mV": 50,
    "μV": 50_000,
}  # what is measured in mV is a cell, not the mains

# device class -> unit ("" where there is none) -> how far
DEADBANDS: Mapping[str, Mapping[str, float]] = MappingProxyType({
    "temperature": _TEMPERATURE,
    "temperature_delta": _TEMPERATURE,
    "humidity": {"%": 2},
    "moisture": {"%": 2},
    "absolute_humidity": {"g/m³": 0.5, "mg/m³": 500},
    "pressure": _PRESSURE,
    "atmospheric_pressure": _PRESSURE,
    "power": _POWER,
    "apparent_power": _in(50, VA=1, mVA=1e-3, kVA=1e3),
    "reactive_power": _in(50, var=1, mvar=1e-3, kvar=1e3),
    "power_factor": {"%": 5, "": 0.05},
    "energy": _ENERGY,
    "energy_storage": _ENERGY,
    "reactive_energy": {"kvarh": 0.01, "varh": 10},
    "voltage": _VOLTAGE,
    "current": {"A": 0.5, "mA": 50, "μA": 50_000},
    "frequency": {"Hz": 0.2, "mHz": 200, "kHz": 0.1, "MHz": 10, "GHz": 0.1},
    "battery": {"%": 1},
    "carbon_dioxide": {"ppm": 50},
    "carbon_monoxide": {"ppm": 1, "ppb": 1000, "mg/m³": 1, "μg/m³": 1000},
    "pm1": {"μg/m³": 3},
    "pm25": {"μg/m³": 3},
    "pm4": {"μg/m³": 3},
    "pm10": {"μg/m³": 5},
    "aqi": {"": 5},
    "nitrogen_dioxide": _DENSITY,
    "nitrogen_monoxide": _DENSITY,
    "nitrous_oxide": _DENSITY,
    "ozone": _DENSITY,
    "sulphur_dioxide": _DENSITY,
    "volatile_organic_compounds": {"μg/m³": 50, "mg/m³": 0.05},
    "volatile_organic_compounds_parts": {"ppb": 20, "ppm": 0.02},
    "radon": {"Bq/m³": 10, "pCi/L": 0.3},
    "sound_pressure": {"dB": 3, "dBA": 3},
    "speed": {**_SPEED, **dict.fromkeys(("mm/h", "mm/d"), 0.5), **dict.fromkeys(("in/h", "in/d"), 0.02)},
    "wind_speed": _SPEED,
    "wind_direction": {"°": 20},
    "precipitation": _RAIN,
    "precipitation_intensity": {"mm/h": 0.5, "mm/d": 0.5, "in/h": 0.02, "in/d": 0.02},
    "distance": {"mm": 10, "cm": 1, "m": 0.05, "km": 0.2, "in": 0.5, "ft": 0.2, "yd": 0.1, "mi": 0.1, "nmi": 0.1},
    "duration": _in(60, s=1, min=60, h=600, d=8640, ms=1e-3) | {"μs": 60e6},
    "data_rate": _in(0.25, **_RATES),
    "data_size": _in(50, **_SIZES),
    "volume": _VOLUME,
    "volume_storage": _VOLUME,
    "water": _VOLUME,
    "gas": {"m³": 0.01, "L": 10, "ft³": 0.5, "CCF": 0.005, "MCF": 0.0005},
    "volume_flow_rate": {"L/min": 0.5, "L/h": 30, "L/s": 0.01, "mL/s": 10, "m³/h": 0.03, "m³/min": 0.0005, "m³/s": 0.00001,
                         "ft³/min": 0.02, "gal/min": 0.15, "gal/h": 8, "gal/d": 200},
    "weight": _in(100, g=1, kg=1000, mg=1e-3, lb=450, oz=28, st=6350) | {"μg": 1e8},
    "conductivity": {"μS/cm": 20, "mS/cm": 0.02, "S/cm": 0.00002},
    "ph": {"": 0.1},
    "blood_glucose_concentration": {"mg/dL": 5, "mmol/L": 0.3},
    "energy_distance": {"kWh/100km": 0.5, "Wh/km": 5, "km/kWh": 0.1, "mi/kWh": 0.1},
})  # fmt: skip

# device class -> the share by which it must change: the eye, and the sun, know only shares
RELATIVE: Mapping[str, float] = MappingProxyType({"illuminance": 0.1, "irradiance": 0.1})

# What a unit measures where nothing else says it, as far as that can be said.
CLASS_OF_UNIT: Mapping[str, str] = MappingProxyType({
    **dict.fromkeys(_TEMPERATURE, "temperature"),
    **dict.fromkeys(_PRESSURE, "pressure"),
    **dict.fromkeys(_POWER, "power"),
    **dict.fromkeys(("VA", "mVA", "kVA"), "apparent_power"),
    **dict.fromkeys(("var", "mvar", "kvar"), "reactive_power"),
    **dict.fromkeys(_ENERGY, "energy"),
    **dict.fromkeys(("V", "kV", "mV", "μV"), "voltage"),
    **dict.fromkeys(("A", "mA", "μA"), "current"),
    **dict.fromkeys(("Hz", "mHz", "kHz", "MHz", "GHz"), "frequency"),
    **dict.fromkeys(_RATES, "data_rate"),
    **dict.fromkeys(_SIZES, "data_size"),
    **dict.fromkeys(_SPEED, "wind_speed"),
    **dict.fromkeys(("mm/h", "mm/d", "in/h", "in/d"), "precipitation_intensity"),
    "%": "humidity",
    "ppm": "carbon_dioxide",
    "ppb": "volatile_organic_compounds_parts",
    "μg/m³": "pm25",
    "lx": "illuminance",
    "W/m²": "irradiance",
    "°": "wind_direction",
    "dBA": "sound_pressure",
    "L/min": "volume_flow_rate",
    "μS/cm": "conductivity",
})  # fmt: skip

MICRO = str.maketrans({"\u00b5": "\u03bc"})  # two letters look like a micro; Home Assistant prefers the Greek one


def unit_of(raw: object) -> str:
    """Return a unit in one spelling, empty where there is none."""
    return str(raw).translate(MICRO) if raw else ""


def deadband_of(device_class: str, unit: str) -> Deadband | None:
    """Return the deadband of a device class ("" where there is none) in a unit, None where every change counts."""
    known = device_class if device_class in DEADBANDS or device_class in RELATIVE else CLASS_OF_UNIT.get(unit, "")
    if share := RELATIVE.get(known):
        return Deadband(share, relative=True)
    amount = DEADBANDS.get(known, {}).get(unit)
    return None if amount is None else Deadband(amount)
