"""Scoring the assist format: the whole home as it should be against the whole home as it is. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homesteward.core.text import fold
from homesteward.home.effects.effect import near
from homesteward.home.model import State
from homesteward.trial.assist_case import AssistCase
from homesteward.trial.score import APOLOGIES, One
from homesteward.trial.shown import shown

# Attributes that only repeat what others say: never compared.
REPEATING = frozenset({"is_closed", "color_mode", "hs_color", "xy_color", "rgbw_color", "rgbww_color"})
CLOSE = {"brightness": 2.0}
# attribute -> state -> what it may become when a case expects that state and does not name the attribute
COMES_WITH: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "brightness": {"on": (255,), "off": (None, 0)},
    "percentage": {"on": (100,), "off": (None, 0)},
    "current_position": {"open": (100,), "closed": (0,)},
}
STATE = "state"
EXCUSED = frozenset({"failed", "refused"})  # outcomes whose reply excuses itself, in whatever words


@dataclass(frozen=True, slots=True)
class SeenHome:
    """What happened in a case. `calls` are per entity, groups as their members."""

    start: Mapping[str, State]
    end: Mapping[str, State]
    calls: Sequence[One]
    outcome: str
    reply: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing about one entity that is not as it should be; `missing` if it is still as it was."""

    entity_id: str
    what: str
    wanted: object
    found: object
    missing: bool

    def __str__(self) -> str:
        name = self.entity_id if self.what == STATE else f"{self.entity_id} {self.what}"
        return f"{name} is {self.found}, not {self.wanted}"


def assist_failures(case: AssistCase, seen: SeenHome) -> tuple[str, ...]:
    """Return everything in which the home or the answer is not as `case` expects, in words."""
    return (*map(str, differences(case, seen)), *_reply_failures(case, seen))


def assist_wrong(case: AssistCase, seen: SeenHome) -> tuple[str, ...]:
    """Return what was done and should not have been: calls on entities that `case` expects no change of, and wrong changes.

    A case that says nothing about the home is a question: every call is wrong then.
    """
    expected = case.expect_changes or {}
    strays = [f"called {one}" for one in seen.calls if one.entity_id not in expected]
    changes = [f"changed {found}" for found in differences(case, seen) if not found.missing]
    return (*strays, *changes)


def differences(case: AssistCase, seen: SeenHome) -> Iterator[Difference]:
    """Yield every difference between the home as it is and as it should be; none where `case` says nothing about it."""
    if case.expect_changes is None:
        return
    for entity_id in sorted({*seen.start, *seen.end, *case.expect_changes}):
        start, end = _facts(seen.start.get(entity_id)), _facts(seen.end.get(entity_id))
        wanted = {**start, **_expected(case, entity_id)}
        for what in sorted((wanted.keys() | end.keys()) - REPEATING - case.ignores(entity_id)):
            found, before = end.get(what), start.get(what)
            if not (_same(what, found, wanted.get(what)) or _comes_with(case, entity_id, what, found)):
                yield Difference(entity_id, what, wanted.get(what), found, missing=_same(what, found, before))


def _reply_failures(case: AssistCase, seen: SeenHome) -> Iterator[str]:
    """Yield what the reply lacks. An apology is neither an answer nor the report of a change.

    A request that failed excuses itself in many words, some of which are those of an answer ("no" is in "not"): it never
    counts as one. Where only the home is compared, a failure that left it as it should be is none.
    """
    reply = fold(seen.reply)
    apology = any(word in reply for word in APOLOGIES)
    if (case.expect_changes and apology) or (case.answers and (apology or seen.outcome in EXCUSED)):
        yield "the answer is an apology"
    elif case.answers and not any(fold(text) in reply for text in case.answers):
        yield f"the answer does not contain {' or '.join(case.answers)}"


def _expected(case: AssistCase, entity_id: str) -> dict[str, Any]:
    change = (case.expect_changes or {}).get(entity_id)
    if change is None:
        return {}
    state, attributes = shown(entity_id.partition(".")[0], change.state, change.attributes)
    return {**({STATE: state} if state else {}), **attributes}


def _comes_with(case: AssistCase, entity_id: str, what: str, found: object) -> bool:
    """Return whether `what` goes along with a change that is expected, and is not named because it says nothing more."""
    expected = _expected(case, entity_id)
    if what in expected:
        return False
    if what == "is_volume_muted":
        return "volume_level" in expected
    ends = COMES_WITH.get(what, {}).get(str(expected.get(STATE)), ())
    return any(_same(what, found, end) for end in ends)


def _facts(state: State | None) -> dict[str, Any]:
    """Return the state and the attributes of an entity in one; nothing for one that is not there."""
    return {} if state is None else {**state.attributes, STATE: state.state}


def _same(what: str, found: object, wanted: object) -> bool:
    """Return whether two values are one; an attribute that is None is one that is not there."""
    if found is None or wanted is None:
        return found is None and wanted is None
    return near(found, wanted, CLOSE.get(what, 0.0))
