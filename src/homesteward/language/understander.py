"""Reading a sentence without a model: guards first, then what it asks for or about, then concrete calls or an answer from state."""

import asyncio
import re
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from zoneinfo import ZoneInfo

from hassil.intents import SlotList

from homesteward.core.clock import Clock
from homesteward.home.view import HomeView
from homesteward.language.acts import ACTS
from homesteward.language.answers import Answers
from homesteward.language.clauses import read_clauses
from homesteward.language.commands import Commands
from homesteward.language.glossary import glossary
from homesteward.language.grammar import grammar, slot_lists, supported
from homesteward.language.guards import guard, guard_words, is_question, without_politeness
from homesteward.language.index import HomeIndex, Scope, build_index
from homesteward.language.lexicon import Lexicon, lexicon
from homesteward.language.namesakes import Namesakes
from homesteward.language.naming import Naming
from homesteward.language.proposals import Proposals
from homesteward.language.questions import answer_by_grammar
from homesteward.language.reading import Acts, Asks, Declines, NotUnderstood, Reading
from homesteward.language.recognise import Place, hidden_name, read_by_grammar
from homesteward.language.replies import not_understood
from homesteward.language.resolution import Choice, Fit, Found, Missing, Resolution
from homesteward.language.shapes import matches
from homesteward.language.targets import Targets
from homesteward.language.texts import texts
from homesteward.language.tidy import tidy
from homesteward.language.units import CELSIUS

STARTED = frozenset({"scene", "script"})
COMMA = re.compile(r"(?<!\d),|,(?!\d)")
MAX_LENGTH = 400  # characters; nobody says more to a house in one breath


class _Home:
    """The home as one revision names it. What only some sentences need is made when the first of them is read."""

    def __init__(self, index: HomeIndex) -> None:
        self.index = index
        self._namesakes: dict[str, Namesakes] = {}

    @cached_property
    def lists(self) -> dict[str, SlotList]:
        return slot_lists(self.index)

    def in_other_words(self, words: Lexicon) -> Namesakes:
        """Return the home's names as the language of `words` may bend or translate them."""
        if words.language not in self._namesakes:
            self._namesakes[words.language] = Namesakes(self.index, words)
        return self._namesakes[words.language]


class Understander:
    """Read sentences about one home. It looks at the home and never sends anything to it."""

    def __init__(self, view: HomeView, clock: Clock) -> None:
        """Read names and states from `view`, the time of day from `clock`."""
        self._view = view
        self._clock = clock
        self._known: _Home | None = None

    def read(
        self,
        text: str,
        language: str,
        *,
        area_id: str | None = None,
        time_zone: str = "UTC",
        temperature_unit: str = CELSIUS,
    ) -> Reading:
        """Return what `text` asks for. `area_id` is where it was said, `time_zone` an IANA name for spoken times.

        `temperature_unit` is the home's (°C or °F): temperatures are asked for in it, whichever unit was said.
        """
        if len(text) > MAX_LENGTH or not text.strip():
            return self._lost(language)
        home = self._home()
        now = self._clock.now().astimezone(ZoneInfo(time_zone))
        sentence = _Sentence(self._view, home, language, _Setting(area_id, now, temperature_unit))
        if is_question(text, language):
            return sentence.answer(text) or self._lost(language)
        if started := sentence.by_name(text):
            return started
        if (declined := self.guard(text, language)) and not sentence.is_verb_and_name(text):
            return declined
        return sentence.command(text) or self._lost(language)

    def guard(self, text: str, language: str) -> Declines | None:
        """Return why `text` must not act, or None. A guard's word inside a name of the home ("Do not disturb") does not count."""
        return guard(text, language, self._home().index.named_in(tidy(text)))

    def named(self, text: str, language: str) -> frozenset[str]:
        """Return the exposed entities that the words of `text` name themselves: as things, places, kinds, or kinds in places."""
        home, words = self._home(), lexicon(language)
        return Naming(home.index, language, words, home.in_other_words(words) if words else None).named(text)

    async def warm(self, language: str) -> None:
        """Make ready for `language`, so that the next sentence need not wait: what is known of it in a thread, the home's names here.

        After a change of the home's names (its revision) it spares the next sentence what they have to be read again for.
        """
        await asyncio.to_thread(_load, language)
        home = self._home()
        _ = home.lists
        if words := lexicon(language):
            home.in_other_words(words).prepare()

    def _home(self) -> _Home:
        if self._known is None or self._known.index.revision != self._view.revision:
            self._known = _Home(build_index(self._view))
        return self._known

    def _lost(self, language: str) -> NotUnderstood:
        return NotUnderstood(not_understood(self._view, language))


@dataclass(frozen=True, slots=True)
class _Setting:
    """Where and when something was said, and the home's unit of temperature."""

    area_id: str | None
    now: datetime
    temperature_unit: str


