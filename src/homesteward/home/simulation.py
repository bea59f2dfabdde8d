"""A home in this process: reads, is watched and obeys like the real one, without Home Assistant. For trials and tests."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Self

from homesteward.core import Clock, SystemClock, new_id
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import BodyStep, Call, ResolvedCall
from homesteward.home.catalogue import standard_services
from homesteward.home.effects import effect_of
from homesteward.home.errors import CallError, CallFailedError, CallUncertainError
from homesteward.home.faults import Dead, DropOut, Fault, Hold, Jam, LoseAnswer, Refuse, Vanish
from homesteward.home.health import Gap
from homesteward.home.inventory import Inventory, Thing, areas_of
from homesteward.home.live import Dispatched, HomeConfig, Known, Listener, Undo, Watcher
from homesteward.home.model import Area, Device, Entity, Floor, Label, Service, State
from homesteward.home.starts import Start
from homesteward.home.targets import expand
from homesteward.home.view import leaves_of, members_of
from homesteward.home.watchers import Watchers

MAX_DEPTH = 10  # scripts that start each other: Home Assistant stops such a chain too
RUN_EVENTS = {"script": "script_started", "automation": "automation_triggered"}
# domain -> the state that a group of it shows as soon as one member has it
GROUP_SHOWS = {"lock": "unlocked", "cover": "open", "valve": "open"}


class SimulatedHome:
    """A home built from an inventory. It implements HomeView, LiveHome, HeardHome and Dispatcher.

    Each call from outside is kept in `calls`, as it came. Set `faults[entity_id]` to make a thing misbehave.
    """

    def __init__(
        self,
        inventory: Inventory,
        *,
        clock: Clock | None = None,
        config: HomeConfig | None = None,
        home_id: str = "simulated",
    ) -> None:
        """Furnish the home with `inventory`."""
        self.home_id = home_id
        self.config = config or HomeConfig(name="Simulated home")
        self.connected = True
        self.lost_at: datetime | None = None
        """When it went out of reach; to be set where `connected` is set to False."""
        self.revision = 1
        self.calls: list[ResolvedCall] = []
        self.faults: dict[str, Fault] = {}
        self._clock = clock or SystemClock()
        self._watchers = Watchers()
        self._held: dict[str, Callable[[], None]] = {}
        self._context: str | None = None
        self._cause: str | None = None  # the context behind it: automations alone make a child of the one they run by
        self._listeners: dict[str, list[Listener]] = {}
        self._knowing: list[Known] = []
        self.states: dict[str, State] = {}
        self.entities: dict[str, Entity] = {}
        self.bodies: dict[str, tuple[BodyStep, ...]] = {}
        self.starts: dict[str, tuple[Start, ...]] = {}
        self.exposed: frozenset[str] = frozenset()
        self.areas: dict[str, Area] = {area.area_id: area for area in inventory.areas}
        self.floors: dict[str, Floor] = {floor.floor_id: floor for floor in inventory.floors}
        self.labels: dict[str, Label] = {label.label_id: label for label in inventory.labels}
        self.devices: dict[str, Device] = {device.device_id: device for device in inventory.devices}
        self.services: dict[str, Service] = {
            **standard_services(),
            **{service.id: service for service in inventory.services},
        }
        for thing in inventory.things:
            self._place(thing)

    @property
    def as_of(self) -> datetime | None:
        """Return the moment that what can be read here is of: now while connected, else `lost_at`."""
        return self._clock.now() if self.connected else self.lost_at

    @classmethod
    def build(
        cls,
        entities: Iterable[Thing] = (),
        *,
        areas: Iterable[Area | str] = (),
        floors: Iterable[Floor] = (),
        labels: Iterable[Label] = (),
        devices: Iterable[Device] = (),
        services: Iterable[Service] = (),
        clock: Clock | None = None,
        config: HomeConfig | None = None,
    ) -> Self:
        """Build a home from its parts; an area may be given by its name alone."""
        placed = tuple(area if isinstance(area, Area) else areas_of([area])[0] for area in areas)
        inventory = Inventory(tuple(entities), placed, tuple(floors), tuple(labels), tuple(devices), tuple(services))
        return cls(inventory, clock=clock, config=config)

    def watch(self, callback: Watcher, entity_ids: Collection[str] | None = None) -> Undo:
        """Call `callback` at every change of `entity_ids` (None: of every entity) until the returned undo is called."""
        return self._watchers.add(callback, entity_ids)

    async def listen(self, event_type: str, handler: Listener) -> Undo:
        """Call `handler` with every event of this type until the returned undo is called."""
        of_type = self._listeners.setdefault(event_type, [])
        of_type.append(handler)
        return lambda: of_type.remove(handler)

    def on_known(self, callback: Known) -> Undo:
        """Call `callback` at every `reconnect` until the returned undo is called."""
        self._knowing.append(callback)
        return lambda: self._knowing.remove(callback)

    def reconnect(self, gap: Gap | None = None) -> None:
        """Be within reach again, after `gap`; whoever waits for that is told."""
        self.connected = True
        for callback in list(self._knowing):
            callback(gap)

    async def freshen(self, entity_ids: Collection[str]) -> None:
        """Do nothing: what a body does is never behind here."""

    async def call(self, call: ResolvedCall) -> Dispatched:
        """Do as told, as far as each entity's fault lets it; watchers are told before this returns, as HA does."""
        self.calls.append(call)
        faults = {entity_id: self.faults.get(entity_id) for entity_id in self._reached(call)}
        for fault in faults.values():
            if isinstance(fault, Refuse):
                raise CallFailedError(fault.message, code=fault.code, next="See what the device needs.")
        self._context, self._cause = new_id("context"), None
        self._run(call, 0)
        if any(isinstance(fault, LoseAnswer) for fault in faults.values()):
            raise CallUncertainError(
                "The connection was lost before Home Assistant answered.", next="Look at the state before asking again."
            )
        return Dispatched(self._context)

    def set_state(self, entity_id: str, state: str, **attributes: JsonValue) -> None:
        """Let the entity change by itself, or add it; watchers are told."""
        old = self.states.get(entity_id) or Thing(entity_id).first_state()
        now = self._clock.now()
        changed = now if old.state != state else old.last_changed
        self._context, self._cause = new_id("context"), None
        self._put(
            replace(
                old, state=state, attributes={**old.attributes, **attributes}, last_changed=changed, last_updated=now
            )
        )

    def remove(self, entity_id: str) -> None:
        """Let the entity leave the home; watchers are told."""
        self.revision += 1
        self.entities.pop(entity_id, None)
        if old := self.states.pop(entity_id, None):
            self._watchers.tell(old, None)

    def fire(self, event_type: str, **data: JsonValue) -> None:
        """Let an event happen that nothing here makes by itself; whoever listens is told."""
        self._context, self._cause = new_id("context"), None
        self._fire(event_type, data)

    def release(self, entity_id: str) -> None:
        """Let an entity that holds back (fault `Hold`) do at last what it was told."""
        self._held.pop(entity_id)()

    def expose(self, entity_id: str, *, exposed: bool = True) -> None:
        """Expose the entity to the assistants, or hide it from them."""
        self.revision += 1
        self.exposed = self.exposed | {entity_id} if exposed else self.exposed - {entity_id}

    def _place(self, thing: Thing) -> None:
        self.states[thing.entity_id] = replace(
            thing.first_state(), last_changed=self._clock.now(), last_updated=self._clock.now()
        )
        if entry := thing.entry():
            self.entities[thing.entity_id] = entry
        if thing.body is not None:
            self.bodies[thing.entity_id] = thing.body
        if thing.domain == "automation":
            self.starts[thing.entity_id] = thing.starts
        if thing.exposed:
            self.exposed |= {thing.entity_id}
        if thing.domain == "script":
            name = thing.entity_id.partition(".")[2]
            self.services[thing.entity_id] = Service("script", name, thing.name)

    def _reached(self, call: ResolvedCall) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*call.entity_ids, *leaves_of(self, call.entity_ids)]))

    def _run(self, call: ResolvedCall, depth: int) -> None:
        """Let every entity do its part, then those run whose body the call started."""
        own = f"{call.domain}.{call.service}"
        self._tell_of_call(call)
        started = (own,) if call.domain == "script" and own in self.states else call.entity_ids
        for entity_id in dict.fromkeys([*leaves_of(self, started)]):
            self._obey(call, entity_id)
        if depth < MAX_DEPTH and _starts_bodies(call):
            for entity_id in started:
                self._run_body(entity_id, depth)

    def _run_body(self, entity_id: str, depth: int) -> None:
        before = self._context, self._cause
        if entity_id.startswith("automation."):
            self._context, self._cause = new_id("context"), self._context
        self._tell_of_run(entity_id)
        for step in self.bodies.get(entity_id, ()):
            if step.call:
                self._run_step(step.call, depth)
        self._context, self._cause = before

    def _run_step(self, call: Call, depth: int) -> None:
        """Run one call of a body; one that does not fit the home ends the body, as it does in Home Assistant."""
        try:
            self._run(expand(self, call), depth + 1)
        except CallError:
            return

    def _obey(self, call: ResolvedCall, entity_id: str) -> None:
        state = self.states.get(entity_id)
        if state is None or (not state.available and state.state == "unavailable"):
            return  # Home Assistant skips it in silence, and so does this
        effect = effect_of(call, entity_id, self)
        if effect.observable:
            self._misbehave(entity_id, lambda: self._put(effect.apply(self.states[entity_id], self._clock.now())))

    def _misbehave(self, entity_id: str, obey: Callable[[], None]) -> None:
        """Do what the entity's fault makes of the call; without a fault, obey."""
        match self.faults.get(entity_id):
            case Dead() | LoseAnswer(obeys=False):
                return
            case Jam(end):
                now = self._clock.now()
                jammed = replace(self.states[entity_id], state=end, last_changed=now, last_updated=now)
                self._put(jammed, anew=True)
            case DropOut():
                self.set_state(entity_id, "unavailable")
            case Vanish():
                self.remove(entity_id)
            case Hold(meanwhile):
                self._held[entity_id] = obey
                if meanwhile:
                    self.set_state(entity_id, meanwhile)
            case _:
                obey()

    def _put(self, new: State, *, anew: bool = False) -> None:
        """Take `new` as the entity's state; `anew`: also where it is the same, reached once more."""
        old = self.states.get(new.entity_id)
        if old is not None and (old.state, old.attributes) == (new.state, new.attributes) and not anew:
            return  # Home Assistant tells of changes only
        self.states[new.entity_id] = replace(
            new, context_id=self._context, context_parent_id=self._cause, context_user_id=None
        )
        self._watchers.tell(old, self.states[new.entity_id])
        self._regroup(new.entity_id)

    def _tell_of_call(self, call: ResolvedCall) -> None:
        data: dict[str, JsonValue] = dict(call.data)
        if call.entity_ids:
            data["entity_id"] = list(call.entity_ids)
        self._fire("call_service", {"domain": call.domain, "service": call.service, "service_data": data})

    def _tell_of_run(self, entity_id: str) -> None:
        event_type = RUN_EVENTS.get(entity_id.partition(".")[0])
        if event_type and entity_id in self.states:
            self._fire(event_type, {"name": self.states[entity_id].name, "entity_id": entity_id})

    def _fire(self, event_type: str, data: JsonObject) -> None:
        """Tell whoever listens, in the form in which Home Assistant fires an event."""
        context = {"id": self._context, "parent_id": self._cause, "user_id": None}
        event = {
            "event_type": event_type,
            "data": data,
            "time_fired": self._clock.now().isoformat(),
            "context": context,
        }
        for handler in list(self._listeners.get(event_type, ())):
            handler(event)

    def _regroup(self, member: str) -> None:
        """Let every group show what its members now show."""
        for group in [state for state in self.states.values() if member in members_of(self, state.entity_id)]:
            shown = _shown_by(
                group, [self.states[m].state for m in members_of(self, group.entity_id) if m in self.states]
            )
            if shown and shown != group.state:
                self._put(replace(group, state=shown, last_changed=self._clock.now(), last_updated=self._clock.now()))


def _starts_bodies(call: ResolvedCall) -> bool:
    if call.domain == "script":
        return call.service not in {"turn_off", "reload"}
    return call.id in {"scene.turn_on", "automation.trigger", "homeassistant.turn_on"}


def _shown_by(group: State, members: list[str]) -> str:
    """Return the state of a group by its members': one that is on, open or unlocked shows."""
    shows = GROUP_SHOWS.get(group.domain, "on")
    if shows in members:
        return shows
    return next((state for state in members if state not in {"unavailable", "unknown"}), "")
