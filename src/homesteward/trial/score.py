"""Scoring: what was expected against what happened, entity by entity. Pure; the runner hands in what it saw."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homesteward.core.json import canonical
from homesteward.core.text import fold
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects.colour import hue_saturation
from homesteward.trial.case import Case, ExpectedCall

# How far a number may lie from what was expected before it is another number.
CLOSE = {
    "brightness_pct": 1.0,
    "percentage": 1.0,
    "volume_level": 0.01,
    "position": 1.0,
    "temperature": 0.1,
    "hue": 1.0,
    "saturation": 1.0,
}
COLOURS = frozenset({"color_name", "rgb_color", "hs_color", "xy_color", "rgbw_color", "rgbww_color"})
APOLOGIES = ("sorry", "entschuldig", "tut mir leid", "lo siento", "désolé")


@dataclass(frozen=True, slots=True)
class Seen:
    """What happened in a case."""

    calls: tuple[ResolvedCall, ...]
    proposed: tuple[ResolvedCall, ...]
    states: Mapping[str, str]
    outcome: str
    reply: str
    decisions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class One:
    """A call on one entity."""

    name: str
    entity_id: str
    data: Mapping[str, Any]

    def __str__(self) -> str:
        data = f" {canonical(dict(self.data)).decode()}" if self.data else ""
        return f"{self.name} {self.entity_id}{data}".strip()


def failures(case: Case, seen: Seen) -> tuple[str, ...]:
    """Return every assertion of `case` that does not hold, each in words."""
    return tuple(_failures(case, seen))


def wrong_calls(case: Case, seen: Seen) -> tuple[str, ...]:
    """Return the calls that reached the home and are not among the expected ones; none are declared wrong without `calls`."""
    if case.expect.calls is None:
        return ()
    return tuple(str(one) for one in _difference(singles(seen.calls), singles(case.expect.calls)))


def singles(calls: Iterable[ResolvedCall | ExpectedCall]) -> list[One]:
    """Return `calls` per entity, data in one form: colours as RGB, brightness as percent."""
    found = []
    for call in calls:
        ids = call.entity_ids if isinstance(call, ResolvedCall) else call.entity_id
        found += [One(f"{call.domain}.{call.service}", entity_id, _normal(call.data)) for entity_id in ids or ("",)]
    return found


def _failures(case: Case, seen: Seen) -> Iterator[str]:
    expect = case.expect
    for what, expected, happened in (("call", expect.calls, seen.calls), ("proposal", expect.proposed, seen.proposed)):
        if expected is not None:
            wanted, got = singles(expected), singles(happened)
            yield from (f"{what} missing: {one}" for one in _difference(wanted, got))
            yield from (f"{what} too many: {one}" for one in _difference(got, wanted))
    for entity_id, state in expect.state.items():
        if seen.states.get(entity_id) != state:
            yield f"{entity_id} is {seen.states.get(entity_id)}, not {state}"
    outcomes = expect.outcome_in or ((expect.outcome,) if expect.outcome else ())
    if outcomes and seen.outcome not in outcomes:
        yield f"outcome {seen.outcome}, not {' or '.join(outcomes)}"
    if expect.decision and set(seen.decisions) != {expect.decision}:
        yield f"decision {', '.join(seen.decisions) or 'none'}, not {expect.decision}"
    yield from _reply_failures(case, fold(seen.reply))


def _reply_failures(case: Case, reply: str) -> Iterator[str]:
    for wanted in case.expect.answer_contains:
        words = (wanted,) if isinstance(wanted, str) else wanted
        if not any(fold(word) in reply for word in words):
            yield f"the answer does not contain {' or '.join(words)}"
    if case.expect.answer_contains and any(word in reply for word in APOLOGIES):
        yield "the answer is an apology"
    for word in case.expect.answer_excludes:
        if fold(word) in reply:
            yield f"the answer contains {word}"


def _difference(these: Sequence[One], those: Sequence[One]) -> list[One]:
    """Return `these` without one match each in `those`, as many matched as can be: close numbers may fit more than one."""
    taken: dict[int, int] = {}  # place in those -> place in these

    def match(n: int, tried: set[int]) -> bool:
        for place, other in enumerate(those):
            if place not in tried and _same(these[n], other):
                tried.add(place)
                if place not in taken or match(taken[place], tried):
                    taken[place] = n
                    return True
        return False

    return [one for n, one in enumerate(these) if not match(n, set())]


def _same(one: One, other: One) -> bool:
    if (one.name, one.entity_id, one.data.keys()) != (other.name, other.entity_id, other.data.keys()):
        return False
    return all(_close(key, value, other.data[key]) for key, value in one.data.items())


def _close(key: str, value: Any, other: Any) -> bool:  # noqa: ANN401 - data of any service
    if isinstance(value, int | float) and isinstance(other, int | float):
        return abs(value - other) <= CLOSE.get(key, 1e-6)
    return bool(value == other)


def _normal(data: Mapping[str, Any]) -> dict[str, Any]:
    normal = dict(data)
    if isinstance(normal.get("brightness"), int | float):
        normal["brightness_pct"] = round(normal.pop("brightness") / 2.55)
    if colour := hue_saturation(normal):
        normal = {key: value for key, value in normal.items() if key not in COLOURS}
        normal["hue"], normal["saturation"] = colour[0]
    return normal
