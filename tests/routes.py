"""Every way to a thing: one home in which each thing that guards it can be reached directly and by every detour, and the calls that do."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from configurations import PaperConfiguration
from homesteward.actions.ha_config import ConfigRoom, Versions, kinds_of
from homesteward.actions.offers import Offers
from homesteward.actions.offers.enabling import OfferCalls
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.actions.schedule import ScheduleStore, Scheduling
from homesteward.core import Clock
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.bodies import body_of, scene_body
from homesteward.home.calls import Call, parse_call
from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Device, Entity, Floor, Label, State
from homesteward.home.simulation import SimulatedHome
from homesteward.home.starts import Start
from homesteward.people import Caller, Channel, Role, Scope
from homesteward.store import Database

ANY_OF_IT = frozenset({Scope.READ, Scope.ACT, Scope.PROPOSE, Scope.CONFIGURE})
CALLERS: Mapping[str, Caller] = {
    "owner": Caller(Role.OWNER, Channel.CLI, "owner"),
    "member": Caller(Role.MEMBER, Channel.CLI, "member"),
    "guest": Caller(Role.GUEST, Channel.CLI, "guest"),
    "token": Caller(Role.TOKEN, Channel.API, "token", scopes=ANY_OF_IT),
    "trigger": Caller(Role.TRIGGER, Channel.TRIGGER, "trigger"),
}


@dataclass(frozen=True, slots=True)
class End:
    """A thing that everything is aimed at: the service that opens it, silences it or sets it off, and a scene's word for that."""

    name: str
    entity_id: str
    service: str
    scene: JsonValue
    data: JsonObject = field(default_factory=dict)
    device_class: str | None = None

    @property
    def domain(self) -> str:
        """Return the thing's domain."""
        return self.entity_id.partition(".")[0]

    def action(self, **target: JsonValue) -> dict[str, JsonValue]:
        """Return the call as a script writes it, on `target` or else on the thing itself."""
        found: dict[str, JsonValue] = {"action": self.service, "target": target or {"entity_id": self.entity_id}}
        return {**found, "data": dict(self.data)} if self.data else found


GUARDS = (
    End("lock", "lock.end", "lock.unlock", "unlocked"),
    End("garage cover", "cover.end", "cover.open_cover", "open", device_class="garage"),
    End("alarm", "alarm_control_panel.end", "alarm_control_panel.alarm_disarm", "disarmed"),
    End("valve", "valve.end", "valve.open_valve", "open"),
    End("siren", "siren.end", "siren.turn_on", "on"),
    End("camera", "camera.end", "camera.turn_off", "off"),
)
LAMP = End("lamp", "light.end", "light.turn_on", "on")  # what shows that the table can tell one verdict from another
ENDS = (*GUARDS, LAMP)
DEVICE_TYPES = {"lock": "unlock", "garage cover": "open", "alarm": "disarm", "lamp": "turn_on"}
POSITIONS = {"garage cover": "cover.set_cover_position", "valve": "valve.set_valve_position"}
TOGGLED = frozenset({"garage cover", "valve", "siren", "lamp"})  # of the others Home Assistant has no toggle


def routed_home(clock: Clock | None = None) -> SimulatedHome:
    """Build the home: per thing an area on a floor, a label and a device of its own, and everything that leads to it."""
    things = [thing for end in ENDS for thing in _things(end)]
    home = SimulatedHome.build(
        things,
        areas=[Area(f"area_{_slug(end)}", f"Area {end.name}", f"floor_{_slug(end)}") for end in ENDS],
        floors=[Floor(f"floor_{_slug(end)}", f"Floor {end.name}") for end in ENDS],
        labels=[Label(f"label_{_slug(end)}", f"Label {end.name}") for end in ENDS],
        devices=[Device(f"device_{_slug(end)}", f"Device {end.name}") for end in ENDS],
        clock=clock,
    )
    for end in ENDS:
        entry = home.entities[end.entity_id]
        home.entities[end.entity_id] = Entity(**{**_fields(entry), "registry_id": registry_id(end)})
    return home


def registry_id(end: End) -> str:
    """Return what Home Assistant's editor would write instead of the thing's entity id."""
    return f"{ENDS.index(end):032x}"


def _fields(entity: Entity) -> dict[str, object]:
    return {name: getattr(entity, name) for name in Entity.__slots__}


def _slug(end: End) -> str:
    return end.name.replace(" ", "_")


