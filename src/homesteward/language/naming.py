"""Which things a person's own words name: by name, by place, by kind, or by a kind in a place.

It is wider than what a command would act on: a model may read the words more freely, and what is not named here is asked about
once more where text from outside was read. It is narrower than what a home's names could be made to say: a thing is not named by
words that every sentence holds.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from homesteward.core.text import fold
from homesteward.knowledge import NameIndex, Scope
from homesteward.language.guards import is_question, without_politeness
from homesteward.language.lexicon import Lexicon
from homesteward.language.namesakes import Namesakes
from homesteward.language.tidy import tidy

HALF = 0.5  # of a name's words; a name of which less was said is not meant
SHORTEST = 3  # letters of a word that can stand for a name
ENDING = 2  # letters in which a plural may differ
LONGEST = 10  # words of one name, place or kind
MOST_WORDS = 200  # looked at in one request
EDGES = ",;.:!?\"'()"


@dataclass(slots=True)
class _Heard:
    """What was found in a text."""

    things: set[str] = field(default_factory=set)
    places: list[frozenset[str]] = field(default_factory=list)
    kinds: list[Scope] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """The words that are no part of a name, a place or a kind."""


@dataclass(frozen=True, slots=True)
class Naming:
    """Find what is named in one language and one home; without `words` of the language only by the names as they are written."""

    index: NameIndex
    language: str
    words: Lexicon | None
    namesakes: Namesakes | None

    def named(self, text: str) -> frozenset[str]:
        """Return the exposed entities that `text` names for something to be done to them. A question names none."""
        if is_question(text, self.language):
            return frozenset()
        heard = self._listen(self._tokens(text))
        partly = set(self._by_part(heard.left))
        heard.kinds = [scope for scope in heard.kinds if not any(self.index.fits(part, scope) for part in partly)]
        heard.things |= partly
        return frozenset(heard.things | self._in_places(heard))

    def _tokens(self, text: str) -> list[str]:
        said = without_politeness(tidy(text), self.language)
        if self.words and self.words.elided:
            said = self.words.elided.sub(r"\1 ", said)
        return [bare for word in fold(said).split()[:MOST_WORDS] if (bare := word.strip(EDGES))]

    def _listen(self, tokens: list[str]) -> _Heard:
        """Take the words apart into things, places, kinds and the rest; the longest that fits is taken, and taken once."""
        heard, idle, start = _Heard(), self._idle(), 0
        while start < len(tokens):
            sizes = range(min(LONGEST, len(tokens) - start), 0, -1)
            runs = ((" ".join(tokens[start : start + size]), size) for size in sizes)
            size = next((size for run, size in runs if run not in idle and self._take(run, heard)), 0)
            if not size:
                self._apart(tokens[start], heard)
            start += size or 1
        return heard

    def _take(self, run: str, heard: _Heard) -> bool:
        """Take `run` for what it is, in this order: a thing, a place, a kind; each as it is called, then bent or translated.

        "Light" may be the name of one lamp, and says what is meant by "the light in the study" all the same.
        """
        kind = self.words.kinds.get(run) if self.words else None
        things = self._things(run, bent=kind is None)
        places = [] if things else self._places(run)
        heard.things.update(things)
        heard.places += places
        if kind and not places:
            heard.kinds.append(kind.scope)
        return bool(things or places or kind)

    def _things(self, run: str, *, bent: bool) -> tuple[str, ...]:
        exact = self.index.exact.get(run, ())
        if exact or not bent or not self.namesakes:
            return exact
        return self.namesakes.bent(run) or self.namesakes.translated(run)

    def _places(self, run: str) -> list[frozenset[str]]:
        index, others = self.index, self.namesakes
        areas = index.areas.get(run, ()) or (others.areas(run) if others else ())
        floors = index.floors.get(run, ()) or (others.floors(run) if others else ())
        there = [index.in_area.get(area, frozenset()) for area in areas]
        return there + [index.on_floor.get(floor, frozenset()) for floor in floors]

    def _apart(self, word: str, heard: _Heard) -> None:
        """Take a word apart that joins a place and a kind, as German does; what cannot be is left."""
        for kind in self.words.compounds if self.words else ():
            head = word.removesuffix(kind)
            if head in {word, ""}:
                continue
            for ending in ("", *(self.words.endings if self.words else ())):
                if places := self._places(head.removesuffix(ending)):
                    heard.places += places
                    self._take(kind, heard)
                    return
        heard.left.append(word)

    def _in_places(self, heard: _Heard) -> set[str]:
        """Return what the places and the kinds name together: a kind within the places, either alone as a whole.

        A place beside a thing in it only says where that is.
        """
        if heard.kinds:
            pool: Iterable[str] = frozenset().union(*heard.places) if heard.places else self.index.entities
            return {entity_id for entity_id in pool if any(self.index.fits(entity_id, scope) for scope in heard.kinds)}
        return {entity_id for place in heard.places if not place & heard.things for entity_id in place}

    def _by_part(self, left: list[str]) -> Iterator[str]:
        """Yield what is named by a part of its name: "the coffee" for the coffee machine, but nothing of which less than half was said."""
        idle, index = self._idle(), self.index
        said = {word for word in left if len(word) >= SHORTEST and word not in idle and word not in index.place_words}
        for entity_id in {entity_id for word in said for entity_id in self._having(word)}:
            names = index.entities[entity_id].words
            if any(sum(_said(word, said) for word in name) >= HALF * len(name) for name in names):
                yield entity_id

    def _having(self, word: str) -> frozenset[str]:
        """Return who has the word in a name, as it is or with another ending."""
        alike = {word, *(word[:-cut] for cut in range(1, ENDING + 1) if len(word) - cut >= SHORTEST)}
        return frozenset().union(*(self.index.by_word.get(each, frozenset()) for each in alike))

    def _idle(self) -> frozenset[str]:
        """Return the words that every sentence may hold: a thing that is called like one of them is not named by it."""
        said = self.words
        if said is None:
            return frozenset()
        groups = (
            said.articles,
            said.prepositions,
            said.particles,
            said.conjunctions,
            said.all,
            said.pronouns,
            said.here,
        )
        return frozenset(word for group in (*groups, said.everywhere, said.fillers, said.only) for word in group)


def _said(word: str, said: set[str]) -> bool:
    return word in said or (
        len(word) >= SHORTEST and any(each.startswith(word) and len(each) - len(word) <= ENDING for each in said)
    )
