"""Which impact a call has: what it would do, to which entities, by whatever route; never what it is called."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from homesteward.core import HomestewardError
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import BodyStep, Call, ResolvedCall
from homesteward.home.model import EMPTY
from homesteward.home.targets import expand
from homesteward.home.view import HomeView, device_class_of, members_of
from homesteward.policy.decision import Impact, Kind
from homesteward.policy.subject import Member
from homesteward.policy.tables import (
    ACTING_DOMAINS,
    BODIED_DOMAINS,
    DELEGATED_SERVICES,
    SENSITIVE_COVERS,
    SENSITIVE_DOMAINS,
    TARGETS_DECIDE,
    service_kind,
)

type AnyCall = Call | ResolvedCall

SCENE_SETS = ResolvedCall("scene", "apply")  # a scene sets its members itself, by no service that it names
WRITTEN_SCENES = frozenset({"apply", "create"})
ON_OFF: Mapping[JsonValue, JsonValue] = {True: "on", False: "off"}  # YAML reads a bare `on` as true
OWN_SCRIPT_SERVICES = frozenset({"turn_on", "turn_off", "toggle", "reload"})  # any other `script.x` runs the script x


@dataclass(frozen=True, slots=True)
class Judgement:
    """What sort of thing a call does at one place that it reaches, and the first reason found for it.

    `domain.service` with `data` is what acts there, `at` the entity (empty: it names none), `trail` what it is reached through.
    """

    kind: Kind
    reason: str
    domain: str = ""
    service: str = ""
    data: JsonObject = EMPTY
    at: str = ""
    trail: tuple[str, ...] = ()
    end: bool = False
    """Whether the entity is a single thing: no group, and without a body."""

    @property
    def impact(self) -> Impact:
        """Return the judgement as the impact that a decision shows."""
        return Impact(self.kind.level, self.reason)


def impact_of(call: ResolvedCall, entity_id: str | None, home: HomeView) -> Impact:
    """Return the impact of `call` on `entity_id`; None stands for a call that names no entity."""
    return judge(call, entity_id, home).impact


def judge(call: ResolvedCall, entity_id: str | None, home: HomeView) -> Judgement:
    """Return the heaviest thing that `call` does to `entity_id`; groups and bodies are followed to their ends."""
    return max(reached(call, entity_id, home), key=_kind)


def reached(call: ResolvedCall, entity_id: str | None, home: HomeView) -> tuple[Judgement, ...]:
    """Return everything that `call` does to `entity_id`, at least one thing; groups and bodies are followed to their ends.

    What the home does not know is `unknown`, and a body that is not known is `sensitive`: a call that cannot be judged is
    not routine.
    """
    own = _service(call)
    if own.kind not in TARGETS_DECIDE:
        return (replace(own, at=entity_id or ""),)
    targets = list(_targets(call, entity_id, home))
    return tuple(_reach(home, targets)) or (own,)


def bodies_reached(call: ResolvedCall, home: HomeView) -> frozenset[str]:
    """Return the scripts, scenes and automations that `call` runs or would run, at any depth, as far as their bodies are known."""
    targets = [each for entity_id in call.entity_ids or (None,) for each in _targets(call, entity_id, home)]
    found = {judgement.at for judgement in _reach(home, targets)}
    return frozenset(entity_id for entity_id in found if entity_id.partition(".")[0] in BODIED_DOMAINS)


def _service(call: AnyCall) -> Judgement:
    """Judge the service by itself; what it is aimed at can only add to it."""
    kind, reason = _weighed(call)
    return Judgement(kind, reason, call.domain, call.service, call.data)


def _weighed(call: AnyCall) -> tuple[Kind, str]:
    fixed = service_kind(call.domain, call.service)
    if fixed is not None:
        return fixed, SERVICE_REASONS[fixed].format(call.id)
    if call.domain == "homeassistant" and call.service in DELEGATED_SERVICES:
        return Kind.ROUTINE, f"{call.id} is what it does to its targets"
    if call.domain in ACTING_DOMAINS:
        return Kind.ROUTINE, f"{call.id} is an everyday thing"
    return Kind.UNKNOWN, f"nobody has said what {call.id} may do"


SERVICE_REASONS = {
    Kind.READ: "{} only reads",
    Kind.ROUTINE: "{} is an everyday thing",
    Kind.SENSITIVE: "{} can reach things that cannot be seen from here",
    Kind.CONFIGURATION: "{} changes how Home Assistant is set up",
    Kind.FORBIDDEN: "{} is on the deny list",
}


def _targets(call: ResolvedCall, entity_id: str | None, home: HomeView) -> Iterator[tuple[str, AnyCall]]:
    """Yield what acts on what: its target, the script it is named after, and the entities hidden in its data.

    A scene that is written in the data does to each of its members what stands there for that member.
    """
    if entity_id is not None:
        yield entity_id, call
    if call.domain == "script" and call.service not in OWN_SCRIPT_SERVICES:
        yield f"script.{call.service}", call
    members = call.data.get("entities") if call.domain == "scene" and call.service in WRITTEN_SCENES else None
    written: Mapping[str, JsonValue] = members if isinstance(members, Mapping) else {}
    beside = {name: value for name, value in call.data.items() if name != "entities"} if written else call.data
    for named in _things(beside, home):
        yield named, call
    for name, value in written.items():
        into = value if isinstance(value, Mapping) else {"state": ON_OFF[value] if isinstance(value, bool) else value}
        by = replace(call, data=Member({**beside, **into}))
        for named in _things([name, value], home):
            yield named, by


def _things(value: JsonValue, home: HomeView) -> Iterator[str]:
    for text in _texts(value):
        named = text.strip().lower()  # HA itself lowers an entity id before it looks it up
        if named in home.states and named.partition(".")[0] in ACTING_DOMAINS:
            yield named


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield from value.split(",")
    elif isinstance(value, dict):
        yield from value
        yield from _each(value.values())
    elif isinstance(value, list | tuple):
        yield from _each(value)


def _each(values: Iterable[JsonValue]) -> Iterator[str]:
    for value in values:
        yield from _texts(value)


def _reach(home: HomeView, targets: Iterable[tuple[str, AnyCall]]) -> Iterator[Judgement]:
    """Judge every entity that can be reached from `targets` and what reaches it, each pair once: a loop of groups or scripts ends."""
    pending: list[tuple[str, AnyCall, tuple[str, ...]]] = [(entity_id, call, ()) for entity_id, call in targets]
    seen: set[tuple[str, str, str]] = set()
    while pending:
        entity_id, call, trail = pending.pop()
        if (key := (entity_id, call.id, str(call.data) if call.data else "")) in seen:
            continue
        seen.add(key)
        members, body = members_of(home, entity_id), home.bodies.get(entity_id)
        yield _at(entity_id, call, trail, home, end=not members and body is None)
        onward = (*trail, entity_id)
        pending += [(member, call, onward) for member in members]
        for step in body or ():
            alone, found = _step(step, home)
            yield from (_through(onward, judgement) for judgement in alone)
            pending += [(target, by, onward) for target, by in found]


def _at(entity_id: str, call: AnyCall, trail: tuple[str, ...], home: HomeView, *, end: bool) -> Judgement:
    """Judge what `call` does to an entity: the heavier of what the service is and what the thing is."""
    own, thing = _service(call), _thing(entity_id, home)
    worse = own if own.kind >= thing.kind and not trail else thing if thing.kind >= own.kind else own
    return _through(
        trail,
        Judgement(worse.kind, worse.reason, *acting(call, entity_id), call.data, at=entity_id, end=end),
    )


def acting(call: AnyCall, entity_id: str) -> tuple[str, str]:
    """Return the service that acts: `homeassistant.turn_off` on a light is the light's own."""
    if call.domain == "homeassistant" and call.service in DELEGATED_SERVICES:
        return entity_id.partition(".")[0], call.service
    return call.domain, call.service


