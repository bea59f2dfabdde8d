"""The gate's decision: from a call as asked for to its verdicts, without I/O; beside one durable commit, which every plan costs."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.homes import furnished
from bench.rules import book_of
from bench.sample import Effort, Row, Sample, ms_of
from homesteward.actions import Mode
from homesteward.actions.proposal import Request, courses, propose
from homesteward.actions.reserved import Prepared
from homesteward.actions.resolve import resolve
from homesteward.core import HomestewardError, SystemClock
from homesteward.home.calls import Call, Target
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Circumstances, Policy, verdicts

JUDGED = ("decision",)
SIZES = (200, 5000)
PEER = "one durable SQLite commit"
CLOCK = SystemClock()
NOON = Circumstances(CLOCK.now())
CALLERS = tuple(Caller(role, Channel.API) for role in (Role.OWNER, Role.GUEST))

type Work = Callable[[SimulatedHome, Call, Caller], object]


def _on(domain: str, service: str, entity_id: str, **data: float) -> Call:
    return Call(domain, service, Target(entity_id=(entity_id,)), data)


NAMED = (
    _on("light", "turn_on", "light.kitchen_ceiling_light"),
    _on("light", "turn_on", "light.kitchen_ceiling_light", brightness_pct=40, transition=2),
    _on("light", "turn_off", "light.all_kitchen"),
    _on("climate", "set_temperature", "climate.bedroom_thermostat", temperature=21),
    _on("cover", "set_cover_position", "cover.garage_door", position=50),
    _on("lock", "unlock", "lock.hallway_door"),
    _on("homeassistant", "turn_on", "group.going_out"),
    _on("script", "turn_on", "script.let_in"),
    _on("scene", "turn_on", "scene.arrival"),
    _on("media_player", "volume_set", "media_player.study_speaker", volume_level=0.4),
)
WIDE = (
    Call("light", "turn_on", Target(area_id=("kitchen",))),
    Call("cover", "close_cover", Target(label_id=("security",))),
    Call("light", "turn_off", Target(floor_id=("ground",))),
)
UNKNOWN = (
    _on("light", "turn_on", "light.kitchen_celing_light"),
    Call("light", "turn_onn", Target(entity_id=("light.kitchen_ceiling_light",))),
    Call("light", "turn_on", Target(area_id=("kitchn",))),
    Call("shell_command", "wipe"),
)


RULES = 200
ROOM = (Call("light", "turn_on", Target(area_id=("kitchen",))),)
FLOOR = (
    Call("light", "turn_off", Target(floor_id=("upper",))),
    Call("light", "turn_on", Target(floor_id=("upper",)), {"brightness_pct": 40}),
)


async def measure(effort: Effort) -> list[Row]:
    """Return, per size of home and kind of target, how long a verdict takes, with and without rules, and how long one takes with its plan."""
    kinds: tuple[tuple[str, Sequence[Call], Work], ...] = (
        ("a decision on a named thing", NAMED, _decide),
        ("the same and its plan", NAMED, _plan),
        ("a decision on an area, a label or a floor", WIDE, _decide),
        ("a name that the home does not have", UNKNOWN, _decide),
    )
    with TemporaryDirectory(prefix="homesteward-bench-") as folder, durable_commits(Path(folder)) as commit:
        plain = [
            _row(f"{name}, {entities:,} entities", work, calls, furnished(entities), commit, effort)
            for entities in SIZES
            for name, calls, work in kinds
        ]
        return plain + _with_rules(commit, effort)


def _with_rules(commit: Callable[[], object], effort: Effort) -> list[Row]:
    """Return how long a verdict takes by a long rule file in a large home, the first one after a change of its registries too."""
    home = furnished(SIZES[-1])
    policy = Policy(book=book_of(RULES, home))

    def judge(home: SimulatedHome, call: Call, caller: Caller) -> object:
        return verdicts(resolve(home, call), caller, home, policy, NOON)

    def judge_anew(home: SimulatedHome, call: Call, caller: Caller) -> object:
        home.revision += 1
        return judge(home, call, caller)

    kinds = (("a named thing", NAMED, judge), ("a room", ROOM, judge), ("a floor of 361 lights", FLOOR, judge))
    first = (("a room, the first after a change of the registries", ROOM, judge_anew),)
    return [
        _row(f"by {RULES} rules, on {name}, {SIZES[-1]:,} entities", work, calls, home, commit, effort)
        for name, calls, work in (*kinds, *first)
    ]


@contextmanager
def durable_commits(folder: Path) -> Iterator[Callable[[], object]]:
    """Give a function that writes one row so that it survives a power cut."""
    with closing(sqlite3.connect(folder / "peer.db", autocommit=True)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE peer (text TEXT)")
        yield lambda: database.execute("INSERT INTO peer VALUES (?)", ("x" * 1000,))


def _row(
    what: str, work: Work, calls: Sequence[Call], home: SimulatedHome, commit: Callable[[], object], effort: Effort
) -> Row:
    times: dict[str, list[float]] = defaultdict(list)
    commits: list[float] = []
    for call in calls:
        _tried(work, home, call, CALLERS[0])  # schemas and caches
    for _ in range(effort.times(100)):
        for call in calls:
            for caller in CALLERS:
                times[_named(call)].append(ms_of(_tried, work, home, call, caller))
        commits.append(ms_of(commit))
    slowest, name = max((median(found), name) for name, found in times.items())
    return Row(
        what,
        Sample.of(value for found in times.values() for value in found),
        PEER,
        Sample.of(commits),
        "decision",
        note=f"{len(calls)} calls, as owner and as guest; slowest by median: {name}, {slowest:.2f} ms",
    )


def _tried(work: Work, home: SimulatedHome, call: Call, caller: Caller) -> None:
    try:
        work(home, call, caller)
    except HomestewardError:
        return  # refused on its form: a decision too


def _decide(home: SimulatedHome, call: Call, caller: Caller) -> object:
    return verdicts(resolve(home, call), caller, home, Policy(), NOON)


def _plan(home: SimulatedHome, call: Call, caller: Caller) -> object:
    asked = Request(caller, "bench", "run", Mode.AUTO, False, CLOCK.now(), Policy(), NOON)
    return courses(propose([Prepared(resolve(home, call))], asked, home), asked, home)


def _named(call: Call) -> str:
    """Return the call in short: its service and what it is aimed at."""
    target = call.target
    aimed = [*target.entity_id, *target.area_id, *target.floor_id, *target.label_id]
    return " ".join([call.id, *aimed])
