"""`homesteward notices`: what somebody is to be told, and that it was seen."""

from typing import Annotated

import typer

from homesteward.cli import show
from homesteward.cli.client import part
from homesteward.cli.options import As, Config, Json, Token, Url, with_api

NOTICES = typer.Typer(no_args_is_help=True, help="What somebody is to be told.")
COLUMNS = ("id", "severity", "title", "text", "created", "problem")


@NOTICES.command("list")
def notices_list(
    every: Annotated[bool, typer.Option("--all", help="Also those that are over.")] = False,
    language: Annotated[str, typer.Option(help="Of the titles, such as de.")] = "",
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """List what is open, the newest first."""
    asked = {"settled": "true" if every else "false", "language": language}
    found = with_api(lambda api: api.get("/notices", **asked), url, token, role, config, json)
    show.as_json(found) if json else show.rows(found, COLUMNS, "There is nothing to be told.")


@NOTICES.command("seen")
def notices_seen(
    notice: Annotated[str, typer.Argument(help="Its id.")],
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Take down that a notice was looked at."""
    found = with_api(lambda api: api.post(f"/notices/{part(notice)}/seen", {}), url, token, role, config, json)
    show.as_json(found) if json else show.rows([found], COLUMNS, "")
