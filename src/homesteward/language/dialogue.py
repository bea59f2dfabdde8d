"""Short sentences that hang on what went before: yes, no, which one, both, "undo that", "cancel the sprinklers"."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from homesteward.core.text import fold, forms
from homesteward.language.guards import is_question, without_politeness
from homesteward.language.reading import Option
from homesteward.language.spelling import bare, loose
from homesteward.language.tables import table
from homesteward.language.tidy import plain, tidy


def is_yes(text: str, language: str) -> bool:
    """Return whether `text` is a plain yes and nothing else. Silence, "ok?" and a yes with more words are none."""
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
    said = _even(without_politeness(tidy(text), language))
    return said.strip(" ?!.") in _words(language)["scheduled"]


def cancelled(text: str, language: str) -> str:
    """Return what `text` asks to be called off ("cancel the sprinklers"), "" where it asks for no such thing."""
    said = without_politeness(tidy(text), language)
    found = (pattern.fullmatch(said) for pattern in _cancelling(language))
    return next((match[1] for match in found if match), "")


def only_corrects(text: str, language: str) -> bool:
    """Return whether `text` says nothing but that something else is meant ("no", "no, make it"), or nothing at all."""
    words = _words(language)
    said = f" {_even(tidy(text))} "
    for word in sorted((*words["rather"], *words["no"]), key=len, reverse=True):
        said = said.replace(f" {word} ", "  ")
    return not said.strip()


def picks_all(options: Sequence[Option], text: str, language: str) -> bool:
    """Return whether `text` means every one of the options: "all of them", and "both" or "the two" where there are two."""
    count = _all_said(text, language)
    return len(options) > 1 and count in {EVERY, len(options)}


def narrowed(options: Sequence[Option], text: str, language: str) -> tuple[int, ...]:
    """Return the places of the several options, but not all, that are in the room that `text` names."""
    said = _said_of_options(text, language)
    there = _fitting(options, said, by_area=True) if said else []
    return tuple(there) if 1 < len(there) < len(options) else ()


def pick(options: Sequence[Option], text: str, language: str, shown: int | None = None) -> int | None:
    """Return the place of the one option that `text` means (its number, its label, words only it has, its room), else None.

    Where only one thing was offered, a plain yes means it. A number counts among the first `shown`, which were read out.
    """
    if len(options) == 1 and is_yes(text, language):
        return 0
    said = _said_of_options(text, language)
    if not said or _all_said(text, language):
        return None
    if (place := _by_number(" ".join(said), _words(language), shown or len(options))) is not None:
        return place
    fitting = (
        [n for n, option in enumerate(options) if forms(" ".join(said)) & forms(_bare(option.label))]
        or _fitting(options, said)
        or _fitting(options, said, by_area=True)
    )
    return fitting[0] if len(fitting) == 1 else None


def _fitting(options: Sequence[Option], said: Sequence[str], *, by_area: bool = False) -> list[int]:
    """Return the places of the options that have every word that was said: of their label, and of their room where `by_area`."""
    return [
        n
        for n, option in enumerate(options)
        if all(forms(word) & _label_words(option, by_area=by_area) for word in said)
    ]


def _said_of_options(text: str, language: str) -> list[str]:
    """Return the words of an answer that tell one option from another."""
    words = _words(language)
    said = [word for word in _plain(_bare(text)).split() if word not in words["filler"]]
    return [
        word for word in said if word not in words["pronoun"]
    ] or said  # "the first one", but "one" alone is a number


EVERY = -1


def _all_said(text: str, language: str) -> int:
    """Return how many `text` means together ("both": 2), `EVERY` for all there are, 0 where it means no such thing."""
    words, said = _words(language), _plain(text)
    for polite in words.get("please", ()):
        said = " ".join(f" {said} ".replace(f" {polite} ", " ").split())
    if said in words["all"]:
        return EVERY
    if said in words["both"]:
        return 2
    for plural in words["plural"]:  # in the plural, a number is how many: "les deux" is no second one
        number = said.removeprefix(f"{plural} ")
        cardinals = words["ordinal"][ORDINALS : 2 * ORDINALS]
        place = int(number) if number.isdigit() else cardinals.index(number) + 1 if number in cardinals else 0
        if number != said and place > 1:
            return place
    return 0


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


def _label_words(option: Option, *, by_area: bool) -> frozenset[str]:
    named = f"{_bare(option.label)} {_bare(option.area) if by_area else ''}"
    return frozenset(form for word in named.split() for form in forms(word))


def _plain(text: str) -> str:
    return "" if plain(text).rstrip().endswith("?") else _even(tidy(text))


def _even(text: str) -> str:
    """Return the tidy `text` without accents and pauses: "yes, do it" is "yes do it"."""
    return " ".join(bare(text).replace(",", " ").split()).strip(" ;:")


@cache
def _cancelling(language: str) -> tuple[re.Pattern[str], ...]:
    raw = cast("dict[str, list[str]]", table("dialogue", language) or table("dialogue", "en"))
    return tuple(re.compile(loose(re.escape(fold(each)).replace(r"\*", "(.+)"))) for each in raw["cancel"])


@cache
def _undoing(language: str) -> frozenset[str]:
    raw = table("dialogue", language) or table("dialogue", "en") or {}
    return frozenset(form for said in cast("list[str]", raw.get("undo", ())) for form in forms(said))


@cache
def _words(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the short words of `language` without their accents, the English ones where it has none."""
    raw = cast("dict[str, list[str]]", table("dialogue", language) or table("dialogue", "en"))
    return {key: tuple(_even(word) for word in words) for key, words in raw.items()}
