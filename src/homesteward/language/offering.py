"""The stage after the grammars: what was most likely asked for. It is done where nothing else can be meant, else offered, else left.

Done is only what accounts for every word, is far ahead of all else, moves everyday things, and whose verb was really said.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from re import findall

from homesteward.home.calls import Call
from homesteward.home.view import HomeView
from homesteward.language.acts import ACTS, Said, way_of
from homesteward.language.names import called
from homesteward.language.proposals import Proposals
from homesteward.language.ranking import Features, Verdict, margin, offered, score, verdict
from homesteward.language.reading import Acts, Asks, Option
from homesteward.language.resolution import Choice, Fit, Found
from homesteward.language.retrieval import REMEMBERED, SHORTEST, Retrieval
from homesteward.language.slips import everyday, slip_of
from homesteward.language.stage import How, Stage
from homesteward.language.tables import table
from homesteward.language.targets import Targets
from homesteward.language.texts import Texts
from homesteward.language.verbs import VALUE_OF, Verbs, Wanted

MOST_STRANGE = 1  # words that an offer may leave unexplained
NOT_THINGS = frozenset({"automation", "script", "scene", "group"})  # nobody means these by a part of their name
MOST_WORDS = 10  # words beside the verbs; nobody needs more to name one thing


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that may have been asked for, and how well it fits. `label` says it in words."""

    act: str
    target: Found
    features: Features
    label: str

    @property
    def score(self) -> float:
        """Return how well it fits."""
        return score(self.features)


