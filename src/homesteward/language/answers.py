"""Answering a question from the states of the exposed entities, and from nothing else."""

from collections.abc import Callable, Sequence

from homesteward.core.text import fold
from homesteward.home.model import State
from homesteward.home.view import HomeView, area_of, device_class_of
from homesteward.knowledge import Scope
from homesteward.language.aggregates import EVERYDAY, KINDS, aggregate_text, on_text, values_of
from homesteward.language.air import of_the_air
from homesteward.language.names import called, options, state_word
from homesteward.language.reading import Reading, Says
from homesteward.language.resolution import Choice, Fit, Found, Missing, Resolution
from homesteward.language.shapes import Match
from homesteward.language.states import MEANINGS, MEASURES, READABLE, Meaning, Source
from homesteward.language.texts import Texts
from homesteward.language.weather import weather_text

LISTED = 12  # names in one answer; more are counted
# The kind of question -> the answer where it holds, and where it does not.
COUNTED = {
    "all": ("answer.yes_all", "answer.no_all"),
    "any": ("answer.yes_any", "answer.no_any"),
    "which": ("answer.which", "answer.which_none"),
    "how_many": ("answer.how_many", "answer.how_many_none"),
}
PEOPLE: Scope = {"person": (), "device_tracker": ()}
type Resolve = Callable[[str, Scope, str | None, bool], Resolution]


