"""Which impact a call has: what it would do, to which entities, by whatever route; never what it is called."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from homesteward.core import HomestewardError
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import BodyStep, Call, ResolvedCall
from homesteward.home.reserved import is_reserved
from homesteward.home.targets import expand
from homesteward.home.view import HomeView, members_of
from homesteward.policy.carried import carried_by
from homesteward.policy.decision import Impact, Kind
from homesteward.policy.judgement import Judgement, kind_of, through
from homesteward.policy.started import index_of, started_by, started_by_event
from homesteward.policy.subject import Member
from homesteward.policy.tables import (
    ACTING_DOMAINS,
    BODIED_DOMAINS,
    ROUTINE_DOMAINS,
    TARGETS_DECIDE,
    UNSEEN_PLATFORMS,
)
from homesteward.policy.weights import AnyCall, acting, guards, service_of, thing_of
from homesteward.policy.wrapped import shown_as

SCENE_SETS = ResolvedCall("scene", "apply")  # a scene sets its members itself, by no service that it names
STARTS = ResolvedCall("automation", "trigger")  # what a change or an event does to the automation that waits for it
MAX_REACHED = 5000  # things with what is done to each; a call that comes to more is not followed to its end
WRITTEN_SCENES = frozenset({"apply", "create"})
ON_OFF: Mapping[JsonValue, JsonValue] = {True: "on", False: "off"}  # YAML reads a bare `on` as true
OWN_SCRIPT_SERVICES = frozenset({"turn_on", "turn_off", "toggle", "reload"})  # any other `script.x` runs the script x


def impact_of(call: ResolvedCall, entity_id: str | None, home: HomeView) -> Impact:
    """Return the impact of `call` on `entity_id`; None stands for a call that names no entity."""
    return judge(call, entity_id, home).impact


def judge(call: ResolvedCall, entity_id: str | None, home: HomeView) -> Judgement:
    """Return the heaviest thing that `call` does to `entity_id`; groups and bodies are followed to their ends."""
    return max(reached(call, entity_id, home), key=kind_of)


def reached(call: ResolvedCall, entity_id: str | None, home: HomeView) -> tuple[Judgement, ...]:
    """Return everything that `call` does to `entity_id`, at least one thing; groups and bodies are followed to their ends.

    What the home does not know is `unknown`, and a body that is not known is `sensitive`: a call that cannot be judged is
    not routine. Of an automation that waits for what the call changes, what is sensitive in itself or denied counts. A reserved
    call does what it carries.
    """
    own = service_of(call)
    if is_reserved(call.domain):
        return _carrying(call, own, home)
    if own.kind not in TARGETS_DECIDE:
        return (replace(own, at=entity_id or ""),)
    return tuple(_reach(home, _targets(call, entity_id, home))) or (own,)


def bodies_reached(call: ResolvedCall, home: HomeView) -> frozenset[str]:
    """Return the scripts, scenes and automations that `call` runs, starts or carries, at any depth, as far as their bodies are known."""
    if is_reserved(call.domain):
        found = {name for judgement in _carrying(call, service_of(call), home) for name in _passed(judgement)}
    else:
        targets = [each for entity_id in call.entity_ids or (None,) for each in _targets(call, entity_id, home)]
        found = {name for judgement in _reach(home, targets) for name in _passed(judgement)}
    return frozenset(entity_id for entity_id in found if entity_id.partition(".")[0] in BODIED_DOMAINS)


def everyday_in(home: HomeView) -> Callable[[str], bool]:
    """Return what says of a thing whether it is like every other everyday thing of its domain: no group, and nothing waits for it.

    It is asked of each of some hundred lights: what is the same for all of them is looked up once.
    """
    states, entities, waiting = home.states, home.entities, index_of(home).by_entity

    def everyday(entity_id: str) -> bool:
        if entity_id not in states or entity_id in waiting or members_of(home, entity_id) or shown_as(entity_id, home):
            return False
        entry = entities.get(entity_id)
        unseen = entry is not None and entry.platform in UNSEEN_PLATFORMS
        return not unseen and entity_id.partition(".")[0] in EVERYDAY_DOMAINS

    return everyday


EVERYDAY_DOMAINS = ROUTINE_DOMAINS - {"cover"}
"""Those whose things are all alike; a cover's class can make it an entrance."""


def _passed(judgement: Judgement) -> tuple[str, ...]:
    return (*judgement.trail, judgement.at)


def _carrying(call: AnyCall, own: Judgement, home: HomeView) -> tuple[Judgement, ...]:
    """Judge a reserved call: what it is itself, with what it changes about authority, and everything that is inside it."""
    carried = carried_by(call)
    inside = tuple(_run(carried.steps, (carried.through,) if carried.through else (), home))
    if inside and not carried.through:
        return inside
    worst = max(inside, key=kind_of, default=None)
    if worst is None or worst.kind <= Kind.ROUTINE:
        return (replace(own, reason="; ".join([own.reason, *carried.notes])), *inside)
    told = f"what it writes would do this: {worst.acts}, and {worst.reason}"
    leads = (*worst.trail, worst.acts, *filter(None, (worst.at,)))
    return (replace(own, reason="; ".join([own.reason, *carried.notes, told]), leads=leads), *inside)


