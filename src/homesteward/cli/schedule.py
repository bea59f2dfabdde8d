"""`homesteward schedule`: what is to be done later, once."""

from pathlib import Path
from typing import Annotated, Any

import typer

from homesteward.cli import exits, show
from homesteward.cli.client import part
from homesteward.cli.options import As, Config, Json, Token, Url, with_api
from homesteward.cli.words import read_json

SCHEDULE = typer.Typer(no_args_is_help=True, help="What is to be done later, once.")
COLUMNS = ("id", "when", "state", "what", "request", "why")


@SCHEDULE.command("list")
def schedule_list(
    every: Annotated[bool, typer.Option("--all", help="Also what is over.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=500)] = 100,
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """List what is to be done, the soonest first."""
    asked = {"ended": "true" if every else "false", "limit": limit}
    found = with_api(lambda api: api.get("/schedules", **asked), url, token, role, config, json)
    told = [{**each, "what": _what(each["call"])} for each in found]
    show.as_json(found) if json else show.rows(told, COLUMNS, "Nothing is scheduled.")


@SCHEDULE.command("add")
def schedule_add(
    call: Annotated[Path, typer.Argument(help="A file with the call: domain, service, target and data, as JSON.")],
    at: Annotated[str, typer.Option(help="A time of day by the home's clock, or an ISO date and time.")] = "",
    after: Annotated[str, typer.Option("--in", help="A while, such as 00:10:00, P1D or 90 (seconds).")] = "",
    until: Annotated[str, typer.Option(help="A time at which it is taken back.")] = "",
    lasting: Annotated[str, typer.Option("--for", help="A while after which it is taken back.")] = "",
    given: Annotated[Path | None, typer.Option("--if", help="A file with a condition on an entity, as JSON.")] = None,
    request: Annotated[str, typer.Option(help="What it is for, in words.")] = "",
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Ask for a call to be made later, or now and taken back later; it may wait for an approval."""
    times = {"at": at, "in": after, "until": until, "for": lasting}
    form: dict[str, Any] = {"call": read_json(call), "request": request, **{k: v for k, v in times.items() if v}}
    form |= {"if": [read_json(given)]} if given else {}
    _told(with_api(lambda api: api.post("/schedules", form), url, token, role, config, json), json)


@SCHEDULE.command("cancel")
def schedule_cancel(
    schedule: Annotated[str, typer.Argument(help="Its id.")],
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Call off what is still to be done, and with it what would have been its end."""
    _told(
        with_api(lambda api: api.post(f"/schedules/{part(schedule)}/cancel", {}), url, token, role, config, json), json
    )


def _told(found: dict[str, Any], json: bool) -> None:
    show.as_json(found) if json else show.undone(found)
    raise typer.Exit(exits.undone_exit(found))


def _what(call: dict[str, Any]) -> str:
    return f"{call['domain']}.{call['service']} {', '.join(call['target']['entity_id'])}".strip()
