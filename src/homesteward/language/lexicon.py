"""What is known of one language: the words for kinds of things, the shapes of sentences, numbers, colours, states.

Everything here is data (`data/lexicon.<language>.yaml`), loaded once, and known with its accents and without them. A language without a file of ours has no lexicon; it is
understood through Home Assistant's grammar alone.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import cast

from hassil.numbers import get_rbnf_engine
from home_assistant_intents import get_intents

from homesteward.core.text import MINUS, fold
from homesteward.language.inflection import Inflection
from homesteward.language.shapes import Shape, compile_shape, pattern_of_template
from homesteward.language.spelling import both, loose
from homesteward.language.tables import table

DIGITS = r"\d+(?:[.,]\d+)?"
NEVER = re.compile(r"(?!)")
type Classes = tuple[str, ...]
type Values = tuple[tuple[re.Pattern[str], float | str], ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing: which domains it may be, and in each which device classes (none = all of the domain)."""

    scope: Mapping[str, Classes]
    plural: bool


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of one language, folded, and its compiled shapes."""

    language: str
    articles: frozenset[str]
    all: tuple[str, ...]
    prepositions: frozenset[str]
    particles: tuple[str, ...]
    joined_particles: frozenset[str]
    conjunctions: tuple[str, ...]
    separators: tuple[str, ...]
    here: tuple[str, ...]
    everywhere: tuple[str, ...]
    sparing: tuple[str, ...]
    """Words that lead to what is left out of all that was said before."""
    floor_words: frozenset[str]
    front_doors: tuple[str, ...]
    entrance_areas: frozenset[str]
    fillers: tuple[str, ...]
    only: tuple[str, ...]
    pronouns: frozenset[str]
    compounds: tuple[str, ...]
    endings: tuple[str, ...]
    elided: re.Pattern[str] | None
    inflection: Inflection | None
    kinds: Mapping[str, Kind]
    states: Mapping[str, str]
    measures: Mapping[str, str]
    values: Mapping[str, Values]
    minus: re.Pattern[str]
    closing: re.Pattern[str]
    """What tells that a share is one of how far something is closed, not open."""
    noun_verbs: frozenset[str]
    """Kinds whose word is a verb as well: "light the lamp" is no lamp."""
    commands: tuple[Shape, ...]
    questions: tuple[Shape, ...]
    examples: Mapping[str, str]
    known: frozenset[str]
    """Every word that stands anywhere in the language's file: none of them is a slip for another."""


@cache
def lexicon(language: str) -> Lexicon | None:
    """Return the lexicon of `language` (`de-AT` counts as `de`), None where there is none of ours."""
    raw = table("lexicon", language)
    return None if raw is None else _Builder(language.split("-", maxsplit=1)[0].lower(), raw).build()


def number(text: str, values: Values, minus: re.Pattern[str]) -> float | str | None:
    """Return what `text` stands for: digits as they are, else the value of the first word of the list that it is.

    `minus` is what a number below zero begins with.
    """
    if sign := minus.match(text):
        value = number(text[sign.end() :], values, NEVER)
        return -value if isinstance(value, float | int) else None
    if re.fullmatch(DIGITS, text):
        return float(text.replace(",", "."))
    return next((value for pattern, value in values if pattern.fullmatch(text)), None)


