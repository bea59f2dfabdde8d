"""`homesteward people`: who is who to the house, guests, PINs and the devices that may ask by themselves."""

from typing import Annotated, Any

import typer

from homesteward.cli import show
from homesteward.cli.client import Api, part
from homesteward.cli.options import Config, Json, Token, Url, with_api
from homesteward.cli.words import UNTIL, moment, one_of, typed_pin

PEOPLE = typer.Typer(no_args_is_help=True, help="Who is who to the house: roles, guests, PINs and devices.")
DEVICES = typer.Typer(no_args_is_help=True, help="Satellites and kiosks that may ask by themselves.")
PEOPLE.add_typer(DEVICES, name="devices")

COLUMNS = ("id", "name", "role", "ends", "disabled", "pin", "locked_until", "last_seen")
Who = Annotated[str, typer.Argument(help="Their name or id.")]
Until = Annotated[str, typer.Option("--until", callback=moment, help=f"When a guest's stay ends. {UNTIL}")]


@PEOPLE.command("list")
def people_list(url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """List everybody on record."""
    found = with_api(lambda api: api.get("/people"), url, token, "", config, json)
    show.as_json(found) if json else show.rows(found, COLUMNS, "Nobody is on record yet.")


@PEOPLE.command("add")
def people_add(
    name: str,
    until: Until = "",
    role: Annotated[str, typer.Option(help="guest, or member for a user of Home Assistant.")] = "guest",
    ha_user: Annotated[str, typer.Option(help="The id of their user in Home Assistant.")] = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Add a guest, or a member before their first sign-in. An administrator of Home Assistant is owner by signing in."""
    form = {"name": name, "role": role, "ha_user_id": ha_user or None, "ends": until or None}
    _show_person(with_api(lambda api: api.post("/people", form), url, token, "", config, json), json)


@PEOPLE.command("remove")
def people_remove(who: Who, url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Forget somebody, with their PIN, sessions and tokens. Disable a user of Home Assistant to keep them out."""

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        person = await _person(api, who)
        await api.delete(_path(person))
        return person

    _show_person(with_api(run, url, token, "", config, json), json, "Forgotten: ")


@PEOPLE.command("role")
def people_role(
    who: Who,
    role: Annotated[str, typer.Argument(help="owner, member or guest.")],
    until: Until = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Give somebody another role; a guest's stay ends."""
    _change(who, {"role": role} | ({"ends": until} if until else {}), url, token, config, json)


@PEOPLE.command("rename")
def people_rename(
    who: Who, name: str, url: Url = "", token: Token = "", config: Config = None, json: Json = False
) -> None:
    """Call somebody something else."""
    _change(who, {"name": name}, url, token, config, json)


@PEOPLE.command("disable")
def people_disable(who: Who, url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Let somebody in no more, until they are enabled: their sessions end, their tokens do nothing."""
    _change(who, {"disabled": True}, url, token, config, json)


@PEOPLE.command("enable")
def people_enable(who: Who, url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Let somebody in again."""
    _change(who, {"disabled": False}, url, token, config, json)


@PEOPLE.command("pin")
def people_pin(
    who: Who,
    remove: Annotated[bool, typer.Option("--remove", help="Take their PIN away.")] = False,
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Give somebody a PIN, which they have to change first; it is asked for, or read from standard input."""
    form = {} if remove else {"pin": typed_pin()}

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        person = await _person(api, who)
        await (api.delete(f"{_path(person)}/pin") if remove else api.put(f"{_path(person)}/pin", form))
        return await _person(api, person["id"])

    _show_person(with_api(run, url, token, "", config, json), json)


@PEOPLE.command("unlock")
def people_unlock(who: Who, url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Lift the lockout of somebody's PIN."""

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        person = await _person(api, who)
        await api.post(f"{_path(person)}/unlock", {})
        return await _person(api, person["id"])

    _show_person(with_api(run, url, token, "", config, json), json)


@DEVICES.command("list")
def devices_list(url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """List the devices that may ask by themselves."""
    found = with_api(lambda api: api.get("/devices"), url, token, "", config, json)
    show.as_json(found) if json else show.rows(found, ("id", "name", "role", "area_id"), "No device is on record.")


@DEVICES.command("add")
def devices_add(
    device: Annotated[str, typer.Argument(help="Home Assistant's id of the device.")],
    role: Annotated[str, typer.Option(help="guest or member.")] = "guest",
    name: Annotated[str, typer.Option(help="A name other than Home Assistant's.")] = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Let a device ask by itself, or change its role."""
    form = {"device_id": device, "role": role, "name": name}
    found = with_api(lambda api: api.post("/devices", form), url, token, "", config, json)
    show.as_json(found) if json else show.rows([found], ("id", "name", "role", "area_id"), "")


@DEVICES.command("remove")
def devices_remove(
    device: Annotated[str, typer.Argument(help="Its name or id.")],
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Let a device ask for nothing any more."""

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        found = one_of(await api.get("/devices"), device, "device")
        await api.delete(f"/devices/{part(found['id'])}")
        return found

    _show_person(with_api(run, url, token, "", config, json), json, "Removed: ")


def _change(who: str, form: dict[str, Any], url: str, token: str, config: Config, json: bool) -> None:
    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        return await api.patch(_path(await _person(api, who)), form)

    _show_person(with_api(run, url, token, "", config, json), json)


async def _person(api: Api, who: str) -> Any:  # noqa: ANN401 - JSON
    return one_of(await api.get("/people"), who, "person")


def _path(person: Any) -> str:  # noqa: ANN401 - JSON
    return f"/people/{part(person['id'])}"


def _show_person(person: Any, as_json: bool, said: str = "") -> None:  # noqa: ANN401 - JSON
    if as_json:
        show.as_json(person)
    else:
        more = [person["role"]] if "role" in person else []
        more += [f"until {show.moment(person['ends'])}"] if person.get("ends") else []
        more += [f"disabled since {show.moment(person['disabled'])}"] if person.get("disabled") else []
        show.OUT.print(f"{said}{show.text(person['name'])} [dim]({', '.join((*more, person['id']))})[/]")
