"""The home as it was known last, kept on disk: so that questions have an answer, with its age, before Home Assistant is there again."""

import asyncio
import logging
import os
from collections.abc import Mapping
from compression import zstd
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from homesteward.home.life import Life, Phase
from homesteward.home.live import HomeConfig
from homesteward.home.mirror import Mirror, Remembered
from homesteward.home.model import Area, Device, Entity, Floor, Label, State
from homesteward.home.reading import House

_LOG = logging.getLogger(__name__)

FILE = "home.snapshot"
FORM = 2
PACE_S = 300.0  # a card of a small machine is written to a few hundred times a day, not more
MAX_BYTES = 32 * 2**20  # uncompressed; a home of 5,000 entities has about 4 MB
SECRETS = frozenset(
    {"access_token", "entity_picture", "entity_picture_local", "code", "token"}
)  # attributes that may let somebody in
SLIM = 200  # characters; longer texts, and lists, are left out of a home that is too large otherwise

type Row = tuple[str, str, dict[str, Any], datetime | None, datetime | None, str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the file holds: states and registries. What only a change needs (services, bodies) is not kept: none runs on it."""

    form: int
    home_id: str
    as_of: datetime
    config: HomeConfig
    areas: tuple[Area, ...]
    floors: tuple[Floor, ...]
    labels: tuple[Label, ...]
    devices: tuple[Device, ...]
    entities: tuple[Entity, ...]
    exposed: frozenset[str]
    states: tuple[Row, ...]


def load(folder: Path, home_id: str) -> Remembered | None:
    """Return the home that was kept in `folder`, None where there is none, or none of this home that can be read."""
    try:
        packed = (folder / FILE).read_bytes()
        decompressor = zstd.ZstdDecompressor()
        kept = _adapter().validate_json(decompressor.decompress(packed, MAX_BYTES + 1))
    except FileNotFoundError:
        return None
    except (OSError, ValidationError, zstd.ZstdError) as error:
        _LOG.warning(
            "The kept home cannot be read (%s); it is known again when Home Assistant is there", type(error).__name__
        )
        return None
    return _known(kept) if (kept.form, kept.home_id) == (FORM, home_id) else None


def save(folder: Path, home_id: str, known: Remembered) -> int:
    """Keep the home in `folder`, readable by this account alone, whole or not at all; return the bytes written.

    Blocks: to be called in a thread. Raises OSError. A home too large is kept without its long attributes, or not at all (0).
    """
    text = _adapter().dump_json(_kept(home_id, known, slim=False))
    if len(text) > MAX_BYTES:
        text = _adapter().dump_json(_kept(home_id, known, slim=True))
    if len(text) > MAX_BYTES:
        _LOG.warning("The home is too large to be kept (%d MB)", len(text) // 2**20)
        return 0
    packed, file = zstd.compress(text), folder / FILE
    new = file.with_suffix(".new")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as out:
        out.write(packed)
        out.flush()
        os.fsync(out.fileno())
    new.replace(file)
    return len(packed)


class Keeper:
    """Keep a mirror on disk: at a modest pace while it changes, when its connection ends, and at the end."""

    def __init__(self, mirror: Mirror, life: Life, folder: Path, pace_s: float = PACE_S) -> None:
        """Keep `mirror` in `folder`; `life` tells when it loses its home."""
        self.size = 0
        """Bytes of the last one."""
        self._mirror, self._life, self._folder, self._pace_s = mirror, life, folder, pace_s
        self._due = asyncio.Event()
        self._kept_as_of: datetime | None = None
        self._task: asyncio.Task[None] | None = None
        self._undo = life.watch(self._phase)

    def start(self) -> None:
        """Begin to keep it."""
        self._task = asyncio.create_task(self._go_on(), name="home snapshot")

    async def close(self) -> None:
        """Keep it once more and stop."""
        self._undo()
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self.keep()

    async def keep(self) -> None:
        """Keep the home as it is known now; what has not been heard of since is not written again."""
        known = self._mirror.remembered
        if known is None or known.as_of == self._kept_as_of or not self._mirror.was_live:
            return
        try:
            self.size = await asyncio.to_thread(save, self._folder, self._mirror.home_id, known)
            self._kept_as_of = known.as_of
        except OSError as error:
            _LOG.warning("The home could not be kept: %s", error.strerror)

    def _phase(self, phase: Phase) -> None:
        if phase is Phase.COOLING_DOWN:
            self._due.set()

    async def _go_on(self) -> None:
        while True:
            try:
                async with asyncio.timeout(self._pace_s):
                    await self._due.wait()
            except TimeoutError:
                pass
            self._due.clear()
            await self.keep()


def _kept(home_id: str, known: Remembered, *, slim: bool) -> _Kept:
    house = known.house
    return _Kept(
        FORM,
        home_id,
        known.as_of,
        house.config,
        tuple(house.areas.values()),
        tuple(house.floors.values()),
        tuple(house.labels.values()),
        tuple(house.devices.values()),
        tuple(house.entities.values()),
        house.exposed,
        tuple(_row(state, slim=slim) for state in known.states.values()),
    )


def _row(state: State, *, slim: bool) -> Row:
    attributes = {
        name: value
        for name, value in state.attributes.items()
        if name not in SECRETS and not (slim and (isinstance(value, list | dict) or len(str(value)) > SLIM))
    }
    return (
        state.entity_id,
        state.state,
        attributes,
        state.last_changed,
        state.last_updated,
        state.context_id,
        state.context_parent_id,
        state.context_user_id,
    )


def _known(kept: _Kept) -> Remembered:
    states: Mapping[str, State] = {row[0]: State(*row) for row in kept.states}
    house = House(
        config=kept.config,
        areas={area.area_id: area for area in kept.areas},
        floors={floor.floor_id: floor for floor in kept.floors},
        labels={label.label_id: label for label in kept.labels},
        devices={device.device_id: device for device in kept.devices},
        entities={entity.entity_id: entity for entity in kept.entities},
        exposed=kept.exposed,
    )
    return Remembered(kept.as_of, states, house)


def _adapter() -> TypeAdapter[_Kept]:
    return TypeAdapter(_Kept)
