"""Records and context ids for tests of the chronicle."""

from datetime import UTC, datetime, timedelta
from random import Random

from homesteward.chronicle.contexts import ALPHABET
from homesteward.chronicle.record import Act, Context, StateChange
from homesteward.chronicle.stamps import micros
from homesteward.home.model import EMPTY

START = datetime(2026, 11, 2, 18, 0, 0, 250_000, tzinfo=UTC)
HOME = "home_of_tests"


def after(seconds: float) -> datetime:
    """Return the moment that many seconds after START."""
    return START + timedelta(seconds=seconds)


def ulid(at: datetime, chance: Random) -> str:
    """Return a context id as Home Assistant makes it at a moment."""
    value = (micros(at) // 1000) << 80 | chance.getrandbits(80)
    return "".join(ALPHABET[value >> shift & 31] for shift in range(125, -1, -5))


def change(seconds: float, entity_id: str, new: str | None, old: str | None = None, **more: object) -> StateChange:
    """Return a change that many seconds after START."""
    return StateChange(after(seconds), entity_id, old, new, **more)


def readings(number: int, sensors: int = 60, seed: int = 1) -> list[StateChange]:
    """Return what a house full of sensors says: each reading with a context of its own, as Home Assistant gives it."""
    chance, before = Random(seed), dict[str, str]()
    at, changes = START, list[StateChange]()
    for _ in range(number):
        at += timedelta(microseconds=chance.randint(1_000, 20_000))
        n = chance.randint(1, sensors)
        entity_id, state = f"sensor.room_{n}_temperature", f"{chance.gauss(15 + n % 10, 3):.1f}"
        changes.append(StateChange(at, entity_id, before.get(entity_id), state, EMPTY, Context(ulid(at, chance))))
        before[entity_id] = state
    return changes


def act(seconds: float, *entity_ids: str, context_id: str | None = None, **more: object) -> Act:
    """Return a step of a plan that was done that many seconds after START."""
    values = {
        "at": after(seconds),
        "ended": after(seconds + 1),
        "plan_id": "plan_1",
        "step": 1,
        "run_id": "run_1",
        "person": "Ada",
        "role": "owner",
        "channel": "web",
        "rule": "routine",
        "request": "turn on the light",
        "domain": "light",
        "service": "turn_on",
        "data": {"brightness_pct": 40},
        "entity_ids": entity_ids,
        "outcome": "done",
        "context_id": context_id,
    }
    return Act(**values | more)
