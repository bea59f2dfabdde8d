"""Questions that no state answers: when something was last so, how long, how often, why; what a calendar, a list or a forecast holds.

Their shapes are data (`data/recalls.<language>.yaml`). What they ask about is found here; the answer is looked up by whoever can wait for it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, cast

from homesteward.core.text import fold
from homesteward.knowledge import Scope
from homesteward.language.answers import Resolve
from homesteward.language.resolution import Choice, Found
from homesteward.language.shapes import Match, Shape, compile_shape, matches
from homesteward.language.spelling import both, loose
from homesteward.language.states import MEANINGS, READABLE
from homesteward.language.tables import table

type AllOf = Callable[[str], tuple[str, ...]]

MOST = 4  # things told of in one answer; more cannot be taken in by ear
PAST = frozenset({"last", "how_long", "how_often"})
# What is asked about where a question names nothing: all of it.
OF_ALL: Mapping[str, str] = {"events": "calendar", "items": "todo", "forecast": "weather", "timers": "timer"}


class Recall(NamedTuple):
    """What is asked: the fields of a Recalls."""

    kind: str
    entity_ids: tuple[str, ...]
    word: str
    span: str


@dataclass(frozen=True, slots=True)
class RecallShapes:
    """The shapes of one language, and the words for what happened and when."""

    shapes: tuple[Shape, ...]
    events: Mapping[str, str]
    spans: Mapping[str, str]


def recall_of(text: str, language: str, resolve: Resolve, all_of: AllOf) -> Recall | None:
    """Return what the tidy question asks to be looked up, None if it is no such question or asks about nothing that is there.

    `all_of(domain)` are the things that a question without a name is about.
    """
    words = recall_shapes(language)
    if words is None:
        return None
    for match in matches(words.shapes, text):
        word = words.events.get(fold(match.slots.get("event", "")), "")
        span = words.spans.get(fold(match.slots.get("span", "")), "")
        if ids := _asked_about(match, word, resolve, all_of):
            return Recall(match.act, ids, word, span)
    return None


@cache
def recall_shapes(language: str) -> RecallShapes | None:
    """Return the shapes of `language` (`de-AT` counts as `de`), None where there are none of ours."""
    raw = table("recalls", language)
    if raw is None:
        return None
    events, spans = _inverse(raw, "events"), _inverse(raw, "spans")
    patterns = {"event": _any(events), "span": _any(spans)}
    return RecallShapes(tuple(_shapes(raw, patterns)), events, spans)


def _asked_about(match: Match, word: str, resolve: Resolve, all_of: AllOf) -> tuple[str, ...]:
    phrase = match.slots.get("target")
    if phrase is None:
        return all_of(OF_ALL[match.act])[:MOST] if match.act in OF_ALL else ()
    found = resolve(phrase, _scope(match.act, word), None, False)
    return found.entity_ids if isinstance(found, Found | Choice) and len(found.entity_ids) <= MOST else ()


def _scope(kind: str, word: str) -> Scope:
    if kind in PAST:
        return MEANINGS[word].scope if word in MEANINGS else MEANINGS["on"].scope
    return {OF_ALL[kind]: ()} if kind in OF_ALL else READABLE


def _shapes(raw: Mapping[str, object], patterns: Mapping[str, str]) -> Iterator[Shape]:
    for kind, templates in cast("dict[str, list[str]]", raw["questions"]).items():
        for template in templates:
            yield compile_shape(kind, template, {}, patterns.get)


def _inverse(raw: Mapping[str, object], key: str) -> dict[str, str]:
    written = cast("dict[str, list[str]]", raw[key])
    return {spelling: name for name, words in written.items() for word in words for spelling in both(word)}


def _any(words: Mapping[str, str]) -> str:
    return f"(?:{'|'.join(loose(re.escape(word)) for word in sorted(words, key=len, reverse=True))})"
