"""What the words for a thing mean in this home: an entity, a kind of thing in a place, all of a kind, or nothing.

Every word must be accounted for. Words that fit nothing are an error that names neighbours; nothing similar is taken instead.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from homesteward.core.text import fold
from homesteward.knowledge import NameIndex, Scope
from homesteward.language.acts import ACTS
from homesteward.language.leaving_out import leaving_out
from homesteward.language.lexicon import Kind, Lexicon
from homesteward.language.likely import as_covering, at_the_entrance, by_name, is_verb_and_thing, may_be_a_garage
from homesteward.language.namesakes import Namesakes
from homesteward.language.phrases import parts_of, quantity, without_leading
from homesteward.language.resolution import Choice, Fit, Found, Missing, Resolution, both
from homesteward.language.shapes import matches
from homesteward.language.whereabouts import Place, Whereabouts

HALF = 0.5  # a name of which less than this share was said is not meant

type Attempt = Callable[[tuple[str, ...], _Asked], Resolution | None]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is looked for, beside the words."""

    scope: Scope
    area_id: str | None = None
    bare_place: str | None = None
    everything: bool = False


class Targets:
    """Resolve the words for a thing, in one language and one home."""

    def __init__(self, index: NameIndex, words: Lexicon, namesakes: Namesakes) -> None:
        """Look names up in `index` and, bent or translated, in `namesakes`; words for kinds, places and numbers in `words`."""
        self._index = index
        self._words = words
        self._namesakes = namesakes
        self._meant: dict[tuple[object, ...], Resolution] = {}  # many shapes of a sentence ask for the same
        self._where = Whereabouts(index, words, namesakes)

    def resolve(
        self,
        phrase: str,
        scope: Scope,
        *,
        area_id: str | None = None,
        bare_place: str | None = None,
        everything: bool = False,
    ) -> Resolution:
        """Return what `phrase` means among the entities of `scope`.

        `area_id` is where it was said: it settles a doubt between rooms. `bare_place` is the domain meant where only a place
        is named, as in "set the kitchen to 21 degrees"; without it a place alone means nothing. `everything` reads a kind as
        all of it, as the question "which lights" does.
        """
        asked = _Asked(scope, area_id, bare_place, everything)
        key = phrase, tuple(scope.items()), area_id, bare_place, everything
        if key not in self._meant:
            self._meant[key] = self._resolved(phrase, asked)
        return self._meant[key]

    def _resolved(self, phrase: str, asked: _Asked) -> Resolution:
        whole = self._one(phrase, asked)
        if not isinstance(whole, Missing):
            return whole
        if kept := self._leaving_out(fold(phrase), asked):
            return kept
        parts = parts_of(fold(phrase), self._words.conjunctions)
        return whole if len(parts) < 2 else self._several(parts, asked)

    def is_name(self, phrase: str, scope: Scope) -> bool:
        """Return whether the whole of `phrase`, but for an article, is the name of a thing of `scope`."""
        bare = " ".join(without_leading(fold(phrase).split(), self._words.articles))
        return bool(self._index.within(scope, self._index.exact.get(bare, ())))

    def unnamed(self, domain: str, area_id: str | None) -> Resolution:
        """Return what is meant where nothing is named: the only thing of `domain` here, or in the home, else a choice."""
        ids = self._wide(self._index.within({domain: ()}))
        return self._nearest(ids, area_id, Fit.KIND) if ids else Missing("unknown_entity", domain.replace("_", " "))

    def _leaving_out(self, text: str, asked: _Asked) -> Found | None:
        def one(phrase: str, everything: bool) -> Resolution:  # noqa: FBT001 - a protocol's positional form
            return self._one(phrase, replace(asked, everything=asked.everything or everything))

        def there(words: tuple[str, ...]) -> frozenset[str] | None:
            place = self._where.at(words)
            return None if place is None else frozenset(self._index.within(asked.scope, place))

        return leaving_out(text, self._words, self._index, one, there)

    def _several(self, parts: list[str], asked: _Asked) -> Resolution:
        """Return all things named one after the other, or the first that is missing or in doubt."""
        found: list[Found] = []
        doubt: Missing | None = None
        for part in self._with_kinds(parts):
            if self._is_request(part):
                return Missing("unknown_entity", part)
            match self._one(part, asked):
                case Missing() as missing:
                    return missing
                case Choice():
                    doubt = doubt or Missing("ambiguous", part)  # an answer to it would leave the others out
                case Found() as one:
                    found.append(one)
        ids = dict.fromkeys(entity_id for one in found for entity_id in one.entity_ids)
        return doubt or Found(tuple(ids), max(one.fit for one in found), any(one.wide for one in found))

    def _is_request(self, part: str) -> bool:
        """Return whether the part asks for something itself: "unlock the shed lock and lock the gate" are two requests."""
        if part in self._index.exact:
            return False
        return is_verb_and_thing(part, self._words, self._index) or any(
            match.clear and isinstance(self._one(match.slots.get("target", ""), _Asked(ACTS[match.act].scope)), Found)
            for match in matches(self._words.commands, part)
        )

    def _with_kinds(self, parts: list[str]) -> list[str]:
        """Say the kind again beside a place that stands alone: "the lights in the kitchen and the hallway"."""
        kind = next((words for part in parts if (words := self._kind_in_place(part))), "")
        return [f"{kind} {place}" if kind and (place := self._only_a_place(part)) else part for part in parts]

    def _kind_in_place(self, part: str) -> str:
        """Return the words for a kind that stand beside a place; none where they are the name of a thing, or what it is called."""
        bare = " ".join(without_leading(part.split(), self._words.articles))
        if bare in self._index.exact:
            return ""
        words = tuple(word for word in bare.split() if word not in self._words.articles)
        rests = (" ".join(place.rest) for place in self._where.splits(self._split_compounds(words)))
        return next((rest for rest in rests if rest in self._words.kinds), "")

    def _only_a_place(self, part: str) -> str:
        """Return the words of the part if they are those of a place and nothing else, else none."""
        words = part.split()
        if words[0] in self._words.joined_particles:
            return ""
        joining = self._words.articles | self._words.prepositions
        place = " ".join(without_leading(words, joining))
        return place if place and self._where.at(tuple(place.split())) is not None else ""

    def _one(self, phrase: str, asked: _Asked) -> Resolution:
        text = fold(phrase)
        if (
            found := self._by_name(text, asked)
            or self._not_shared(text, asked.scope)
            or self._by_bent_name(text, asked)
        ):
            return found
        if self._torn(text.split()):
            return self._missing(text, tuple(text.split()))
        everything, core = quantity(text, self._words)
        asked = replace(asked, everything=asked.everything or everything)
        words = self._split_compounds(tuple(core.split()))
        if hidden := self._not_shared_in_other_words(words, asked.scope):
            return hidden
        for attempt in self._attempts(words, asked):
            if found := attempt(words, asked):
                return found
        return self._missing(text, words)

    def _torn(self, words: list[str]) -> bool:
        """Return whether a word at the edge belongs to a verb or to words that are not there, and not to the thing.

        "turn the lamp on and the fan off" holds "the lamp on": what is off must not be what was to be on.
        """
        if not words:
            return False
        text = " " + " ".join(words)
        apart = words[-1] in self._words.prepositions or any(
            text.endswith(f" {word}") for word in self._words.particles
        )
        return apart or words[0] in self._words.joined_particles

    def _attempts(self, words: tuple[str, ...], asked: _Asked) -> tuple[Attempt, ...]:
        return (*self._by_what_is_said(words, asked), self._covering, self._at_the_entrance)

    def _by_what_is_said(self, words: tuple[str, ...], asked: _Asked) -> tuple[Attempt, ...]:
        kind = self._kind(words)
        if kind and both(kind.scope, asked.scope):
            # "the garage door" is a kind of door, even where a room is called garage and has another door.
            return (self._of_kind, self._translated, *((self._partly,) if by_name(kind) else ()))
        if not kind and self._namesakes.ordinary(" ".join(words)):
            return (self._translated, self._in_place, self._of_kind, self._partly)
        return (self._in_place, self._of_kind, self._translated, self._partly)

    def _translated(self, words: tuple[str, ...], asked: _Asked) -> Resolution | None:
        """Find an entity by its whole name, said in another language than it is written in. A room is no name of a thing."""
        if self._where.at(words) is not None:
            return None
        ways = (self._namesakes.translated(" ".join(words)), self._namesakes.sensed(" ".join(words)))
        ids = next((found for ids in ways if (found := self._index.within(asked.scope, ids))), ())
        return self._nearest(ids, asked.area_id, Fit.PLACED) if ids else None

    def _not_shared_in_other_words(self, words: tuple[str, ...], scope: Scope) -> Missing | None:
        """Refuse a name in another case or language that only something not exposed has."""
        phrase = " ".join(words)
        if self._index.within(scope, self._namesakes.translated(phrase)):
            return None
        return Missing("not_exposed", phrase) if self._namesakes.hides(phrase, scope) else None

    def _by_name(self, text: str, asked: _Asked) -> Resolution | None:
        """Find an entity by its whole name, said with or without an article."""
        bare = " ".join(without_leading(text.split(), self._words.articles))
        for spelling in dict.fromkeys((text, bare, bare.replace("'s ", " "))):
            ids = self._index.within(asked.scope, self._index.exact.get(spelling, ()))
            if ids:
                return self._nearest(ids, asked.area_id, Fit.EXACT)
        return None

    def _by_bent_name(self, text: str, asked: _Asked) -> Resolution | None:
        """Find an entity by its whole name in another case, where nothing has just this one."""
        bare = without_leading(text.split(), self._words.articles)
        ids = self._index.within(asked.scope, self._namesakes.bent(" ".join(bare)))
        return self._nearest(ids, asked.area_id, Fit.EXACT) if ids else None

    def _not_shared(self, text: str, scope: Scope) -> Missing | None:
        """Refuse a name that only something not exposed has: what is similar to it was not meant."""
        bare = " ".join(without_leading(text.split(), self._words.articles))
        hidden = self._index.hidden
        for spelling in (text, bare):
            if hidden.get(spelling, frozenset()) & scope.keys():
                return Missing("not_exposed", bare)
        return None

    def _nearest(self, ids: tuple[str, ...], area_id: str | None, fit: Fit) -> Found | Choice:
        """Return the only one, or the only one in the room where it was said, or the choice."""
        here = tuple(name for name in ids if area_id and self._index.entities[name].area_id == area_id)
        if len(here) == 1:
            return Found(here, fit)
        return Found(ids, fit) if len(ids) == 1 else Choice(ids, fit)

    def _split_compounds(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Take words apart that join a room and a kind, as German does."""
        return tuple(part for word in words for part in self._compound(word))

    def _compound(self, word: str) -> tuple[str, ...]:
        for kind in self._words.compounds:
            head = word.removesuffix(kind)
            if word in self._words.kinds or head in {word, ""} or kind not in self._words.kinds:
                continue
            for ending in ("", *self._words.endings):
                place = head.removesuffix(ending)
                if self._where.at((place,)) is not None:
                    return (place, kind)
        return (word,)

    def _in_place(self, words: tuple[str, ...], asked: _Asked) -> Resolution | None:
        """Find a kind or a name beside a place: "the kitchen lights", "the lamp in the study", "hier"."""
        plain = tuple(word for word in words if word not in self._words.prepositions)
        places = [*self._where.splits(words), *self._where.splits(plain), *self._where.here(words, asked.area_id)]
        for place in places:
            if found := self._beside(place, asked):
                return found
        return None

    def _beside(self, place: Place, asked: _Asked) -> Resolution | None:
        scope, bare_place = asked.scope, asked.bare_place
        there = place.entity_ids
        if not place.rest:
            implied = {bare_place: scope[bare_place]} if bare_place and bare_place in scope else {}
            ids = self._wide(self._index.within(implied, there))
            return Found(ids, Fit.PLACED, wide=len(ids) > 1) if ids else None
        if kind := self._kind(place.rest):
            return self._counted(self._index.within(both(kind.scope, scope), there), kind, everything=asked.everything)
        named = [name for name in self._index.exact.get(" ".join(place.rest), ()) if name in place.entity_ids]
        ids = self._index.within(scope, named) or self._named_with_kind(place.rest, scope, place.entity_ids)
        return (Found(ids, Fit.PLACED) if len(ids) == 1 else Choice(ids, Fit.PLACED)) if ids else None

    def _counted(self, ids: tuple[str, ...], kind: Kind, *, everything: bool) -> Resolution | None:
        """All of them where the word is a plural or "all" was said; the only one; else a choice."""
        ids = self._wide(ids)
        if not ids:
            return None
        if len(ids) == 1 or kind.plural or everything:
            return Found(ids, Fit.PLACED, wide=len(ids) > 1 or kind.plural or everything)
        return Choice(ids, Fit.PLACED)

    def _of_kind(self, words: tuple[str, ...], asked: _Asked) -> Resolution | None:
        """Find a kind with no place: all of it if "all" was said, else the ones here, else the only one of the home."""
        kind, area_id = self._kind(words), asked.area_id
        if not kind:
            ids = self._named_with_kind(words, asked.scope, None)
            return self._nearest(ids, area_id, Fit.PLACED) if ids else None
        ids = self._wide(self._index.within(both(kind.scope, asked.scope)))
        if may_be_a_garage(ids, kind, asked.scope, self._index, area_id):
            return Choice(ids, Fit.KIND)
        if asked.everything:
            return Found(ids, Fit.KIND, wide=True) if ids else None
        here = tuple(name for name in ids if area_id and self._index.entities[name].area_id == area_id)
        if here and (kind.plural or len(here) == 1):
            return Found(here, Fit.KIND, wide=kind.plural)
        return (Found(ids, Fit.KIND) if len(ids) == 1 else Choice(here or ids, Fit.KIND)) if ids else None

    def _covering(self, words: tuple[str, ...], asked: _Asked) -> Resolution | None:
        """Find what hangs before the windows, by another of its names: one of them, or the question which."""
        if asked.everything:
            return None
        if (kind := as_covering(self._kind(words))) and (scope := both(kind.scope, asked.scope)):
            ids = self._wide(self._index.within(scope))
            return self._nearest(ids, asked.area_id, Fit.PARTIAL) if ids else None
        plain = tuple(word for word in words if word not in self._words.prepositions)
        for place in (*self._where.splits(words), *self._where.splits(plain), *self._where.here(words, asked.area_id)):
            if kind := as_covering(self._kind(place.rest)):
                ids = self._index.within(both(kind.scope, asked.scope), place.entity_ids)
                return self._counted(ids, kind, everything=False)
        return None

    def _at_the_entrance(self, words: tuple[str, ...], asked: _Asked) -> Resolution | None:
        ids = at_the_entrance(words, asked.scope, self._index, self._words)
        return self._nearest(ids, None, Fit.PARTIAL) if ids else None

    def _named_with_kind(self, words: tuple[str, ...], scope: Scope, among: frozenset[str] | None) -> tuple[str, ...]:
        """Find an entity by its name with the word for its kind beside it: the "reading light" that is called Reading."""
        for cut in range(1, len(words)):
            for name, rest in ((words[:cut], words[cut:]), (words[cut:], words[:cut])):
                kind = self._kind(rest)
                ids = self._index.exact.get(" ".join(name), ()) if kind else ()
                found = self._index.within(both(kind.scope, scope), ids) if kind else ()
                found = tuple(entity_id for entity_id in found if among is None or entity_id in among)
                if found:
                    return found
        return ()

    def _partly(self, words: tuple[str, ...], asked: _Asked) -> Resolution | None:
        """Find the entities whose name, room and kind account for every word said, and whose name was mostly said."""
        said = [word for word in words if word not in self._words.prepositions]
        whole = " ".join(said)  # as the name of a place, or of what is not shared, it is no part of another's
        if (
            not said
            or words[0] in self._words.prepositions
            or whole in self._index.areas
            or whole in self._index.hidden
        ):
            return None
        near = self._index.within(asked.scope, self._sharing(said))
        fitting = tuple(name for name in near if self._accounts(name, said, self._where.said_of(words)))
        return self._nearest(fitting, asked.area_id, Fit.PARTIAL) if fitting else None

    def _sharing(self, said: list[str]) -> frozenset[str]:
        """Return who could be meant: all words that are neither a kind nor of a place have to be in the name."""
        holding = [(word, self._index.by_word.get(word, frozenset())) for word in said]
        own = [ids for word, ids in holding if word not in self._words.kinds and word not in self._index.place_words]
        if own:
            return frozenset.intersection(*sorted(own, key=len))
        return min((ids for _, ids in holding if ids), key=len, default=frozenset())

    def _accounts(self, entity_id: str, said: list[str], said_where: frozenset[str]) -> bool:
        """Return whether the thing accounts for all that was said. A room it is said to be in is no name of it."""
        entity = self._index.entities[entity_id]
        place = self._index.area_words.get(entity.area_id or "", frozenset())
        kinds = {
            word for word in said if (kind := self._words.kinds.get(word)) and self._index.fits(entity_id, kind.scope)
        }
        for name in entity.words:
            spoken = [word for word in said if word in name]
            # "room" alone names nothing of the living room, "in the kitchen" no lamp called Kitchen, "now" none called Not now
            own = any(not (word in place or word in said_where or word in self._words.fillers) for word in spoken)
            if own and all(word in name or word in place or word in kinds for word in said):
                return (len(spoken) + len(kinds - name)) / len(name) >= HALF
        return False

    def _kind(self, words: tuple[str, ...]) -> Kind | None:
        return self._words.kinds.get(" ".join(words))

    def _wide(self, ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(entity_id for entity_id in ids if self._index.entities[entity_id].wide)

    def _missing(self, text: str, words: tuple[str, ...]) -> Missing:
        bare = " ".join(without_leading(text.split(), self._words.articles))
        if bare in self._words.pronouns:
            return Missing("unknown_entity", "")
        known = self._index.exact.get(text) or self._index.exact.get(bare)
        if known:
            return Missing("unsupported", bare, known[0])
        place = self._unknown_place(words)
        if place:
            return Missing("unknown_area", place)
        return Missing("unknown_entity", bare, is_place=bool(bare) and bool(self._only_a_place(bare)))

    def _unknown_place(self, words: tuple[str, ...]) -> str | None:
        """Return the words that stand where a room would, beside the word for several things of a kind."""
        if any(True for _ in self._where.splits(words)):
            return None
        for cut in range(1, len(words)):
            before, after = words[:cut], words[cut:]
            kind = self._kind(after)
            if kind and kind.plural:
                return " ".join(before)
            if self._kind(before) and after[0] in self._words.prepositions and after[1:]:
                return " ".join(after[1:])
        return None
