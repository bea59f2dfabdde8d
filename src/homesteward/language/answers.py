"""Answering a question from the states of the exposed entities, and from nothing else."""

from collections.abc import Callable, Sequence

from homesteward.core.text import fold
from homesteward.home.model import State
from homesteward.home.view import HomeView
from homesteward.language.index import Scope
from homesteward.language.names import options, state_word
from homesteward.language.reading import Reading, Says
from homesteward.language.resolution import Choice, Found, Missing, Resolution
from homesteward.language.shapes import Match
from homesteward.language.states import MEANINGS, MEASURES, READABLE, Meaning, Source
from homesteward.language.texts import Texts

LISTED = 12  # names in one answer; more are counted
# The kind of question -> the answer where it holds, and where it does not.
COUNTED = {
    "all": ("answer.yes_all", "answer.no_all"),
    "any": ("answer.yes_any", "answer.no_any"),
    "which": ("answer.which", "answer.which_none"),
    "how_many": ("answer.how_many", "answer.how_many_none"),
}
type Resolve = Callable[[str, Scope, str | None, bool], Resolution]


class Answers:
    """Answer questions of known shapes about one home."""

    def __init__(
        self, view: HomeView, resolve: Resolve, said: Texts, states: dict[str, str], measures: dict[str, str]
    ) -> None:
        """Find what is asked about with `resolve(phrase, scope, bare_place, everything)`; word the answer with `said`."""
        self._view = view
        self._resolve = resolve
        self._say = said
        self._states = states
        self._measures = measures

    def answer(self, match: Match) -> Reading | Missing | None:
        """Return the answer, what is missing for it, or None where the words do not fit this shape of question."""
        target = " ".join(filter(None, (match.slots.get("target"), match.slots.get("place"))))
        match match.act:
            case "measure":
                return self._measure(self._measures[fold(match.slots["measure"])], match.slots["measure"], target)
            case act if act.startswith("measure:"):
                return self._measure(act.partition(":")[2], "", target)
            case "state":
                return self._state(self._resolve(target, READABLE, None, False))
            case act:
                kind, _, fixed = act.partition(":")
                word = fixed or self._states[fold(match.slots["state"])]
                meaning = MEANINGS.get(word)
                if meaning is None:
                    return None
                found = self._resolve(target, meaning.scope, None, kind != "is")
                if isinstance(found, Missing):
                    return found
                return self.told(kind, found.entity_ids, meaning, word)

    def told(self, kind: str, entity_ids: Sequence[str], meaning: Meaning, word: str) -> Says:
        """Return the answer to one kind of question (is, any, all, which, how_many) about these entities."""
        states = self._states_of(entity_ids)
        known = [state for state in states if state.available]
        unknown = [state for state in states if not state.available]
        if kind == "is":
            text = " ".join(self._is(state, meaning, label) for state, label in self._labelled(states[:LISTED]))
            return Says(text, tuple(entity_ids))
        holding = [state for state in known if meaning.holds(state)]
        text = self._counted(kind, holding, known, meaning, word)
        if unknown:
            text += " " + self._say("answer.also_unavailable", names=self._names(unknown))
        return Says(text, tuple(entity_ids))

    def _is(self, state: State, meaning: Meaning, name: str) -> str:
        if not state.available:
            return self._say("answer.unavailable", name=name)
        key = "answer.yes" if meaning.holds(state) else "answer.no"
        return self._say(key, name=name, state=state_word(state, self._view, self._say))

    def _counted(self, kind: str, holding: list[State], known: list[State], meaning: Meaning, word: str) -> str:
        others = [one for one in known if not meaning.holds(one)]
        positive = {"all": not others and bool(known)}.get(kind, bool(holding))
        key = COUNTED[kind][0 if positive else 1]
        names = {"which": self._names(holding), "how_many": self._names(holding), "all": self._each(others)}
        return self._say(
            key, state=self._say.word("state", word), names=names.get(kind, self._each(holding)), count=len(holding)
        )

    def _state(self, found: Resolution) -> Reading | Missing:
        if isinstance(found, Missing):
            return found
        told = []
        for state, name in self._labelled(self._states_of(found.entity_ids[:LISTED])):
            key = "answer.state" if state.available else "answer.unavailable"
            told.append(self._say(key, name=name, state=state_word(state, self._view, self._say)))
        return Says(" ".join(told), found.entity_ids)

    def _measure(self, measure: str, spoken: str, target: str) -> Reading | Missing:
        """Read the measure where it is found first: a sensor of its class, else a device or a forecast that knows it."""
        missing: Missing = Missing("unknown_entity", target)
        for source in MEASURES[measure]:
            for phrase in dict.fromkeys(
                (target, f"{target} {spoken}".strip(), f"{target} {self._say.word('measure', measure)}")
            ):
                found = self._resolve(phrase, source.scope, source.domain, True)
                if isinstance(found, Missing):
                    missing = found if found.code == "not_exposed" else missing
                    continue
                if read := self._read(source, found):
                    return read
        return missing

    def _read(self, source: Source, found: Found | Choice) -> Says | None:
        told = []
        for state, name in self._labelled(self._states_of(found.entity_ids[:LISTED])):
            value = source.read(state)
            if value is not None:
                told.append(self._say("answer.value", name=name, state=value))
            elif not state.available:
                told.append(self._say("answer.unavailable", name=name))
        return Says(" ".join(told), found.entity_ids) if told else None

    def _states_of(self, entity_ids: Sequence[str]) -> list[State]:
        return [self._view.states.get(name) or State(name, "unavailable") for name in entity_ids]

    def _labelled(self, states: Sequence[State]) -> list[tuple[State, str]]:
        labels = options(self._view, [state.entity_id for state in states])
        return [(state, option.label) for state, option in zip(states, labels, strict=True)]

    def _names(self, states: Sequence[State]) -> str:
        return self._list([name for _, name in self._labelled(states[:LISTED])], len(states))

    def _each(self, states: Sequence[State]) -> str:
        shown = self._labelled(states[:LISTED])
        return self._list(
            [f"{name} ({state_word(state, self._view, self._say)})" for state, name in shown], len(states)
        )

    def _list(self, shown: list[str], total: int) -> str:
        more = [self._say("more", count=total - len(shown))] if total > len(shown) else []
        return self._say.joined([*shown, *more])
