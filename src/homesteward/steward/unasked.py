"""A PIN that nobody asked for, in the middle of a sentence about what one opens: a long number that is no part of what is asked.

An amount is one (a brightness, a time, a date, a channel), and so is a number in a name of this very home. What is left is taken for a
PIN: said to a lock, a number of four digits has no other use.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from homesteward.home.view import HomeView, names_of
from homesteward.language import Acts, Reading
from homesteward.language.spelling import bare
from homesteward.language.spoken import Amounts, Run, Spoken, all_spoken, spoken
from homesteward.steward.cutting import APART, Cut, Word, gap, skip, unbroken, words_of, written

SHORTEST, LONGEST = 4, 12  # characters of a PIN
CLOCK = re.compile(r"(?:[01]?\d|2[0-3])[0-5]\d")
YEAR = re.compile(r"(?:19|20)\d\d")
JOINTS = " -\u2013\u2014.:/#*"  # what may stand inside a PIN as it is typed; a comma makes a list
MOST_CHANNEL = 4  # digits of a channel
# What is a time, a date or an amount by its form alone.
FORMS = re.compile(
    r"(?<![\w:])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\w:])"
    r"|(?<![\w./-])(?:[0-3]?\d([./])[0-3]?\d\1(?:(?:19|20)\d\d|\d\d)|(?:19|20)\d\d-[01]\d-[0-3]\d)(?![\w/-]|\.\d)"
    r"|(?<!\d)\d{1,3}(?:[.,]\d+)?\s*[%°]"
    r"|(?<!\w)\d{1,2}(?:st|nd|rd|th|er|e|ème|h\d{0,2}|u\d{0,2})(?!\w)",
    re.IGNORECASE,
)
MEASURED = re.compile(r"\d{1,5}([^\W\d]+)")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a number may belong to where the request is made: the home's names, and what a sentence would do as it stands."""

    home: HomeView
    read: Callable[[str], Reading]


def is_about_opening(text: str) -> bool:
    """Return whether a word of `text`, in any language, is of something that a PIN opens, or of opening it."""
    said = [word.bare for word in words_of(text)]
    return any(numbers.about.fullmatch(word) for numbers in all_spoken("en") for word in said)


def unasked(text: str, words: Sequence[Word], language: str, around: Surroundings | None) -> Iterator[Cut]:
    """Yield what stands in a sentence about opening something and is no amount and no name: a PIN with the words that only lead to it."""
    if not is_about_opening(text):
        return
    said, fixed = [word.bare for word in words], _fixed(text, words, language, around)
    for numbers in all_spoken(language):
        for run in _runs(text, words, said, fixed, numbers):
            if len(run.digits) >= SHORTEST and not _asked(text, run.digits, around):
                yield _widened(said, run, numbers, spoken(language))
    for at in range(len(words)):
        if at not in fixed and _is_mixed(written(text, words[at])):
            yield _widened(said, Run(at, at + 1, written(text, words[at])), spoken(language), spoken(language))


def lone_key(text: str, words: Sequence[Word], language: str) -> Iterator[Cut]:
    """Yield the one word with letters and digits that is all that was said: a PIN that comes a little late, or in another place."""
    said, idle = [word.bare for word in words], spoken(language).around
    start, end = skip(said, 0, 1, idle), skip(said, len(said) - 1, -1, idle) + 1
    if end - start == 1 and _is_key(written(text, words[start])):
        yield Cut(0, len(said), written(text, words[start]))


def longest_number(text: str, language: str, around: Surroundings | None = None) -> int:
    """Return how many digits the longest number in `text` has that is no amount and no name, whatever stands between its parts."""
    words = words_of(text)
    fixed = _fixed(text, words, language, around)
    found = (
        len(run.digits)
        for start, end in _stretches(len(words), fixed)
        for numbers in all_spoken(language)
        for run in numbers.runs([word.bare for word in words[start:end]])
    )
    return max(found, default=0)


def _runs(
    text: str, words: Sequence[Word], said: Sequence[str], fixed: frozenset[int], numbers: Spoken
) -> Iterator[Run]:
    """Yield the numbers between what is `fixed`: across a comma only where they are given digit by digit."""
    for start, end in _stretches(len(said), fixed):
        for run in numbers.runs(said[start:end]):
            whole = Run(run.start + start, run.end + start, run.digits)
            if len(run.digits) == run.end - run.start:
                yield whole
                continue
            part = slice(whole.start, whole.end)
            inner = unbroken(text, words[part], said[part], numbers, JOINTS)
            yield from (Run(each.start + whole.start, each.end + whole.start, each.digits) for each in inner)


