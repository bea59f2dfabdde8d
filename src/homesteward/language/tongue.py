"""Which language a sentence is in: the one that most of its words belong to, where that is plain; else the usual one.

Names of things may be in any language and tell nothing. A single word is no reason to leave the usual language.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from homesteward.language.spelling import unmarked
from homesteward.language.tables import languages, table
from homesteward.language.tidy import tidy

ENOUGH = 1.5  # by how much more of a sentence another language has to know than the usual one
LEAST = 2  # words
LEXICON = (
    "commands",
    "questions",
    "rules",
    "articles",
    "prepositions",
    "conjunctions",
    "all",
    "fillers",
    "here",
    "measures",
    "states",
)
WORD = re.compile(r"[^\W\d_]{2,}")
SLOT = re.compile(r"\{[^}]*\}|<[^>]*>")


def tongue_of(text: str, usual: str) -> str:
    """Return the language of ours that `text` is in, `usual` where that is in doubt or is none of ours."""
    spread = tongues()
    words = [word for word in WORD.findall(unmarked(tidy(text))) if word in spread]
    weights = dict.fromkeys(languages("lexicon"), 0.0)
    counts = dict.fromkeys(weights, 0)
    for word in words:
        known = spread[word]
        for language in known:
            weights[language] += 1 / len(known)
            counts[language] += 1
    base = usual.split("-", maxsplit=1)[0].lower()
    if base not in weights:
        return usual
    best = max(weights, key=lambda language: weights[language])
    plain = weights[best] >= weights[base] + ENOUGH and counts[best] >= LEAST and counts[best] > counts[base]
    return best if plain else usual


@cache
def tongues() -> Mapping[str, tuple[str, ...]]:
    """Return, for each word of ours, the languages that have it; reading them all takes half a second, once."""
    found: dict[str, list[str]] = {}
    for language in languages("lexicon"):
        for word in frozenset(_vocabulary(language)):
            found.setdefault(word, []).append(language)
    return {word: tuple(known) for word, known in found.items()}


def _vocabulary(language: str) -> Iterator[str]:
    lexicon, guards = table("lexicon", language) or {}, table("guards", language) or {}
    for key in LEXICON:
        yield from _words(lexicon.get(key))
    for key in ("polite", "opening", "question_first", "negation", "condition"):
        yield from _words(guards.get(key))


def _words(written: object) -> Iterator[str]:
    match written:
        case str():
            yield from WORD.findall(unmarked(tidy(SLOT.sub(" ", written))))
        case Mapping():
            for value in written.values():
                yield from _words(value)
        case list():
            for value in written:
                yield from _words(value)
