"""Which impact a call has: what it would do, to which entities, by whatever route; never what it is called."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import BodyStep, Call, ResolvedCall
from homesteward.home.reserved import is_reserved
from homesteward.home.script_syntax import Blank
from homesteward.home.view import HomeView, members_of
from homesteward.policy.aimed import GUARDING, HIDING, Aimed, aimed, aimed_blank, domain_of
from homesteward.policy.carried import carried_by
from homesteward.policy.decision import Impact, Kind
from homesteward.policy.judgement import Judgement, kind_of, through
from homesteward.policy.named import things_in
from homesteward.policy.started import Listeners, listeners_of
from homesteward.policy.subject import Member
from homesteward.policy.tables import BODIED_DOMAINS, ROUTINE_DOMAINS, TARGETS_DECIDE, UNSEEN_PLATFORMS
from homesteward.policy.weights import AnyCall, acting, guards, service_of, weight_of, weight_of_thing
from homesteward.policy.wrapped import shown_as

SCENE_SETS = ResolvedCall("scene", "apply")  # a scene sets its members itself, by no service that it names
STARTS = ResolvedCall("automation", "trigger")  # what a change or an event does to the automation that waits for it
MAX_TRAIL = 30  # things that one is reached through; what lies deeper is not looked at, and sensitive
MAX_REACHED = 5000  # things with what is done to each; a call that comes to more is not followed to its end
WRITTEN_SCENES = frozenset({"apply", "create"})
ON_OFF: Mapping[JsonValue, JsonValue] = {True: "on", False: "off"}  # YAML reads a bare `on` as true
OWN_SCRIPT_SERVICES = frozenset({"turn_on", "turn_off", "toggle", "reload"})  # any other `script.x` runs the script x


class Aim(NamedTuple):
    """What acts on what. `waited`: it only follows from a change; `held`: it may be what is meant, for nobody can tell."""

    at: str
    call: ResolvedCall
    waited: bool = False
    held: bool = False


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
        follows = _called(call, listeners_of(home), entity_id or "", anything=False)
        return (replace(own, at=entity_id or ""), *_reach(home, follows))
    if aims := [Aim(*each) for each in _targets(call, entity_id, home)]:
        return tuple(_reach(home, aims))
    return (own, *_reach(home, _called(call, listeners_of(home))))


def bodies_reached(call: ResolvedCall, home: HomeView) -> frozenset[str]:
    """Return the scripts, scenes and automations that `call` runs, starts or carries, at any depth, as far as their bodies are known."""
    if is_reserved(call.domain):
        passed = _carrying(call, service_of(call), home, whole=True)
    else:
        targets = [Aim(*each) for entity_id in call.entity_ids or (None,) for each in _targets(call, entity_id, home)]
        passed = tuple(_reach(home, targets or _called(call, listeners_of(home)), whole=True))
    found = {name for judgement in passed for name in _passed(judgement)}
    return frozenset(entity_id for entity_id in found if entity_id.partition(".")[0] in BODIED_DOMAINS)


def everyday_in(home: HomeView) -> Callable[[str], bool]:
    """Return what says of a thing whether it is like every other everyday thing of its domain: no group, and nothing waits for it.

    It is asked of each of some hundred lights: what is the same for all of them is looked up once.
    """
    states, entities, listeners = home.states, home.entities, listeners_of(home)
    waiting = listeners.index.by_entity.keys() | listeners.groups.keys()

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


def _called(call: ResolvedCall, listeners: Listeners, entity_id: str = "", *, anything: bool = True) -> list[Aim]:
    """Return what starts because Home Assistant tells that the service was called."""
    return [Aim(name, STARTS, waited=True) for name in listeners.by_call(call, entity_id, anything=anything)]


def _carrying(call: AnyCall, own: Judgement, home: HomeView, *, whole: bool = False) -> tuple[Judgement, ...]:
    """Judge a reserved call: what it is itself, with what it changes about authority, and everything that is inside it."""
    carried = carried_by(call)
    inside = tuple(_run(carried.steps, (carried.through,) if carried.through else (), home, whole=whole))
    if inside and not carried.through:
        return inside
    worst = max(inside, key=kind_of, default=None)
    if worst is None or worst.kind <= Kind.ROUTINE:
        return (replace(own, reason="; ".join([own.reason, *carried.notes])), *inside)
    told = f"what it writes would do this: {worst.acts}, and {worst.reason}"
    leads = (*worst.trail, worst.acts, *filter(None, (worst.at,)))
    return (replace(own, reason="; ".join([own.reason, *carried.notes, told]), leads=leads), *inside)


def _run(steps: Iterable[BodyStep], trail: tuple[str, ...], home: HomeView, *, whole: bool) -> Iterator[Judgement]:
    """Judge what a body does that is not one of the home's."""
    targets: list[Aim] = []
    listeners = listeners_of(home)
    for step in steps:
        alone, found = _step(step, home, listeners)
        yield from (judgement.through(trail) for judgement in alone)
        targets += found
    yield from (judgement.through(trail) for judgement in _reach(home, targets, whole=whole))


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
    for named in things_in(beside, home):
        yield named, call
    for name, value in written.items():
        into = value if isinstance(value, Mapping) else {"state": ON_OFF[value] if isinstance(value, bool) else value}
        by = replace(call, data=Member({**beside, **into}))
        for named in things_in([name, value], home):
            yield named, by


