"""The options that every command shares, and asking the API with them."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated

import typer

from homesteward.cli.client import Api, reach
from homesteward.cli.ending import guarded
from homesteward.people.caller import Role


def _role(name: str) -> str:
    if name and name not in set(Role):
        raise typer.BadParameter(f"there is no role {name!r}; choose one of {', '.join(Role)}")
    return name


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Url = Annotated[
    str, typer.Option("--url", help="The service's address; else the environment's, else the one that runs here.")
]
Token = Annotated[str, typer.Option("--token", help="The service's token.")]
As = Annotated[str, typer.Option("--as", callback=_role, help="A role to be lowered to: member or guest.")]
Config = Annotated[Path | None, typer.Option("--config", help="Settings file (YAML).")]


def with_api[T](
    work: Callable[[Api], Awaitable[T]], url: str, token: str, role: str, config: Path | None, as_json: bool
) -> T:
    """Run `work` against the service's API and return what it gives; a failure ends the command with its exit code."""

    async def reached() -> T:
        async with reach(url, token, role, config) as api:
            return await work(api)

    return guarded(reached, as_json=as_json)
