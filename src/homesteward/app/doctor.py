"""The doctor: what could keep Homesteward from working, checked one by one, each with the next step."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from homesteward.core import Clock
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.rooms import Check
from homesteward.home.live import LiveHome
from homesteward.models import build_model
from homesteward.settings import Settings

LOW_DISK = 500 * 1024 * 1024  # bytes; a night of writing must fit
EARLIEST = 2026  # a clock that says an earlier year was never set


async def examine_house(settings: Settings, home: LiveHome, clock: Clock) -> Sequence[Check]:
    """Return every check of a running house."""
    return (
        _settings(settings),
        _home_assistant(home),
        _exposure(home),
        _model(settings),
        _database(settings.data),
        _disk(settings.data),
        _clock(clock),
    )


def _settings(settings: Settings) -> Check:
    policy = settings.policy
    said = f"mode {policy.mode}, preset {policy.preset}"
    if policy.dry_run:
        return Check(
            "settings",
            "warn",
            f"{said}, dry run: nothing is really done",
            "Set policy.dry_run to false when you trust it.",
        )
    if policy.preset == "open":
        return Check(
            "settings", "warn", f"{said}: nothing waits for a person", "Use the preset family for a real home."
        )
    return Check("settings", "ok", said)


def _home_assistant(home: LiveHome) -> Check:
    if not home.connected:
        return Check("home assistant", "fail", "not connected", "Check that it runs, then start Homesteward again.")
    return Check("home assistant", "ok", f"{home.config.version}, {len(home.states)} entities")


def _exposure(home: LiveHome) -> Check:
    if not home.exposed:
        return Check(
            "exposure",
            "warn",
            "no entity is exposed to Assist, so no sentence can reach one",
            "Expose some under Settings, Voice assistants.",
        )
    return Check("exposure", "ok", f"{len(home.exposed)} entities exposed")


def _model(settings: Settings) -> Check:
    try:
        model = build_model(settings.model)
    except HomestewardError as error:
        return Check("model", "fail", error.message, error.next)
    return Check(
        "model",
        "ok",
        f"{settings.model.model} ({settings.model.tool_mode})" if model else "none; the grammar understands alone",
    )


def _database(folder: Path) -> Check:
    files = sorted(folder.glob("*.db*"))  # what was written last stands in a file beside the database
    size = sum(file.stat().st_size for file in files) / 1e6
    return Check(
        "database", "ok" if files else "fail", f"{size:.1f} MB in {folder}", "" if files else "Start the service once."
    )


def _disk(folder: Path) -> Check:
    free = shutil.disk_usage(folder).free
    said = f"{free / 1e9:.1f} GB free"
    return (
        Check("disk", "ok", said)
        if free > LOW_DISK
        else Check("disk", "warn", said, "Make room: plans are written to this disk.")
    )


def _clock(clock: Clock) -> Check:
    now = clock.now()
    if now.year < EARLIEST:
        return Check("clock", "fail", f"it says {now:%Y-%m-%d}", "Set the machine's clock: plans expire by it.")
    return Check("clock", "ok", f"{now:%Y-%m-%d %H:%M} UTC")
