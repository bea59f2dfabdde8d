"""The PIN is taken out of a sentence before anybody else sees it: as typed, spaced or said in words, in whatever language."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Never

from homesteward.language import is_no, is_yes
from homesteward.language.spelling import bare
from homesteward.language.spoken import Run, Spoken, all_spoken, spoken

SHORTEST, LONGEST = 4, 12  # characters of a PIN
FEWEST = 3  # digits after the word for a PIN that are taken for one although none was asked for: a slip gives most of it away
MOST_WORDS = 3  # of one number that a sentence begins with, to see whether it does
MOST_FOUND = 5  # times a PIN is looked for in one sentence
WORD = re.compile(r"\w+")
APART = re.compile(r"[,;:.!?\u2013\u2014]")
INSIDE = re.compile(rf"{APART.pattern}\s*\w")
TIME = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d")
CLOSING = frozenset(".!?\u2026")
ENDS = " ,;:-\u2013\u2014"


class Pin:
    """A PIN that somebody gave. It shows itself to nobody but whoever asks for it by `reveal`, and is neither copied nor kept."""

    __slots__ = ("_said",)

    def __init__(self, said: str) -> None:
        """Hold what was said."""
        self._said = said

    def reveal(self) -> str:
        """Return the PIN, to be compared and then forgotten."""
        return self._said

    def __repr__(self) -> str:
        return "<Pin>"

    def __reduce__(self) -> Never:
        raise TypeError("a PIN is not written down")

    __hash__ = None  # type: ignore[assignment] # not even its hash is anybody's to compare


def take_out(text: str, language: str, *, expected: bool) -> tuple[str, Pin | None]:
    """Return `text` without its PIN, and the PIN.

    Where one is `expected`, whatever looks like one is it. Else it is a number beside a word for a PIN, or a long number that is all
    of what was said, or all of a clause: nobody asks a house for something in that form. Every other number stays.
    """
    pin: Pin | None = None
    for _ in range(MOST_FOUND):
        words = _words(text)
        found = next(_cuts(text, words, language, expected=expected), None)
        if found is None:
            break
        pin = pin or Pin(found.said)
        text = _without(text, words, found)
    return _without_repeats(text, language, pin.reveal()) if pin else text, pin


@dataclass(frozen=True, slots=True)
class _Word:
    """One word of the sentence, bare, and where it stands."""

    bare: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Cut:
    """The words from `start` to before `end` go, and `said` is the PIN among them."""

    start: int
    end: int
    said: str


def _words(text: str) -> list[_Word]:
    """Return the words of `text`; digits written behind a word without a space (`pin4711`) are a word of their own."""
    found = [_Word(bare(match[0]), *match.span()) for match in WORD.finditer(text)]
    return [part for word in found for part in _apart(text, word)]


def _apart(text: str, word: _Word) -> Iterator[_Word]:
    split = re.fullmatch(r"([^\W\d]+)(\d{3,})", text[word.start : word.end])
    if split is None or not any((bare(split[1]),) in numbers.pin for numbers in all_spoken("en")):
        yield word
        return
    middle = word.start + len(split[1])
    yield _Word(bare(split[1]), word.start, middle)
    yield _Word(bare(split[2]), middle, word.end)


def _cuts(text: str, words: Sequence[_Word], language: str, *, expected: bool) -> Iterator[_Cut]:
    """Yield what may be cut out as a PIN, the surest first: said in the language of the request, or in any other."""
    said = [word.bare for word in words]
    for numbers in all_spoken(language):
        if expected or INSIDE.search(text) or _worth_a_look(said, numbers):
            yield from _in_numbers(text, words, said, numbers, expected=expected)
    if expected:
        yield from _a_word(text, words, said, language)


def _in_numbers(
    text: str, words: Sequence[_Word], said: Sequence[str], numbers: Spoken, *, expected: bool
) -> Iterator[_Cut]:
    runs = list(numbers.runs(said))
    yield from _beside_the_word(text, words, said, runs, numbers, fewest=1 if expected else FEWEST)
    if not expected:
        runs = [run for run in runs if not TIME.fullmatch(text, words[run.start].start, words[run.end - 1].end)]
    yield from _alone(said, runs, numbers, expected=expected)
    yield from (cut for run in runs if (cut := _set_apart(text, words, said, run, numbers)))
    if expected:
        unbroken = _unbroken(text, words, said, numbers)
        yield from (_Cut(run.start, run.end, run.digits) for run in unbroken if len(run.digits) >= SHORTEST)


def _worth_a_look(said: Sequence[str], numbers: Spoken) -> bool:
    """Return whether a PIN that nobody asked for may be in the sentence: there is a word for one, or it begins with a number."""
    if any(numbers.pin_at(said, at) != at for at in range(len(said))):
        return True
    start = _skip(said, 0, 1, numbers.around)
    return next(numbers.runs(said[start : start + MOST_WORDS]), Run(1, 1, "")).start == 0


def _beside_the_word(
    text: str, words: Sequence[_Word], said: Sequence[str], runs: Sequence[Run], numbers: Spoken, *, fewest: int
) -> Iterator[_Cut]:
    """Yield what stands behind a word for a PIN ("pin is 4711"), or before it ("4711 is my pin")."""
    starting, ending = {run.start: run for run in runs}, {run.end: run for run in runs}
    for at in range(len(said)):
        if (end := numbers.pin_at(said, at)) == at:
            continue
        onward = _skip(said, end, 1, numbers.between)
        back = _skip(said, at - 1, -1, numbers.before | numbers.between) + 1
        if (run := starting.get(onward)) and len(run.digits) >= fewest:
            yield _Cut(back, run.end, run.digits)
        elif (run := ending.get(back)) and len(run.digits) >= fewest:
            yield _Cut(run.start, end, run.digits)
        elif onward < len(said) and _is_key(text, words, onward, told=onward > end or ":" in _gap(text, words, onward)):
            yield _Cut(back, onward + 1, _written(text, words[onward]))


def _alone(said: Sequence[str], runs: Sequence[Run], numbers: Spoken, *, expected: bool) -> Iterator[_Cut]:
    """Yield the number that is all that was said, but for words that say nothing."""
    start = _skip(said, 0, 1, numbers.around)
    end = _skip(said, len(said) - 1, -1, numbers.around) + 1
    for run in runs:
        if (run.start, run.end) == (start, end) and (expected or len(run.digits) >= SHORTEST):
            yield _Cut(0, len(said), run.digits)


def _set_apart(text: str, words: Sequence[_Word], said: Sequence[str], run: Run, numbers: Spoken) -> _Cut | None:
    """Return a long number that is a clause of its own ("unlock the door, it's 4711"): what belongs to a request stands in it."""
    start, end = run.start, run.end
    while start and not APART.search(_gap(text, words, start)) and said[start - 1] in numbers.around:
        start -= 1
    while end < len(said) and not APART.search(_gap(text, words, end)) and said[end] in numbers.around:
        end += 1
    begins = start == 0 or APART.search(_gap(text, words, start))
    ends = end == len(said) or APART.search(_gap(text, words, end))
    return _Cut(start, end, run.digits) if len(run.digits) >= SHORTEST and begins and ends else None


def _a_word(text: str, words: Sequence[_Word], said: Sequence[str], language: str) -> Iterator[_Cut]:
    """Yield the one word, or the single signs, that were all that was said: a PIN of letters, unless it is a yes or a no."""
    around = spoken(language).around
    start = _skip(said, 0, 1, around)
    end = _skip(said, len(said) - 1, -1, around) + 1
    written = [_written(text, word) for word in words[start:end]]
    spelled = all(len(sign) == 1 for sign in written)
    plain = any(short(whole, language) for whole in (text, " ".join(written)) for short in (is_yes, is_no))
    if SHORTEST <= len(whole := "".join(written)) <= LONGEST and (spelled or len(written) == 1) and not plain:
        yield _Cut(0, len(said), whole)


def _unbroken(text: str, words: Sequence[_Word], said: Sequence[str], numbers: Spoken) -> Iterator[Run]:
    """Yield the runs with nothing but spaces and dashes between their words: 18:30 and "lamps 12, 13" are no PIN."""
    start = 0
    for at in range(1, len(said) + 1):
        if at == len(said) or _gap(text, words, at).strip(" -\u2013\u2014"):
            yield from (Run(run.start + start, run.end + start, run.digits) for run in numbers.runs(said[start:at]))
            start = at


def _is_key(text: str, words: Sequence[_Word], at: int, *, told: bool) -> bool:
    """Return whether the word at `at` may be a PIN of letters: one with a digit in it, or the last one, where it was `told` that it is."""
    written = _written(text, words[at])
    fits = SHORTEST <= len(written) <= LONGEST and written.isalnum()
    mixed = any(sign.isdigit() for sign in written) and not written.isdigit()
    return fits and (mixed or (told and at == len(words) - 1 and not written.isdigit()))


def _without(text: str, words: Sequence[_Word], cut: _Cut) -> str:
    """Return `text` without the cut and what only joined it to the rest."""
    head, tail = (
        text[: words[cut.start].start].rstrip(ENDS),
        text[words[cut.end - 1].end :].lstrip(" ,;:-\u2013\u2014\"'"),
    )
    rest = f"{head}{'' if tail[:1] in CLOSING else ' '}{tail}".strip()
    return rest if any(sign.isalnum() for sign in rest) else ""


def _without_repeats(text: str, language: str, said: str) -> str:
    """Return `text` without the PIN where it was said once more, in the same form or in another."""
    for numbers in all_spoken(language):
        words = _words(text)
        runs = [
            run for run in numbers.runs([word.bare for word in words]) if said in run.digits and len(said) >= FEWEST
        ]
        for run in reversed(runs):
            text = _without(text, words, _Cut(run.start, run.end, said))
    return re.sub(rf"(?i)(?<!\w){re.escape(said)}(?!\w)", "", text).strip() if len(said) >= FEWEST else text


def _skip(said: Sequence[str], at: int, step: int, over: frozenset[str]) -> int:
    """Return the first place from `at` on, in steps, whose word is none of `over`."""
    while 0 <= at < len(said) and said[at] in over:
        at += step
    return at


def _gap(text: str, words: Sequence[_Word], at: int) -> str:
    return text[words[at - 1].end : words[at].start] if at else ""


def _written(text: str, word: _Word) -> str:
    return text[word.start : word.end]
