"""Reading one sentence: by the names of the home, by our shapes, in clauses, by Home Assistant's grammar, or as a question."""

import re
from dataclasses import dataclass, replace
from datetime import datetime

from homesteward.home.calls import Call
from homesteward.home.view import HomeView
from homesteward.knowledge import NameIndex, Scope
from homesteward.language.acts import ACTS
from homesteward.language.answers import Answers
from homesteward.language.clauses import contradicted, divisions, joined, read_clauses
from homesteward.language.commands import Commands
from homesteward.language.dialogue import only_corrects
from homesteward.language.dictated import DICTATED, as_written, item_of
from homesteward.language.followups import Followed, Followups, followup_words
from homesteward.language.grammar import slot_lists, supported
from homesteward.language.guards import guard, masked, without_politeness
from homesteward.language.heard import Heard
from homesteward.language.leaving_out import exception_inside
from homesteward.language.lexicon import Lexicon, lexicon
from homesteward.language.moments import moved, says_now, timed
from homesteward.language.names import called
from homesteward.language.namesakes import Namesakes
from homesteward.language.offering import Offering
from homesteward.language.proposals import Proposals
from homesteward.language.questions import answer_by_grammar
from homesteward.language.reading import Acts, Asked, Asks, Declines, Option, Reading, Recalls, at_times
from homesteward.language.recalls import recall_of
from homesteward.language.recognise import Place, hidden_name, read_by_grammar
from homesteward.language.resolution import Choice, Fit, Found, Missing, Resolution
from homesteward.language.retrieval import Retrieval
from homesteward.language.shapes import matches
from homesteward.language.slips import Mended, Vocabulary, everyday, in_words
from homesteward.language.stage import How, Stage
from homesteward.language.targets import Targets
from homesteward.language.texts import texts
from homesteward.language.tidy import tidy
from homesteward.language.timers import lasting
from homesteward.language.verbs import verbs, wanted

STARTED = frozenset({"scene", "script"})
COMMA = re.compile(r"(?<!\d),|,(?!\d)")


class HomeNames:
    """The home as one revision names it. What only some sentences need is made when the first of them is read."""

    def __init__(self, index: NameIndex) -> None:
        """Know the names of `index`."""
        self.index = index
        self.heard = Heard()
        self._namesakes: dict[str, Namesakes] = {}
        self._vocabularies: dict[str, Vocabulary] = {}
        self._retrievals: dict[str, Retrieval] = {}

    def vocabulary(self, words: Lexicon) -> Vocabulary:
        """Return the words that this home and the language of `words` know."""
        if words.language not in self._vocabularies:
            self._vocabularies[words.language] = Vocabulary(self.index, words)
        return self._vocabularies[words.language]

    def retrieval(self, words: Lexicon) -> Retrieval:
        """Return what the words of its language may mean in this home, each for itself."""
        if words.language not in self._retrievals:
            self._retrievals[words.language] = Retrieval(self.index, words, self.in_other_words(words))
        return self._retrievals[words.language]

    def in_other_words(self, words: Lexicon) -> Namesakes:
        """Return the home's names as the language of `words` may bend or translate them."""
        if words.language not in self._namesakes:
            self._namesakes[words.language] = Namesakes(self.index, words)
        return self._namesakes[words.language]


@dataclass(frozen=True, slots=True)
class Setting:
    """Where and when something was said, the home's unit of temperature, and what was spoken of last."""

    area_id: str | None
    now: datetime
    temperature_unit: str
    subject: Found | None = None