def _things(end: End) -> Iterator[Thing]:
    """Yield the thing, and each way to it that is itself a thing."""
    slug = _slug(end)
    yield Thing(
        end.entity_id,
        f"End {end.name}",
        area=f"area_{slug}",
        labels=frozenset({f"label_{slug}"}),
        device=f"device_{slug}",
        device_class=end.device_class,
        state=FIRST.get(end.domain, ""),
        attributes=ATTRIBUTES.get(end.domain, {}),
    )
    yield Thing(f"group.{slug}", f"Group {slug}", members=(end.entity_id,))
    yield Thing(f"group.of_group_{slug}", f"Group of group {slug}", members=(f"group.{slug}",))
    yield Thing(f"{end.domain}.as_one", f"Group entity {slug}", members=(end.entity_id,), device_class=None)
    for name, members in SCENES.items():
        scene = State(f"scene.{name}_{slug}", "unknown", {"entity_id": [members.format(end=end.entity_id, slug=slug)]})
        yield Thing(scene.entity_id, f"Scene {name} {slug}", body=scene_body(scene), attributes=dict(scene.attributes))
    for name, sequence in BODIES.items():
        yield Thing(f"script.{name}_{slug}", f"Script {name} {slug}", body=body_of({"sequence": sequence(end, slug)}))
    opens = body_of({"actions": [end.action()]})
    yield Thing(f"automation.{slug}", f"Automation {slug}", body=opens)
    button, flag = f"input_button.{slug}", f"input_boolean.{slug}"
    yield Thing(button, f"Button {slug}")
    yield Thing(flag, f"Flag {slug}")
    starts = (Start(button), Start(flag, to=("on",)), Start(event=f"event_{slug}"))
    yield Thing(f"automation.waits_{slug}", f"Automation waits {slug}", body=opens, starts=starts)
    for name, target in UNRESOLVED.items():
        hides, hidden = body_of({"actions": [target(end)]}), f"input_boolean.{name}_{slug}"
        yield Thing(hidden, f"Flag {name} {slug}")
        yield Thing(
            f"automation.{name}_{slug}", f"Automation {name} {slug}", body=hides, starts=(Start(hidden, to=("on",)),)
        )
    one, all_of_them, timer = f"switch.one_{slug}", f"switch.all_{slug}", f"timer.{slug}"
    yield Thing(one, f"One {slug}")
    yield Thing(all_of_them, f"All {slug}", members=(one,))
    yield Thing(timer, f"Timer {slug}", state="idle")
    rings = (Start(event="timer.finished", to=(timer,)),)
    for name, waited in {"members": (Start(all_of_them, to=("on",)),), "rings": rings}.items():
        yield Thing(f"automation.{name}_{slug}", f"Automation {name} {slug}", body=opens, starts=waited)


FIRST = {"alarm_control_panel": "armed_away", "camera": "idle"}
ATTRIBUTES: Mapping[str, JsonObject] = {
    "valve": {"supported_features": 1 | 2 | 4},
    "cover": {"supported_features": 15},
    "camera": {"supported_features": 1},
}
# What an automation aims at that cannot be resolved whole; Home Assistant acts on the rest.
UNRESOLVED: Mapping[str, Callable[[End], JsonValue]] = {
    "gone": lambda end: end.action(entity_id=[end.entity_id, f"{end.domain}.gone"]),
    "nowhere": lambda end: end.action(entity_id=end.entity_id, area_id="nowhere"),
    "all": lambda end: end.action(entity_id="all"),
    "which": lambda end: end.action(entity_id="{{ which }}"),
}
SCENES = {"of": "{end}", "nested": "group.of_group_{slug}"}

type Sequence = Callable[[End, str], JsonValue]
BODIES: Mapping[str, Sequence] = {
    "direct": lambda end, _: [end.action()],
    "by_area": lambda end, slug: [end.action(area_id=f"area_{slug}")],
    "outer": lambda _, slug: [{"action": f"script.direct_{slug}"}],
    "outermost": lambda _, slug: [{"action": "script.turn_on", "target": {"entity_id": f"script.outer_{slug}"}}],
    "chooses": lambda end, _: [{"choose": [{"conditions": [], "sequence": [{"if": [], "then": [], "else": [end.action()]}]}]}],
    "repeats": lambda end, _: [{"repeat": {"for_each": ["a"], "sequence": [{"parallel": [{"sequence": [end.action()]}]}]}}],
    "waits": lambda end, _: [{"delay": 5}, {"wait_for_trigger": []}, end.action()],
    "scene": lambda _, slug: [{"scene": f"scene.nested_{slug}"}],
    "device": lambda end, slug: [{"device_id": f"device_{slug}", "domain": end.domain, "type": DEVICE_TYPES[end.name]}],
    "device_entity": lambda end, _: [
        {"device_id": "any", "domain": end.domain, "type": DEVICE_TYPES[end.name], "entity_id": registry_id(end)}
    ],
    "template_service": lambda end, _: [{"action": "{{ which }}", "target": {"entity_id": end.entity_id}}],
    "template_target": lambda end, _: [{"action": end.service, "target": {"entity_id": "{{ which }}"}}],
    "fires": lambda _, slug: [{"event": f"event_{slug}"}],
    "raises": lambda _, slug: [{"action": "input_boolean.turn_on", "target": {"entity_id": f"input_boolean.{slug}"}}],
    "harmless": lambda *_: [{"delay": 1}],
}  # fmt: skip
BODIES = {  # what has no action on a device in Home Assistant has no script with one
    **BODIES,
    **{
        name: (lambda end, slug, read=BODIES[name]: read(end, slug) if end.name in DEVICE_TYPES else [])
        for name in ("device", "device_entity")
    },
}