class _Builder:
    """Build a lexicon from its file and, for colours and their temperatures, from HA's lists of the same language."""

    def __init__(self, language: str, raw: Mapping[str, object]) -> None:
        self._language = language
        self._raw = raw
        self._rules = cast("dict[str, str]", raw["rules"])
        self._minus = rf"(?:{'|'.join([MINUS, *(re.escape(word) + ' ' for word in self._words('minus'))])})\s*"
        self._values = self._all_values()

    def build(self) -> Lexicon:
        return Lexicon(
            language=self._language,
            articles=frozenset(self._words("articles")),
            all=self._words("all"),
            prepositions=frozenset(self._words("prepositions")),
            particles=self._words("particles"),
            joined_particles=frozenset(self._words("joined_particles")),
            conjunctions=self._words("conjunctions"),
            separators=self._words("separators"),
            here=self._words("here"),
            everywhere=self._words("everywhere"),
            sparing=self._words("except"),
            floor_words=frozenset(self._words("floor_words")),
            front_doors=self._words("front_doors"),
            entrance_areas=frozenset(self._words("entrance_areas")),
            fillers=self._words("fillers"),
            only=self._words("only"),
            pronouns=frozenset(self._words("pronouns")),
            compounds=self._words("compounds"),
            endings=self._words("endings"),
            elided=self._elided(),
            inflection=Inflection.of(cast("list[str]", self._raw.get("inflection") or [])),
            kinds=self._kinds(),
            states=self._inverse("states"),
            measures=self._inverse("measures"),
            values=self._values,
            minus=re.compile(self._minus),
            closing=re.compile(rf"(?<!\w)(?:{loose(fold(str(self._raw['closing'])))})(?!\w)"),
            noun_verbs=frozenset(self._words("noun_verbs")),
            commands=self._shapes("commands"),
            questions=self._shapes("questions"),
            examples=cast("dict[str, str]", self._raw["examples"]),
            known=frozenset(
                spelling
                for words in (self._raw, table("guards", self._language))
                for word in _words_in(words)
                for spelling in both(word)
            ),
        )

    def _words(self, key: str) -> tuple[str, ...]:
        words = cast("list[str]", self._raw.get(key) or [])
        spelled = dict.fromkeys(spelling for word in words for spelling in both(word))
        return tuple(sorted(spelled, key=len, reverse=True))

    def _elided(self) -> re.Pattern[str] | None:
        words = self._words("elided")
        return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, words))})(?=\w)") if words else None

    def _inverse(self, key: str) -> dict[str, str]:
        words_of = cast("dict[str, list[str]]", self._raw[key])
        return {spelling: name for name, words in words_of.items() for word in words for spelling in both(word)}

    def _kinds(self) -> dict[str, Kind]:
        found: dict[str, Kind] = {}
        for entry in cast("list[dict[str, object]]", self._raw["kinds"]):
            scope = {domain: tuple(classes) for domain, classes in cast("dict[str, list[str]]", entry["scope"]).items()}
            for key, plural in (("one", False), ("many", True)):
                for word in cast("list[str]", entry.get(key) or []):
                    found |= dict.fromkeys(both(word), Kind(scope, plural))
        return found

    def _shapes(self, key: str) -> tuple[Shape, ...]:
        shapes = cast("dict[str, list[str]]", self._raw[key])
        return tuple(
            compile_shape(act, template, self._rules, self._pattern_of)
            for act, templates in shapes.items()
            for template in templates
        )

    def _pattern_of(self, name: str) -> str | None:
        if name == "words":
            return WORDS
        if name in self._values:
            values = "|".join(pattern.pattern for pattern, _ in self._values[name])
            return f"(?:{values})" if name in WORDS_ONLY else f"(?:(?:{self._minus})?(?:{DIGITS}|{values}))"
        if name in WORD_TABLES:
            words = self._inverse(WORD_TABLES[name])
            return f"(?:{'|'.join(re.escape(word) for word in sorted(words, key=len, reverse=True))})"
        return None

    def _all_values(self) -> dict[str, Values]:
        spoken = _spoken_numbers(self._language)
        own = cast("dict[str, dict[str, float | str]]", self._raw["values"])
        lists = {name: _compiled(values) for name, values in own.items()}
        lists["level"] = lists.get("percent", ())
        lists["percent"] = lists.get("percent", ()) + spoken
        lists["number"] = spoken
        grammar = get_intents(self._language) or {}
        for name in WORDS_ONLY & set(grammar.get("lists", {})):
            lists[name] = lists.get(name, ()) + _compiled(
                {value["in"]: value["out"] for value in grammar["lists"][name]["values"]}
            )
        return lists


WORDS_ONLY = frozenset({"color", "color_temperature_names", "mode", "level", "unit"})
WORDS = r"\S(?:.*\S)?"  # any words, as many as go: what somebody dictates may hold the words of a shape
WORD_TABLES = {"state": "states", "measure": "measures"}


def _words_in(raw: object) -> Iterator[str]:
    """Yield every word of the file, also those within templates; slots and rules have names, which are none."""
    if isinstance(raw, str):
        yield from WORD.findall(SLOT.sub(" ", raw.replace("[", "").replace("]", "")))
        yield from WORD.findall(SLOT.sub(" ", OPTIONAL.sub("", raw)))
    elif isinstance(raw, Mapping):
        for key, value in raw.items():
            yield from _words_in(str(key))
            yield from _words_in(value)
    elif isinstance(raw, list):
        for each in raw:
            yield from _words_in(each)


WORD = re.compile(r"[^\W\d_]+")
SLOT = re.compile(r"\{[^}]*\}|<[^>]*>")
OPTIONAL = re.compile(r"\[[^\]]*\]")


def _compiled(values: Mapping[str, float | str]) -> Values:
    return tuple((re.compile(pattern_of_template(template)), value) for template, value in values.items())


def _spoken_numbers(language: str) -> Values:
    """Return the number words from 0 to 100, longest first, so that `twenty one` is not read as `twenty`."""
    engine = get_rbnf_engine(language)
    words: dict[str, float] = {}
    for value in range(101):
        spelled = engine.format_number(value)
        for text in (spelled.text, *spelled.text_by_ruleset.values()):
            words.setdefault(fold(text.replace("\xad", "")), float(value))
    ordered = sorted(words.items(), key=lambda pair: -len(pair[0]))
    return tuple((re.compile(loose(re.escape(word))), value) for word, value in ordered)
