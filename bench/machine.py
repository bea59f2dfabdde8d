"""What the figures were measured on: enough to compare them, nothing that names the machine."""

import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from homesteward.demo import ha_version

CPU = Path("/proc/cpuinfo")
MEMORY = Path("/proc/meminfo")


def environment() -> Mapping[str, str]:
    """Return the facts about this run, each under its name."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "processor": f"{os.process_cpu_count()} x {_value(CPU, 'model name') or platform.machine()}",
        "memory": f"{_gib()} GiB",
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "Python": platform.python_version(),
        "Home Assistant": ha_version(),
    }


def load() -> float:
    """Return how many processes wanted a processor in the last minute, on average: above the number of processors, times are too long."""
    return os.getloadavg()[0]


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process in MB (10^6 bytes)."""
    return int(_value(Path(f"/proc/{pid}/status"), "VmRSS").split()[0]) * 1024 / 1e6


def _gib() -> str:
    total = _value(MEMORY, "MemTotal")
    return f"{int(total.split()[0]) / 2**20:.0f}" if total else "?"


def _value(file: Path, name: str) -> str:
    """Return what a line `name: value` of a file of the kernel says, empty where it says nothing."""
    if not file.exists():
        return ""
    lines = (line.partition(":") for line in file.read_text(encoding="utf-8").splitlines())
    return next((value.strip() for key, _, value in lines if key.strip() == name), "")