class Sentence:
    """The reading of one sentence: what all its stages share."""

    def __init__(self, view: HomeView, home: HomeNames, language: str, setting: Setting) -> None:
        """Read in `language` about the home as `view` and `home` have it, said as `setting` tells."""
        self._view = view
        self._home = home
        self._language = language
        self._area_id = setting.area_id
        self._now = setting.now
        self._unit = setting.temperature_unit
        self._subject = setting.subject
        self._words = lexicon(language)
        self._say = texts(language)
        self._proposals = Proposals(view, home.index, self._say)
        self._targets = Targets(home.index, self._words, home.in_other_words(self._words)) if self._words else None
        self._commands = (
            Commands(self._words, self._targets, self._proposals, self._unit, setting.subject)
            if self._words and self._targets
            else None
        )

    @property
    def pointed_back(self) -> bool:
        """Return whether what was read may mean what was spoken of last."""
        return self._commands is not None and self._commands.pointed_back

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

    def again(self, asked: tuple[Asked, ...]) -> Acts | None:
        """Return what was asked for before as the home stands now; None where it would not act."""
        readings = [self._proposals.propose(one.act, one.said, one.target) for one in asked]
        acts = [reading for reading in readings if isinstance(reading, Acts)]
        return joined(acts) if acts and len(acts) == len(readings) else None

    def is_verb_and_name(self, text: str) -> bool:
        """Return whether the sentence is a verb and what is meant, every word of it accounted for: none is left to forbid it.

        It is the whole name of one thing ("run bedtime"), a kind in a room ("stop the landing vacuum"), or all but some.
        """
        if not self._words or not self._targets:
            return False
        said = without_politeness(tidy(text), self._language)
        plain = exception_inside(said, self._words)
        found = matches(self._words.commands, plain)
        return any(
            (match.clear or plain != said)
            and match.slots.keys() == {"target"}
            and self._is_told(match.slots["target"], match.act)
            for match in found
        )

    def _is_told(self, phrase: str, act: str) -> bool:
        if self._targets is None:
            return False
        scope, found = ACTS[act].scope, None
        if not self._targets.is_name(phrase, scope):
            found = self._targets.resolve(phrase, scope, area_id=self._area_id)
            return isinstance(found, Found) and (found.spared or (found.fit is Fit.PLACED and not found.wide))
        return True

    def dictated(self, text: str) -> Acts | None:
        """Return the one entry for a list that is all that was said; where its beginning is one by itself, it is several requests."""
        plain = without_politeness(tidy(text), self._language)
        if self._words is None or not any(
            shape.match(plain) for shape in self._words.commands if shape.act in DICTATED
        ):
            return None
        reading = self._by_shape(plain, refuse=False)
        if not isinstance(reading, Acts) or not item_of(reading):
            return None
        parts = divisions(plain, self._words.separators)
        if any(isinstance(self._by_shape(clauses[0], refuse=False), Acts) for clauses in parts):
            return None
        return as_written(reading, text)

    def command(self, text: str) -> Reading | None:
        """Return what the sentence asks for: as one request, as several clauses, or as a sentence of HA's grammar."""
        plain = without_politeness(tidy(text), self._language)
        if self._words is None:
            return self._clause(plain)
        plain = exception_inside(plain, self._words)
        whole = self._by_shape(plain, refuse=False)
        if isinstance(whole, Acts) and not item_of(whole):
            return whole
        several = read_clauses(plain, self._words.separators, self._clause)
        if isinstance(several, Acts):
            return self._contradiction(several) or as_written(several, text)
        if isinstance(whole, Acts):
            return None  # more than one entry, and not all of them are for a list that there is
        reading = whole or self._clause(plain)
        return reading if isinstance(reading, Acts | Asks) or _certain(reading) else several or reading

    def _contradiction(self, acts: Acts) -> Declines | None:
        name = contradicted(acts)
        return Declines("contradiction", self._say("contradiction", name=called(self._view, name))) if name else None

    def mended(self, text: str) -> Reading | None:
        """Return what the sentence asks for if a word or two in it are slips: done where nothing else can be meant, else asked about."""
        if self._words is None:
            return None
        plain = without_politeness(tidy(text), self._language)
        found: dict[str, tuple[Mended, Acts]] = {}
        for way in self._home.vocabulary(self._words).mended(plain):
            reading = None if guard(way.text, self._language) else self.command(way.text)
            if isinstance(reading, Acts):
                found[way.text] = way, reading
        ways = list(found.values())
        if len(ways) == 1 and ways[0][0].sure and everyday(ways[0][1]):
            return replace(ways[0][1], asked=(), how=How(Stage.SLIP, in_words(ways[0][0].words)))
        return self._offered([(way.text, acts.calls[0]) for way, acts in ways if len(acts.calls) == 1])

    def likely(self, text: str, *, placed: bool = False) -> Acts | Asks | None:
        """Return what the sentence most likely asks for, whatever its shape: done where that is beyond doubt, else offered.

        `placed`: only where a room that is here was said, as where another word before it makes it none that is known.
        """
        known = verbs(self._language)
        if self._words is None or self._targets is None or known is None:
            return None
        plain = _without(self._words.fillers, self._variants(without_politeness(tidy(text), self._language))[-1])
        asked = wanted(plain, known, self._words)
        retrieval = self._home.retrieval(self._words)
        offering = Offering(
            self._view, retrieval, self._targets, self._proposals, self._say, known, self._words.language
        )
        return offering.read(asked, self._area_id, placed=placed) if asked else None

    def _offered(self, ways: list[tuple[str, Call]]) -> Asks | None:
        """Ask whether it is this that was meant, or which of these; nothing is done before the answer."""
        if not ways:
            return None
        names = self._say.joined([f"\u201c{text}\u201d" for text, _ in ways])
        options = tuple(Option(call.target.entity_id[0], text) for text, call in ways)
        return Asks(self._say("near", names=names), options, tuple(call for _, call in ways), how=How(Stage.SLIP))

    def follow(self, text: str, last: Asked) -> Followed | None:
        """Return what the sentence means as what hangs on `last`, the request before, None if it does not."""
        if self._targets is None:
            return None
        followups = Followups(self._language, self._targets, self._proposals, self._home.index)
        plain, named = tidy(text), self._home.index.named_in
        if moment := timed(plain, self._language, self._now, named(plain)):
            then = moved(last, moment, plain, self._language, self._now)
            if only_corrects(moment.rest, self._language):
                return followups.retimed(then) if moment.rest or last.at or last.until else None
            plain, last = moment.rest, replace(last, at=moment.at, until=moment.until)
        said = (followups.read(short, last, self._area_id) for short in self._variants(plain))
        return next((followed for followed in said if followed), None)

    def later(self, text: str) -> Reading | None:
        """Return what the sentence asks for at a moment or until one; None where anything else in it, or no single moment, forbids it."""
        named, plain = self._home.index.named_in, without_politeness(tidy(text), self._language)
        moment = timed(plain, self._language, self._now, named(plain))
        if moment is None or guard(moment.rest, self._language, named(moment.rest)):
            return None
        if moment.at and says_now(moment.rest, self._language, named(moment.rest)):
            return None  # two moments, and no telling which of them holds for what
        reading = self._clause(moment.rest)
        if isinstance(reading, Acts | Asks):
            return lasting(at_times(reading, moment.at, moment.until), self._now)
        several = self._words and next(divisions(moment.rest, self._words.separators), None)
        return reading if isinstance(reading, Declines) and not several else None

    def answer(self, text: str) -> Reading | None:
        """Return the answer to a question, None if it is not one that can be answered from state."""
        refusal: Reading | None = None
        for plain in self._variants(without_politeness(tidy(text), self._language)):
            reading = self._recalled(plain) or self._answer_shape(plain)
            if reading is not None and not isinstance(reading, Declines):
                return reading
            refusal = refusal or reading
        said = answer_by_grammar(
            text,
            self._language,
            self._view,
            self._home.index,
            slot_lists(self._home.index, text),
            self._say,
            self._area_id,
            self._now,
        )
        return said or refusal

    def _clause(self, text: str) -> Reading | None:
        """Read one clause: by our shapes, then by Home Assistant's grammar where that leaves it open."""
        reading = self._by_shape(text)
        if isinstance(reading, Acts | Asks) or _certain(reading):
            return reading
        found = self._by_grammar(text)
        if isinstance(found, Acts):
            found = replace(found, how=How(Stage.GRAMMAR, found.how.why), asked=() if reading else found.asked)
        return found or reading

    def _by_shape(self, text: str, *, refuse: bool = True) -> Reading | None:
        """Read by our shapes; `refuse` also tells why a target means nothing, which costs a search for neighbours."""
        refusal: Reading | None = None
        for plain in self._variants(text):
            reading = self._commands.read(plain, self._area_id, refuse=refuse) if self._commands else None
            if isinstance(reading, Acts) and refusal is not None:
                return replace(reading, asked=())  # the home's state had a say in it
            if isinstance(reading, Acts | Asks):
                return reading
            refusal = reading or refusal  # the fewer words that only fill, the better it names what is missing
        return refusal

    def _by_grammar(self, text: str) -> Reading | None:
        """Read by Home Assistant's grammar. Where a shape of ours fits, its target was missing: then only a name counts."""
        if supported(self._language) is None:
            return None
        index, lists = self._home.index, slot_lists(self._home.index, text)
        if hidden := hidden_name(text, index):
            return self._proposals.missing(Missing("not_exposed", hidden), {})
        shaped = self._commands is not None and any(self._commands.fits(plain) for plain in self._variants(text))
        said_in = Place(self._area_id, self._unit)
        found = read_by_grammar(text, self._language, index, lists, self._proposals, said_in, named=shaped)
        return None if isinstance(found, Acts) and self._closes(text, found) else found

    def _closes(self, text: str, acts: Acts) -> bool:
        """Return whether a position would be set that the sentence tells by how far it is closed: the grammar takes it for open."""
        said = masked(text, self._home.index.named_in(text))
        return (
            self._words is not None
            and any(call.service.startswith("set_") and call.service.endswith("_position") for call in acts.calls)
            and self._words.closing.search(said) is not None
        )

    def _answer_shape(self, text: str) -> Reading | None:
        if not self._words or not self._targets:
            return None
        answers = Answers(
            self._view, self._resolve, self._say, dict(self._words.states), dict(self._words.measures), self._area_id
        )
        missing: Missing | None = None
        for match in matches(self._words.questions, text):
            found = answers.answer(match)
            if isinstance(found, Missing):
                if missing is None or found.code == "not_exposed":
                    missing = found
            elif found is not None:
                return found
        return self._proposals.missing(missing, {}) if missing else None

    def _recalled(self, text: str) -> Recalls | None:
        """Return the question about the past, a calendar, a list or what is to come that the text is, None if it is none."""
        found = recall_of(text, self._language, self._resolve, lambda domain: self._home.index.within({domain: ()}))
        return Recalls(*found) if found else None

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
        loosened = self._pronoun_apart(short) if self._subject else short
        return tuple(dict.fromkeys((text, apart, short, _without(self._words.only, short), loosened)))

    def _pronoun_apart(self, text: str) -> str:
        words = followup_words(self._language)
        return words.apart(text) if words else text


def _certain(reading: Reading | None) -> bool:
    """Return whether the reading is a refusal about a thing that is known: another way of reading must not get around it."""
    return isinstance(reading, Declines) and not reading.code.startswith("unknown")


def _without(fillers: tuple[str, ...], text: str) -> str:
    padded = f" {' '.join(COMMA.sub(' , ', text).split())} "
    for filler in fillers:
        padded = padded.replace(f" , {filler} , ", " ").replace(f" {filler} ", " ")
    return " ".join(padded.split()).replace(" ,", ",").strip(" ,")
