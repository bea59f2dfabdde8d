"""`history`, `why`, `home-at`, `chronicle` and `audit`: what happened in the house, why, how it was, and whether the record is whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from homesteward.cli import show
from homesteward.cli.client import Api, part
from homesteward.cli.exits import Exit
from homesteward.cli.options import As, Config, Json, Token, Url, with_api

CHRONICLE = typer.Typer(no_args_is_help=True, help="What is remembered of the house, and for how long.")
AUDIT = typer.Typer(no_args_is_help=True, help="Who decided and did what, in a record that shows when it was touched.")

WHEN = (
    "A time as people write it, in the home's time: 18:02, yesterday 18:00, monday, NOW-2h, or 2026-11-03T07:00+01:00."
)
Entity = Annotated[
    list[str] | None, typer.Option("--entity", help="An entity id, with * and ? for any part; may be repeated.")
]
Since = Annotated[str, typer.Option("--since", help=WHEN)]
Until = Annotated[str, typer.Option("--until", help="As --since; now where it is left out.")]


class RecentFormat(StrEnum):
    """As what recent activity is told."""

    TEXT = "text"
    MARKDOWN = "markdown"


def history(
    entity: Entity = None,
    since: Since = "",
    until: Until = "",
    area: Annotated[list[str] | None, typer.Option(help="Only what lies in this area.")] = None,
    domain: Annotated[list[str] | None, typer.Option(help="Only entities of this domain.")] = None,
    state: Annotated[list[str] | None, typer.Option(help="Only changes to this state.")] = None,
    user: Annotated[list[str] | None, typer.Option(help="Only what this user did, by name or id.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="state, automation, script, scene, call or act.")] = None,
    text: Annotated[str, typer.Option(help="Only rows that contain this.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=500)] = 50,
    cursor: Annotated[str, typer.Option(help="Go on where a list before ended.")] = "",
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """List what happened, the newest first."""
    asked = _asked(
        entity, since, until, area=area, domain=domain, state=state, user=user, kind=kind, text=text, cursor=cursor
    )
    told = with_api(lambda api: _told(api, "/history", limit=limit, **asked), url, token, role, config, json)
    if json:
        show.as_json(told.found)
    else:
        rows = [_line(row) for row in told.found]
        show.rows(rows, COLUMNS, "Nothing of this is remembered.", told.zone)
        show.in_zone(told.zone)
    _say_more(told)


def why(
    entity: str,
    at: Annotated[str, typer.Option("--at", help=WHEN)] = "",
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Tell why an entity is as it is, or was at a moment: the causes behind its last change."""
    params = {"at": at} if at else {}
    told = with_api(lambda api: _told(api, f"/why/{part(entity)}", **params), url, token, role, config, json)
    found = told.found
    _say_more(told)
    if json:
        show.as_json(found)
        return
    show.OUT.print(show.text(found["text"]))
    for step in found["chain"]:
        by = f" by {step['by']}" if step["by"] else ""
        show.OUT.print(
            f"  [dim]{show.moment(step['at'], told.zone)}[/] {step['kind']} {show.text(step['subject'])}{show.text(by)}"
        )
    show.in_zone(told.zone)