def _stretches(count: int, fixed: frozenset[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for at in range(count + 1):
        if at == count or at in fixed:
            if start < at:
                yield start, at
            start = at + 1


def _widened(said: Sequence[str], run: Run, numbers: Spoken, own: Spoken) -> Cut:
    """Return the number with the words that lead to it ("with my", "please use"), and with those that lead on from it at the beginning."""
    start = skip(said, run.start - 1, -1, numbers.before | own.before) + 1
    opening = skip(said, start - 1, -1, own.around) < 0
    return Cut(start, skip(said, run.end, 1, own.onward) if opening else run.end, run.digits)


def _fixed(text: str, words: Sequence[Word], language: str, around: Surroundings | None) -> frozenset[int]:
    """Return the places of the words that belong to a time, a date, another amount, or a name of the home."""
    spans = [match.span() for match in FORMS.finditer(text)]
    by_form = {n for n, word in enumerate(words) if any(start <= word.start < end for start, end in spans)}
    said, amounts = [word.bare for word in words], spoken(language).amounts
    by_word = {at for n in range(len(said)) for at in _amount_at(text, words, said, n, amounts)}
    return frozenset(by_form | by_word | set(_in_names(said, around)))


def _amount_at(text: str, words: Sequence[Word], said: Sequence[str], at: int, amounts: Amounts) -> Iterable[int]:
    """Return the places that make up the amount that begins at `at`, none where none does."""
    word, before = said[at], said[at - 1] if at else ""
    if (measured := MEASURED.fullmatch(word)) and measured[1] in amounts.units:
        return (at,)
    after = said[at + 1] if at + 1 < len(said) else ""
    if not word.isdecimal():
        return ()
    short = len(word) < len("000")
    if before in amounts.clock and short and after.isdecimal() and CLOCK.fullmatch(f"{word}{after}"):
        return (at, at + 1)
    single = (
        (after in amounts.units and not APART.search(gap(text, words, at + 1)))
        or (YEAR.fullmatch(word) and (before in amounts.year or _is_dated(said, at, amounts)))
        or (before in amounts.channel and len(word) <= MOST_CHANNEL)
        or (before in amounts.clock and CLOCK.fullmatch(word))
        or (short and (after in amounts.months or before in amounts.months))
    )
    return (at,) if single else ()


def _is_dated(said: Sequence[str], at: int, amounts: Amounts) -> bool:
    """Return whether a month stands before `at`, with a day beside it or without (March 12, 2026)."""
    return any(word in amounts.months for word in said[max(0, at - 3) : at])


def _in_names(said: Sequence[str], around: Surroundings | None) -> Iterator[int]:
    """Yield the places of the words of every name with a digit in it that stands in the sentence as a whole."""
    if around is None or not any(any(sign.isdecimal() for sign in word) for word in said):
        return
    for name in _names(around.home):
        if any(sign.isdecimal() for sign in name):
            words = [word.bare for word in words_of(name)]
            for at in range(len(said) - len(words) + 1):
                if said[at : at + len(words)] == words:
                    yield from range(at, at + len(words))


def _names(home: HomeView) -> Iterator[str]:
    for entity_id in home.states:
        yield entity_id
        yield from names_of(home, entity_id)
    yield from (area.name for area in home.areas.values())
    yield from (floor.name for floor in home.floors.values())


def _asked(text: str, digits: str, around: Surroundings | None) -> bool:
    """Return whether the sentence as it stands asks for something with this very number."""
    reading = around.read(text) if around else None
    if not isinstance(reading, Acts):
        return False
    values = [value for call in reading.calls for value in call.data.values()]
    return any(isinstance(value, int | float) and value == int(digits) for value in values)


def _is_key(said: str) -> bool:
    whole = SHORTEST <= len(said) <= LONGEST and said.isalnum()
    return whole and any(sign.isdecimal() for sign in said) and any(sign.isalpha() for sign in bare(said))


def _is_mixed(said: str) -> bool:
    """Return whether this is a PIN of letters in all likelihood: with two digits at least, so that a `door2` is none."""
    return _is_key(said) and sum(sign.isdecimal() for sign in said) > 1
