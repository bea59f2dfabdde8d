"""What a sentence came to on the home, judged by the oracle: right, held back, or wrong."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice

from fuzzing.homes import Household
from fuzzing.oracle import Outcome, Spoken
from fuzzing.sentences import Talk
from homesteward.core import FrozenClock
from homesteward.home.simulation import SimulatedHome
from homesteward.home.targets import expand
from homesteward.language import Acts, Asks, Reading, Understander

NOON = FrozenClock(datetime(2026, 11, 30, 12, tzinfo=UTC))
EACH = 25  # sentences in one home
RIGHT, ASKED, HELD, OFFERED, WRONG = "right", "asked", "held", "offered", "wrong"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one sentence came to. `did` names what was done, for whoever looks into it."""

    seed: int
    language: str
    spoken: Spoken
    came_to: str
    did: str = ""

    def __str__(self) -> str:
        return f"{self.language} {self.seed} [{self.spoken.kind}] {self.spoken.text!r} @{self.spoken.area} -> {self.came_to}: {self.did}"


@dataclass
class Tally:
    """How many sentences of which kind came to what, and each wrong one."""

    counted: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[Verdict] = field(default_factory=list)
    offered: list[Verdict] = field(default_factory=list)
    missed: list[Verdict] = field(default_factory=list)

    def add(self, verdict: Verdict) -> None:
        """Count one."""
        self.counted[verdict.spoken.kind, verdict.came_to] += 1
        if verdict.came_to == WRONG:
            self.wrong.append(verdict)
        if verdict.came_to == OFFERED:
            self.offered.append(verdict)
        if verdict.spoken.must and verdict.came_to == HELD:
            self.missed.append(verdict)


def fuzzed(count: int, seed: int = 0, language: str = "") -> Iterator[Verdict]:
    """Say `count` sentences in homes drawn from `seed` on, and judge each."""
    for n in range(-(-count // EACH)):
        house = Household(seed + n, NOON, language)
        understander = Understander(house.home, NOON)
        for spoken in islice(Talk(house).sentences(), min(EACH, count - n * EACH)):
            yield _judged(house, understander, spoken)


def _judged(house: Household, understander: Understander, spoken: Spoken) -> Verdict:
    first = dict(house.home.states)
    for entity_id, state in spoken.before.items():
        house.home.set_state(entity_id, state)
    reading = understander.read(spoken.text, house.language, area_id=spoken.area)
    ended, did = came_to(house.home, spoken, reading)
    house.home.states.clear()
    house.home.states.update(first)
    return Verdict(house.seed, house.language, spoken, ended, did)


def came_to(home: SimulatedHome, spoken: Spoken, reading: Reading) -> tuple[str, str]:
    """Do what `reading` asks for on `home`, and return what the sentence came to and what was done."""
    if isinstance(reading, Asks):
        return (OFFERED if spoken.never and not reading.at else ASKED), reading.text
    if not isinstance(reading, Acts) or reading.at:
        return HELD, f"{type(reading).__name__} {getattr(reading, 'code', '')} by {reading.how}"
    before = dict(home.states)
    touched = _send(home, reading)
    touched |= {name for name, state in home.states.items() if _looks(state) != _looks(before[name])}
    did = f"{', '.join(f'{call.id} {list(call.target.entity_id)} {dict(call.data)}' for call in reading.calls)} by {reading.how}"
    names = {name: home.states[name].name for name in touched}
    right = any(_is(outcome, home, touched) for outcome in spoken.outcomes) and not reading.until
    return (RIGHT if right else WRONG), f"{did} {names}"


def _send(home: SimulatedHome, acts: Acts) -> set[str]:
    touched: set[str] = set()
    for call in acts.calls:
        resolved = expand(home, call)
        home._run(resolved, 0)
        touched |= set(resolved.entity_ids)
    return touched


def _is(outcome: Outcome, home: SimulatedHome, touched: set[str]) -> bool:
    allowed = {entity_id for entity_id, _, _ in outcome.wanted} | outcome.tolerated
    return touched <= allowed and all(_shown(home, entity, what) == value for entity, what, value in outcome.wanted)


def _shown(home: SimulatedHome, entity_id: str, what: str) -> object:
    state = home.states[entity_id]
    return state.state if what == "state" else state.attributes.get(what)


def _looks(state: object) -> tuple[object, object]:
    return getattr(state, "state", None), getattr(state, "attributes", None)
