"""The PIN is taken out of a sentence before anybody else sees it: as typed, spaced or said in words, in whatever language."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Never

from homesteward.language import is_no, is_yes
from homesteward.language.spoken import Run, Spoken, all_spoken, spoken
from homesteward.steward.cutting import APART, Cut, Word, gap, skip, unbroken, without, words_of, written
from homesteward.steward.unasked import LONGEST, SHORTEST, Surroundings, lone_key, unasked

FEWEST = 3  # digits after the word for a PIN that are taken for one although none was asked for: a slip gives most of it away
MOST_WORDS = 3  # of one number that a sentence begins with, to see whether it does
MOST_FOUND = 5  # times a PIN is looked for in one sentence
INSIDE = re.compile(rf"{APART.pattern}\s*\w")
TIME = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d")


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


def take_out(
    text: str, language: str, *, expected: bool, lately: bool = False, around: Surroundings | None = None
) -> tuple[str, Pin | None]:
    """Return `text` without its PIN, and the PIN.

    Where one is `expected`, whatever looks like one is it. Else it is a number beside a word for a PIN, a long number that is all of
    what was said, or all of a clause, and one in a sentence about opening something that is no part of it. Every other number stays.
    `lately`, one was asked for and may come now: then it may be a single word with letters and digits as well.
    """
    pin: Pin | None = None
    for _ in range(MOST_FOUND):
        words = words_of(text)
        ways = [_cuts(text, words, language, expected=expected), unasked(text, words, language, around)]
        if lately:
            ways.append(lone_key(text, words, language))
        found = _whole(next(way, None) for way in ways)
        if found is None:
            break
        pin = pin or Pin(found.said)
        text = without(text, words, found)
    return _without_repeats(text, language, pin.reveal()) if pin else text, pin


def _whole(first: Iterable[Cut | None]) -> Cut | None:
    """Return the first cut, or one of the others that holds all of it and more: half a number is no PIN."""
    found = [cut for cut in first if cut is not None]
    if not found:
        return None
    surest = found[0]
    return max(
        (cut for cut in found if cut.start <= surest.start and cut.end >= surest.end), key=lambda cut: len(cut.said)
    )


def _cuts(text: str, words: Sequence[Word], language: str, *, expected: bool) -> Iterator[Cut]:
    """Yield what may be cut out as a PIN, the surest first: said in the language of the request, or in any other."""
    said = [word.bare for word in words]
    for numbers in all_spoken(language):
        if expected or INSIDE.search(text) or _worth_a_look(said, numbers):
            yield from _in_numbers(text, words, said, numbers, expected=expected)
    if expected:
        yield from _a_word(text, words, said, language)


def _in_numbers(
    text: str, words: Sequence[Word], said: Sequence[str], numbers: Spoken, *, expected: bool
) -> Iterator[Cut]:
    runs = list(numbers.runs(said))
    yield from _beside_the_word(text, words, said, runs, numbers, fewest=1 if expected else FEWEST)
    if not expected:
        runs = [run for run in runs if not TIME.fullmatch(text, words[run.start].start, words[run.end - 1].end)]
    yield from _alone(said, runs, numbers, expected=expected)
    yield from (cut for run in runs if (cut := _set_apart(text, words, said, run, numbers)))
    if expected:
        whole = unbroken(text, words, said, numbers)
        yield from (Cut(run.start, run.end, run.digits) for run in whole if len(run.digits) >= SHORTEST)


def _worth_a_look(said: Sequence[str], numbers: Spoken) -> bool:
    """Return whether a PIN that nobody asked for may be in the sentence: there is a word for one, or it begins with a number."""
    if any(numbers.pin_at(said, at) != at for at in range(len(said))):
        return True
    start = skip(said, 0, 1, numbers.around)
    return next(numbers.runs(said[start : start + MOST_WORDS]), Run(1, 1, "")).start == 0


def _beside_the_word(
    text: str, words: Sequence[Word], said: Sequence[str], runs: Sequence[Run], numbers: Spoken, *, fewest: int
) -> Iterator[Cut]:
    """Yield what stands behind a word for a PIN ("pin is 4711"), or before it ("4711 is my pin")."""
    starting, ending = {run.start: run for run in runs}, {run.end: run for run in runs}
    for at in range(len(said)):
        if (end := numbers.pin_at(said, at)) == at:
            continue
        onward = skip(said, end, 1, numbers.between)
        back = skip(said, at - 1, -1, numbers.before | numbers.between) + 1
        if (run := starting.get(onward)) and len(run.digits) >= fewest:
            yield Cut(back, run.end, run.digits)
        elif (run := ending.get(back)) and len(run.digits) >= fewest:
            yield Cut(run.start, end, run.digits)
        elif onward < len(said) and _is_key(text, words, onward, told=onward > end or ":" in gap(text, words, onward)):
            yield Cut(back, onward + 1, written(text, words[onward]))


def _alone(said: Sequence[str], runs: Sequence[Run], numbers: Spoken, *, expected: bool) -> Iterator[Cut]:
    """Yield the number that is all that was said, but for words that say nothing: where one is expected, with pauses in it as well."""
    start = skip(said, 0, 1, numbers.around)
    end = skip(said, len(said) - 1, -1, numbers.around) + 1
    for run in runs:
        if (run.start, run.end) == (start, end) and (expected or len(run.digits) >= SHORTEST):
            yield Cut(0, len(said), run.digits)
    covered = {at for run in runs for at in range(run.start, run.end)}
    idle = numbers.around | numbers.before | numbers.between
    if expected and len(runs) > 1 and all(at in covered or word in idle for at, word in enumerate(said)):
        parts = dict.fromkeys(run.digits for run in runs)  # said once more, it is the same PIN
        yield Cut(0, len(said), "".join(run.digits for run in runs) if len(parts) > 1 else next(iter(parts)))


def _set_apart(text: str, words: Sequence[Word], said: Sequence[str], run: Run, numbers: Spoken) -> Cut | None:
    """Return a long number that is a clause of its own ("unlock the door, it's 4711"): what belongs to a request stands in it."""
    start, end = run.start, run.end
    while start and not APART.search(gap(text, words, start)) and said[start - 1] in numbers.around:
        start -= 1
    while end < len(said) and not APART.search(gap(text, words, end)) and said[end] in numbers.around:
        end += 1
    begins = start == 0 or APART.search(gap(text, words, start))
    ends = end == len(said) or APART.search(gap(text, words, end))
    return Cut(start, end, run.digits) if len(run.digits) >= SHORTEST and begins and ends else None


def _a_word(text: str, words: Sequence[Word], said: Sequence[str], language: str) -> Iterator[Cut]:
    """Yield the one word, or the single signs, that were all that was said: a PIN of letters, unless it is a yes or a no."""
    around = spoken(language).around
    start = skip(said, 0, 1, around)
    end = skip(said, len(said) - 1, -1, around) + 1
    signs = [written(text, word) for word in words[start:end]]
    spelled = all(len(sign) == 1 for sign in signs)
    plain = any(short(whole, language) for whole in (text, " ".join(signs)) for short in (is_yes, is_no))
    if SHORTEST <= len(whole := "".join(signs)) <= LONGEST and (spelled or len(signs) == 1) and not plain:
        yield Cut(0, len(said), whole)


def _is_key(text: str, words: Sequence[Word], at: int, *, told: bool) -> bool:
    """Return whether the word at `at` may be a PIN of letters: one with a digit in it, or the last one, where it was `told` that it is."""
    word = written(text, words[at])
    fits = SHORTEST <= len(word) <= LONGEST and word.isalnum()
    mixed = any(sign.isdigit() for sign in word) and not word.isdigit()
    return fits and (mixed or (told and at == len(words) - 1 and not word.isdigit()))


def _without_repeats(text: str, language: str, said: str) -> str:
    """Return `text` without the PIN where it was said once more, in the same form or in another."""
    for numbers in all_spoken(language):
        words = words_of(text)
        runs = [
            run for run in numbers.runs([word.bare for word in words]) if said in run.digits and len(said) >= FEWEST
        ]
        for run in reversed(runs):
            text = without(text, words, Cut(run.start, run.end, said))
    return re.sub(rf"(?i)(?<!\w){re.escape(said)}(?!\w)", "", text).strip() if len(said) >= FEWEST else text
