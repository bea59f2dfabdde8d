"""What the terminal shows: JSON for programs, a few plain lines for people.

Names, replies and requests come from outside: they are shown as text, never as markup, and without control characters.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from rich.console import Console
from rich.markup import escape

from homesteward.core.errors import ErrorInfo
from homesteward.core.json import dumps

OUT = Console(highlight=False, soft_wrap=True, emoji=False)
ERR = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")  # all but the line feed: a name must not move the cursor
GAP = "  "
MARKS = {"verified": "[green]seen[/]", "mismatched": "[red]not so[/]", "failed": "[red]failed[/]"} | {
    "uncertain": "[yellow]not confirmed[/]",
    "simulated": "[cyan]simulated[/]",
}
ACTIONS = {"allow": "green", "confirm": "cyan", "approve": "yellow", "deny": "red"}
WHOSE = {"ours": "asked for here", "others": "called by others"}
NOT_APPROVED = "not approved"  # the note of a step that whoever approved the plan left out
STATUS = {"ok": "green", "warn": "yellow", "fail": "red"}


def as_json(value: object) -> None:
    """Print one JSON document and nothing else."""
    sys.stdout.write(dumps(value) + "\n")
    sys.stdout.flush()


def text(value: object) -> str:
    """Return `value` as it may stand in a line of markup."""
    return escape(CONTROL.sub("", str(value)))


def answer(document: Mapping[str, Any]) -> None:
    """Show the reply, then what was seen, then what to do where somebody has to decide."""
    OUT.print(text(document["reply"]))
    for found in document["plans"]:
        evidence(found)
        if found["state"] == "waiting" and found["needs"] == "approve":
            OUT.print(
                f"  [dim]decide:[/] homesteward plans approve {found['id']}  [dim]or[/]  plans reject {found['id']}"
            )
    question = document.get("question")
    for number, option in enumerate(question["options"] if question else [], 1):
        OUT.print(f"  {number}. {text(option['label'])}")
    if question:
        OUT.print(f"  [dim]answer:[/] homesteward ask --conversation {text(document['conversation_id'])} ...")


def evidence(document: Mapping[str, Any]) -> None:
    """Show what was seen of each entity of a plan."""
    for step in document["steps"]:
        for seen in step["evidence"]:
            mark = MARKS[seen["status"]]
            OUT.print(f"  [dim]{seen['entity_id']}[/]: {text(seen['observed'] or seen['expected'])} ({mark})")


def plan(document: Mapping[str, Any]) -> None:
    """Show one plan with its steps."""
    needs = f", needs {document['needs']}" if document["needs"] and document["state"] == "waiting" else ""
    OUT.print(f"[bold]{document['id']}[/] {document['state']}{needs}: {text(repr(document['request']))}")
    for step in document["steps"]:
        call, decided = step["call"], step["decision"]
        targets = ", ".join(call["target"]["entity_id"])
        OUT.print(f"  {step['n']}. {call['domain']}.{call['service']} {text(targets)} [dim]{step['state']}[/]")
        if step.get("summary"):
            OUT.print(f"     {text(step['summary'])}")
            _difference(step["diff"])
        elif call["data"]:
            OUT.print(f"     with {text(dumps(call['data']))}")
        for said in step.get("healed", ()):
            OUT.print(f"     put right: {text(said)}")
        if beyond := _beyond(step):
            OUT.print(f"     reaches {text(beyond)}")
        OUT.print(f"     {decided['action']}: {text(decided['reason'])} [dim]({text(decided['rule'])})[/]")
        _way(decided, "     ")
        if decided.get("ajar"):
            OUT.print(f"     open at the moment: {text(', '.join(decided['ajar']))}")
        if step["error"] or step["note"]:
            OUT.print(f"     {text(step['error'] or step['note'])}")
    _chosen(document)
    _learned(document.get("learned", ()))
    evidence(document)


def _difference(diff: str) -> None:
    """Show a difference line by line."""
    for line in diff.splitlines():
        OUT.print(f"     {text(line)}", style=SHADES.get(line[:1], ""), highlight=False)


SHADES = {"+": "green", "-": "red", "@": "dim"}


def _chosen(document: Mapping[str, Any]) -> None:
    """Show how a plan of several steps can be approved in part, and afterwards which part of it was."""
    steps = document["steps"]
    if document["state"] == "waiting" and document["needs"] == "approve" and len(steps) > 1:
        OUT.print(
            f"  [dim]decide:[/] homesteward plans approve {document['id']} [dim]with[/] --steps {steps[0]['n']},..."
        )
    left = [str(step["n"]) for step in steps if step["note"] == NOT_APPROVED]
    if left:
        chosen = [str(step["n"]) for step in steps if step["note"] != NOT_APPROVED]
        OUT.print(f"  approved: step {', '.join(chosen)} of {len(steps)}; left out: step {', '.join(left)}")


def _learned(items: Sequence[Mapping[str, Any]]) -> None:
    """Show which things are watched for longer than usual, and why."""
    for item in items:
        OUT.print(
            f"  [dim]watched for up to {item['window_s']:g} s:[/] {text(item['entity_id'])} "
            f"[dim](of {item['samples']} times, nine of ten took up to {item['usual_s']:g} s)[/]"
        )


def _beyond(step: Mapping[str, Any]) -> str:
    """Return what a step comes to through groups, scenes and scripts, nothing where it is what it names."""
    named, more = set(step["call"]["target"]["entity_id"]), step.get("reached_more", 0)
    ends = [end for end in step.get("reached", ()) if end not in named]
    return ", ".join([*ends, *([f"and {more} more"] if more else [])])


def undone(document: Mapping[str, Any]) -> None:
    """Show the plans that take one back, and what is left as it is."""
    for found in document["plans"]:
        plan(found)
    for left in document["left"]:
        OUT.print(f"  left as it is: [dim]{text(left['entity_id'])}[/] {text(left['why'])}")


def checks(items: Sequence[Mapping[str, Any]]) -> None:
    """Show what the doctor found, each with the way on."""
    width = max(len(item["check"]) for item in items)
    for item in items:
        colour = STATUS[item["status"]]
        OUT.print(f"{item['check']:<{width}}{GAP}[{colour}]{item['status']:<4}[/]{GAP}{text(item['message'])}")
        if item["next"]:
            OUT.print(f"{'':<{width}}{GAP}{'':<4}{GAP}[dim]{text(item['next'])}[/]")


def decisions(items: Sequence[Mapping[str, Any]]) -> None:
    """Show what would happen to a call, per verdict, and the way from it to what decided."""
    for item in items:
        colour = ACTIONS[item["action"]]
        OUT.print(f"[{colour}]{item['action']}[/] {text(', '.join(item['entity_ids']))} [dim]({text(item['rule'])})[/]")
        OUT.print(f"  {text(item['reason'])}")
        _way(item, "  ")
        for said in item.get("healed", ()):
            OUT.print(f"  [dim]put right:[/] {text(said)}")
        _learned(item.get("learned", ()))


def _way(decided: Mapping[str, Any], indent: str) -> None:
    """Show what leads from the call to what decided, where something lies between."""
    if len(decided.get("path", ())) > 2:
        OUT.print(f"{indent}[dim]reached by:[/] {text(' > '.join(decided['path']))}")


def rules(document: Mapping[str, Any]) -> None:
    """Show rules and limits as sentences, in their order."""
    for number, rule in enumerate(document["rules"], 1):
        OUT.print(f"{number}. [bold]{text(rule['name'])}[/]")
        OUT.print(f"   {text(rule['says'])}")
    OUT.print(f"[yellow]{text(document['otherwise'])}[/]" if document["held"] else text(document["otherwise"]))
    for limit in document["limits"]:
        OUT.print(f"- [bold]{text(limit['name'])}[/]{' [dim](in every home)[/]' if limit['standard'] else ''}")
        OUT.print(f"   {text(limit['says'])}")
    OUT.print(f"[dim]{text(document['file'])}[/]")


def tests(items: Sequence[Mapping[str, Any]]) -> None:
    """Show which tests of rules are as expected."""
    for item in items:
        mark = "[green]as expected[/]" if item["passed"] else "[red]OTHERWISE[/]"
        OUT.print(f"{mark} {text(item['name'])} [dim]{item['action']} ({text(item['rule'])})[/]")
        if item["wrong"]:
            OUT.print(f"  {text(item['wrong'])}")
    OUT.print(f"{sum(item['passed'] for item in items)} of {len(items)} as expected")


def look_back(document: Mapping[str, Any]) -> None:
    """Show what rules would have made of the past: counts, then every call that would not simply be done."""
    for call in document["calls"]:
        now, then = call["now"], call["then"]
        before = f", was {then['action']}" if then and call["changed"] else ""
        OUT.print(
            f"{_cell(call['at'], None)} [{ACTIONS[now['action']]}]{now['action']}[/]{before} {text(call['service'])} "
            f"{text(', '.join(call['entity_ids']))} [dim]{text(call['who'] or call['by'])} ({text(now['rule'])})[/]"
        )
    for who, counts in document["now"].items():
        OUT.print(f"{WHOSE[who]}: {', '.join(f'{n} {action}' for action, n in counts.items())}")
    OUT.print(
        f"{document['judged']} judged, {document['changed']} otherwise than then, {document['not_judged']} not judged"
    )
    if document["unused"]:
        OUT.print(f"Judged nothing: {text(', '.join(document['unused']))}")
    for note in document["notes"]:
        OUT.print(f"[dim]{text(note)}[/]")


def rows(items: Sequence[Mapping[str, Any]], columns: Sequence[str], empty: str, zone: tzinfo | None = None) -> None:
    """Show columns that are never cut short, since an id is there to be copied; one line where there is nothing.

    Times are those of `zone`, of this machine where none is given.
    """
    if not items:
        OUT.print(empty)
        return
    table = [[_cell(item.get(column), zone) for column in columns] for item in items]
    widths = [max(map(len, (head, *cells))) for head, *cells in zip(columns, *table, strict=True)]
    OUT.print(f"[dim]{_line(columns, widths)}[/]")
    for cells in table:
        OUT.print(escape(_line(cells, widths)))


def moment(text_: str, zone: tzinfo | None = None) -> str:
    """Return a moment of the API to the second, as the clocks of `zone` show it, those of this machine where none is given."""
    return f"{datetime.fromisoformat(text_).astimezone(zone):%Y-%m-%d %H:%M:%S}"


def in_zone(zone: tzinfo | None) -> None:
    """Say on stderr in which time zone what was shown is to be read: it may be another than that of this machine."""
    if zone is not None:
        ERR.print(f"[dim]Times are those of the home, {text(zone)}.[/]")


def progress(line: str) -> None:
    """Show how far long work is, on stderr."""
    ERR.print(text(line))


def failure(error: ErrorInfo) -> None:
    """Show an error and the way on, on stderr."""
    ERR.print(f"[red]{error.code}[/]: {text(error.message)}")
    if error.next:
        ERR.print(f"  {text(error.next)}")


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return GAP.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _cell(value: object, zone: tzinfo | None) -> str:
    """Return the text of a table's cell: on one line, a time as the clocks of the zone have it."""
    if isinstance(value, list):
        return ", ".join(_cell(each, zone) for each in value)
    said = CONTROL.sub("", " ".join(("" if value is None else str(value)).split()))
    return _local(said, zone) if MOMENT.match(said) else said


MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def _local(moment: str, zone: tzinfo | None) -> str:
    return f"{datetime.fromisoformat(moment).astimezone(zone):%Y-%m-%d %H:%M}"
