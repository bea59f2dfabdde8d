"""Letters with and without their marks: people leave accents out, and a word said without them is the same word."""

import unicodedata

from homesteward.core.text import fold

WHOLE = frozenset("йї")  # letters of their own, which only Unicode takes apart
UNMARKED = {"ł": "l", "ø": "o", "đ": "d"}  # marks that Unicode does not take apart


def bare(text: str) -> str:
    """Return the folded `text` without accents, letter for letter."""
    return "".join(_bare(letter) for letter in fold(text))


def unmarked(text: str) -> str:
    """Return `text` without accents, letter for letter: what stands at a place stands there still."""
    return "".join(_bare(letter) for letter in text)


def loose(pattern: str) -> str:
    """Return the regular expression with each accented letter also standing for the plain one.

    A letter written as an escape keeps its mark. Accented letters must not stand in a character class.
    """
    return "".join(letter if (plain := _bare(letter)) == letter else f"[{letter}{plain}]" for letter in pattern)


def both(word: str) -> tuple[str, ...]:
    """Return the folded word, and the word without its accents where it has some."""
    return tuple(dict.fromkeys((fold(word), bare(word))))


def _bare(letter: str) -> str:
    if letter in WHOLE:
        return letter
    first = unicodedata.normalize("NFKD", letter)[:1]
    return UNMARKED.get(letter, first or letter)