def _reach(home: HomeView, aims: Iterable[Aim], *, whole: bool = False) -> Iterator[Judgement]:
    """Judge every entity that can be reached from `aims` and what reaches it, each pair once: a loop of groups or scripts ends.

    `whole`: also what follows and weighs nothing.
    """
    pending: deque[tuple[Aim, tuple[str, ...]]] = deque((aim, ()) for aim in aims)
    if not pending:
        return
    listeners = listeners_of(home)
    seen: set[tuple[str, str, str, bool, bool]] = set()
    shared: dict[tuple[str, type], JsonObject] = {}  # steps that say the same are asked about once
    while pending:
        (entity_id, call, waited, held), trail = pending.popleft()
        said = str(call.data) if call.data else ""
        if (key := (entity_id, call.id, said, waited, held)) in seen:
            continue
        seen.add(key)
        if len(seen) > MAX_REACHED:
            yield Judgement(Kind.SENSITIVE, f"it reaches more than {MAX_REACHED} things", trail=trail)
            return
        if len(trail) >= MAX_TRAIL:
            yield Judgement(
                Kind.SENSITIVE, through(f"it goes through more than {MAX_TRAIL} things", trail), trail=trail
            )
            continue
        members, body = members_of(home, entity_id), home.bodies.get(entity_id)
        data = shared.setdefault((said, type(call.data)), call.data)
        end = not members and body is None and not held
        found = [_at(entity_id, call, data, trail, home, end=end)]
        onward = (*trail, entity_id)
        pending.extend((Aim(member, call, waited, held), onward) for member in members)
        follows = (*listeners.by_change(call, entity_id), *listeners.by_call(call, entity_id, told=call is not STARTS))
        pending.extend((Aim(name, STARTS, True, held), onward) for name in dict.fromkeys(follows))
        for step in body or ():
            alone, targets = _step(step, home, listeners)
            hidden = not entity_id.startswith("scene.")  # of a scene that lives in a bridge nobody knows the members
            found += [(each if hidden else replace(each, hides=False)).through(onward) for each in alone]
            pending.extend(
                (aim._replace(waited=waited or aim.waited, held=held or aim.held), onward) for aim in targets
            )
        yield from (_held(each) if held else each for each in found if not waited or whole or _weighs(each, home))


def _held(judgement: Judgement) -> Judgement:
    """Return it as what may be done: that it would be refused is no proof that it is what is meant."""
    return replace(judgement, kind=min(judgement.kind, Kind.SENSITIVE))


