"""`homesteward tokens`: what machines come in with, each for some things, some of the house and some time."""

from typing import Annotated, Any

import typer

from homesteward.cli import show
from homesteward.cli.client import Api, part
from homesteward.cli.options import Config, Json, Token, Url, with_api
from homesteward.cli.words import UNTIL, moment, one_of
from homesteward.core.errors import HomestewardError

TOKENS = typer.Typer(no_args_is_help=True, help="What machines come in with.")
COLUMNS = ("id", "name", "role", "scopes", "reach", "person", "ends", "used", "revoked")


@TOKENS.command("list")
def tokens_list(url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """List the tokens; what they are themselves nobody can look up."""

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        found = await api.get("/tokens")
        names = {} if json else await _names(api)
        return found if json else [one | _in_words(one, names) for one in found]

    found = with_api(run, url, token, "", config, json)
    show.as_json(found) if json else show.rows(found, COLUMNS, "There are no tokens.")


@TOKENS.command("add")
def tokens_add(
    name: str,
    scope: Annotated[
        list[str], typer.Option("--scope", help="read, propose, act, configure or admin; again for more than one.")
    ],
    area: Annotated[list[str] | None, typer.Option("--area", help="Only this area; again for more.")] = None,
    label: Annotated[list[str] | None, typer.Option("--label", help="Only what carries this label.")] = None,
    entity: Annotated[list[str] | None, typer.Option("--entity", help="Only this entity.")] = None,
    role: Annotated[str, typer.Option(help="token, guest, member or owner; never more than its person.")] = "token",
    person: Annotated[str, typer.Option(help="Whose it is, by name or id; yours where nobody is named.")] = "",
    until: Annotated[str, typer.Option("--until", callback=moment, help=f"When it ends. {UNTIL}")] = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Make a token and show it, this once."""
    named = {"areas": area or [], "labels": label or [], "entities": entity or []}
    form = {"name": name, "scopes": scope, "reach": named if any(named.values()) else None, "role": role}

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        whose = one_of(await api.get("/people"), person, "person")["id"] if person else None
        return await api.post("/tokens", form | {"person_id": whose, "ends": until or None})

    made = with_api(run, url, token, "", config, json)
    if json:
        show.as_json(made)
    else:
        show.OUT.print(show.text(made["token"]))
        show.ERR.print(
            "[dim]Keep it now: it is not shown again. End it with[/] homesteward tokens revoke " + made["id"]
        )
        if "admin" in made["scopes"] and not made["person_id"]:
            show.ERR.print(
                "It belongs to nobody, and nobody can prove who they are: what takes a PIN or a fresh sign-in, such as "
                "changing people, is refused to it. Make it with --person for that.",
                style="yellow",
            )


async def _names(api: Api) -> dict[str, str]:
    """Return everybody's name, by their id; those that may be known."""
    try:
        return {person["id"]: person["name"] for person in await api.get("/people")}
    except HomestewardError as error:
        if error.code != "not_allowed":
            raise
        return {}  # whoever may see their own tokens alone knows whose they are


def _in_words(one: dict[str, Any], names: dict[str, str]) -> dict[str, str]:
    named = [name for kind in ("areas", "labels", "entities") for name in (one["reach"] or {}).get(kind, [])]
    reach = (", ".join(named) or "nothing") if one["reach"] is not None else "whole home"
    return {"reach": reach, "person": names.get(one["person_id"], one["person_id"]) or "nobody"}


@TOKENS.command("revoke")
def tokens_revoke(
    which: Annotated[str, typer.Argument(help="Its name or id.")],
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """End a token for good."""

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        lasting = [one for one in await api.get("/tokens") if not one["revoked"] or one["id"] == which]
        found = one_of(lasting, which, "token")
        await api.delete(f"/tokens/{part(found['id'])}")
        return one_of(await api.get("/tokens"), found["id"], "token")

    ended = with_api(run, url, token, "", config, json)
    show.as_json(ended) if json else show.OUT.print(f"Revoked: {show.text(ended['name'])} [dim]({ended['id']})[/]")
