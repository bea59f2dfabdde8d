"""Which automations a change, a call or an event sets off: those whose triggers wait for it, as far as that can be told, and else any."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import effect_of
from homesteward.home.starts import ANYTHING, CALL_SERVICE, DOMAIN, SHOWN
from homesteward.home.view import HomeView, area_of, labels_of, members_of
from homesteward.policy.kept import Kept
from homesteward.policy.weights import acting
from homesteward.policy.wrapped import shown

# Things that are on or off and nothing between: only there a call that ends in the one cannot start what waits for the other.
TWO_STATES = frozenset({"fan", "humidifier", "input_boolean", "light", "remote", "switch"})
# What a service makes Home Assistant tell of, now or when its time comes; every call is told as `call_service` beside it.
BRINGS_ABOUT: Mapping[str, tuple[str, ...]] = {
    "timer.start": ("timer.started", "timer.restarted", "timer.finished"),
    "timer.change": ("timer.finished",),
    "timer.pause": ("timer.paused",),
    "timer.cancel": ("timer.cancelled",),
    "timer.finish": ("timer.finished",),
    "automation.trigger": ("automation_triggered",),
    "logbook.log": ("logbook_entry",),
    "system_log.write": ("system_log_event",),
    "persistent_notification.create": (SHOWN,),
    "persistent_notification.dismiss": (SHOWN,),
    "persistent_notification.dismiss_all": (SHOWN,),
    "notify.persistent_notification": (SHOWN,),
    "notify.notify": (SHOWN,),  # whatever stands behind it, which is that where nothing else is set up
}
# Whatever the service of one of these is called.
BROUGHT_BY_DOMAIN: Mapping[str, tuple[str, ...]] = {
    "script": ("script_started",),
    "shopping_list": ("shopping_list_updated",),
}

type Waiting = Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]]


@dataclass(frozen=True, slots=True)
class Started:
    """By entity and by event, the automations that wait for it, each with the states that it waits for (none: any change)."""

    by_entity: Waiting
    by_event: Waiting
    anything: tuple[str, ...] = ()
    """Those that may wait for whatever there is."""
    by_domain: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By domain, those that may wait for any of its things."""


@dataclass(frozen=True, slots=True)
class Listeners:
    """Who waits in a home as it is at this moment: group members change without any registry telling so."""

    home: HomeView
    index: Started
    groups: Mapping[str, tuple[str, ...]]
    """By entity, the groups that hold it, at any depth, and what else it is shown as, where something waits for that."""

    def by_change(self, call: ResolvedCall, entity_id: str) -> tuple[str, ...]:
        """Return the automations that may start when `call` changes the entity, a group that holds it included. One that is switched off does not."""
        found = dict.fromkeys(self.index.anything)
        if self.index.by_domain:
            found |= dict.fromkeys(self.index.by_domain.get(entity_id.partition(".")[0], ()))
        for changed in (entity_id, *self.groups.get(entity_id, ())):
            for name, to in self.index.by_entity.get(changed, ()):
                if name not in found and _could(call, changed, to, self.home):
                    found[name] = None
        return self._running(found)

    def by_call(
        self, call: ResolvedCall, entity_id: str = "", *, anything: bool = True, told: bool = True
    ) -> tuple[str, ...]:
        """Return the automations that start by what Home Assistant tells of a call of this service, on the entity where there is one.

        `anything`: also those that may wait for whatever there is, which a call that only reads is not. `told`: whether it is a call at all
        and not the run of an automation, which is told by another event.
        """
        found = dict.fromkeys(self.index.anything if anything else ())
        if not self.index.by_event:
            return self._running(found) if found else ()
        acts = {call.id, ".".join(acting(call, entity_id))} if entity_id else {call.id}
        for event in dict.fromkeys(event for name in acts for event in _brought(name)):
            for name, about in self.index.by_event.get(event, ()):
                if not about or entity_id in about:
                    found[name] = None
        scene = (
            entity_id.partition(".")[0] if call.domain == "scene" else ""
        )  # it calls services of its members' domains
        for name, about in self.index.by_event.get(CALL_SERVICE, ()) if told else ():
            domains = {pattern.partition(".")[0] for pattern in about}
            known = any(fnmatchcase(each, pattern) for each in acts for pattern in about)
            if not about or known or (scene and not domains.isdisjoint({"*", scene})):
                found[name] = None
        return self._running(found)

    def by_event(self, event: str) -> tuple[str, ...]:
        """Return the automations that wait for an event of this type, whatever it says."""
        return self._running(dict.fromkeys(name for name, _ in self.index.by_event.get(event, ())))

    def by_anything(self) -> tuple[str, ...]:
        """Return the automations that may wait for whatever there is."""
        return self._running(self.index.anything)

    def _running(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if _runs(name, self.home))


