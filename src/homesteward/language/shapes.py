"""Ways of saying something, as data: templates in hassil's notation, compiled once to one pattern each.

A shape knows the verbs of a sentence and leaves the thing meant to `{target}`, whatever its words; what those words mean is
decided elsewhere, and only if every one of them can be accounted for.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations

from hassil.expression import (
    Alternative,
    Expression,
    Group,
    ListReference,
    Permutation,
    RuleReference,
    TextChunk,
)
from hassil.parse_expression import parse_sentence

from homesteward.core.text import fold
from homesteward.language.spelling import loose

GAP = r"(?:\s+|(?<=\s)|^|$)"  # a space, or a place where leaving out an optional word left none
PHRASE = r"\S(?:.*?\S)?"
type Slots = Mapping[str, str]
type PatternOf = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Match:
    """A sentence that has the shape of `act`: the words found in its slots.

    `clear`: the shape begins with a word of its own, so that the sentence is surely meant as this, whatever its target.
    """

    act: str
    slots: Slots
    clear: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """One template of an act."""

    act: str
    pattern: re.Pattern[str]
    clear: bool

    def match(self, text: str) -> Match | None:
        """Return the slots if the whole of the folded `text` has this shape."""
        found = self.pattern.fullmatch(text)
        if not found:
            return None
        slots = {name.partition("__")[0]: value for name, value in found.groupdict().items() if value is not None}
        return Match(self.act, slots, self.clear)


def compile_shape(act: str, template: str, rules: Mapping[str, str], pattern_of: PatternOf) -> Shape:
    """Compile `template`; `pattern_of` gives a slot's pattern by its list's name, None for any words.

    Raises KeyError for a rule that does not exist.
    """
    parts = _Compiler(rules, pattern_of)
    pattern = re.compile(parts.of(parse_sentence(template).expression))
    return Shape(act, pattern, clear=not template.startswith("{"))


def pattern_of_template(template: str, rules: Mapping[str, str] | None = None) -> str:
    """Return the pattern of a template without slots, such as a value of a list."""
    return _Compiler(rules or {}, lambda _: None).of(parse_sentence(template).expression)


def matches(shapes: tuple[Shape, ...], text: str) -> Iterator[Match]:
    """Yield every shape that the folded `text` has, in the order of the data."""
    for shape in shapes:
        if found := shape.match(text):
            yield found


class _Compiler:
    """Turn one parsed template into a regular expression. Every slot gets a name of its own."""

    def __init__(self, rules: Mapping[str, str], pattern_of: PatternOf) -> None:
        self._rules = rules
        self._pattern_of = pattern_of
        self._slots = 0

    def of(self, part: Expression) -> str:
        match part:
            case TextChunk():
                return _literal(part.text)
            case RuleReference():
                return f"(?:{self.of(parse_sentence(self._rules[part.rule_name]).expression)})"
            case ListReference():
                return self._slot(part)
            case Alternative():
                # The longest first: "lock up" before "lock", so that no word of a verb is left to the target.
                return f"(?:{'|'.join(sorted((self.of(item) for item in part.items), key=len, reverse=True))})"
            case Permutation():
                orders = permutations(part.items)
                return f"(?:{'|'.join(GAP.join(self.of(item) for item in order) for order in orders)})"
            case Group():
                return "".join(self.of(item) for item in part.items)
            case _:
                raise TypeError(f"a template cannot hold {part!r}")

    def _slot(self, part: ListReference) -> str:
        self._slots += 1
        pattern = self._pattern_of(part.list_name) or PHRASE
        return f"(?P<{part.slot_name}__{self._slots}>{pattern})"


def _literal(text: str) -> str:
    words = fold(text)
    if not words:
        return GAP if text else ""
    body = GAP.join(loose(re.escape(word)) for word in words.split())
    return (GAP if text[0].isspace() else "") + body + (GAP if text[-1].isspace() else "")