class _Sentence:
    """The reading of one sentence: what all its stages share."""

    def __init__(self, view: HomeView, home: _Home, language: str, setting: _Setting) -> None:
        self._view = view
        self._home = home
        self._language = language
        self._area_id = setting.area_id
        self._now = setting.now
        self._unit = setting.temperature_unit
        self._words = lexicon(language)
        self._say = texts(language)
        self._proposals = Proposals(view, home.index, self._say)
        self._targets = Targets(home.index, self._words, home.in_other_words(self._words)) if self._words else None
        self._commands = (
            Commands(self._words, self._targets, self._proposals, self._unit) if self._words and self._targets else None
        )

    def by_name(self, text: str) -> Reading | None:
        """Return the start of the scene or script whose whole name is all that was said, None if it is no such name.

        Whatever its words would say as a sentence ("let the dog out"), they are what it was called; the gate judges what it does.
        """
        for plain in self._variants(without_politeness(tidy(text), self._language)):
            ids = self._home.index.exact.get(plain, ())
            if ids and all(name.partition(".")[0] in STARTED for name in ids):
                target = Found(ids, Fit.EXACT) if len(ids) == 1 else Choice(ids, Fit.EXACT)
                return self._proposals.propose("start", {}, target)
        return None

    def is_verb_and_name(self, text: str) -> bool:
        """Return whether the sentence is a verb and the whole name of one thing ("run bedtime"): no word is left to forbid it."""
        if not self._words or not self._targets:
            return False
        found = matches(self._words.commands, without_politeness(tidy(text), self._language))
        return any(
            match.clear
            and match.slots.keys() == {"target"}
            and self._targets.is_name(match.slots["target"], ACTS[match.act].scope)
            for match in found
        )

    def command(self, text: str) -> Reading | None:
        """Return what the sentence asks for: as one request, as several clauses, or as a sentence of HA's grammar."""
        plain = without_politeness(tidy(text), self._language)
        if self._words is None:
            return self._by_grammar(plain)
        whole = self._by_shape(plain, refuse=False)
        if isinstance(whole, Acts):
            return whole
        several = read_clauses(plain, self._words.separators, self._clause)
        if isinstance(several, Acts):
            return several
        reading = whole or self._clause(plain)
        return reading if isinstance(reading, Acts | Asks) or _certain(reading) else several or reading

    def answer(self, text: str) -> Reading | None:
        """Return the answer to a question, None if it is not one that can be answered from state."""
        refusal: Reading | None = None
        for plain in self._variants(without_politeness(tidy(text), self._language)):
            reading = self._answer_shape(plain)
            if reading is not None and not isinstance(reading, Declines):
                return reading
            refusal = refusal or reading
        said = answer_by_grammar(
            text, self._language, self._view, self._home.index, self._home.lists, self._say, self._area_id, self._now
        )
        return said or refusal

    def _clause(self, text: str) -> Reading | None:
        """Read one clause: by our shapes, then by Home Assistant's grammar where that leaves it open."""
        reading = self._by_shape(text)
        if isinstance(reading, Acts | Asks) or _certain(reading):
            return reading
        return self._by_grammar(text) or reading

    def _by_shape(self, text: str, *, refuse: bool = True) -> Reading | None:
        """Read by our shapes; `refuse` also tells why a target means nothing, which costs a search for neighbours."""
        refusal: Reading | None = None
        for plain in self._variants(text):
            reading = self._commands.read(plain, self._area_id, refuse=refuse) if self._commands else None
            if isinstance(reading, Acts | Asks):
                return reading
            refusal = reading or refusal  # the fewer words that only fill, the better it names what is missing
        return refusal

    def _by_grammar(self, text: str) -> Reading | None:
        """Read by Home Assistant's grammar. Where a shape of ours fits, its target was missing: then only a name counts."""
        if supported(self._language) is None:
            return None
        index, lists = self._home.index, self._home.lists
        if hidden := hidden_name(text, index):
            return self._proposals.missing(Missing("not_exposed", hidden), {})
        shaped = self._commands is not None and any(self._commands.fits(plain) for plain in self._variants(text))
        said_in = Place(self._area_id, self._unit)
        return read_by_grammar(text, self._language, index, lists, self._proposals, said_in, named=shaped)

    def _answer_shape(self, text: str) -> Reading | None:
        if not self._words or not self._targets:
            return None
        answers = Answers(self._view, self._resolve, self._say, dict(self._words.states), dict(self._words.measures))
        missing: Missing | None = None
        for match in matches(self._words.questions, text):
            found = answers.answer(match)
            if isinstance(found, Missing):
                if missing is None or found.code == "not_exposed":
                    missing = found
            elif found is not None:
                return found
        return self._proposals.missing(missing, {}) if missing else None

    def _resolve(self, phrase: str, scope: Scope, bare_place: str | None, everything: bool) -> Resolution:  # noqa: FBT001 - a protocol's positional form
        if self._targets is None:
            return Missing("unknown_entity", phrase)
        return self._targets.resolve(phrase, scope, area_id=self._area_id, bare_place=bare_place, everything=everything)

    def _variants(self, text: str) -> tuple[str, ...]:
        """Return the text as it is and without the words that only fill it."""
        if not self._words:
            return (text,)
        apart = self._words.elided.sub(r"\1 ", text) if self._words.elided else text
        short = _without(self._words.fillers, apart)
        return tuple(dict.fromkeys((text, apart, short, _without(self._words.only, short))))


def _certain(reading: Reading | None) -> bool:
    """Return whether the reading is a refusal about a thing that is known: another way of reading must not get around it."""
    return isinstance(reading, Declines) and not reading.code.startswith("unknown")


def _without(fillers: tuple[str, ...], text: str) -> str:
    padded = f" {COMMA.sub(' , ', text)} "
    for filler in fillers:
        padded = padded.replace(f" {filler} ", " ")
    return " ".join(padded.split()).replace(" ,", ",").strip(" ,")


def _load(language: str) -> None:
    lexicon(language)
    guard_words(language)
    glossary(language)
    texts(language)
    if supported(language):
        grammar(language)
