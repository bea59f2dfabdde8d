"""docs/benchmarks.md: the bars with what was measured, what else was measured, and on what."""

from collections.abc import Iterator, Mapping, Sequence

from bench.bars import BARS, Bar
from bench.sample import Row

HEAD = """# Benchmarks

Written by `make bench`; do not edit. Each figure stands beside a peer or a physical limit measured in the same run, turn about with it. A ratio is
ours to the peer's, by median. p95 is by nearest rank. A bar is judged by p95, also where it names none.
"""


def page(rows: Sequence[Row], environment: Mapping[str, str], loads: Sequence[float]) -> str:
    """Return the page for `rows`; a bar without a row says why."""
    return "\n".join([HEAD, *_machine(environment, loads), *_bars(rows), *_others(rows), *_notes(rows)])


def verdict(bar: Bar, row: Row) -> str:
    """Return whether the row meets its bar, in words."""
    return "met" if bar.met(row.sample) else "**not met**"


def _machine(environment: Mapping[str, str], loads: Sequence[float]) -> Iterator[str]:
    yield "| measured on | |\n|---|---|"
    yield from (f"| {name} | {value} |" for name, value in environment.items())
    yield f"| load, at the start and before each part | {', '.join(f'{load:.1f}' for load in loads)} |\n"


def _bars(rows: Sequence[Row]) -> Iterator[str]:
    yield "## Numbers to reach\n"
    yield "| what | n | min | median | p95 | peer | its median | its p95 | ratio | bar | |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for bar in BARS:
        found = [row for row in rows if row.bar == bar.name]
        yield from (f"| {_cells(row)} | {bar.bar} | {verdict(bar, row)} |" for row in found)
        if not found:
            yield f"| {bar.what} | | | | | | | | | {bar.bar} | {bar.missing or 'not measured in this run'} |"
    yield ""


def _others(rows: Sequence[Row]) -> Iterator[str]:
    yield "## Without a bar\n"
    yield "| what | n | min | median | p95 | peer | its median | its p95 | ratio |"
    yield "|---|---|---|---|---|---|---|---|---|"
    yield from (f"| {_cells(row)} |" for row in rows if not row.bar)
    yield ""


def _notes(rows: Sequence[Row]) -> Iterator[str]:
    yield "## How\n"
    yield from (f"- {row.what}: {row.note}." for row in rows if row.note)
    yield ""


def _cells(row: Row) -> str:
    ours, theirs = row.sample, row.peer_sample
    figures = (_figure(value, row.unit) for value in (ours.min, ours.median, ours.p95))
    beside = (_figure(value, row.unit) for value in (theirs.median, theirs.p95))
    return " | ".join([row.what, f"{ours.n:,}", *figures, row.peer, *beside, f"{row.ratio:.2g}"])


def _figure(value: float, unit: str) -> str:
    """Return a value with three digits that count and its unit; a thousand milliseconds are a second."""
    if unit == "ms" and abs(value) >= 1000:
        value, unit = value / 1000, "s"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:.{digits}f} {unit}"