def _weighs(judgement: Judgement, home: HomeView) -> bool:
    """Return whether it counts although it only follows from a change: what guards the house, what may hide it, and what is denied.

    What else an automation does when something changes is the household's own doing; a lamp must not wait because of it.
    """
    if judgement.kind is Kind.FORBIDDEN or judgement.hides:
        return True
    unread = judgement.at.startswith(("script.", "automation.")) and judgement.at not in home.bodies
    return unread or bool(judgement.at and guards(judgement.at, home))


def _at(
    entity_id: str, call: ResolvedCall, data: JsonObject, trail: tuple[str, ...], home: HomeView, *, end: bool
) -> Judgement:
    """Judge what `call` does to an entity: the heavier of what the service is and what the thing is."""
    own, thing = weight_of(call), weight_of_thing(entity_id, home)
    kind, reason = own if own[0] > thing[0] or (own[0] == thing[0] and not trail) else thing
    service = acting(call, entity_id)
    return Judgement(kind, through(reason, trail), *service, data, at=entity_id, trail=trail, end=end)


def _step(step: BodyStep, home: HomeView, listeners: Listeners) -> tuple[tuple[Judgement, ...], list[Aim]]:
    """Judge one step of a body: what it does by itself, and the entities that it reaches with the call that reaches them."""
    call = step.call
    if step.member:
        return (), _set_by_scene(step, home)
    if call is None:
        return (_blank(step),), _behind(step, home, listeners)
    if is_reserved(call.domain):
        return _carrying(call, service_of(call), home), []
    if weight_of(call)[0] not in TARGETS_DECIDE:
        own = service_of(call)
        told = ResolvedCall(call.domain, call.service, data=call.data)
        return (own,), _called(told, listeners, anything=False)
    found = aimed(call, home)
    targets = _aims(found, home)
    if found.unclear:
        own = service_of(call)
        unclear = replace(own, kind=Kind.SENSITIVE, reason=found.unclear)
        alone = replace(max(own, unclear, key=kind_of), hides=call.domain in GUARDING)
        return (alone,), [*targets, *_called(found.calls[0], listeners)]
    return ((), targets) if targets else ((service_of(call),), _called(found.calls[0], listeners))


def _aims(found: Aimed, home: HomeView) -> list[Aim]:
    """Return what is acted on for certain, and what may be."""
    certain = [
        Aim(*target)
        for call in found.calls
        for entity_id in call.entity_ids or (None,)
        for target in _targets(call, entity_id, home)
    ]
    return [*certain, *(Aim(each, call, held=True) for call in found.held for each in call.entity_ids)]


def _behind(step: BodyStep, home: HomeView, listeners: Listeners) -> list[Aim]:
    """Return what a step that hides something reaches all the same: who waits for its event, what it names, and what it may mean."""
    if step.event:
        perhaps = (Aim(name, STARTS, waited=True) for name in listeners.by_anything())
        return [*(Aim(name, STARTS) for name in listeners.by_event(step.event)), *perhaps]
    if not isinstance(step, Blank):
        return []
    found = aimed_blank(step, home)
    return [*_aims(found, home), *(_called(found.calls[0], listeners) if found.calls else ())]


def _set_by_scene(step: BodyStep, home: HomeView) -> list[Aim]:
    """Return what a stored scene does to one of its members: what stands there for it, where its configuration is known."""
    call = step.call
    found = list(_targets(ResolvedCall(call.domain, call.service, data=call.data), None, home)) if call else []
    aims = [Aim(*each) for each in found]
    return aims if any(name == step.member for name, _ in found) else [*aims, Aim(step.member, SCENE_SETS)]


def _blank(step: BodyStep) -> Judgement:
    """Judge a step that hides what it does; the service that it calls can be known all the same."""
    domain = domain_of(step)
    hides = not step.event and (not domain or domain in HIDING)
    hidden = Judgement(Kind.SENSITIVE, f"it cannot be seen what {step.description!r} would do", hides=hides)
    if not step.service:
        return hidden
    domain, _, service = step.service.partition(".")
    return replace(max(hidden, service_of(Call(domain, service)), key=kind_of), hides=hides)