def _through(trail: tuple[str, ...], judgement: Judgement) -> Judgement:
    if not trail:
        return judgement
    return replace(judgement, reason=f"{judgement.reason}, reached through {', '.join(trail)}", trail=trail)


def _thing(entity_id: str, home: HomeView) -> Judgement:
    """Judge an entity by what it is, whichever service reaches it."""
    domain = entity_id.partition(".")[0]
    if entity_id not in home.states:
        return Judgement(Kind.UNKNOWN, f"the home has no {entity_id}")
    if domain in SENSITIVE_DOMAINS:
        return Judgement(Kind.SENSITIVE, f"{entity_id} is a {domain.replace('_', ' ')}")
    if domain == "cover" and (device_class := device_class_of(home, entity_id)) in SENSITIVE_COVERS:
        return Judgement(Kind.SENSITIVE, f"{entity_id} is a cover of class {device_class}")
    if domain in BODIED_DOMAINS and entity_id not in home.bodies:
        return Judgement(Kind.SENSITIVE, f"what {entity_id} does is not known")
    if domain in ACTING_DOMAINS:
        return Judgement(Kind.ROUTINE, f"{entity_id} is an everyday thing")
    return Judgement(Kind.UNKNOWN, f"nobody has said what may be done to {entity_id}")


def _step(step: BodyStep, home: HomeView) -> tuple[tuple[Judgement, ...], list[tuple[str, AnyCall]]]:
    """Judge one step of a body: what it does by itself, and the entities that it reaches with the call that reaches them."""
    call = step.call
    if step.member:
        return (), [(step.member, SCENE_SETS)]
    if call is None:
        return (Judgement(Kind.SENSITIVE, f"it cannot be seen what {step.description!r} would do"),), []
    own = _service(call)
    if own.kind not in TARGETS_DECIDE:
        return (own,), []
    try:
        resolved = expand(home, call)
    except HomestewardError as error:
        unclear = replace(own, kind=Kind.SENSITIVE, reason=f"{call.id} cannot be resolved: {error.message}")
        return (max(own, unclear, key=_kind),), []
    targets = [target for entity_id in resolved.entity_ids or (None,) for target in _targets(resolved, entity_id, home)]
    return (() if targets else (own,)), targets


def _kind(judgement: Judgement) -> Kind:
    return judgement.kind
