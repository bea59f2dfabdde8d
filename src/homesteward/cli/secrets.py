"""`homesteward secrets`: the codes of locks and alarms, kept sealed. Nobody can look one up again."""

from typing import Annotated, Any

import typer

from homesteward.cli import show
from homesteward.cli.client import Api, part
from homesteward.cli.options import Config, Json, Token, Url, with_api
from homesteward.cli.words import typed_secret

SECRETS = typer.Typer(no_args_is_help=True, help="Codes of locks and alarms, kept sealed.")
Name = Annotated[str, typer.Argument(help="Its name: of a code the id of the lock or alarm, such as lock.front_door.")]


@SECRETS.command("list")
def secrets_list(url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """List the names of the secrets that are kept."""
    found = with_api(lambda api: api.get("/secrets"), url, token, "", config, json)
    show.as_json(found) if json else show.rows(found, ("name",), "No secret is kept.")


@SECRETS.command("set")
def secrets_set(name: Name, url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Keep a secret, in place of what was there; it is asked for, or read from standard input."""
    form = {"value": typed_secret("Secret")}

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        await api.put(f"/secrets/{part(name)}", form)
        return {"name": name}

    done = with_api(run, url, token, "", config, json)
    show.as_json(done) if json else show.OUT.print(f"Kept: {show.text(name)}")


@SECRETS.command("remove")
def secrets_remove(name: Name, url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Forget a secret."""

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        await api.delete(f"/secrets/{part(name)}")
        return {"name": name}

    done = with_api(run, url, token, "", config, json)
    show.as_json(done) if json else show.OUT.print(f"Forgotten: {show.text(name)}")
