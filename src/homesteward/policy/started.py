"""Which automations a change or an event sets off: those whose triggers name exactly that entity or that event."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import effect_of
from homesteward.home.view import HomeView
from homesteward.policy.kept import Kept

# Things that are on or off and nothing between: only there a call that ends in the one cannot start what waits for the other.
TWO_STATES = frozenset({"fan", "humidifier", "input_boolean", "light", "remote", "switch"})

type Waiting = Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]]


@dataclass(frozen=True, slots=True)
class Started:
    """By entity and by event, the automations that wait for it, each with the states that it waits for (none: any change)."""

    by_entity: Waiting
    by_event: Waiting


def started_by(call: ResolvedCall, entity_id: str, home: HomeView) -> tuple[str, ...]:
    """Return the automations that may start when `call` changes the entity. One that is switched off does not."""
    waiting = index_of(home).by_entity.get(entity_id)
    if waiting is None:
        return ()
    return tuple(name for name, to in waiting if _runs(name, home) and _could(call, entity_id, to, home))


def started_by_event(event: str, home: HomeView) -> tuple[str, ...]:
    """Return the automations that start when an event of this type is fired."""
    return tuple(name for name, _ in index_of(home).by_event.get(event, ()) if _runs(name, home))


def index_of(home: HomeView) -> Started:
    """Return who waits for what."""
    return _STARTED.of(home)


def _indexed(home: HomeView) -> Started:
    by_entity: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    by_event: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    named = [(name, start) for name, each in home.starts.items() for start in each]
    written = any(start.entity_id and "." not in start.entity_id for _, start in named)
    ids = {entity.registry_id: entity.entity_id for entity in home.entities.values()} if written else {}
    for name, start in named:
        if start.event:
            by_event[start.event].append((name, ()))
        else:
            by_entity[ids.get(start.entity_id, start.entity_id)].append((name, start.to))
    return Started(_closed(by_entity), _closed(by_event))


def _closed(found: Mapping[str, list[tuple[str, tuple[str, ...]]]]) -> Waiting:
    return {key: tuple(dict.fromkeys(each)) for key, each in found.items()}


def _runs(automation: str, home: HomeView) -> bool:
    state = home.states.get(automation)
    return state is not None and state.state != "off"


def _could(call: ResolvedCall, entity_id: str, to: tuple[str, ...], home: HomeView) -> bool:
    """Return whether the call may bring about what is waited for; a toggle may bring about either."""
    if not to or entity_id.partition(".")[0] not in TWO_STATES:
        return True
    effect = effect_of(call, entity_id, home)
    certain = effect.observable and effect.repeatable and bool(effect.accepts) and not effect.moved
    return not certain or not set(to).isdisjoint(effect.accepts)


_STARTED: Kept[Started] = Kept(lambda home: home.starts, _indexed)
