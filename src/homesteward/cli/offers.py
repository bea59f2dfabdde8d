"""`homesteward tools offers`: external tools and discovered controls, and which of them an owner has enabled."""

from typing import Annotated, Any, NoReturn

import typer

from homesteward.cli import exits, show
from homesteward.cli.client import Api, part
from homesteward.cli.options import As, Config, Json, Token, Url, with_api

OFFERS = typer.Typer(no_args_is_help=True, help="External tools and discovered controls.")
Id = Annotated[
    str, typer.Argument(help="The offer's id, or a name that only one has: its tool's, or what it is called.")
]
COLUMNS = ("id", "state", "title", "effect", "entity_id", "note")


@OFFERS.command("list")
def offers_list(
    state: Annotated[str, typer.Option(help="Only those that are proposed, enabled or disabled.")] = "",
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """List what was found, with what policy says that it does."""
    found = with_api(lambda api: api.get("/offers"), url, token, role, config, json)
    found = [offer for offer in found if state in {"", offer["state"]}]
    told = [{**offer, "note": _note(offer)} for offer in found]
    show.as_json(found) if json else show.rows(told, COLUMNS, "Nothing was found.")


@OFFERS.command("enable")
def offers_enable(
    offer: Id,
    phrase: Annotated[list[str] | None, typer.Option(help="What people call it; may be given again.")] = None,
    allow: Annotated[list[str] | None, typer.Option(help="Who may say it: owner, member, guest, token.")] = None,
    area: Annotated[
        list[str] | None, typer.Option(help="Where it may be said; everywhere where none is named.")
    ] = None,
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Ask for an offer to be enabled as what it is now; it waits for an owner where the policy says so."""
    form = {"phrases": phrase or [], "roles": allow or [], "areas": area or []}
    _decided(with_api(lambda api: _post(api, offer, "enable", form), url, token, role, config, json), json)


@OFFERS.command("disable")
def offers_disable(
    offer: Id, role: As = "", url: Url = "", token: Token = "", config: Config = None, json: Json = False
) -> None:
    """Disable an offer; finding it again changes nothing about that."""
    _decided(with_api(lambda api: _post(api, offer, "disable", {}), url, token, role, config, json), json)


@OFFERS.command("forget")
def offers_forget(
    offer: Id, role: As = "", url: Url = "", token: Token = "", config: Config = None, json: Json = False
) -> None:
    """Ask for an offer to be forgotten; where it is found again it is proposed anew."""
    _decided(with_api(lambda api: _post(api, offer, "forget", {}), url, token, role, config, json), json)


async def _post(api: Api, named: str, what: str, form: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
    found = [offer for offer in await api.get("/offers") if named in {offer["id"], offer["tool"], *offer["phrases"]}]
    # of none or several the service says what is amiss
    if len(found) != 1:
        return await api.post(f"/offers/{part(named)}/{what}", form)
    seen = {"fingerprint": found[0]["fingerprint"]} if what == "enable" else {}
    return await api.post(f"/offers/{part(found[0]['id'])}/{what}", form | seen)


def _note(offer: dict[str, Any]) -> str:
    notes = (offer["changed"], "gone" if offer["gone"] else "", "" if offer["exposed"] else "not exposed")
    return "; ".join(note for note in notes if note)


def _decided(plan: Any, as_json: bool) -> NoReturn:  # noqa: ANN401 - JSON
    show.as_json(plan) if as_json else show.plan(plan)
    raise typer.Exit(exits.plan_exit(plan))
