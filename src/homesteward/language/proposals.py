"""From an act and what it is aimed at to a reading: the calls, the question which one, or the reason why not."""

from collections.abc import Mapping
from dataclasses import replace

from homesteward.home.model import State
from homesteward.home.view import HomeView
from homesteward.knowledge import NameIndex, Scope
from homesteward.language.acts import ACTS, OPEN_ACTS, Act, Said, calls_for, way_of
from homesteward.language.asking import either, which_text
from homesteward.language.names import called, options
from homesteward.language.reading import Acts, Asked, Asks, Declines, Option, Reading
from homesteward.language.resolution import Choice, Fit, Found, Missing, Resolution
from homesteward.language.stage import How, Stage
from homesteward.language.texts import Texts

KNOWN_AREAS = 8
FULL = 100  # per cent


class Proposals:
    """Make readings out of acts, in one home and one language."""

    def __init__(self, view: HomeView, index: NameIndex, said: Texts) -> None:
        """Look states up in `view`, neighbours in `index`, and word refusals with `said`."""
        self._view = view
        self._index = index
        self._say = said

    def propose(self, act_name: str, said: Said, target: Resolution) -> Reading:
        """Return what asking for the act on `target` comes to."""
        act = ACTS[act_name]
        match target:
            case Missing():
                return self.missing(target, act.scope)
            case Found() | Choice() if act_name in OPEN_ACTS:
                return self._open(OPEN_ACTS[act_name], said, target)
            case Found() | Choice() if act_name == "closed_to":
                return self._closed(said, target)
            case Choice():
                return self._ask(act, said, target.entity_ids)
            case Found():
                reading = self._act(act, said, target)
                if not isinstance(reading, Acts):
                    return reading
                return replace(reading, asked=(Asked(act_name, said, target),), how=How(Stage.SHAPE, act_name))

    def _open(self, acts: Mapping[str, str], said: Said, target: Found | Choice) -> Reading:
        """Ask how, among the ways the one thing meant has; where there are several things, they have to be told apart first."""
        if len(target.entity_ids) > 1:
            labels = [option.label for option in options(self._view, target.entity_ids)]
            return Declines(
                "ambiguous", self._say("which", options=either(labels, self._say)), self._say("ambiguous.next")
            )
        [state] = self._states(target.entity_ids)
        able = [name for name in acts if way_of(ACTS[name], state)]
        if len(able) <= 1 or not _reachable(state):
            return self._act(ACTS[able[0] if able else next(iter(acts))], said, Found(target.entity_ids, Fit.EXACT))
        labels = [self._say.word("state", acts[name]) for name in able]
        calls = tuple(call for name in able for call in calls_for(ACTS[name], said, (state,)) or ())
        offered = tuple(Option(state.entity_id, label) for label in labels)
        return Asks(self._say("which", options=either(labels, self._say)), offered, calls)

    def _closed(self, said: Said, target: Found | Choice) -> Reading:
        """Close it where it is to be closed by all of it, else ask how far it is to be open: "closed to 30 percent" may be either."""
        share = said.get("percent")
        if not isinstance(share, float | int) or share in {0, FULL}:
            return self.propose("close", {}, target)
        if share == FULL / 2:
            return self.propose("position", said, target)
        shares, is_open = (share, FULL - share), self._say.word("state", "open")
        labels = [f"{each:g} % {is_open}" for each in shares]
        asking = self._say("which", options=either(labels, self._say))
        if len(target.entity_ids) > 1:
            return Declines("ambiguous", asking, self._say("ambiguous.next"))
        readings = [self.propose("position", {"percent": each}, target) for each in shares]
        acts = [reading for reading in readings if isinstance(reading, Acts)]
        if len(acts) < len(readings):
            return readings[0]
        offered = tuple(Option(target.entity_ids[0], label) for label in labels)
        return Asks(asking, offered, tuple(call for reading in acts for call in reading.calls))

    def missing(self, target: Missing, scope: Scope) -> Declines:
        """Return why nothing can be done, with what is near: names in `scope`, or the known rooms."""
        key = "unnamed" if not target.what else "only_a_place" if target.is_place else target.code
        text = self._say(key, what=target.what, name=called(self._view, target.entity_id or ""))
        return Declines(target.code, text, "" if key == "unnamed" else self._next(target, scope))

    def _next(self, target: Missing, scope: Scope) -> str:
        if target.code in {"unsupported", "not_exposed", "ambiguous"}:
            return self._say(f"{target.code}.next", name=called(self._view, target.entity_id or ""))
        near = self._index.near(target.what, scope, self._view)
        hints = [self._say("near", names=either(near, self._say))] if near else []
        if target.code == "unknown_area" and self._view.areas:
            names = sorted(area.name for area in self._view.areas.values())
            more = [self._say("more", count=len(names) - KNOWN_AREAS)] if len(names) > KNOWN_AREAS else []
            hints.append(self._say("known_areas", names=self._say.joined([*names[:KNOWN_AREAS], *more])))
        return " ".join(hints)

    def _act(self, act: Act, said: Said, target: Found) -> Reading:
        states = self._states(target.entity_ids)
        reached = [state for state in states if _reachable(state)]
        if not reached or (len(reached) < len(states) and not target.wide):
            lost = [state.name for state in states if not _reachable(state)]
            return Declines("unavailable", self._say("unavailable", names=self._say.joined(lost)))
        able = [state for state in reached if way_of(act, state)]
        if not able or (len(able) < len(reached) and not target.wide):
            return self._unsupported(next(state for state in reached if not way_of(act, state)))
        calls = calls_for(act, said, tuple(able))
        if calls is None:
            return Declines("unsupported", self._say("value"))
        note = self._note([state for state in states if not _reachable(state)])
        return Acts(calls, note, wide=target.wide and len(able) > 1)

    def _ask(self, act: Act, said: Said, entity_ids: tuple[str, ...]) -> Reading:
        """Ask which, among those that could do it; if only one could, it is still asked about."""
        states = self._states(entity_ids)
        able = [state for state in states if _reachable(state) and way_of(act, state)]
        if not able:
            return self._act(act, said, Found(entity_ids, Fit.EXACT))
        return self.which(tuple(state.entity_id for state in able), {state.entity_id: (act, said) for state in able})

    def which(self, entity_ids: tuple[str, ...], meant: dict[str, tuple[Act, Said]]) -> Reading:
        """Ask which of the entities is meant; `meant` says what would be done to each. Also one that is not read out can be answered."""
        every = options(self._view, entity_ids)
        calls = [calls_for(*meant[name], self._states((name,))) for name in entity_ids]
        if not all(calls):
            return Declines("unsupported", self._say("value"))
        text, shown = which_text(every, self._say.language)
        every_call = tuple(call for several in calls if several for call in several)
        return Asks(text, every[:shown], every_call, unshown=every[shown:])

    def _states(self, entity_ids: tuple[str, ...]) -> tuple[State, ...]:
        return tuple(self._view.states.get(name) or State(name, "unavailable") for name in entity_ids)

    def _unsupported(self, state: State) -> Declines:
        return Declines(
            "unsupported", self._say("unsupported", name=state.name), self._say("unsupported.next", name=state.name)
        )

    def _note(self, lost: list[State]) -> str:
        return self._say("left_out", names=self._say.joined([state.name for state in lost])) if lost else ""


def _reachable(state: State) -> bool:
    return (
        state.state != "unavailable"
    )  # `unknown` says nothing yet, as a scene before its first time, and can be asked