@dataclass(frozen=True, slots=True)
class Offering:
    """What one sentence may ask for in one home."""

    view: HomeView
    retrieval: Retrieval
    targets: Targets
    proposals: Proposals
    say: Texts
    verbs: Verbs
    language: str

    def read(self, asked: Wanted, area_id: str | None, *, placed: bool = False) -> Acts | Asks | None:
        """Return what is most likely asked for, as done or as offered; None where nothing is likely enough.

        `placed`: only where a place of this home was said, and fits.
        """
        found = [one for one in self.candidates(asked, area_id) if one.features.place or not placed]
        if not found:
            return None
        scores = [one.score for one in found]
        match verdict(found[0].features, scores):
            case Verdict.ACT if (acts := self._acts(found[0], asked)) and self._plain(asked) and everyday(acts):
                return replace(acts, asked=(), how=How(Stage.RETRIEVAL, f"{scores[0]:.2f}, {margin(scores):.2f} ahead"))
            case Verdict.LEAVE:
                return None
            case _:
                return self._asks([found[n] for n in offered(scores)], asked)

    def candidates(self, asked: Wanted, area_id: str | None) -> list[Candidate]:
        """Return everything that may be asked for, the likeliest first."""
        if not asked.rest or len(asked.rest) > MOST_WORDS:
            return []
        whole = list(self._whole(asked, area_id))
        taken = {(one.act, name): one for one in whole for name in one.target.entity_ids}
        each = (one for one in self._each(asked) if not _within(taken.get((one.act, one.target.entity_ids[0])), one))
        return sorted([*whole, *each], key=lambda one: (-one.score, one.label))

    def _whole(self, asked: Wanted, area_id: str | None) -> Iterator[Candidate]:
        """Yield what all the words together mean, by the same rules as in a sentence of one of our shapes."""
        phrase = self._phrase(asked.rest)
        for act in sorted(asked.acts) if phrase else ():
            found = self.targets.resolve(phrase, ACTS[act].scope, area_id=area_id)
            if isinstance(found, Found) and found.fit in {Fit.EXACT, Fit.PLACED}:
                yield Candidate(act, found, Features(1.0, 1.0, whole=True), self._label(act, found, asked, phrase))
            elif isinstance(found, Found | Choice):
                for entity_id in found.entity_ids:
                    one = Found((entity_id,), Fit.PARTIAL)
                    yield Candidate(act, one, Features(1.0, 0.9), self._label(act, one, asked))

    def _each(self, asked: Wanted) -> Iterator[Candidate]:
        """Yield every single thing that shares words with the sentence and can do what is asked for."""
        said, words = self.retrieval.said(asked.rest), self._content(asked)
        for act in sorted(asked.acts):
            scope = {domain: classes for domain, classes in ACTS[act].scope.items() if domain not in NOT_THINGS}
            for entity_id in self.retrieval.candidates(said, scope):
                state = self.view.states.get(entity_id)
                if state is None or not state.available or not way_of(ACTS[act], state):
                    continue
                features = self.retrieval.features(said, entity_id)
                if self._harmless(self.retrieval.strange(said, entity_id), words, asked):
                    target = Found((entity_id,), Fit.PARTIAL)
                    yield Candidate(act, target, features, self._label(act, target, asked))

    def _acts(self, one: Candidate, asked: Wanted) -> Acts | None:
        reading = self.proposals.propose(one.act, _values(one.act, asked), one.target)
        return reading if isinstance(reading, Acts) else None

    def _asks(self, chosen: Sequence[Candidate], asked: Wanted) -> Asks | None:
        options: list[Option] = []
        calls: list[Call] = []
        for one in chosen:
            acts = self._acts(one, asked)
            if acts and len(acts.calls) == 1:
                options.append(Option(one.target.entity_ids[0], one.label))
                calls.append(acts.calls[0])
        if not options:
            return None
        names = f" {self.say('or')} ".join(self.say("quoted", text=option.label) for option in options)
        how = How(Stage.RETRIEVAL, f"{chosen[0].score:.2f}")
        return Asks(self.say("near", names=names), tuple(options), tuple(calls), how=how)

    def _plain(self, asked: Wanted) -> bool:
        """Return whether the verbs are nothing but verbs: a word that is also part of a name here may have been meant as that."""
        index = self.retrieval.index
        return not any(word in index.by_word for verb in asked.verbs for word in verb.split())

    def _harmless(self, strange: tuple[int, ...], words: tuple[str, ...], asked: Wanted) -> bool:
        """Return whether the words left unexplained may be taken for nothing: at most one, which forbids nothing and stands among the others.

        "The darn kitchen light" is one thing; before the verb, or after all else, a word may turn the request into something else
        ("I forgot to ...").
        """
        first, last = len(self.retrieval.content(asked.before)), len(words) - 1
        return len(strange) <= MOST_STRANGE and all(
            first <= n < last and not _forbids(words[n], self.language) for n in strange
        )

    def _content(self, asked: Wanted) -> tuple[str, ...]:
        return self.retrieval.content(asked.rest)

    def _phrase(self, rest: tuple[str, ...]) -> str:
        """Return the words without the prepositions at their ends, which the verbs have left behind."""
        idle, words = self.retrieval.joining, list(rest)
        while words and words[0] in idle:
            words.pop(0)
        while words and words[-1] in idle:
            words.pop()
        return " ".join(words)

    def _label(self, act: str, target: Found, asked: Wanted, phrase: str = "") -> str:
        single = len(target.entity_ids) == 1
        name = called(self.view, target.entity_ids[0]) if single else phrase
        return self.verbs.say[act].format(name=name, value=f"{asked.value or 0:g}")


def _within(whole: Candidate | None, one: Candidate) -> bool:
    """Return whether the thing is meant as part of what is there already. One of several that is called just so is meant itself."""
    called_so = one.features.covered == one.features.explained == 1.0
    return whole is not None and not (whole.target.wide and called_so)


def _values(act: str, asked: Wanted) -> Said:
    return {VALUE_OF[act]: asked.value} if asked.value is not None else {}


@lru_cache(REMEMBERED)
def _forbids(word: str, language: str) -> bool:
    known, word = _guarding(language), word.replace("'", "")
    return word in known or (len(word) >= SHORTEST and any(slip_of(word, other) for other in known))


@cache
def _guarding(language: str) -> frozenset[str]:
    """Return every word that stands in a guard of the language."""
    raw = table("guards", language) or {}
    return frozenset(word for word in findall(r"[^\W\d_]+", str(raw)) if len(word) >= SHORTEST - 1)
