"""Understanding one home: guards first, then what a sentence asks for or about, then concrete calls or an answer from state."""

import asyncio
from dataclasses import replace
from zoneinfo import ZoneInfo

from homesteward.core.clock import Clock
from homesteward.home.view import HomeView
from homesteward.knowledge import gathering_of, names_of_home
from homesteward.language.dictated import item_of, without_item
from homesteward.language.followups import Followed, followup_words
from homesteward.language.glossary import glossary
from homesteward.language.grammar import grammar, supported
from homesteward.language.guards import guard, guard_words, is_question, masked
from homesteward.language.heard import key_of
from homesteward.language.lexicon import lexicon
from homesteward.language.naming import Naming
from homesteward.language.reading import Asked, Declines, NotUnderstood, Reading
from homesteward.language.recalls import recall_shapes
from homesteward.language.replies import not_understood
from homesteward.language.resolution import Found
from homesteward.language.sentence import HomeNames, Sentence, Setting
from homesteward.language.stage import How, Stage
from homesteward.language.texts import texts
from homesteward.language.tidy import tidy
from homesteward.language.time_words import time_words
from homesteward.language.tongue import tongue_of, tongues
from homesteward.language.units import CELSIUS


def by(stage: Stage, reading: Reading, why: str = "") -> Reading:
    """Return the reading with the stage that it comes from; what is not understood comes from none."""
    return reading if isinstance(reading, NotUnderstood) else replace(reading, how=How(stage, why or reading.how.why))


MAX_LENGTH = 400  # characters; nobody says more to a house in one breath
UNHEARD = frozenset({"unknown_entity", "unknown_area"})  # refusals that a slip of the tongue may be behind
SLICE = 250  # entities read between two steps of whatever else goes on


class Understander:
    """Read sentences about one home. It looks at the home and never sends anything to it."""

    def __init__(self, view: HomeView, clock: Clock) -> None:
        """Read names and states from `view`, the time of day from `clock`."""
        self._view = view
        self._clock = clock
        self._known: HomeNames | None = None

    def read(
        self,
        text: str,
        language: str,
        *,
        area_id: str | None = None,
        time_zone: str = "UTC",
        temperature_unit: str = CELSIUS,
        subject: Found | None = None,
    ) -> Reading:
        """Return what `text` asks for. `area_id` is where it was said, `time_zone` an IANA name for spoken times.

        `temperature_unit` is the home's (°C or °F): temperatures are asked for in it, whichever unit was said. `subject` is what was
        spoken of last, which a pronoun means.
        """
        if len(text) > MAX_LENGTH or not text.strip():
            return self._lost(language)
        home = self._home()
        now = self._clock.now().astimezone(ZoneInfo(time_zone))
        sentence = Sentence(self._view, home, language, Setting(area_id, now, temperature_unit, subject))
        key = key_of(text, language, area_id, temperature_unit)
        if (asked := home.heard.of(key)) and (known := sentence.again(asked)):
            return replace(known, how=How(Stage.REMEMBERED, known.how.why))
        reading = self._read(sentence, text, language)
        if not sentence.pointed_back:
            home.heard.keep(key, reading)
        return reading

    def _read(self, sentence: Sentence, text: str, language: str) -> Reading:
        """Read it as if it had never been said before; say which stage understood it."""
        if is_question(text, language):
            return by(Stage.QUESTION, sentence.answer(text) or self._lost(language))
        if started := sentence.by_name(text):
            return by(Stage.NAME, started)
        if listed := sentence.dictated(text):
            return self.guard(without_item(text, item_of(listed)), language) or listed
        if (declined := self.guard(text, language)) and not sentence.is_verb_and_name(text):
            return sentence.later(text) or by(Stage.GUARD, declined, declined.code)
        reading = sentence.command(text)
        if reading is None or (isinstance(reading, Declines) and reading.code in UNHEARD):
            nowhere = reading is not None and reading.code == "unknown_area"
            return sentence.mended(text) or sentence.likely(text, placed=nowhere) or reading or self._lost(language)
        return reading

    def follow(
        self, text: str, language: str, last: Asked, *, area_id: str | None = None, time_zone: str = "UTC"
    ) -> Followed | None:
        """Return what `text` asks for as what hangs on `last`, the request before; None where it is a sentence of its own."""
        if len(text) > MAX_LENGTH or is_question(text, language):
            return None
        setting = Setting(area_id, self._clock.now().astimezone(ZoneInfo(time_zone)), CELSIUS)
        return Sentence(self._view, self._home(), language, setting).follow(text, last)

    def guard(self, text: str, language: str) -> Declines | None:
        """Return why `text` must not act, or None. A guard's word inside a name of the home ("Do not disturb") does not count."""
        return guard(text, language, self._home().index.named_in(tidy(text)))

    def tongue(self, text: str, usual: str) -> str:
        """Return the language that `text` is in, `usual` where that is in doubt; names of the home tell nothing of it."""
        plain = tidy(text)
        return tongue_of(masked(plain, self._home().index.named_in(plain)), usual)

    def named(self, text: str, language: str) -> frozenset[str]:
        """Return the exposed entities that the words of `text` name themselves: as things, places, kinds, or kinds in places."""
        home, words = self._home(), lexicon(language)
        return Naming(home.index, language, words, home.in_other_words(words) if words else None).named(text)

    async def warm(self, language: str) -> None:
        """Make ready for `language`, so that the next sentence need not wait.

        What is known of the language is loaded in a thread, the home's names in slices between which everything else goes on.
        After a change of the home's names (its revision) it spares the next sentence what they have to be read again for.
        """
        await asyncio.to_thread(_load, language)
        for _ in gathering_of(self._view).slices(self._view, SLICE):
            await asyncio.sleep(0)
        home = self._home()
        if words := lexicon(language):
            home.in_other_words(words).prepare()

    def _home(self) -> HomeNames:
        if self._known is None or self._known.index.revision != self._view.revision:
            self._known = HomeNames(names_of_home(self._view))
        return self._known

    def _lost(self, language: str) -> NotUnderstood:
        return NotUnderstood(not_understood(self._view, language))


def _load(language: str) -> None:
    lexicon(language)
    guard_words(language)
    time_words(language)
    recall_shapes(language)
    followup_words(language)
    tongues()
    glossary(language)
    texts(language)
    if supported(language):
        grammar(language)
