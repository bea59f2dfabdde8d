"""What is different between two texts, line by line, with the lines alike around it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

MARKS = frozenset("+- ")
CONTEXT = 3  # lines that are shown around a difference
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a comparison: `mark` is +, - or a blank, and `gap` how many lines alike were left out before it."""

    mark: str
    text: str
    gap: int = 0


def difference(before: str, after: str) -> tuple[Line, ...]:
    """Return how two texts differ, line by line, with a few lines around each difference; nothing where they are alike."""
    return tuple(_lines(before.splitlines(), after.splitlines()))


def _lines(before: list[str], after: list[str]) -> Iterator[Line]:
    shown = 0
    for group in SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(CONTEXT):
        gap = group[0][1] - shown
        for tag, start, end, other, last in group:
            kept = before[start:end]
            added = after[other:last] if tag in {"insert", "replace"} else []
            mark = " " if tag == "equal" else "-"
            for line in (*(Line(mark, text) for text in kept), *(Line("+", text) for text in added)):
                yield Line(line.mark, line.text, gap)
                gap = 0
        shown = group[-1][2]


def read_difference(told: str) -> tuple[Line, ...]:
    """Return a difference that is written as unified diffs are, such as a plan carries one."""
    return tuple(_read(told.splitlines()[2:]))  # after the two lines that name both sides


def _read(lines: list[str]) -> Iterator[Line]:
    shown = gap = 0
    for line in lines:
        if hunk := HUNK.fullmatch(line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            before = first - 1 if count else first  # of nothing, the line after which it comes is named
            gap, shown = before - shown, before + count
            continue
        mark, text = line[:1], line[1:]
        yield Line(mark, text, gap) if mark in MARKS else Line(" ", line, gap)  # the second where it was cut
        gap = 0
