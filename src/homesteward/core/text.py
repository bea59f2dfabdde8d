"""Comparing names the way people mean them: over case, accents, Unicode forms and spaces."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher

SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa"})
MINUS = "\u2212"  # a hyphen is a gap between words, as in names; this is the sign before a number
ALIKE = 0.5  # below this, a name is no slip of another
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
    """Return up to `limit` of `known` that look most like `wanted`, the nearest first; only those at least half alike."""
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(fold(wanted))  # the side that is prepared once
    near = [(score, name) for name in known if (score := _likeness(matcher, fold(name))) >= ALIKE]
    return tuple(name for _, name in sorted(near, key=lambda pair: (-pair[0], pair[1]))[:limit])


def _likeness(matcher: SequenceMatcher[str], name: str) -> float:
    """Return how alike two names are from 0 to 1; names that the cheap bounds rule out are not compared."""
    matcher.set_seq1(name)
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    return matcher.ratio()
