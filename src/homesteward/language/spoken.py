"""Numbers as they are said, digit by digit or in bigger ones, and the words a PIN goes with: data per language, for one purpose.

This reads no request: a number that belongs to one is the grammar's. It is here so that a PIN is found however somebody says it.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import cast

from homesteward.language.spelling import bare
from homesteward.language.tables import languages, table

type Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Numbers said one after another: the words from `start` to before `end`, and all of their digits in a row."""

    start: int
    end: int
    digits: str


class Part(Enum):
    """What a word, or a part of one, adds to a number."""

    TYPED = auto()  # digits, as they stand
    SMALL = auto()  # 0 to 99
    HUNDREDS = auto()  # 100 to 900, or a hundred that a small number multiplies
    THOUSAND = auto()
    AND = auto()
    TIMES = auto()  # what repeats the digit that follows


@dataclass(frozen=True, slots=True)
class _Atom:
    part: Part
    value: int
    digits: str
    end: int  # the word after it


@dataclass(frozen=True, slots=True)
class Amounts:
    """Which words make the number beside them one of the request, and no PIN: those before it, and the `units` behind."""

    clock: frozenset[str]
    channel: frozenset[str]
    year: frozenset[str]
    months: frozenset[str]
    units: frozenset[str]


@dataclass(frozen=True, slots=True)
class Spoken:
    """How one language says numbers, and which words stand around a PIN."""

    pin: frozenset[Phrase]
    before: frozenset[str]
    """Words that lead up to the one for a PIN."""
    between: frozenset[str]
    """Words between that one and the number."""
    around: frozenset[str]
    """Words that may stand beside a PIN that was asked for, and say nothing more."""
    phrases: Mapping[Phrase, tuple[Part, int]]
    amounts: Amounts
    about: re.Pattern[str]
    """A word of what a PIN opens, or of opening it."""
    onward: frozenset[str]
    """Words that lead on from a PIN to what it is for ("use 4711 to ...")."""
    joined: bool
    """Whether a number of several words may be written as one."""

    def runs(self, words: Sequence[str]) -> Iterator[Run]:
        """Yield every run of numbers in the bare `words`, as long as it goes."""
        at = 0
        while at < len(words):
            start, digits = at, ""
            while found := self._number(words, at):
                digits, at = digits + found[0], found[1]
            if digits:
                yield Run(start, at, digits)
            else:
                at += 1

    def pin_at(self, words: Sequence[str], at: int) -> int:
        """Return where the word for a PIN that stands at `at` ends, `at` itself where there is none."""
        sizes = range(min(LONGEST, len(words) - at), 0, -1)
        return next((at + size for size in sizes if tuple(words[at : at + size]) in self.pin), at)

    def _number(self, words: Sequence[str], at: int) -> tuple[str, int] | None:
        """Return the digits of the number that begins at `at` and where it ends, None where none begins."""
        atoms = self._atoms(words, at)
        if not atoms or atoms[0].part is Part.AND:
            return None
        first = atoms[0]
        if first.part is Part.TYPED:
            return first.digits, first.end
        if first.part is Part.TIMES:
            again = atoms[1] if len(atoms) > 1 else None
            single = again is not None and len(again.digits) == 1
            return (again.digits * first.value, again.end) if again and single else None
        value, used = _value(atoms)
        ends_inside = used < len(atoms) and atoms[used].end == atoms[used - 1].end
        # What is written as one word is one number or none: nothing of it may be left behind.
        return None if ends_inside else (str(value), atoms[used - 1].end)

    def _atoms(self, words: Sequence[str], at: int) -> list[_Atom]:
        """Return the parts of numbers from `at` on, up to the first word that is none; no number has more than a dozen."""
        found: list[_Atom] = []
        while at < len(words) and len(found) < MOST_ATOMS:
            here = self._phrase(words, at) or self._inside(words[at], at + 1)
            if not here:
                break
            found += here
            at = here[-1].end
        return found

    def _phrase(self, words: Sequence[str], at: int) -> list[_Atom]:
        if words[at].isdigit():
            digits = "".join(str(unicodedata.digit(sign)) for sign in words[at])
            return [_Atom(Part.TYPED, 0, digits, at + 1)]
        for size in range(min(LONGEST, len(words) - at), 0, -1):
            if known := self.phrases.get(tuple(words[at : at + size])):
                return [_Atom(*known, str(known[1]), at + size)]
        return []

    def _inside(self, word: str, end: int) -> list[_Atom]:
        """Return the parts of a number written as one word (viertausendsiebenhundertelf), none if any of it is no such part."""
        parts: list[_Atom] = []
        while self.joined and word:
            sizes = range(len(word), 1, -1)
            size = next((size for size in sizes if (word[:size],) in self.phrases), 0)
            if not size:
                return []
            part, value = self.phrases[word[:size],]
            parts.append(_Atom(part, value, str(value), end))
            word = word[size:]
        return parts