def home_at(
    at: Annotated[str, typer.Argument(help=WHEN)],
    entity: Entity = None,
    compare: Annotated[str, typer.Option("--compare", help="Show only what was different at this other moment.")] = "",
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Show the house as it was at a moment, or what differed between two."""
    params = _asked(entity, "", "") | {"at": at} | ({"compare": compare} if compare else {})
    told = with_api(lambda api: _told(api, "/home-at", **params), url, token, role, config, json)
    found = told.found
    _say_more(told)
    if json:
        show.as_json(found)
    elif compare:
        rows = [_difference(each) for each in found["changed"]]
        show.rows(rows, ("entity_id", "before", "after"), "Nothing was different.")
    else:
        rows = [{"entity_id": name, **known} for name, known in found["states"].items()]
        show.rows(rows, ("entity_id", "state", "since"), "Nothing is known of that moment.", told.zone)
        show.in_zone(told.zone)
        _say_unknown(found)


@CHRONICLE.command("stats")
def chronicle_stats(url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Say how much is remembered, how far back, and how the writing goes."""
    found = with_api(lambda api: api.get("/chronicle"), url, token, "", config, json)
    show.as_json(found) if json else _show_nested(found)


FILTER = typer.Typer(no_args_is_help=True, help="What is worth remembering.")
CHRONICLE.add_typer(FILTER, name="filter")


@FILTER.command("explain")
def filter_explain(entity: str, url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Say whether changes of an entity are remembered, and why."""
    found = with_api(lambda api: api.get("/chronicle/filter", entity_id=entity), url, token, "", config, json)
    show.as_json(found) if json else show.OUT.print(show.text(found["reason"]))


@CHRONICLE.command("windows")
def chronicle_windows(url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Show how long things took to do what was asked of them, and how long they are watched for since."""
    found = with_api(lambda api: api.get("/chronicle/windows"), url, token, "", config, json)
    columns = ("of", "service", "samples", "usual_s", "table_s", "holds_s")
    show.as_json(found) if json else show.rows(
        found, columns, "Nothing has been learned yet: no thing did what was asked of it often enough."
    )


@CHRONICLE.command("purge")
def chronicle_purge(
    before: Annotated[str, typer.Option("--before", help=WHEN)],
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Forget what is older than a moment. How each thing was then is kept, so that later moments can still be shown."""
    found = with_api(lambda api: api.post("/chronicle/purge", {"before": before}), url, token, "", config, json)
    show.as_json(found) if json else _show_nested(found)


@CHRONICLE.command("recent")
def chronicle_recent(
    hours: Annotated[float, typer.Option(min=0.1, max=168)] = 3,
    form: Annotated[RecentFormat, typer.Option("--format", help="As what.")] = RecentFormat.TEXT,
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Tell what happened lately, the oldest first."""
    params = {"since": f"NOW-{round(hours * 60)}m"}
    found = with_api(lambda api: api.get("/recent", **params), url, token, role, config, json)
    show.as_json(found) if json else show.OUT.print(show.text(found[form.value]))


@CHRONICLE.command("export")
def chronicle_export(
    file: Annotated[Path, typer.Argument(help="Where to; its ending says as what: .csv or .parquet.")],
    entity: Entity = None,
    since: Since = "",
    until: Until = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Write what happened to a file for other programs, the oldest first."""
    form = file.suffix.removeprefix(".").lower()
    if form not in {"csv", "parquet"}:
        raise typer.BadParameter("the file must end in .csv or .parquet")
    asked = _asked(entity, since, until) | {"format": form}

    async def run(api: Api) -> int:
        return await api.save("/chronicle/export", file, asked)

    size = with_api(run, url, token, "", config, json)
    told = {"file": str(file), "bytes": size}
    show.as_json(told) if json else show.OUT.print(show.text(f"{size} bytes written to {file}."))


@AUDIT.command("list")
def audit_list(
    kind: Annotated[str, typer.Option(help="Only entries of this kind, such as plan.approved.")] = "",
    subject: Annotated[str, typer.Option(help="Only entries about this, such as a plan's id.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 50,
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """List what was decided and done by whom, the newest first."""
    asked = {name: value for name, value in (("kind", kind), ("subject", subject)) if value}
    found = with_api(lambda api: api.get("/audit", limit=limit, **asked), url, token, "", config, json)
    show.as_json(found) if json else show.rows(
        found, ("n", "at", "kind", "actor", "subject"), "Nothing is on record yet."
    )


@AUDIT.command("verify")
def audit_verify(url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Go through the whole record and say whether anything in it was changed, and where first."""
    found = with_api(lambda api: api.get("/audit/verify"), url, token, "", config, json)
    if json:
        show.as_json(found)
    else:
        show.OUT.print(show.text(_verdict(found)))
    raise typer.Exit(Exit.DONE if found["ok"] else Exit.FAILED)


def add_to(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command("history")(history)
    app.command("why")(why)
    app.command("home-at")(home_at)
    app.add_typer(CHRONICLE, name="chronicle")
    app.add_typer(AUDIT, name="audit")


COLUMNS = ("at", "kind", "subject", "was", "now", "by")


def _asked(
    entity: Sequence[str] | None, since: str, until: str, **more: Sequence[str] | str | None
) -> dict[str, str | Sequence[str]]:
    """Return the parameters that were given."""
    given = {"entity": entity, "since": since, "until": until, **more}
    return {name: value for name, value in given.items() if value}


@dataclass(frozen=True, slots=True)
class _Told:
    """An answer of the chronicle, and what its headers say beside it."""

    found: Any
    zone: ZoneInfo | None
    """The home's: its times are read in it."""
    cursor: str
    notes: str


async def _told(api: Api, path: str, **params: str | int | Sequence[str]) -> _Told:
    found = await api.get(path, **params)
    return _Told(
        found,
        _zone(api.told.get("x-homesteward-time-zone", "")),
        api.told.get("x-homesteward-cursor", ""),
        api.told.get("x-homesteward-notes", ""),
    )


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (
        ZoneInfoNotFoundError,
        ValueError,
    ):  # a zone that this machine does not know: its own is used, and no other named
        return None


def _say_more(told: _Told) -> None:
    """Say on stderr what an answer does not hold: how times were understood, and that it goes on."""
    if told.notes:
        show.ERR.print(show.text(told.notes))
    if told.cursor:
        show.ERR.print(f"There is more: --cursor {show.text(told.cursor)}")


def _line(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as the terminal shows it: whatever kind it is, when, what, from what to what, and who."""
    subject = row.get("entity_id") or row.get("service") or row.get("plan_id") or ""
    return {
        "at": row["at"],
        "kind": row["kind"],
        "subject": subject,
        "was": row.get("old") or "",
        "now": row.get("new") or row.get("trigger") or row.get("outcome") or "",
        "by": row.get("user") or row.get("person") or "",
    }


def _difference(each: Mapping[str, Any]) -> dict[str, Any]:
    before, after = each["before"], each["after"]
    return {
        "entity_id": each["entity_id"],
        "before": before["state"] if before else "not there",
        "after": after["state"] if after else "not there",
    }


def _say_unknown(found: Mapping[str, Any]) -> None:
    if found["unknown"]:
        show.ERR.print(show.text(f"Of {len(found['unknown'])} more entities nothing is known for that moment."))


def _show_nested(found: Mapping[str, Any], indent: str = "") -> None:
    for name, value in found.items():
        if isinstance(value, Mapping):
            show.OUT.print(f"{indent}{show.text(name)}:")
            _show_nested(value, indent + "  ")
        elif isinstance(value, list):
            show.OUT.print(f"{indent}{show.text(name)}: {len(value)}")
        else:
            show.OUT.print(f"{indent}{show.text(name)}: {show.text(value)}")


def _verdict(found: Mapping[str, Any]) -> str:
    if found["ok"]:
        return f"{found['checked']} entries, and nothing in them was changed. {found.get('warning') or ''}".strip()
    return f"Entry {found['bad']} is not as it was written: {found['problem']}"