def listeners_of(home: HomeView) -> Listeners:
    """Return who waits for what."""
    index = _STARTED.of(home)
    groups: dict[str, tuple[str, ...]] = {}
    for waited in index.by_entity:
        if members_of(home, waited):
            for member in _inside(home, waited):
                groups[member] = (*groups.get(member, ()), waited)
    for switch, fronts in shown(home).items():  # two faces of one thing
        for front in fronts:
            for one, other in ((switch, front), (front, switch)):
                if other in index.by_entity:
                    groups[one] = (*groups.get(one, ()), other)
    return Listeners(home, index, groups)


def _inside(home: HomeView, group: str) -> Iterator[str]:
    """Yield everything that a group holds, the groups in it included; a loop of groups ends."""
    seen, pending = {group}, [*members_of(home, group)]
    while pending:
        if (member := pending.pop()) not in seen:
            seen.add(member)
            pending += members_of(home, member)
            yield member


def _brought(service: str) -> tuple[str, ...]:
    return (*BRINGS_ABOUT.get(service, ()), *BROUGHT_BY_DOMAIN.get(service.partition(".")[0], ()))


def _indexed(home: HomeView) -> Started:
    by_entity: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    by_event: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    anything: dict[str, None] = {}
    by_domain: dict[str, dict[str, None]] = defaultdict(dict)
    named = [(name, start) for name, each in home.starts.items() for start in each]
    written = any(start.entity_id and "." not in start.entity_id for _, start in named)
    ids = {entity.registry_id: entity.entity_id for entity in home.entities.values()} if written else {}
    places = _places(home, {start.place for _, start in named if start.place[0]})
    for name, start in named:
        if start.entity_id == ANYTHING:
            anything[name] = None
        elif start.event:
            by_event[start.event].append((name, start.to))
        elif start.place[0] == DOMAIN:
            by_domain[start.place[1]][name] = None
        elif start.place[0]:
            for entity_id in places[start.place]:
                by_entity[entity_id].append((name, start.to))
        else:
            by_entity[ids.get(start.entity_id, start.entity_id)].append((name, start.to))
    domains = {domain: tuple(names) for domain, names in by_domain.items()}
    return Started(_closed(by_entity), _closed(by_event), tuple(anything), domains)


def _places(home: HomeView, wanted: set[tuple[str, str]]) -> Mapping[tuple[str, str], list[str]]:
    """Return what each place, device or label of a trigger stands for: everything there, also what a call would leave out."""
    found: dict[tuple[str, str], list[str]] = {place: [] for place in wanted}
    for entry in home.entities.values() if wanted else ():
        device, area = home.devices.get(entry.device_id or ""), area_of(home, entry.entity_id)
        at = [("device_id", entry.device_id or ""), ("device_id", (device.parent_id if device else "") or "")]
        at += [("area_id", area.area_id), ("floor_id", area.floor_id or "")] if area else []
        at += [("label_id", label) for label in labels_of(home, entry.entity_id)]
        for place in dict.fromkeys(at):
            if place in found:
                found[place].append(entry.entity_id)
    return found


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
