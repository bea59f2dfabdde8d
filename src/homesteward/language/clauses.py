"""Several requests in one sentence: they count only if every one of them is understood."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise

from homesteward.home.calls import Call
from homesteward.language.reading import Acts, Asks, Declines, Reading
from homesteward.language.stage import How, Stage

MAX_CLAUSES = 6
SENTENCE_ENDS = (".!\u2026",)
OPPOSED = (
    {"turn_on", "turn_off"},
    {"open_cover", "close_cover"},
    {"open_valve", "close_valve"},
    {"lock", "unlock"},
    {"media_play", "media_pause"},
    {"media_play", "media_stop"},
    {"volume_up", "volume_down"},
    {"start", "return_to_base"},
    {"start_mowing", "dock"},
)
type ReadClause = Callable[[str], Reading | None]


def divisions(text: str, separators: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the ways to cut the tidy `text` into clauses: at every separator, then at each one alone."""
    marks = _marks(text, separators)
    if not marks or len(marks) >= MAX_CLAUSES:
        return
    yield _cut(text, marks)
    if len(marks) > 1:
        yield from (_cut(text, [mark]) for mark in marks)


def read_clauses(text: str, separators: Sequence[str], read: ReadClause) -> Reading | None:
    """Return all calls of the clauses if every clause asks for something, else what stands in the way, else None.

    A clause that cannot be read at all makes the whole division worthless: nothing of it is done.
    """
    refusal: Reading | None = None
    for clauses in divisions(text, separators):
        readings = [read(clause) for clause in clauses]
        acts = [reading for reading in readings if isinstance(reading, Acts)]
        if len(acts) == len(readings):
            return joined(acts)
        if refusal is None and all(readings):
            refusal = next(reading for reading in readings if reading is not None and not isinstance(reading, Acts))
    if isinstance(refusal, Asks):
        return Declines("ambiguous", refusal.text)  # an answer to it would leave the other clauses out
    return refusal


def contradicted(acts: Acts) -> str | None:
    """Return a thing of which two opposite things are asked at once, None if there is none.

    "Turn off all the lights and turn on the hall light" is no contradiction: the one is an exception to the other.
    """
    for one, other in combinations(acts.calls, 2):
        both = set(one.target.entity_id) & set(other.target.entity_id)
        same = set(one.target.entity_id) == set(other.target.entity_id)
        if both and {one.service, other.service} in OPPOSED and (same or not acts.wide):
            return min(both)
    return None


def joined(acts: Sequence[Acts]) -> Acts:
    """Return several requests as one."""
    if len(acts) == 1:
        return acts[0]
    whole = all(reading.asked for reading in acts)
    return Acts(
        _merged(acts),
        " ".join(reading.note for reading in acts if reading.note),
        wide=any(reading.wide for reading in acts),
        asked=tuple(asked for reading in acts for asked in reading.asked) if whole else (),
        how=How(Stage.CLAUSES, ", ".join(reading.how.why for reading in acts)),
    )


def _marks(text: str, separators: Sequence[str]) -> list[tuple[int, int]]:
    """Return where a separator stands in the text, as (start, end), the longest first where two overlap."""
    taken: list[tuple[int, int]] = []
    for word in (*separators, *SENTENCE_ENDS):
        for found in _pattern(word).finditer(text):
            start, end = found.span()
            if not any(start < other_end and other < end for other, other_end in taken):
                taken.append((start, end))
    return _joined(text, sorted(taken))


@cache
def _pattern(word: str) -> re.Pattern[str]:
    if word == ",":
        return re.compile(r"(?<!\d),|,(?!\d)")  # between digits it is part of the number
    return re.compile(
        re.escape(word) if word == ";" else rf"[{word}]+\s+" if word in SENTENCE_ENDS else f" {re.escape(word)} "
    )


def _joined(text: str, marks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join separators with nothing but space between them, as in ", and"."""
    joined = marks[:1]
    for mark in marks[1:]:
        if text[joined[-1][1] : mark[0]].strip():
            joined.append(mark)
        else:
            joined[-1] = (joined[-1][0], mark[1])
    return joined


def _cut(text: str, marks: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    edges = [0, *(edge for mark in marks for edge in mark), len(text)]
    return tuple(text[start:end].strip() for start, end in list(pairwise(edges))[::2])


def _merged(acts: Sequence[Acts]) -> tuple[Call, ...]:
    calls: list[Call] = []
    for call in (call for reading in acts for call in reading.calls):
        if call not in calls:  # a call's data is a mapping, so calls have no hash
            calls.append(call)
    return tuple(calls)
