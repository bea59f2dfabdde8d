"""The commands. Each parses its words, asks the API, shows the answer and turns it into an exit code; the rest lies deeper."""

from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from homesteward.cli import exits, show
from homesteward.cli.backup import add_to as add_backup
from homesteward.cli.client import Api, part
from homesteward.cli.config import CONFIG
from homesteward.cli.editing import edited
from homesteward.cli.ending import ended, guarded, until_told
from homesteward.cli.exits import Exit
from homesteward.cli.notices import NOTICES
from homesteward.cli.offers import OFFERS
from homesteward.cli.options import As, Config, Json, Token, Url, with_api
from homesteward.cli.past import add_to as add_past
from homesteward.cli.people import PEOPLE
from homesteward.cli.rules import POLICY
from homesteward.cli.schedule import SCHEDULE
from homesteward.cli.secrets import SECRETS
from homesteward.cli.tokens import TOKENS
from homesteward.cli.words import parse_json

APP = typer.Typer(
    name="homesteward",
    help="Ask the house for things, see what was really done, and decide what needs a person.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
PLANS = typer.Typer(no_args_is_help=True, help="What waits, what was done, and what was seen.")
TOOLS = typer.Typer(no_args_is_help=True, help="The tools a model is given.")
DEMO = typer.Typer(no_args_is_help=True, help="A real Home Assistant with a furnished house in it.")
GROUPS = {
    "plans": PLANS,
    "policy": POLICY,
    "config": CONFIG,
    "tools": TOOLS,
    "people": PEOPLE,
    "tokens": TOKENS,
    "demo": DEMO,
    "notices": NOTICES,
    "schedule": SCHEDULE,
    "secrets": SECRETS,
}
for name, group in GROUPS.items():
    APP.add_typer(group, name=name)
TOOLS.add_typer(OFFERS, name="offers")
add_past(APP)
add_backup(APP)


def main() -> None:
    """Run the command line; every failure ends in a message with the next step and its own exit code."""
    ended(APP)


@APP.command()
def ask(
    text: str,
    conversation: Annotated[str, typer.Option(help="Go on with this conversation.")] = "",
    mode: Annotated[str | None, typer.Option(help="observe, plan or auto; can only narrow the settings.")] = None,
    profile: Annotated[str | None, typer.Option(help="rapid, balanced or deep.")] = None,
    language: Annotated[str, typer.Option(help="The sentence's language, such as de.")] = "",
    area: Annotated[str, typer.Option(help="Where it was said.")] = "",
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Ask for something in a sentence."""
    form = {"text": text, "conversation_id": conversation, "mode": mode, "profile": profile}
    form |= {"language": language, "area": area}

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        with show.ERR.status("asking the house"):
            return await api.post("/ask", form)

    answer = with_api(run, url, token, role, config, json)
    show.as_json(answer) if json else show.answer(answer)
    raise typer.Exit(exits.answer_exit(answer))


@PLANS.command("list")
def plans_list(
    state: Annotated[str, typer.Option(help="Only plans in this state.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=500)] = 20,
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """List plans, the newest first."""
    found = with_api(
        lambda api: api.get("/plans", limit=limit, **({"state": state} if state else {})), url, token, "", config, json
    )
    show.as_json(found) if json else show.rows(
        found, ("id", "state", "needs", "request", "created"), "There are no plans."
    )


@PLANS.command("show")
def plans_show(plan: str, url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Show one plan with its steps and what was seen."""
    found = with_api(lambda api: api.get(_path(plan)), url, token, "", config, json)
    show.as_json(found) if json else show.plan(found)


@PLANS.command("approve")
def plans_approve(
    plan: str,
    steps: Annotated[str, typer.Option(help="Only these steps, such as 1,3; all where none is named.")] = "",
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Approve a waiting plan; it is carried out at once and watched."""
    form = {"steps": _numbers(steps) or None}

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        with show.ERR.status("carrying it out and watching"):
            return await api.post(f"{_path(plan)}/approve", form)

    _decided(with_api(run, url, token, role, config, json), json)


@PLANS.command("reject")
def plans_reject(
    plan: str, role: As = "", url: Url = "", token: Token = "", config: Config = None, json: Json = False
) -> None:
    """Reject a waiting plan; nothing of it is done."""
    found = with_api(lambda api: api.post(f"{_path(plan)}/reject", {}), url, token, role, config, json)
    show.as_json(found) if json else show.plan(found)


@PLANS.command("edit")
def plans_edit(
    plan: str,
    step: Annotated[int, typer.Option(min=1, help="Which step.")] = 1,
    target: Annotated[str, typer.Option(help="Act on these entities instead, such as light.a,light.b.")] = "",
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="NAME=VALUE of its data; NAME= leaves it out.")
    ] = None,
    without: Annotated[bool, typer.Option("--without", help="Leave this step out.")] = False,
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Change a waiting plan: the old one is rejected, and what is wanted instead is a new plan, judged anew."""

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        calls = edited(await api.get(_path(plan)), step, target, setting or [], without=without)
        return await api.post(f"{_path(plan)}/edit", {"calls": calls})

    _decided(with_api(run, url, token, role, config, json), json)


@PLANS.command("undo")
def plans_undo(
    plan: str, role: As = "", url: Url = "", token: Token = "", config: Config = None, json: Json = False
) -> None:
    """Take back what a plan did, as far as it goes; what cannot be taken back is named."""

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        with show.ERR.status("taking it back and watching"):
            return await api.post(f"{_path(plan)}/undo", {})

    found = with_api(run, url, token, role, config, json)
    show.as_json(found) if json else show.undone(found)
    raise typer.Exit(exits.undone_exit(found))


@PLANS.command("resume")
def plans_resume(
    plan: str, role: As = "", url: Url = "", token: Token = "", config: Config = None, json: Json = False
) -> None:
    """Go on with a plan that was cut off; what is unsure is looked at first."""

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        with show.ERR.status("going on with it and watching"):
            return await api.post(f"{_path(plan)}/resume", {})

    _decided(with_api(run, url, token, role, config, json), json)


@TOOLS.command("list")
def tools_list(role: As = "", url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """List the tools a caller of this role may use."""
    found = with_api(lambda api: api.get("/tools"), url, token, role, config, json)
    show.as_json(found) if json else show.rows(found, ("name", "description"), "There are no tools.")


@TOOLS.command("call")
def tools_call(
    name: str,
    arguments: Annotated[str, typer.Argument(help="The tool's arguments: one JSON object.")] = "{}",
    role: As = "",
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Use one tool as a model would; its changes pass the same gate."""

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        return await api.post(f"/tools/{part(name)}", {"arguments": parse_json(arguments, "ARGUMENTS")})

    found = with_api(run, url, token, role, config, json)
    show.as_json(found)
    raise typer.Exit(exits.tool_exit(found))


@APP.command()
def doctor(url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Check settings, Home Assistant, model, database, disk and clock."""
    from homesteward.cli.doctor import examine  # noqa: PLC0415 - only this command looks at everything

    checks = guarded(lambda: examine(url, token, config), as_json=json)
    show.as_json(checks) if json else show.checks(checks)
    raise typer.Exit(Exit.FAILED if any(check["status"] == "fail" for check in checks) else Exit.DONE)


@APP.command()
def run(config: Config = None) -> None:
    """Run the service until it is told to stop."""
    from homesteward.app import serve  # noqa: PLC0415 - the whole house; no other command needs it

    guarded(lambda: until_told(lambda: serve(config, say=show.progress)), as_json=False, serves=True)


@APP.command("eval")
def evaluate(
    file: Path,
    home: Annotated[str, typer.Option(help="demo, ha-demo, or a folder of home inventories.")] = "demo",
    policy: Annotated[str, typer.Option(help="The preset the cases run under.")] = "family",
    model: Annotated[str, typer.Option(help="none, or a settings file that sets up a model.")] = "none",
    only: Annotated[str, typer.Option(help="Only the cases whose id contains this.")] = "",
    form: Annotated[
        str, typer.Option("--format", help="contract, or assist: JSON, each case with the home it names.")
    ] = "contract",
    json: Json = False,
) -> None:
    """Run eval cases on a fresh home and score every declared assertion."""
    from homesteward.cli.evaluate import run_file  # noqa: PLC0415 - only this command starts a home to judge in

    report = guarded(lambda: run_file(file, home, policy, model, only, form, show.progress), as_json=json)
    show.as_json(report) if json else _show_report(report)
    raise typer.Exit(Exit.FAILED if report["failed"] or report["wrong_actions"] else Exit.DONE)


@DEMO.command("up")
def demo_up(
    detach: Annotated[bool, typer.Option("--detach", help="Leave it running in the background.")] = False,
    ha_port: Annotated[int, typer.Option(min=0, max=65535, help="Home Assistant's port; 0 takes a free one.")] = 0,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Homesteward's port; 0 takes a free one.")] = 0,
    entities: Annotated[int, typer.Option(min=0, max=10_000, help="Grow the house to so many; 0 as furnished.")] = 0,
    past: Annotated[str, typer.Option(help="Give it a recorded past, such as 21d, before its first start.")] = "",
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the demo home there was, and its plans.")] = False,
    json: Json = False,
) -> None:
    """Start the demo home and Homesteward beside it. Without --detach, Ctrl-C ends both."""
    from homesteward.cli.demo import House, days_of, detached, up  # noqa: PLC0415 - only these commands know the demo home

    async def start() -> None:
        wanted = House(ha_port, port, entities, days_of(past), fresh)
        await (detached if detach else up)(wanted, as_json=json)

    guarded(start, as_json=json, serves=not detach)


@DEMO.command("down")
def demo_down(json: Json = False) -> None:
    """Stop the demo home."""
    from homesteward.cli.demo import down  # noqa: PLC0415 - only these commands know the demo home

    stopped = guarded(down, as_json=json)
    show.as_json({"stopped": stopped}) if json else show.OUT.print("Stopped." if stopped else "No demo home runs.")


@DEMO.command("status")
def demo_status(json: Json = False) -> None:
    """Say whether a demo home runs, and where."""
    from homesteward.cli.demo import status  # noqa: PLC0415 - only these commands know the demo home

    found = guarded(status, as_json=json)
    if json:
        show.as_json(found)
    else:
        show.OUT.print(
            f"Runs: Homesteward {found['url']}, Home Assistant {found['ha_url']}" if found else "No demo home runs."
        )
    raise typer.Exit(Exit.DONE if found else Exit.NOT_CONNECTED)


def _decided(plan: Any, as_json: bool) -> NoReturn:  # noqa: ANN401 - JSON
    show.as_json(plan) if as_json else show.plan(plan)
    raise typer.Exit(exits.plan_exit(plan))


def _path(plan: str) -> str:
    return f"/plans/{part(plan)}"


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")] if text else []
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a list of step numbers such as 1,3") from None


def _show_report(report: dict[str, Any]) -> None:
    for case in report["cases"]:
        mark = "[green]pass[/]" if case["passed"] else "[red]FAIL[/]"
        show.OUT.print(f"{mark} {case['id']} [dim]{case['ms']:.0f} ms[/]", end=" ")
        show.OUT.print("" if case["passed"] else "; ".join(case["why"]), markup=False)
    for name, counts in {**report.get("sets", {}), "all": report}.items():
        show.OUT.print(
            f"{name}: {counts['passed']} passed, {counts['failed']} failed, {counts['wrong_actions']} wrong actions"
        )
