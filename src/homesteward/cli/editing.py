"""`homesteward plans edit`: another target or other data for one step of a plan that waits, or one step less."""

from collections.abc import Mapping, Sequence
from typing import Any

from homesteward.core.errors import HomestewardError
from homesteward.core.json import loads


def edited(
    plan: Mapping[str, Any], n: int, target: str, settings: Sequence[str], *, without: bool
) -> list[dict[str, Any]]:
    """Return the calls of the plan with step `n` changed as it was said, or left out."""
    steps = {step["n"]: dict(step["call"]) for step in plan["steps"]}
    if n not in steps:
        raise _bad(f"The plan has no step {n}.", f"It has the steps {', '.join(map(str, steps))}.")
    if without:
        del steps[n]
        return list(steps.values())
    if not target and not settings:
        raise _bad("Nothing is to be another.", "Say what is: --target, --set or --without.")
    if target:
        steps[n]["target"] = {"entity_id": [name.strip() for name in target.split(",") if name.strip()]}
    steps[n]["data"] = _set(steps[n]["data"], settings)
    return list(steps.values())


def _set(data: Mapping[str, Any], settings: Sequence[str]) -> dict[str, Any]:
    """Return the data with each NAME=VALUE in place; a name without a value is left out from now on."""
    found = dict(data)
    for setting in settings:
        name, given, value = setting.partition("=")
        if not name or not given:
            raise _bad(f"{setting!r} is not of the form NAME=VALUE.", "Write it as --set brightness_pct=30.")
        if value:
            found[name] = _value(value)
        else:
            found.pop(name, None)
    return found


def _value(text: str) -> Any:  # noqa: ANN401 - JSON
    """Return a number, list or object where it is one, else the text itself."""
    try:
        return loads(text)
    except ValueError:
        return text


def _bad(message: str, onward: str) -> HomestewardError:
    return HomestewardError(message, code="bad_usage", next=onward)
