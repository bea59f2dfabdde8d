"""Comparing names the way people mean them: over case, accents, Unicode forms and spaces."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest
from itertools import pairwise

SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa"})
MINUS = "\u2212"  # a hyphen is a gap between words, as in names; this is the sign before a number
ALIKE = 0.5  # below this, a name is no slip of another
COMPARED = 40  # names that are compared letter by letter, which takes some ten microseconds each
# letters that Unicode does not take apart, without their stroke
BARE = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "æ": "ae", "œ": "oe", "\u0131": "i", "ð": "d", "þ": "th"})
_GAPS = re.compile(r"[\s_\-]+")
_SIGN = re.compile(r"\s*[-\u2010-\u2015\u2212\u207b\ufe58\ufe63\uff0d]\s*(?=\d)")


def fold(text: str) -> str:
    """Return `text` case-folded, in one Unicode form, with single spaces. Accents stay: `Büro` is not `Buro`."""
    return _GAPS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def forms(text: str) -> frozenset[str]:
    """Return every spelling under which a name should be found: as it is, without accents, and spelled out (ü as ue)."""
    folded = fold(text)
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(letter))
    bare = bare.translate(BARE)
    spelled = unicodedata.normalize("NFC", folded).translate(SPELLED_OUT)
    return frozenset({folded, bare, spelled})


def signed(text: str) -> str:
    """Return `text` with every dash before a digit as the sign of a number: folding would make a gap of it."""
    return _SIGN.sub(f" {MINUS}", text)


def neighbours(wanted: str, known: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Return up to `limit` of `known` that look most like `wanted`, the nearest first; only those at least half alike.

    Of many, only those are compared letter by letter that share the most pairs of letters with it: a slip leaves most of them as they are.
    """
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(fold(wanted))  # the side that is prepared once
    near = [(score, name) for name in _close(wanted, known) if (score := _likeness(matcher, fold(name))) >= ALIKE]
    return tuple(name for _, name in sorted(near, key=lambda pair: (-pair[0], pair[1]))[:limit])


def _close(wanted: str, known: Iterable[str]) -> list[str]:
    names, pairs = list(known), _pairs(wanted)
    if len(names) <= COMPARED:
        return names
    shared = [((pairs & (own := _pairs(name))).bit_count() * 2 - own.bit_count(), name) for name in names]
    return [name for _, name in nlargest(COMPARED, shared)]


@lru_cache(maxsize=16_384)  # every entity of a large home, and its names
def _pairs(text: str) -> int:
    """Return which pairs of letters are in `text`, each as a bit; two pairs may have the same."""
    folded = f" {fold(text)} "
    found = 0
    for one, other in pairwise(folded):
        found |= 1 << ((ord(one) * 31 + ord(other)) & 255)
    return found


def _likeness(matcher: SequenceMatcher[str], name: str) -> float:
    """Return how alike two names are from 0 to 1; names that the cheap bounds rule out are not compared."""
    matcher.set_seq1(name)
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    return matcher.ratio()
