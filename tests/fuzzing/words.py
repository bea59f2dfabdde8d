"""What sentences of the fuzzer are made of, per language: the files beside this one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent
# How often a language is drawn: two of them deeply, six beside them.
LANGUAGES: Mapping[str, int] = {"en": 6, "de": 6, "fr": 2, "nl": 2, "ru": 2, "es": 2, "it": 2, "pl": 2}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language; `en.yaml` says what each list is for."""

    language: str
    names: list[str]
    rooms: dict[str, str]
    floors: dict[str, str]
    proper: list[str]
    nouns: dict[str, list[tuple[str, str, str]]]
    many: dict[str, str]
    all: dict[str, str]
    one: dict[str, str]
    acts: dict[str, dict[str, list[str]]]
    polite: list[str]
    both: str
    but: list[str]
    forbidden: dict[str, list[str]]
    elsewhere: list[str]
    traps: list[str]
    noun_verbs: dict[str, str] = field(default_factory=dict)
    """Verbs that are the word for a kind as well, with what they do; the kind is the domain of that name."""


@cache
def words_of(language: str) -> Words:
    """Return the words of `language`."""
    raw = yaml.load((FOLDER / f"{language}.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
    return Words(language=language, **raw)