@dataclass(frozen=True, slots=True)
class Route:
    """One way to an end: the call for it (None where there is no such way), in words, and how it is judged.

    `hidden`: it cannot be seen what it does, whatever that is. `configures`: it changes the set-up as well.
    """

    name: str
    call: Callable[[End], JsonObject | None]
    hidden: bool = False
    configures: bool = False
    refusable: bool = False
    """Whether Home Assistant has no such service for some of the things, so that the call is refused by its form."""

    def to(self, end: End) -> Call | None:
        """Return the call that goes this way to `end`."""
        raw = self.call(end)
        return None if raw is None else parse_call(raw)


def _on(service: str, entity_id: str, **data: JsonValue) -> JsonObject:
    return {"service": service, "target": {"entity_id": entity_id}, "data": data}


def _aimed(**names: str) -> Callable[[End], JsonObject]:
    """Return the thing's own service, aimed at places named after it."""
    return lambda end: {
        "service": end.service,
        "target": {key: name.format(slug=_slug(end), end=end) for key, name in names.items()},
        "data": dict(end.data),
    }


def _runs(service: str, name: str) -> Callable[[End], JsonObject | None]:
    """Return a call that runs a script, scene or automation named after the thing."""

    def call(end: End) -> JsonObject | None:
        if "device" in name and end.name not in DEVICE_TYPES:
            return None
        return _on(service, name.format(slug=_slug(end)))

    return call


def _writes(kind: str, config: Callable[[End], JsonValue], name: str = "new_{slug}") -> Callable[[End], JsonObject]:
    return lambda end: {
        "service": "ha_config.write",
        "data": {"kind": kind, "id": name.format(slug=_slug(end)), "config": config(end)},
    }


def _button(end: End) -> JsonValue:
    return {
        "tap_action": {
            "action": "perform-action",
            "perform_action": end.service,
            "target": {"entity_id": end.entity_id},
            "data": dict(end.data),
        }
    }


def _later(end: End) -> JsonObject:
    return {
        "service": "homesteward.schedule",
        "data": {"call": {"service": end.service, "target": {"entity_id": end.entity_id}}, "in": 600},
    }


def _position(end: End) -> JsonObject | None:
    service = POSITIONS.get(end.name)
    return _on(service, end.entity_id, position=100) if service else None


