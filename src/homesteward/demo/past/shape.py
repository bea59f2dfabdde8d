"""The shape of the recorder's database, as the Home Assistant at hand makes it: asked once, then kept in the cache."""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homesteward.demo.environment import cache_folder, clean_environ
from homesteward.demo.errors import DemoError
from homesteward.demo.past.rooms import Thing

TELLER = Path(__file__).parent.parent / "house" / "recorder" / "tell_shape.py"
SECONDS = 60


@dataclass(frozen=True, slots=True)
class Shape:
    """Which tables there are, and what a unit counts as."""

    version: int
    tables: tuple[str, ...]
    """SQL that makes the empty tables."""
    indexes: tuple[str, ...]
    """SQL to run once they are full."""
    unit_classes: Mapping[str, str]
    """The class of each unit that can be converted into others."""
    device_classes: Mapping[str, Mapping[str, str]]
    """The class of a unit where that depends on the device class."""

    def unit_class(self, thing: Thing) -> str | None:
        """Return the class that Home Assistant gives the statistics of `thing`."""
        unit = thing.unit or ""
        return self.device_classes.get(thing.device_class or "", {}).get(unit) or self.unit_classes.get(unit)


def shape(python: Path) -> Shape:
    """Return the shape that the Home Assistant of the interpreter `python` makes; DemoError where it does not tell."""
    kept = cache_folder() / f"recorder-{python.parent.parent.name}.json"
    if not kept.exists():
        told = _ask(python)
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_text(told, encoding="utf-8")
        part.replace(kept)
    document: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return Shape(
        document["version"],
        tuple(document["tables"]),
        tuple(document["indexes"]),
        document["unit_classes"],
        document["device_classes"],
    )


def _ask(python: Path) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - our own script, in the environment that we made
            [str(python), str(TELLER)],
            env=dict(clean_environ()),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise DemoError("Home Assistant did not tell how its recorder keeps things.", retry=True) from error
    if done.returncode:
        raise DemoError(f"Home Assistant did not tell how its recorder keeps things: {done.stderr.strip()[-2000:]}")
    return done.stdout
