"""What a script costs that hides what it does: five scripts deep, over three hundred things, judged from the call to its verdict."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.deciding import CALLERS, NOON, PEER, RULES, durable_commits
from bench.homes import furnished
from bench.rules import book_of
from bench.sample import Effort, Row, Sample, ms_of
from homesteward.actions.reached import reached_by
from homesteward.actions.resolve import resolve
from homesteward.home.calls import BodyStep, Call, Target
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Caller
from homesteward.policy import Policy, verdicts

JUDGED = ("nested",)
DEPTH, TARGETS, ENTITIES = 5, 300, 5000


async def measure(effort: Effort) -> list[Row]:
    """Return how long the verdict on a nested script takes, without rules and by many, and with the print of all that it reaches."""
    home = nested()
    ruled = Policy(book=book_of(RULES, home))
    call = Call("script", "turn_on", Target(entity_id=("script.nested_0",)))

    def judge(policy: Policy, caller: Caller) -> object:
        return verdicts(resolve(home, call), caller, home, policy, NOON)

    def seal(policy: Policy, caller: Caller) -> object:
        return judge(policy, caller), reached_by(resolve(home, call), home)

    kinds = (
        ("judged", judge, Policy(), "nested"),
        (f"judged by {RULES} rules", judge, ruled, "nested"),
        ("judged, and its whole reach noted", seal, Policy(), ""),
    )
    rows: list[Row] = []
    with TemporaryDirectory(prefix="homesteward-bench-") as folder, durable_commits(Path(folder)) as commit:
        for name, work, policy, bar in kinds:
            work(policy, CALLERS[0])
            times = [ms_of(work, policy, caller) for _ in range(effort.times(100)) for caller in CALLERS]
            commits = [ms_of(commit) for _ in range(effort.times(100))]
            what = f"a script {DEPTH} deep over {TARGETS} things, {name}, {ENTITIES:,} entities"
            rows.append(Row(what, Sample.of(times), PEER, Sample.of(commits), bar))
    return rows


def nested() -> SimulatedHome:
    """Return a large home with a script that calls a script, and so on, each with its part of the things, and the last with a lock."""
    home = furnished(ENTITIES)
    lights = [entity_id for entity_id in home.states if entity_id.startswith("light.")][:TARGETS]
    share = TARGETS // DEPTH
    for depth in range(DEPTH):
        own = lights[depth * share : (depth + 1) * share]
        home.set_state(f"script.nested_{depth}", "off")
        home.bodies[f"script.nested_{depth}"] = tuple(_steps(depth, own))
    return home


def _steps(depth: int, lights: list[str]) -> Iterator[BodyStep]:
    for light in lights:
        yield BodyStep(Call("light", "turn_on", Target(entity_id=(light,)), {"brightness_pct": 40}), "turn on a light")
    if depth + 1 < DEPTH:
        further = Call("script", "turn_on", Target(entity_id=(f"script.nested_{depth + 1}",)))
        yield BodyStep(further, "calls the next")
    else:
        yield BodyStep(Call("lock", "unlock", Target(entity_id=("lock.hallway_door",))), "unlock")