ROUTES = (
    Route("the thing itself", _aimed(entity_id="{end.entity_id}")),
    Route("named in the data", lambda end: {"service": end.service, "data": {"entity_id": end.entity_id, **end.data}}),
    Route("every entity of the domain", lambda end: {"service": end.service, "target": {"entity_id": [end.entity_id, f"{end.domain}.as_one"]}}),
    Route("group", _aimed(entity_id="group.{slug}")),
    Route("group in a group", _aimed(entity_id="group.of_group_{slug}")),
    Route("group entity of its own domain", _aimed(entity_id="{end.domain}.as_one")),
    Route("area", _aimed(area_id="area_{slug}")),
    Route("floor", _aimed(floor_id="floor_{slug}")),
    Route("label", _aimed(label_id="label_{slug}")),
    Route("device", _aimed(device_id="device_{slug}")),
    Route("position", _position),
    Route("homeassistant.toggle", lambda end: _on("homeassistant.toggle", end.entity_id), refusable=True),
    Route("homeassistant.turn_on", lambda end: _on("homeassistant.turn_on", end.entity_id), refusable=True),
    Route("scene", _runs("scene.turn_on", "scene.of_{slug}")),
    Route("nested scene", _runs("scene.turn_on", "scene.nested_{slug}")),
    Route("scene.apply", lambda end: {"service": "scene.apply", "data": {"entities": {end.entity_id: end.scene}}}),
    Route("scene.create", lambda end: {"service": "scene.create", "data": {"scene_id": "x", "entities": {end.entity_id: end.scene}}}),
    Route("scene.create of what is now", lambda end: {"service": "scene.create", "data": {"scene_id": "x", "snapshot_entities": [end.entity_id]}}),
    Route("script", _runs("script.turn_on", "script.direct_{slug}")),
    Route("script by its own service", lambda end: {"service": f"script.direct_{_slug(end)}"}),
    Route("script toggled", _runs("script.toggle", "script.direct_{slug}")),
    Route("script by homeassistant.turn_on", _runs("homeassistant.turn_on", "script.direct_{slug}")),
    Route("script on an area", _runs("script.turn_on", "script.by_area_{slug}")),
    Route("script in a script", _runs("script.turn_on", "script.outermost_{slug}")),
    Route("script that chooses", _runs("script.turn_on", "script.chooses_{slug}")),
    Route("script that repeats side by side", _runs("script.turn_on", "script.repeats_{slug}")),
    Route("script that waits first", _runs("script.turn_on", "script.waits_{slug}")),
    Route("script with a scene", _runs("script.turn_on", "script.scene_{slug}")),
    Route("script with an action on a device", _runs("script.turn_on", "script.device_{slug}")),
    Route("script with an action on a registry id", _runs("script.turn_on", "script.device_entity_{slug}")),
    Route("script with a templated service", _runs("script.turn_on", "script.template_service_{slug}"), hidden=True),
    Route("script with a templated target", _runs("script.turn_on", "script.template_target_{slug}"), hidden=True),
    Route("script given the thing as a variable", lambda end: _on("script.turn_on", f"script.harmless_{_slug(end)}", variables={"which": end.entity_id})),
    Route("script that fires an event", _runs("script.turn_on", "script.fires_{slug}"), hidden=True),
    Route("script that changes what is waited for", _runs("script.turn_on", "script.raises_{slug}")),
    Route("automation.trigger", _runs("automation.trigger", "automation.{slug}")),
    Route("automation.turn_on", _runs("automation.turn_on", "automation.{slug}")),
    Route("button that an automation waits for", _runs("input_button.press", "input_button.{slug}")),
    Route("switch that an automation waits for", _runs("input_boolean.turn_on", "input_boolean.{slug}")),
    *(
        Route(f"switch that an automation waits for, which acts on {words}", _runs("input_boolean.turn_on", f"input_boolean.{name}_{{slug}}"))
        for name, words in {"gone": "it and what is gone", "nowhere": "it and an area that is gone", "all": "everything", "which": "what a template says"}.items()
    ),
    Route("member of a group that an automation waits for", _runs("switch.turn_on", "switch.one_{slug}")),
    Route("timer whose end an automation waits for", _runs("timer.start", "timer.{slug}")),
    Route("schedule", _later),
    Route("schedule of a script", lambda end: {"service": "homesteward.schedule", "data": {"call": {"service": f"script.outer_{_slug(end)}"}, "in": 60}}),
    Route("automation written", _writes("automation", lambda end: {"alias": "New", "triggers": [], "actions": [end.action()]}), configures=True),
    Route("script written", _writes("script", lambda end: {"alias": "New", "sequence": [{"action": f"script.outer_{_slug(end)}"}]}), configures=True),
    Route("scene written", _writes("scene", lambda end: {"name": "New", "entities": {end.entity_id: end.scene}}), configures=True),
    Route("dashboard button written", _writes("dashboard", lambda end: {"title": "New", "config": {"views": [{"cards": [_button(end)]}]}}, "new-dashboard"), configures=True),
    Route("blueprint written", _writes("blueprint", lambda end: {"blueprint": {"name": "New", "domain": "script"}, "sequence": [end.action()]}, "script/own/new_{slug}.yaml"), configures=True),
)  # fmt: skip
NOT_TAKEN = (
    Route("change of the set-up, scheduled", lambda end: {"service": "homesteward.schedule", "data": {"call": {"domain": "ha_config", "service": "write", "data": {"kind": "script", "id": "x", "config": {"sequence": [end.action()]}}}, "in": 60}}, configures=True),
)  # fmt: skip
"""Ways that the rooms refuse before anything is judged."""


class Paper(PaperConfiguration):
    """A configuration on paper with no dashboards."""

    async def ask(self, command: str, /, **fields: Any) -> JsonValue:
        return [] if command == "lovelace/dashboards/list" else await super().ask(command, **fields)


async def offered(offers: Offers) -> Route:
    """Return the way by which a script of the home that is offered becomes something to be asked for."""
    found = {offer.tool.entity_id: offer.id for offer in await offers.all(CALLERS["owner"])}
    return Route(
        "script that is offered, enabled",
        lambda end: {
            "service": "homesteward.enable_offer",
            "data": {"offer": found[f"script.direct_{_slug(end)}"]},
        },
        configures=True,
    )


def real_rooms(home: SimulatedHome, database: Database, clock: Clock, offers: Offers) -> ReservedCalls:
    """Return the rooms of reserved calls as the house has them, over a configuration on paper."""
    paper, versions = Paper(home), Versions(database, home.home_id, clock)
    configuration = ConfigRoom(kinds_of(paper, paper, home, clock, versions.newest), versions, home, clock)
    scheduling = Scheduling(ScheduleStore(database, home.home_id), home, clock)
    return ReservedCalls(scheduling, configuration, OfferCalls(offers, home))
