"""`eval`: run a file of cases on a fresh home."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from homesteward.core.errors import HomestewardError
from homesteward.policy import Preset
from homesteward.trial import AssistCase, Case, Report, load_assist_cases, load_cases, run_assist, run_cases

FORMATS = ("contract", "assist")


async def run_file(
    file: Path, home: str, policy: str, model: str, only: str, form: str, say: Callable[[str], None]
) -> dict[str, Any]:
    """Return the report of the cases in `file`, or of those whose id contains `only`."""
    for what, value, known in (("preset", policy, tuple(Preset)), ("format", form, FORMATS)):
        if value not in known:
            raise _usage(f"There is no {what} {value!r}.", f"Choose one of {', '.join(known)}.")
    config = None if model == "none" else Path(model)
    if form == "contract":
        cases = _only(load_cases(file), only, file)
        return dict((await run_cases(cases, home=home, preset=policy, config=config, say=say)).json)
    assist = _only(load_assist_cases(file), only, file)
    report = await run_assist(assist, homes=Path(home), preset=policy, config=config, say=say)
    return {**report.json, "sets": _sets(assist, report)}


def _only[C: (Case, AssistCase)](cases: Sequence[C], only: str, file: Path) -> list[C]:
    found = [case for case in cases if only in case.id]
    if not found:
        raise _usage(f"No case in {file} has {only!r} in its id.", "Leave out --only.")
    return found


def _sets(cases: Sequence[AssistCase], report: Report) -> dict[str, dict[str, int]]:
    """Return the figures of each data set in the file."""
    sets: dict[str, Counter[str]] = {}
    for case, scored in zip(cases, report.cases, strict=True):
        counts = sets.setdefault(case.dataset, Counter(passed=0, failed=0, wrong_actions=0))
        counts["passed" if scored.passed else "failed"] += 1
        counts["wrong_actions"] += bool(scored.wrong)
    return {name: dict(counts) for name, counts in sets.items()}


def _usage(message: str, onward: str) -> HomestewardError:
    return HomestewardError(message, code="bad_usage", next=onward)