class Answers:
    """Answer questions of known shapes about one home."""

    def __init__(
        self,
        view: HomeView,
        resolve: Resolve,
        said: Texts,
        states: dict[str, str],
        measures: dict[str, str],
        area_id: str | None = None,
    ) -> None:
        """Find what is asked about with `resolve(phrase, scope, bare_place, everything)`; word the answer with `said`.

        `area_id` is where it was asked.
        """
        self._area_id = area_id
        self._view = view
        self._resolve = resolve
        self._say = said
        self._states = states
        self._measures = measures

    def answer(self, match: Match) -> Reading | Missing | None:
        """Return the answer, what is missing for it, or None where the words do not fit this shape of question."""
        target = " ".join(filter(None, (match.slots.get("target"), match.slots.get("place"))))
        kind, _, fixed = match.act.partition(":")
        match kind:
            case "measure":
                spoken = match.slots.get("measure", "")
                return self._measure(fixed or self._measures[fold(spoken)], "" if fixed else spoken, target)
            case "weather" | "here" | "people":
                return self._of_all(kind, fixed)
            case "what_is_on":
                return self._what_is_on(target)
            case "state" | "where":
                return self._state(self._resolve(target, PEOPLE if kind == "where" else READABLE, None, False))
            case _ if kind in KINDS:
                return self._aggregate(kind, fixed or self._measures[fold(match.slots["measure"])], target)
            case _:
                return self._so(kind, fixed or self._states[fold(match.slots["state"])], target)

    def _of_all(self, kind: str, measure: str) -> Reading | Missing | None:
        """Answer a question that names nothing."""
        return {"weather": self._weather, "people": self._people}.get(kind, lambda: self._here(measure))()

    def _weather(self) -> Says | None:
        """Tell what the weather is now; where several things know it, none of them is everybody's."""
        states = [self._view.states[name] for name in self._view.exposed if name.startswith("weather.")]
        known = [state for state in states if state.available]
        return weather_text(known[0], self._view, self._say) if len(known) == 1 else None

    def _so(self, kind: str, word: str, target: str) -> Reading | Missing | None:
        """Answer whether, which or how many of what is named are so; None for a word that means no state."""
        meaning = MEANINGS.get(word)
        if meaning is None:
            return None
        found = self._resolve(target, meaning.scope, None, kind != "is")
        if isinstance(found, Missing) and found.code == "unsupported" and kind == "is":
            return self._state(self._resolve(target, READABLE, None, False))  # a lock that is asked whether it is open
        return found if isinstance(found, Missing) else self.told(kind, found.entity_ids, meaning, word)

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
        if kind == "all" and unknown and len(holding) == len(known):
            text = self._say("answer.all_known", state=self._say.word("state", word)) if known else ""
        if unknown:
            text = f"{text} {self._say('answer.also_unavailable', names=self._names(unknown))}".strip()
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
        ids = self._meant(source, found)
        for state, name in self._labelled(self._states_of(ids[:LISTED])):
            value = source.read(state)
            if value is not None:
                told.append(self._say("answer.value", name=name, state=value))
            elif not state.available:
                told.append(self._say("answer.unavailable", name=name))
        return Says(" ".join(told), ids) if told else None

    def _meant(self, source: Source, found: Found | Choice) -> tuple[str, ...]:
        """Return the things to read: of several thermometers that were not named one by one, those that measure the air."""
        named = isinstance(found, Found) and not found.wide
        return (
            found.entity_ids
            if named or source.classes != ("temperature",)
            else of_the_air(self._view, found.entity_ids)
        )

    def _aggregate(self, kind: str, measure: str, target: str) -> Reading | Missing | None:
        """Put the values of one measure together: in the place that is named, else in every room."""
        missing: Missing | None = None
        for source in MEASURES.get(measure, ()):
            found = self._resolve(target, source.scope, source.domain, True) if target else None
            if isinstance(found, Missing):
                missing = missing or found
                continue
            states = self._states_of(self._meant(source, found)) if found else self._in_rooms(source)
            if values := values_of(measure, states, lambda state: called(self._view, state.entity_id)):
                return Says(aggregate_text(kind, values, self._say), tuple(state.entity_id for state in states))
        return missing

    def _here(self, measure: str) -> Reading | Missing | None:
        """Tell the measure of the air where it was asked; where that is not known, or nothing measures it, of the house."""
        for source in MEASURES.get(measure, ()) if self._area_id else ():
            there = [state.entity_id for state in self._in_rooms(source, self._area_id)]
            if read := self._read(source, Found(tuple(there), Fit.PLACED)) if there else None:
                return read
        return self._aggregate("average", measure, "")

    def _people(self) -> Says | None:
        """Tell who is at home, None where nobody is known here."""
        ids = [name for name in sorted(self._view.exposed) if name.startswith("person.")]
        return self.told("which", ids, MEANINGS["home"], "home") if ids else None

    def _in_rooms(self, source: Source, area_id: str | None = None) -> list[State]:
        """Return the exposed things of this source in the room; without one, in any of a floor: those outside are not the house."""
        found = (self._view.states[name] for name in sorted(self._view.exposed) if name in self._view.states)
        indoors = [state for state in found if self._indoors(state, source, area_id)]
        if source.classes != ("temperature",):
            return indoors
        return self._states_of(of_the_air(self._view, [state.entity_id for state in indoors]))

    def _indoors(self, state: State, source: Source, area_id: str | None) -> bool:
        area, entity = area_of(self._view, state.entity_id), self._view.entities.get(state.entity_id)
        inside = area is not None and (
            area.area_id == area_id if area_id else area.floor_id is not None or not self._view.floors
        )
        ordinary = entity is None or (entity.category is None and not entity.hidden)
        of_class = not source.classes or device_class_of(self._view, state.entity_id) in source.classes
        return inside and ordinary and state.domain == source.domain and of_class

    def _what_is_on(self, target: str) -> Reading | Missing:
        """Tell what is on, in the place that is named, else at home."""
        scope = dict.fromkeys(sorted(EVERYDAY), ())
        ids = tuple(sorted(self._view.exposed))
        if target:
            placed = [self._resolve(target, {domain: ()}, domain, True) for domain in scope]
            kinds = [one for one in placed if not isinstance(one, Missing)]
            if not kinds:
                return next(one for one in placed if isinstance(one, Missing))
            ids = tuple(dict.fromkeys(name for one in kinds for name in one.entity_ids))
        states = [state for name in ids if (state := self._view.states.get(name))]
        text, on = on_text(states, lambda state: called(self._view, state.entity_id), self._say)
        return Says(text, on)

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
