"""`homesteward policy`: the owner's rules as sentences, tests of them, their versions, and what they would have made of the past."""

from difflib import unified_diff
from pathlib import Path
from typing import Annotated, Any

import typer

from homesteward.cli import show
from homesteward.cli.client import Api
from homesteward.cli.ending import guarded
from homesteward.cli.exits import Exit
from homesteward.cli.options import As, Config, Json, Token, Url, with_api
from homesteward.cli.words import read_json, read_text

POLICY = typer.Typer(no_args_is_help=True, help="What may happen, and why.")
Rules = Annotated[Path | None, typer.Option("--rules", help="Judge by this rule file, not by the one that holds.")]
Number = Annotated[int, typer.Argument(min=1, help="The version's number.")]


@POLICY.command("explain")
def policy_explain(
    call: Path,
    role: As = "",
    policy: Annotated[str, typer.Option(help="Judge by this preset, not by the one that is set.")] = "",
    url: Url = "",
    token: Token = "",
    json: Json = False,
) -> None:
    """Say what would happen to the call in a JSON file, and why. Without a service, the named entities are taken as they are described there."""
    from homesteward.cli.explain import explain  # noqa: PLC0415 - only this command judges a call offline

    found = guarded(lambda: explain(read_json(call), role, policy, url, token), as_json=json)
    show.as_json(found) if json else show.decisions(found)


@POLICY.command("show")
def policy_show(
    language: Annotated[str, typer.Option(help="en or de; the home's where none is named.")] = "",
    file: Annotated[bool, typer.Option("--file", help="Show the rule file itself.")] = False,
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Show the rules and limits that hold, as sentences, in the order in which they are looked at."""
    found = with_api(lambda api: api.get("/policy", language=language), url, token, "", config, json)
    if json:
        show.as_json(found)
    elif file:
        show.OUT.print(show.text(found["text"]), end="")
    else:
        show.rules(found)


@POLICY.command("test")
def policy_test(file: Path, rules: Rules = None, json: Json = False) -> None:
    """Judge the calls of a file by its rules, without a service; it ends with 1 where one is not decided as expected."""
    from homesteward.cli.rule_tests import judged  # noqa: PLC0415 - only this command judges a file

    found = guarded(lambda: judged(file, rules), as_json=json)
    show.as_json(found) if json else show.tests(found)
    raise typer.Exit(Exit.DONE if all(each["passed"] for each in found) else Exit.FAILED)


@POLICY.command("set")
def policy_set(file: Path, url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Put a rule file in the place of the one that holds; one with a mistake changes nothing."""
    form = {"rules": guarded(lambda: read_text(file), as_json=json)}
    _kept(with_api(lambda api: api.put("/policy", form), url, token, "", config, json), json)


@POLICY.command("versions")
def policy_versions(
    limit: Annotated[int, typer.Option(min=1, max=500)] = 20,
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """List the versions of the rule file, the newest first."""
    found = with_api(lambda api: api.get("/policy/versions", limit=limit), url, token, "", config, json)
    show.as_json(found) if json else show.rows(found, ("n", "at", "author", "problem"), "There is no version yet.")


@POLICY.command("diff")
def policy_diff(
    old: Annotated[int | None, typer.Argument(min=1, help="A version; the last but one where none is named.")] = None,
    new: Annotated[int | None, typer.Argument(min=1, help="Another; the newest where none is named.")] = None,
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Show what differs between two versions."""
    found = with_api(lambda api: _difference(api, old, new), url, token, "", config, json)
    show.as_json(found) if json else show.OUT.print(show.text("\n".join(found["diff"]) or "They are the same."))


@POLICY.command("restore")
def policy_restore(n: Number, url: Url = "", token: Token = "", config: Config = None, json: Json = False) -> None:
    """Put a version back, as a new one."""
    _kept(with_api(lambda api: api.post("/policy/restore", {"n": n}), url, token, "", config, json), json)


@POLICY.command("simulate")
def policy_simulate(
    since: Annotated[str, typer.Option(help="How far back, such as 30d, 12h or a date and time.")] = "30d",
    rules: Rules = None,
    url: Url = "",
    token: Token = "",
    config: Config = None,
    json: Json = False,
) -> None:
    """Say how the rules would have judged what was done since then, at the moment and in the states of then."""
    text = guarded(lambda: read_text(rules), as_json=json) if rules else None

    async def run(api: Api) -> Any:  # noqa: ANN401 - JSON
        with show.ERR.status("looking back"):
            if text is None:
                return await api.get("/policy/simulate", since=since)
            return await api.post("/policy/simulate", {"since": since, "rules": text})

    found = with_api(run, url, token, "", config, json)
    show.as_json(found) if json else show.look_back(found)


def _kept(version: Any, as_json: bool) -> None:  # noqa: ANN401 - JSON
    show.as_json(version) if as_json else show.OUT.print(
        f"Holds now: version {version['n']}, by {show.text(version['author'])}."
    )


async def _difference(api: Api, old: int | None, new: int | None) -> dict[str, Any]:
    if old is None or new is None:
        known = [version["n"] for version in await api.get("/policy/versions", limit=2)]
        new = new or (known[0] if known else 1)
        old = old or max(1, new - 1)
    before, after = [(await api.get(f"/policy/versions/{n}"))["text"].splitlines() for n in (old, new)]
    lines = unified_diff(before, after, f"version {old}", f"version {new}", lineterm="")
    return {"old": old, "new": new, "diff": list(lines)}
