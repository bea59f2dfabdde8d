"""The words of a sentence where they stand, and how a part of it is cut out so that the rest still reads."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from homesteward.language.spelling import bare
from homesteward.language.spoken import Run, Spoken, all_spoken

WORD = re.compile(r"\w+")
APART = re.compile(r"[,;:.!?\u2013\u2014]")
CLOSING = frozenset(".!?\u2026")
ENDS = " ,;:-\u2013\u2014"


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the sentence, bare, and where it stands."""

    bare: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cut:
    """The words from `start` to before `end` go, and `said` is the PIN among them."""

    start: int
    end: int
    said: str


def words_of(text: str) -> list[Word]:
    """Return the words of `text`; digits written behind a word without a space (`pin4711`) are a word of their own."""
    found = [Word(bare(match[0]), *match.span()) for match in WORD.finditer(text)]
    return [part for word in found for part in _apart(text, word)]


def _apart(text: str, word: Word) -> Iterator[Word]:
    split = re.fullmatch(r"([^\W\d]+)(\d{3,})", text[word.start : word.end])
    if split is None or not any((bare(split[1]),) in numbers.pin for numbers in all_spoken("en")):
        yield word
        return
    middle = word.start + len(split[1])
    yield Word(bare(split[1]), word.start, middle)
    yield Word(bare(split[2]), middle, word.end)


def unbroken(
    text: str, words: Sequence[Word], said: Sequence[str], numbers: Spoken, joints: str = " -\u2013\u2014"
) -> Iterator[Run]:
    """Yield the runs with nothing but `joints` between their words: 18:30 and "lamps 12, 13" are no PIN."""
    start = 0
    for at in range(1, len(said) + 1):
        if at == len(said) or gap(text, words, at).strip(joints):
            yield from (Run(run.start + start, run.end + start, run.digits) for run in numbers.runs(said[start:at]))
            start = at


def without(text: str, words: Sequence[Word], cut: Cut) -> str:
    """Return `text` without the cut and what only joined it to the rest."""
    head, tail = (
        text[: words[cut.start].start].rstrip(ENDS),
        text[words[cut.end - 1].end :].lstrip(" ,;:-\u2013\u2014\"'"),
    )
    rest = f"{head}{'' if tail[:1] in CLOSING else ' '}{tail}".strip()
    return rest if any(sign.isalnum() for sign in rest) else ""


def skip(said: Sequence[str], at: int, step: int, over: frozenset[str]) -> int:
    """Return the first place from `at` on, in steps, whose word is none of `over`."""
    while 0 <= at < len(said) and said[at] in over:
        at += step
    return at


def gap(text: str, words: Sequence[Word], at: int) -> str:
    """Return what stands between the word at `at` and the one before it."""
    return text[words[at - 1].end : words[at].start] if at else ""


def written(text: str, word: Word) -> str:
    """Return the word as it was written."""
    return text[word.start : word.end]
