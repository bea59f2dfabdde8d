"""Which meters the household's energy dashboard is made of: so that "how much power did we use" has a meter to be asked of."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, TypeAdapter

from homesteward.home.errors import HaError
from homesteward.home.recorder.asking import Line, Read, ask
from homesteward.home.wire import parsed


class Flow(StrEnum):
    """What a meter counts."""

    FROM_GRID = "from grid"
    TO_GRID = "to grid"
    SOLAR = "solar"
    WHOLE_HOME = "whole home"
    BATTERY_OUT = "battery out"
    BATTERY_IN = "battery in"
    GAS = "gas"
    WATER = "water"
    DEVICE = "device"


# type of a source -> what its two statistics count
SOURCES: Mapping[str, tuple[Flow | None, Flow | None]] = {
    "grid": (Flow.FROM_GRID, Flow.TO_GRID),
    "solar": (Flow.SOLAR, None),
    "home": (None, Flow.WHOLE_HOME),
    "battery": (Flow.BATTERY_OUT, Flow.BATTERY_IN),
    "gas": (Flow.GAS, None),
    "water": (Flow.WATER, None),
}


@dataclass(frozen=True, slots=True)
class Meter:
    """One meter of the dashboard. What a device counts is also in the meter that it is `included_in`."""

    statistic_id: str
    flow: Flow
    name: str = ""
    included_in: str | None = None


async def read_meters(line: Line) -> tuple[Meter, ...]:
    """Return the meters of the energy dashboard, none where it is not set up; raises as `ask` does."""
    try:
        answer = await ask(line, Read.ENERGY)
    except HaError as error:
        if error.code == "not_found":
            return ()
        raise
    preferences = parsed(_PREFERENCES, answer)
    sources = [meter for source in preferences.energy_sources for meter in _meters(source)]
    devices = [
        Meter(device.stat_consumption, Flow.DEVICE, device.name or "", device.included_in_stat)
        for device in (*preferences.device_consumption, *preferences.device_consumption_water)
    ]
    return (*sources, *devices)


class _SourceRow(BaseModel):
    type: str
    stat_energy_from: str | None = None
    stat_energy_to: str | None = None
    name: str | None = None


class _DeviceRow(BaseModel):
    stat_consumption: str
    name: str | None = None
    included_in_stat: str | None = None


class _PreferencesRow(BaseModel):
    energy_sources: list[_SourceRow] = []
    device_consumption: list[_DeviceRow] = []
    device_consumption_water: list[_DeviceRow] = []


_PREFERENCES = TypeAdapter(_PreferencesRow)


def _meters(row: _SourceRow) -> Iterator[Meter]:
    flows = SOURCES.get(row.type, (None, None))
    for statistic_id, flow in zip((row.stat_energy_from, row.stat_energy_to), flows, strict=True):
        if statistic_id and flow:
            yield Meter(statistic_id, flow, row.name or "")