def _run(steps: Iterable[BodyStep], trail: tuple[str, ...], home: HomeView) -> Iterator[Judgement]:
    """Judge what a body does that is not one of the home's."""
    targets: list[tuple[str, ResolvedCall]] = []
    for step in steps:
        alone, found = _step(step, home)
        yield from (judgement.through(trail) for judgement in alone)
        targets += found
    yield from (judgement.through(trail) for judgement in _reach(home, targets))


def _targets(call: ResolvedCall, entity_id: str | None, home: HomeView) -> Iterator[tuple[str, ResolvedCall]]:
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
    """Yield the things that texts in `value` are the ids of, or the addresses of: a camera's picture is named by its path."""
    for text in _texts(value):
        if "." not in text:
            continue
        named = text.strip().lower()  # HA itself lowers an entity id before it looks it up
        named = named.rpartition("/")[2].partition("?")[0]
        if named in home.states and named.partition(".")[0] in ACTING_DOMAINS:
            yield named


def _texts(value: JsonValue) -> Iterator[str]:
    """Yield every text in `value` and every name of a field, at any depth; one that holds several ids as each of them."""
    pending: list[JsonValue] = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            yield from each.split(",")
        elif isinstance(each, Mapping):
            yield from each
            pending += each.values()
        elif isinstance(each, list | tuple):
            pending += each


def _reach(home: HomeView, targets: Iterable[tuple[str, ResolvedCall]]) -> Iterator[Judgement]:
    """Judge every entity that can be reached from `targets` and what reaches it, each pair once: a loop of groups or scripts ends."""
    pending: list[tuple[str, ResolvedCall, tuple[str, ...], bool]] = [(at, call, (), False) for at, call in targets]
    seen: set[tuple[str, str, str, bool]] = set()
    shared: dict[tuple[str, type], JsonObject] = {}  # steps that say the same are asked about once
    while pending:
        entity_id, call, trail, waited = pending.pop()
        said = str(call.data) if call.data else ""
        if (key := (entity_id, call.id, said, waited)) in seen:
            continue
        seen.add(key)
        if len(seen) > MAX_REACHED:
            yield Judgement(Kind.SENSITIVE, f"it reaches more than {MAX_REACHED} things", trail=trail)
            return
        members, body = members_of(home, entity_id), home.bodies.get(entity_id)
        data = shared.setdefault((said, type(call.data)), call.data)
        found = [_at(entity_id, call, data, trail, home, end=not members and body is None)]
        onward = (*trail, entity_id)
        pending += [(member, call, onward, waited) for member in members]
        pending += [(name, STARTS, onward, True) for name in started_by(call, entity_id, home)]
        for step in body or ():
            alone, aims = _step(step, home)
            found += [judgement.through(onward) for judgement in alone]
            pending += [(target, by, onward, waited) for target, by in aims]
        yield from (judgement for judgement in found if not waited or _weighs(judgement, home))


def _weighs(judgement: Judgement, home: HomeView) -> bool:
    """Return whether it counts although it only follows from a change: what guards the house, and what is denied.

    What else an automation does when something changes is the household's own doing; a lamp must not wait because of it.
    """
    return judgement.kind is Kind.FORBIDDEN or bool(judgement.at and guards(judgement.at, home))


def _at(
    entity_id: str, call: ResolvedCall, data: JsonObject, trail: tuple[str, ...], home: HomeView, *, end: bool
) -> Judgement:
    """Judge what `call` does to an entity: the heavier of what the service is and what the thing is."""
    own, thing = service_of(call), thing_of(entity_id, home)
    worse = own if own.kind >= thing.kind and not trail else thing if thing.kind >= own.kind else own
    reason = through(worse.reason, trail)
    return Judgement(worse.kind, reason, *acting(call, entity_id), data, at=entity_id, trail=trail, end=end)


def _step(step: BodyStep, home: HomeView) -> tuple[tuple[Judgement, ...], list[tuple[str, ResolvedCall]]]:
    """Judge one step of a body: what it does by itself, and the entities that it reaches with the call that reaches them."""
    call = step.call
    if step.member:
        return (), _set_by_scene(step, home)
    if call is None:
        return (_blank(step),), [(name, STARTS) for name in started_by_event(step.event, home)]
    own = service_of(call)
    if is_reserved(call.domain):
        return _carrying(call, own, home), []
    if own.kind not in TARGETS_DECIDE:
        return (own,), []
    try:
        resolved = expand(home, call)
    except HomestewardError as error:
        unclear = replace(own, kind=Kind.SENSITIVE, reason=f"{call.id} cannot be resolved: {error.message}")
        return (max(own, unclear, key=kind_of),), []
    targets = [target for entity_id in resolved.entity_ids or (None,) for target in _targets(resolved, entity_id, home)]
    return (() if targets else (own,)), targets


def _set_by_scene(step: BodyStep, home: HomeView) -> list[tuple[str, ResolvedCall]]:
    """Return what a stored scene does to one of its members: what stands there for it, where its configuration is known."""
    call = step.call
    found = list(_targets(ResolvedCall(call.domain, call.service, data=call.data), None, home)) if call else []
    return found if any(name == step.member for name, _ in found) else [*found, (step.member, SCENE_SETS)]


def _blank(step: BodyStep) -> Judgement:
    """Judge a step that hides what it does; the service that it calls can be known all the same."""
    hidden = Judgement(Kind.SENSITIVE, f"it cannot be seen what {step.description!r} would do")
    if not step.service:
        return hidden
    domain, _, service = step.service.partition(".")
    return max(hidden, service_of(Call(domain, service)), key=kind_of)
