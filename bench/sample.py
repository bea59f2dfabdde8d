"""What a measurement gives: many values of one thing, and the row they make beside a peer."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil
from statistics import median
from time import perf_counter_ns


@dataclass(frozen=True, slots=True)
class Sample:
    """Values of one thing, all in the unit of the row that holds them."""

    values: tuple[float, ...]

    @classmethod
    def of(cls, values: Iterable[float]) -> Sample:
        """Return the sample of `values`; raise ValueError if there is none."""
        found = tuple(values)
        if not found:
            raise ValueError("a sample needs at least one value")
        return cls(found)

    @property
    def n(self) -> int:
        """Return how many values there are."""
        return len(self.values)

    @property
    def min(self) -> float:
        """Return the smallest value."""
        return min(self.values)

    @property
    def median(self) -> float:
        """Return the middle value."""
        return median(self.values)

    @property
    def p95(self) -> float:
        """Return the value that 95 of 100 do not exceed, by nearest rank."""
        return sorted(self.values)[ceil(0.95 * self.n) - 1]


@dataclass(frozen=True, slots=True)
class Row:
    """One measured thing: `sample` beside `peer_sample`, in `unit`. `bar` names the bar it is judged by, empty for none."""

    what: str
    sample: Sample
    peer: str
    peer_sample: Sample
    bar: str = ""
    unit: str = "ms"
    note: str = ""

    @property
    def ratio(self) -> float:
        """Return how many times the peer's median ours is."""
        return self.sample.median / self.peer_sample.median


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is repeated: `Effort(1)` for figures, a small part of it to see that a measurement works."""

    factor: float = 1.0

    def times(self, full: int) -> int:
        """Return how often to do what is done `full` times for figures; at least once."""
        return max(1, round(full * self.factor))


def ms_since(began_ns: int) -> float:
    """Return the milliseconds since `began_ns` of `perf_counter_ns`."""
    return (perf_counter_ns() - began_ns) / 1e6


def ms_of[**P](work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> float:
    """Return the milliseconds that one call of `work` takes."""
    began = perf_counter_ns()
    work(*args, **kwargs)
    return ms_since(began)
