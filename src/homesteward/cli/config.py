"""`homesteward config`: Home Assistant's configuration as it is, its versions, and changes, which are plans like any others."""

from difflib import unified_diff
from pathlib import Path
from typing import Annotated, Any

import typer

from homesteward.cli import exits, show
from homesteward.cli.client import Api
from homesteward.cli.ending import guarded
from homesteward.cli.options import As, Config, Json, Token, Url, with_api
from homesteward.cli.words import read_text

CONFIG = typer.Typer(no_args_is_help=True, help="Automations, scripts, scenes and more: shown, proposed, restored.")
Kind = Annotated[str, typer.Argument(help="automation, script, scene, helper, area, label, registry, dashboard, ...")]
Id = Annotated[str, typer.Argument(help="Its id, or its entity.")]
Number = Annotated[int, typer.Argument(min=1, help="The version's number.")]


@CONFIG.command("show")
def config_show(
    kind: Kind, object_id: Id, url: Url = "", token: Token = "", config: Config = None, json: Json = False
) -> None:
    """Show an object as it is now."""
    found = with_api(lambda api: api.get("/config", kind=kind, id=object_id), url, token, "", config, json)
    if json:
        show.as_json(found)
    else:
        show.OUT.print(
            show.text(found["yaml"] or f"There is no {kind} {object_id}."), end="" if found["yaml"] else "\n"
        )


@CONFIG.command("versions")
def config_versions(
    kind: Kind, object_id: Id, url: Url = "", token: Token = "", config: Config = None, json: Json = False
) -> None:
    """List the versions of an object, the newest first."""
    found = with_api(lambda api: api.get("/config/versions", kind=kind, id=object_id), url, token, "", config, json)
    columns = ("n", "at", "author", "plan_id", "there")
    show.as_json(found) if json else show.rows(found, columns, "Nothing of it was written from here.")


@CONFIG.command("diff")
def config_diff(
    kind: Kind,
    object_id: Id,
    old: Annotated[int | None, typer.Argument(min=1, help="A version; the last but one where none is named.")] = None,
    new: Annotated[int | None, typer.Argument(min=1, help="Another; the newest where none is named.")] = None,
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Show what differs between two versions."""
    found = with_api(lambda api: _difference(api, kind, object_id, old, new), url, token, "", config, json)
    show.as_json(found) if json else show.OUT.print(show.text("\n".join(found["diff"]) or "They are the same."))


@CONFIG.command("propose")
def config_propose(
    file: Annotated[Path, typer.Argument(help="The object as YAML or JSON, as Home Assistant writes it.")],
    kind: Annotated[str, typer.Option(help="What it is.")] = "automation",
    object_id: Annotated[str, typer.Option("--id", help="Its id or entity; left out for a new one.")] = "",
    edit: Annotated[bool, typer.Option("--edit", help="Change what is there.")] = False,
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Propose to write an object; nothing is written before somebody who may has approved it."""
    text = guarded(lambda: read_text(file), as_json=json)
    form = {
        "kind": kind,
        "config": text,
        **({"id": object_id} if object_id else {}),
        **({"edit": True} if edit else {}),
    }
    _told(with_api(lambda api: api.post("/config/propose", form), url, token, role, config, json), json)


@CONFIG.command("delete")
def config_delete(
    kind: Kind,
    object_id: Id,
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Propose to delete an object; its content is kept and can be restored."""
    form = {"kind": kind, "id": object_id}
    _told(with_api(lambda api: api.post("/config/delete", form), url, token, role, config, json), json)


@CONFIG.command("restore")
def config_restore(
    kind: Kind,
    object_id: Id,
    n: Number,
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Propose to bring a version back."""
    form = {"kind": kind, "id": object_id, "n": n}
    _told(with_api(lambda api: api.post("/config/restore", form), url, token, role, config, json), json)


def _told(plan: Any, as_json: bool) -> None:  # noqa: ANN401 - JSON
    show.as_json(plan) if as_json else show.plan(plan)
    raise typer.Exit(exits.plan_exit(plan))


async def _difference(api: Api, kind: str, object_id: str, old: int | None, new: int | None) -> dict[str, Any]:
    if old is None or new is None:
        known = [version["n"] for version in await api.get("/config/versions", kind=kind, id=object_id)]
        new = new or (known[0] if known else 1)
        old = old or max(1, new - 1)
    found = [await api.get(f"/config/versions/{n}", kind=kind, id=object_id) for n in (old, new)]
    before, after = [each["yaml"].splitlines() for each in found]
    lines = unified_diff(before, after, f"version {old}", f"version {new}", lineterm="")
    return {"old": old, "new": new, "diff": list(lines)}
