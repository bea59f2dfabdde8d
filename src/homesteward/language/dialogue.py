"""Short sentences that hang on what went before: yes, no, which one, and "undo that"."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from homesteward.core.text import forms
from homesteward.language.guards import is_question, without_politeness
from homesteward.language.reading import Option
from homesteward.language.spelling import bare
from homesteward.language.tables import table
from homesteward.language.tidy import plain, tidy


def is_yes(text: str, language: str) -> bool:
    """Return whether `text` is a plain yes and nothing else. Silence, "ok?" or a yes with more words is none."""
    return _plain(text) in _words(language)["yes"]


def is_no(text: str, language: str) -> bool:
    """Return whether `text` is a plain no and nothing else."""
    return _plain(text) in _words(language)["no"]


def is_undo(text: str, language: str) -> bool:
    """Return whether `text` asks for what was just done to be taken back, and for nothing else."""
    if is_question(text, language):
        return False
    said = bare(without_politeness(tidy(text), language)).replace(",", " ")
    for please in _words(language).get("please", ()):
        said = f" {said} ".replace(f" {please} ", " ")
    return bool(forms(" ".join(said.split())) & _undoing(language))


def asks_what_is_scheduled(text: str, language: str) -> bool:
    """Return whether `text` asks what is to be done later, and nothing else."""
    said = bare(without_politeness(tidy(text), language)).strip(" ?!.,")
    return said in _words(language).get("scheduled", ())


def pick(options: Sequence[Option], text: str, language: str) -> int | None:
    """Return the place of the one option that `text` means (its number, its label or words only it has), else None.

    Where only one thing was offered, a plain yes means it.
    """
    if len(options) == 1 and is_yes(text, language):
        return 0
    words = _words(language)
    said = [word for word in _plain(_bare(text)).replace(",", " ").split() if word not in words["filler"]]
    said = [
        word for word in said if word not in words["pronoun"]
    ] or said  # "the first one", but "one" alone is a number
    if not said:
        return None
    if (place := _by_number(" ".join(said), words, len(options))) is not None:
        return place
    whole = [n for n, option in enumerate(options) if forms(" ".join(said)) & forms(_bare(option.label))]
    fitting = whole or [
        n for n, option in enumerate(options) if all(forms(word) & _label_words(option) for word in said)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _by_number(text: str, words: Mapping[str, tuple[str, ...]], count: int) -> int | None:
    if text in words["last"]:
        return count - 1 if count else None
    if text.isdigit():
        place = int(text) - 1
    elif text in words["ordinal"]:
        place = words["ordinal"].index(text) % ORDINALS
    else:
        return None
    return place if 0 <= place < count else None


ORDINALS = 8  # every list of ordinals in the data has this many


def _bare(label: str) -> str:
    return label.replace("(", " ").replace(")", " ")


def _label_words(option: Option) -> frozenset[str]:
    return frozenset(form for word in _bare(option.label).split() for form in forms(word))


def _plain(text: str) -> str:
    return "" if plain(text).rstrip().endswith("?") else bare(tidy(text)).strip(" ,;:")


@cache
def _undoing(language: str) -> frozenset[str]:
    raw = table("dialogue", language) or table("dialogue", "en") or {}
    return frozenset(form for said in cast("list[str]", raw.get("undo", ())) for form in forms(said))


@cache
def _words(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the short words of `language` without their accents, the English ones where it has none."""
    raw = cast("dict[str, list[str]]", table("dialogue", language) or table("dialogue", "en"))
    return {key: tuple(bare(word) for word in words) for key, words in raw.items()}
