"""Which impact a call has: what it would do, to which entities, by whatever route; never what it is called."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from homesteward.core import HomestewardError
from homesteward.core.json import JsonValue
from homesteward.home.calls import BodyStep, Call, ResolvedCall
from homesteward.home.targets import expand
from homesteward.home.view import HomeView, device_class_of, members_of
from homesteward.policy.decision import Impact, Kind
from homesteward.policy.tables import (
    ACTING_DOMAINS,
    BODIED_DOMAINS,
    DELEGATED_SERVICES,
    SENSITIVE_COVERS,
    SENSITIVE_DOMAINS,
    TARGETS_DECIDE,
    service_kind,
)

OWN_SCRIPT_SERVICES = frozenset({"turn_on", "turn_off", "toggle", "reload"})  # any other `script.x` runs the script x


@dataclass(frozen=True, slots=True)
class Judgement:
    """What sort of thing a call does to one target, the first reason found for it, and every single entity it ends at."""

    kind: Kind
    reason: str
    ends: tuple[str, ...] = ()
    at: str = ""  # the entity that was judged, where it was one

    @property
    def impact(self) -> Impact:
        """Return the judgement as the impact that a decision shows."""
        return Impact(self.kind.level, self.reason)


def impact_of(call: ResolvedCall, entity_id: str | None, home: HomeView) -> Impact:
    """Return the impact of `call` on `entity_id`; None stands for a call that names no entity."""
    return judge(call, entity_id, home).impact


def judge(call: ResolvedCall, entity_id: str | None, home: HomeView) -> Judgement:
    """Return the heaviest thing that `call` does to `entity_id`; groups and bodies are followed to their ends.

    What the home does not know is `unknown`, and a body that is not known is `sensitive`: a call that cannot be judged is
    not routine.
    """
    own = _service(call)
    found = [own, *_reach(home, _targets(call, entity_id, home) if own.kind in TARGETS_DECIDE else ())]
    worst = max(found, key=_kind)
    return Judgement(worst.kind, worst.reason, tuple(end for judgement in found for end in judgement.ends))


def bodies_reached(call: ResolvedCall, home: HomeView) -> frozenset[str]:
    """Return the scripts, scenes and automations that `call` runs or would run, at any depth, as far as their bodies are known."""
    targets = [each for entity_id in call.entity_ids or (None,) for each in _targets(call, entity_id, home)]
    reached = {judgement.at for judgement in _reach(home, targets)}
    return frozenset(entity_id for entity_id in reached if entity_id.partition(".")[0] in BODIED_DOMAINS)


def _service(call: ResolvedCall | Call) -> Judgement:
    """Judge the service by itself; what it is aimed at can only add to it."""
    fixed = service_kind(call.domain, call.service)
    if fixed is not None:
        return Judgement(fixed, SERVICE_REASONS[fixed].format(call.id))
    if call.domain == "homeassistant" and call.service in DELEGATED_SERVICES:
        return Judgement(Kind.ROUTINE, f"{call.id} is what it does to its targets")
    if call.domain in ACTING_DOMAINS:
        return Judgement(Kind.ROUTINE, f"{call.id} is an everyday thing")
    return Judgement(Kind.UNKNOWN, f"nobody has said what {call.id} may do")


SERVICE_REASONS = {
    Kind.READ: "{} only reads",
    Kind.ROUTINE: "{} is an everyday thing",
    Kind.SENSITIVE: "{} can reach things that cannot be seen from here",
    Kind.CONFIGURATION: "{} changes how Home Assistant is set up",
    Kind.FORBIDDEN: "{} is on the deny list",
}


def _targets(call: ResolvedCall, entity_id: str | None, home: HomeView) -> Iterator[str]:
    """Yield what the call acts on: its target, the script it is named after, and the entities hidden in its data."""
    if entity_id is not None:
        yield entity_id
    if call.domain == "script" and call.service not in OWN_SCRIPT_SERVICES:
        yield f"script.{call.service}"
    for text in _texts(call.data):
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


def _reach(home: HomeView, targets: Iterable[str]) -> Iterator[Judgement]:
    """Judge every entity that can be reached from `targets`, each once: a loop of groups or scripts ends."""
    pending: list[tuple[str, tuple[str, ...]]] = [(entity_id, ()) for entity_id in targets]
    seen: set[str] = set()
    while pending:
        entity_id, trail = pending.pop()
        if entity_id in seen:
            continue
        seen.add(entity_id)
        members, body = members_of(home, entity_id), home.bodies.get(entity_id)
        found = replace(_through(trail, _thing(entity_id, home)), at=entity_id)
        yield found if members or body is not None else replace(found, ends=(entity_id,))
        onward = (*trail, entity_id)
        pending += [(member, onward) for member in members]
        for step in body or ():
            judgement, reached = _step(step, home)
            yield _through(onward, judgement)
            pending += [(target, onward) for target in reached]


def _through(trail: tuple[str, ...], judgement: Judgement) -> Judgement:
    return replace(judgement, reason=f"{judgement.reason}, reached through {', '.join(trail)}") if trail else judgement


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


def _step(step: BodyStep, home: HomeView) -> tuple[Judgement, tuple[str, ...]]:
    """Judge one call of a body by itself, and say what it reaches."""
    call = step.call
    if step.member:
        return Judgement(Kind.ROUTINE, "a scene is what it sets"), (step.member,)
    if call is None:
        return Judgement(Kind.SENSITIVE, f"it cannot be seen what {step.description!r} would do"), ()
    own = _service(call)
    if own.kind not in TARGETS_DECIDE:
        return own, ()
    try:
        resolved = expand(home, call)
    except HomestewardError as error:
        return max(own, Judgement(Kind.SENSITIVE, f"{call.id} cannot be resolved: {error.message}"), key=_kind), ()
    targets = [target for entity_id in resolved.entity_ids or (None,) for target in _targets(resolved, entity_id, home)]
    return own, tuple(targets)


def _kind(judgement: Judgement) -> Kind:
    return judgement.kind