LONGEST = 5  # words of one phrase
MOST_ATOMS = 12


def spoken(language: str) -> Spoken:
    """Return how `language` says numbers, as English does where there is no such file."""
    base = language.split("-", maxsplit=1)[0].lower()
    return _spoken(base if base in _known() else "en")


def all_spoken(first: str) -> tuple[Spoken, ...]:
    """Return every language's, that of `first` before the others: nobody says in advance which one they will use."""
    own = spoken(first)
    return (own, *(other for name in _known() if (other := _spoken(name)) is not own))


def _value(atoms: Sequence[_Atom]) -> tuple[int, int]:
    """Return the value of the number that the parts begin with, and how many of them it takes."""
    value, used = _below_thousand(atoms)
    if used < len(atoms) and atoms[used].part is Part.THOUSAND:
        value, used = (value if used else 1) * 1000, used + 1
        onward = used + (used < len(atoms) and atoms[used].part is Part.AND)
        rest, more = _below_thousand(atoms[onward:])
        if more:
            return value + rest, onward + more
    return value, used


def _below_thousand(atoms: Sequence[_Atom]) -> tuple[int, int]:
    value = used = 0
    if atoms and atoms[0].part is Part.SMALL:
        value, used = atoms[0].value, 1
    if used < len(atoms) and atoms[used].part is Part.HUNDREDS and (not used or (atoms[used].value == 100 and value)):
        value, used = (value or 1) * atoms[used].value, used + 1
        onward = used + (used < len(atoms) and atoms[used].part is Part.AND)
        if onward < len(atoms) and atoms[onward].part is Part.SMALL and atoms[onward].value:
            return value + atoms[onward].value, onward + 1
    return value, used


@cache
def _known() -> tuple[str, ...]:
    return languages("pins")


@cache
def _spoken(language: str) -> Spoken:
    raw = table("pins", language) or {}
    lists = cast("dict[str, list[str]]", raw)
    return Spoken(
        pin=frozenset(_phrase(word) for word in lists["pin"]),
        before=_words(lists["before"]),
        between=_words(lists["between"]),
        around=_words(lists["around"]),
        phrases=_phrases(raw),
        amounts=Amounts(*(_words(lists[kind]) for kind in ("clock", "channel", "year", "months", "units"))),
        about=re.compile("|".join(bare(pattern).replace("*", r"\w*") for pattern in lists["about"])),
        onward=_words(lists["onward"]),
        joined=bool(raw.get("joined")),
    )


def _phrases(raw: Mapping[str, object]) -> dict[Phrase, tuple[Part, int]]:
    groups = cast("dict[str, list[list[str]]]", raw)
    lists = cast("dict[str, list[str]]", raw)
    numbered = cast("dict[str, dict[int, list[str]]]", raw)
    found: dict[Phrase, tuple[Part, int]] = {}

    def add(part: Part, value: int, words: Sequence[str]) -> None:
        found.update({_phrase(word): (part, value) for word in words})

    for n, word in _pairs(groups, lists["pairs"]):
        add(Part.SMALL, n, [word])
    for first, step, group in ((0, 1, groups["digits"]), (10, 1, groups["teens"]), (20, 10, groups["tens"])):
        for n, words in enumerate(group):
            add(Part.SMALL, first + step * n, words)
    for n, words in numbered.get("others", {}).items():
        add(Part.SMALL, n, words)
    for n, words in enumerate(groups.get("hundreds", []), 1):
        add(Part.HUNDREDS, n * 100, words)
    add(Part.HUNDREDS, 100, lists["hundred"])
    add(Part.THOUSAND, 1000, lists["thousand"])
    add(Part.AND, 0, lists["and"])
    for n, words in numbered["times"].items():
        add(Part.TIMES, n, words)
    return found


def _pairs(groups: Mapping[str, list[list[str]]], templates: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield 21 to 99 as tens and units make them."""
    for ten, tens in enumerate(groups["tens"], 2):
        for unit in range(1, 10):
            for template in templates:
                yield from (
                    (ten * 10 + unit, template.format(ten=_elided(t, u, template), unit=u))
                    for t in tens
                    for u in groups["digits"][unit]
                )


def _elided(ten: str, unit: str, template: str) -> str:
    """Return the ten as it stands before the unit: written together, it loses its last vowel before another (ventuno)."""
    return ten[:-1] if template == "{ten}{unit}" and unit[0] in VOWELS else ten


VOWELS = "aeiou"


def _phrase(text: str) -> Phrase:
    return tuple(bare(text).replace("'", " ").split())


def _words(listed: Sequence[str]) -> frozenset[str]:
    return frozenset(word for phrase in listed for word in _phrase(phrase))
