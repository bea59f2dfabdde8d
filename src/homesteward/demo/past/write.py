"""Writing a past into the folder of a demo home that has not started yet."""

import asyncio
import time
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from pydantic import TypeAdapter

from homesteward.core.json import dumps
from homesteward.demo.errors import DemoError
from homesteward.demo.inventory import Inventory
from homesteward.demo.past.documents import family
from homesteward.demo.past.habits import HABITS, Occasion
from homesteward.demo.past.recorder import DATABASE, Written, write_story
from homesteward.demo.past.rooms import House
from homesteward.demo.past.shape import shape
from homesteward.demo.past.story import Story, tell

TRUTH = "homesteward_demo_past.json"
SEED = 20261101


@dataclass(frozen=True, slots=True)
class HabitTruth:
    """What is true of one habit in this past."""

    id: str
    what: str
    who: str
    cue: str
    calls: tuple[str, ...]
    """`service entity_id` of each thing that is done."""
    chances: int
    """How often its cue came."""
    kept: int
    """How often it was followed."""
    occasions: tuple[Occasion, ...]


@dataclass(frozen=True, slots=True)
class PastSummary:
    """What was written, and the truth that a search in it can be measured by."""

    since: datetime
    until: datetime
    states: int
    events: int
    statistics: int
    megabytes: float
    seconds: float
    ill: date | None
    """The day somebody was ill."""
    outage: tuple[datetime, datetime] | None
    """When the power was cut."""
    habits: tuple[HabitTruth, ...]


async def write_past(
    directory: Path, inventory: Inventory, until: datetime, span: timedelta, seed: int, python: Path
) -> PastSummary:
    """Give the seeded, never started home in `directory` a past of `span` up to `until` (aware, at most now).

    A home that got its past before keeps it: the summary of that one is returned. A DemoError where Home Assistant has
    recorded there without one, counts in other than metric units, or has another house than ours.
    """
    return await asyncio.to_thread(_write, directory, inventory, until, span, seed, python)


def past_of(directory: Path) -> PastSummary | None:
    """Return the summary of the past that the home in `directory` was given, if it was."""
    file = directory / TRUTH
    return TypeAdapter(PastSummary).validate_json(file.read_bytes()) if file.exists() else None


def _write(
    directory: Path, inventory: Inventory, until: datetime, span: timedelta, seed: int, python: Path
) -> PastSummary:
    database = directory / DATABASE
    known = past_of(directory)
    if known is not None and database.exists():
        return known
    _refuse(directory, database)
    began = time.perf_counter()
    house = House.of(inventory)
    story = tell(house, family(directory, house), until, span, seed)
    part = database.with_suffix(".part")
    written = write_story(part, house, story, shape(python))
    megabytes, seconds = round(part.stat().st_size / 1e6, 1), round(time.perf_counter() - began, 2)
    summary = _told(story, written, until, span, megabytes, seconds)
    (directory / TRUTH).write_text(dumps(summary), encoding="utf-8")
    part.replace(database)  # last: without it, the past is written anew
    return summary


def _refuse(directory: Path, database: Path) -> None:
    if database.exists():
        raise DemoError(
            f"The home in {directory} has lived already: a past can only be written before its first start.",
            code="demo_past_too_late",
            next="Name an empty folder.",
        )
    units = directory / "unit_system.yaml"
    if not (directory / "homesteward_demo.json").exists():
        raise DemoError("Only our own demo home can be given a past.", code="demo_past_kind")
    if units.exists() and units.read_text(encoding="utf-8").strip() != "metric":
        raise DemoError("A past can only be written in metric units.", code="demo_past_units")


def _told(
    story: Story, written: Written, until: datetime, span: timedelta, megabytes: float, seconds: float
) -> PastSummary:
    dark = story.outage
    return PastSummary(
        since=until - span,
        until=until,
        states=written.states,
        events=written.events,
        statistics=written.statistics,
        megabytes=megabytes,
        seconds=seconds,
        ill=story.ill,
        outage=(datetime.fromtimestamp(dark.start, until.tzinfo), datetime.fromtimestamp(dark.end, until.tzinfo))
        if dark
        else None,
        habits=tuple(_truths(story)),
    )


def _truths(story: Story) -> list[HabitTruth]:
    found = []
    for habit in HABITS:
        times = tuple(occasion for occasion in story.occasions if occasion.habit == habit.id)
        calls = tuple(f"{act.service} {act.entity_id}" for act in habit.acts)
        if times:
            kept = sum(occasion.kept for occasion in times)
            found.append(HabitTruth(habit.id, habit.what, habit.who, habit.cue, calls, len(times), kept, times))
    return found
