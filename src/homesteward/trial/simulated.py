"""A simulated home under trial: a home file brought to life in this process, with a whole Homesteward over it."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from homesteward.app import wire
from homesteward.core.redaction import Redactor
from homesteward.home.live import HomeConfig
from homesteward.home.simulation import SimulatedHome
from homesteward.settings import load_settings
from homesteward.trial.home_file import HomeFile, HomeFileError, load_home
from homesteward.trial.homes import HomeNotSettledError, Recorder, Sender, TrialClock, TrialHome, trial_overrides

WATCHED = 0.05  # of the usual time: a simulated thing obeys before the call returns, or never


@dataclass(frozen=True, slots=True)
class Simulated:
    """A house under trial, and the simulated home under it."""

    trial: TrialHome
    home: SimulatedHome


@asynccontextmanager
async def simulated_home(folder: Path, preset: str, config: Path | None) -> AsyncIterator[TrialHome]:
    """Bring the one home file of `folder` to life; raise HomeFileError if it has none, several, or a bad one."""
    async with furnished(load_home(_only_file(folder)), preset, config) as simulated:
        yield simulated.trial


@asynccontextmanager
async def furnished(
    file: HomeFile, preset: str, config: Path | None, devices: Callable[[SimulatedHome], Sender] = lambda home: home
) -> AsyncIterator[Simulated]:
    """Build a house over the home of `file`. `devices` may stand between the house and the home, to obey in its own way."""
    clock = TrialClock()
    home = SimulatedHome(file.inventory, clock=clock, config=HomeConfig(name=file.name, language=file.language))
    first = dict(home.states)
    recorder = Recorder(devices(home))

    async def reset() -> None:
        home.states.clear()
        home.states.update(first)
        home.calls.clear()

    async def given(states: Mapping[str, str]) -> None:
        if missing := sorted(states.keys() - home.states.keys()):
            raise HomeNotSettledError(f"Not in {file.name}: {', '.join(missing)}.", next="Name entities of the home.")
        for entity_id, state in states.items():
            home.set_state(entity_id, state)

    with TemporaryDirectory(prefix="homesteward-trial-") as data:
        overrides = trial_overrides(preset, config, Path(data))
        overrides["policy"]["verify_factor"] = WATCHED
        settings = load_settings(config, overrides).settings
        async with wire(settings, home, recorder, Path(data), clock, Redactor(), remember=False) as house:
            await house.understander.warm(file.language)
            yield Simulated(TrialHome(house, clock, recorder, reset, given), home)


def _only_file(folder: Path) -> Path:
    files = sorted(file for file in folder.iterdir() if file.suffix in {".yaml", ".yml"})
    if len(files) != 1:
        raise HomeFileError(
            f"{folder} has {len(files)} home files (YAML), and must have one.", next="Name another folder."
        )
    return files[0]
