"""What was said, in the one form that sentences are read in: folded, with straight marks, numbers with their sign, without ornament."""

import unicodedata

from homesteward.core.text import fold, signed

ENDS = " .!?\uff1f\u061f\u2026\"'"
QUOTES = str.maketrans(dict.fromkeys('"\u201c\u201d\u201e\u00ab\u00bb\u00bf\u00a1', " "))
APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\u00b4`", "'"))
# Pictures that say something of their own (no, a question, a clock, a colour): a sentence with one is not the one without it.
TELLING = frozenset(
    "\u2753\u2754\u2049\u203c\u26d4\u274c\u274e\u2705\u270b\u2716\u2b06\u2b07\u2b1b\u2b1c\u26ab\u26aa\u231a\u231b\u23f0\u23f1\u23f2\u23f3"
    "\U0001f6ab\U0001f6d1\U0001f44e\U0001f645\U0001f515\U0001f507\U0001f508\U0001f509\U0001f50a\U0001f506\U0001f505"
    "\U0001f534\U0001f535\U0001f7e0\U0001f7e1\U0001f7e2\U0001f7e3\U0001f7e4"
) | {chr(code) for code in range(0x1F550, 0x1F568)}
JOINERS = frozenset("\ufe0e\ufe0f\u200d") | {chr(code) for code in range(0x1F3FB, 0x1F400)}
PICTURES = 0x2190  # symbols below it, such as the degree sign, are part of what is said


def tidy(text: str) -> str:
    """Return `text` folded, with straight apostrophes, without quotation marks, pictures and the marks that end a sentence."""
    return fold(signed(plain(text).translate(APOSTROPHES).translate(QUOTES))).strip(ENDS)


def plain(text: str) -> str:
    """Return `text` without pictures that only adorn it."""
    return text if text.isascii() else "".join(" " if _adorns(letter) else letter for letter in text)


def _adorns(letter: str) -> bool:
    return letter in JOINERS or (
        ord(letter) >= PICTURES and letter not in TELLING and unicodedata.category(letter) in {"So", "Sk"}
    )
