"""What keeps a sentence from acting: a question, a negation, a condition, a later time, a statement, a wish for a reminder.

The words are data per language (`data/guards.<language>.yaml`), and an accent left out changes none of them. They are looked for
in the whole sentence, so that nothing acts in any clause of it. A language without such a file has no guards: there only a
sentence that Home Assistant's own grammar matches from its first to its last word may act, and none that ends in a question mark.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import cast

from homesteward.core.text import fold
from homesteward.language.reading import Declines
from homesteward.language.spelling import loose
from homesteward.language.tables import table
from homesteward.language.texts import texts
from homesteward.language.tidy import QUOTES, plain, tidy

ORDER = ("reminder", "statement", "condition", "negation", "exception", "later")  # the first that is found is named
OPENS_QUESTION = "\u00bf"
QUESTION_MARKS = "?\uff1f\u061f\u037e;"  # also full-width, Arabic and Greek, whose mark is typed as a semicolon
MASK = "▢"


@dataclass(frozen=True, slots=True)
class GuardWords:
    """The compiled guards of one language. `polite` are words that ask for something, `opening` those that only begin a sentence."""

    polite: re.Pattern[str]
    opening: re.Pattern[str]
    question: re.Pattern[str]
    question_inside: re.Pattern[str]
    guards: Mapping[str, re.Pattern[str]]


def guard(text: str, language: str, names: Iterable[str] = ()) -> Declines | None:
    """Return why `text` must not act, or None if nothing in it forbids acting.

    `names` are folded names of the home of two words or more that the sentence holds, the longest first: a guard's word inside
    one of them is part of the name ("Do not disturb"), not of the sentence.
    """
    words = guard_words(language)
    if words is None:
        return None
    said = without_politeness(masked(tidy(text), names), language)
    code = next((name for name in ORDER if words.guards[name].search(said)), None)
    return None if code is None else _declined(code, language)


def is_question(text: str, language: str) -> bool:
    """Return whether `text` asks about something instead of asking for something. A polite request is no question."""
    words = guard_words(language)
    if words is None:
        return _marked(text, QUESTION_MARKS)
    said = tidy(text)
    start = words.opening.sub("", said)
    if words.question.match(start) or words.question_inside.search(start):
        return True
    marked = _marked(text, "?\uff1f\u061f") or OPENS_QUESTION in text
    return marked and not words.polite.search(said.removesuffix(start))


def without_politeness(text: str, language: str) -> str:
    """Return the tidy `text` without the polite words it begins with."""
    words = guard_words(language)
    return words.opening.sub("", text) if words else text


def masked(text: str, names: Iterable[str]) -> str:
    """Return the tidy `text` with each of these names of two words or more, as whole words, replaced by one mark."""
    for name in (name for name in names if " " in name):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", MASK, text)
    return text


@cache
def guard_words(language: str) -> GuardWords | None:
    """Return the guards of `language`, None where there are none."""
    raw = table("guards", language)
    if raw is None:
        return None
    parts, lists = cast("dict[str, str]", raw["parts"]), cast("dict[str, list[str]]", raw)
    polite = _words(lists["polite"])
    return GuardWords(
        polite=re.compile(rf"(?<!\w)(?:{polite})(?!\w)"),
        opening=re.compile(rf"^(?:(?:{polite}|{_words(lists['opening'])})(?:[\s,]+|$))+"),
        question=_any(lists["question_first"], parts),
        question_inside=_any(lists.get("question_inside", [NEVER]), parts),
        guards={name: _any(lists[name], parts) for name in ORDER},
    )


NEVER = r"(?!)"


def _declined(code: str, language: str) -> Declines:
    say = texts(language)
    return Declines(code, say(f"guard.{code}"), say(f"guard.{code}.next"))


def _marked(text: str, marks: str) -> bool:
    """Return whether the text ends in one of the marks, whatever adorns or quotes it."""
    return plain(text).translate(QUOTES).rstrip(" .!\u2026\"')").endswith(tuple(marks))


def _words(words: list[str]) -> str:
    return "|".join(loose(re.escape(fold(word))) for word in sorted(words, key=len, reverse=True))


def _any(entries: list[str], parts: Mapping[str, str]) -> re.Pattern[str]:
    filled = [_filled(entry, parts) for entry in entries]
    return re.compile("|".join(rf"(?<!\w)(?:{loose(entry)})(?!\w)" for entry in filled))


def _filled(entry: str, parts: Mapping[str, str]) -> str:
    """Return the entry with its parts in place; a part may stand in another one."""
    for name, pattern in parts.items():
        if "{" + name + "}" in entry:
            entry = entry.replace("{" + name + "}", _filled(pattern, parts))
    return entry
