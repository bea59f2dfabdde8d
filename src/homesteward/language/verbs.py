"""What is to be done, told by single words wherever they stand: for sentences that have no shape.

The words are data (`data/verbs.<language>.yaml`). Only forms that ask for something are among them; a particle that is also a preposition
("on") counts only where it can be no other: at the end, or right after a verb.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import cast

from homesteward.language.lexicon import Lexicon
from homesteward.language.spelling import both
from homesteward.language.tables import table

MEASURED: Mapping[str, tuple[str, ...]] = {
    "percent": ("brightness", "position", "volume"),
    "degrees": ("temperature",),
}
VALUE_OF = {"brightness": "percent", "position": "percent", "volume": "percent", "temperature": "number"}
AMOUNT = re.compile(r"(\d+(?:[.,]\d+)?)([%°]?)")


@dataclass(frozen=True, slots=True)
class Verbs:
    """The words of one language: what each may ask for, those that go with anything, the units, and how an act is offered."""

    acts: Mapping[str, frozenset[str]]
    neutral: frozenset[str]
    units: Mapping[str, str]
    say: Mapping[str, str]
    longest: int  # words in one of them


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a sentence asks for by its words: acts that all of its verbs may mean, a value, and the words that are left."""

    acts: frozenset[str]
    value: float | None
    rest: tuple[str, ...]
    verbs: tuple[str, ...]
    before: tuple[str, ...]  # those of the rest that stand before all of the verbs


@cache
def verbs(language: str) -> Verbs | None:
    """Return the verbs of `language` (`de-AT` counts as `de`), None where there are none of ours."""
    raw = table("verbs", language)
    if raw is None:
        return None
    acts: dict[str, set[str]] = {}
    for act, words in cast("dict[str, list[str]]", raw["words"]).items():
        for spelling in (spelling for word in words for spelling in both(word)):
            acts.setdefault(spelling, set()).add(act)
    neutral = frozenset(spelling for word in cast("list[str]", raw["neutral"]) for spelling in both(word))
    units = cast("dict[str, list[str]]", raw["units"])
    return Verbs(
        {word: frozenset(meant) for word, meant in acts.items()},
        neutral,
        {spelling: unit for unit, words in units.items() for word in words for spelling in both(word)},
        cast("dict[str, str]", raw["say"]),
        max(len(word.split()) for word in (*acts, *neutral)),
    )


def wanted(text: str, verbs: Verbs, words: Lexicon) -> Wanted | None:
    """Return what the tidy `text`, without words that only fill, asks for; None where no verb is said, or two that are at odds."""
    tokens = tuple(filter(None, (word.strip(",;.:!") for word in text.split())))
    if any(word in tokens for word in (*words.conjunctions, *words.separators)):
        return None  # several things at once: a part of them is not what was asked for
    doubtful = words.prepositions | {word for word in words.particles if " " not in word}
    known = verbs.acts.keys() | verbs.neutral
    if tokens and tokens[-1] in words.articles | words.prepositions and tokens[-1] not in known:
        return None  # it ends before what it was about to name
    return _Reader(
        verbs, doubtful, tuple(word for word in tokens if word not in words.pronouns - words.articles)
    ).read()


class _Reader:
    """Take the words of one sentence apart."""

    def __init__(self, verbs: Verbs, doubtful: Collection[str], tokens: tuple[str, ...]) -> None:
        self._verbs, self._doubtful, self._tokens = verbs, doubtful, tokens
        self._meant: list[frozenset[str]] = []
        self._said: list[str] = []
        self._rest: list[str] = []
        self._values: list[tuple[float, str]] = []
        self._after_verb = False
        self._before = 0
        self._dangling = False  # a particle that is no verb's and leads to nothing: what it asked for is not known

    def read(self) -> Wanted | None:
        at = 0
        while at < len(self._tokens):
            at += self._amount(at) or self._verb(at) or self._other(at)
        if self._dangling or len(self._values) > 1 or not (self._meant or self._values):
            return None
        return self._as_value() if self._values else self._as_verb()

    def _as_verb(self) -> Wanted | None:
        acts = frozenset.intersection(*self._meant)
        return self._wanted(acts, None) if acts else None

    def _as_value(self) -> Wanted | None:
        """Return what the value says is to be done: "dim", "up" and "on" beside it add nothing, "off" and "lock" are at odds with it."""
        [(value, unit)] = self._values
        at_odds = any(not meant & GO_WITH_VALUE for meant in self._meant)
        return None if at_odds else self._wanted(frozenset(MEASURED[unit]), value)

    def _wanted(self, acts: frozenset[str], value: float | None) -> Wanted:
        rest = tuple(self._rest)
        return Wanted(acts, value, rest, tuple(self._said), rest[: self._before] if self._said else ())

    def _amount(self, at: int) -> int:
        found = AMOUNT.fullmatch(self._tokens[at])
        if not found:
            return 0
        unit = self._verbs.units.get(found[2]) if found[2] else None
        size = 1
        for words in () if unit else (2, 1):
            named = " ".join(self._tokens[at + 1 : at + 1 + words])
            if named in self._verbs.units:
                unit, size = self._verbs.units[named], 1 + words
                break
        if unit is None:
            return 0
        self._values.append((float(found[1].replace(",", ".")), unit))
        self._after_verb = False
        return size

    def _verb(self, at: int) -> int:
        for size in range(min(self._verbs.longest, len(self._tokens) - at), 0, -1):
            run = " ".join(self._tokens[at : at + size])
            if run in self._verbs.acts and self._counts(run, at + size):
                self._meant.append(self._verbs.acts[run])
            elif run not in self._verbs.neutral:
                continue
            self._before = self._before if self._said else len(self._rest)
            self._said.append(run)
            self._after_verb = True
            return size
        return 0

    def _counts(self, run: str, end: int) -> bool:
        return run not in self._doubtful or end == len(self._tokens) or self._after_verb

    def _is_verb(self, at: int) -> bool:
        return any(word in self._verbs.acts or word in self._verbs.neutral for word in self._tokens[at : at + 1])

    def _other(self, at: int) -> int:
        self._dangling |= self._tokens[at] in self._verbs.acts and self._is_verb(at + 1)
        self._rest.append(self._tokens[at])
        self._after_verb = False
        return 1


GO_WITH_VALUE = frozenset({"on", "brighter", "dimmer", "louder", "quieter", "open", "close"})
