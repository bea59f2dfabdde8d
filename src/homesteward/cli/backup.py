"""`backup` and `restore`: the whole state in one file, and back."""

from pathlib import Path
from typing import Annotated, Any

import typer

from homesteward.cli import show
from homesteward.cli.ending import guarded
from homesteward.cli.options import Config, Json

File = Annotated[Path, typer.Argument(help="The backup.", dir_okay=False)]


def backup(file: File, config: Config = None, json: Json = False) -> None:
    """Put everything into one file: people, plans, rules, audit, memory and key. The service may go on meanwhile."""

    async def work() -> dict[str, Any]:
        from homesteward.app.backup import HOME_ID, back_up  # noqa: PLC0415 - only these commands know what lies where
        from homesteward.core import SystemClock  # noqa: PLC0415 - as above
        from homesteward.settings import load_settings  # noqa: PLC0415 - as above
        from homesteward.settings.folders import demo_folder  # noqa: PLC0415 - as above

        settings = load_settings(config).settings
        if not (settings.data / HOME_ID).exists() and (demo_folder() / HOME_ID).exists():
            settings = settings.model_copy(update={"data": demo_folder()})  # as every command finds the demo home
        return back_up(settings, file, SystemClock().now()).as_json()

    _shown(guarded(work, as_json=json), "Kept", json)


def restore(file: File, config: Config = None, json: Json = False) -> None:
    """Put a backup back, in the place of what is there, which is put aside. Stop the service first."""

    async def work() -> dict[str, Any]:
        from homesteward.app.backup import restore  # noqa: PLC0415 - as above
        from homesteward.core import SystemClock  # noqa: PLC0415 - as above
        from homesteward.settings import load_settings  # noqa: PLC0415 - as above

        return restore(load_settings(config).settings, file, SystemClock().now()).as_json()

    _shown(guarded(work, as_json=json), "Put back", json)


def add_to(app: typer.Typer) -> None:
    """Add both commands to the command line."""
    app.command()(backup)
    app.command()(restore)


def _shown(summary: dict[str, Any], did: str, as_json: bool) -> None:
    if as_json:
        show.as_json(summary)
        return
    holds = ", ".join(f"{name} ({size / 1e6:.1f} MB)" for name, size in summary["holds"].items())
    show.OUT.print(f"{did}: {holds}", markup=False, soft_wrap=True)
    for note in (*summary["notes"], *([f"What was there before: {summary['aside']}"] if summary["aside"] else [])):
        show.OUT.print(note, markup=False, soft_wrap=True)
