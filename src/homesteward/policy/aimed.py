"""What a step of a body is aimed at: the names that are there, as Home Assistant acts on them, and what may be meant by those that cannot be told."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from homesteward.core import HomestewardError
from homesteward.home.calls import TARGET_KEYS, BodyStep, Call, ResolvedCall, Target
from homesteward.home.errors import TooManyTargetsError, UnknownServiceError
from homesteward.home.script_syntax import Blank
from homesteward.home.targets import expand
from homesteward.home.view import HomeView
from homesteward.home.whereabouts import Whereabouts
from homesteward.policy.kept import Kept
from homesteward.policy.tables import ACTING_DOMAINS, BODIED_DOMAINS, SENSITIVE_DOMAINS

MAX_HELD = 1000  # things times services that a step may be about; beyond them it is sensitive as it is anyway
ANY_OF_THEM = frozenset({"homeassistant", "group"})  # domains whose services act on things of every other
# Domains whose services can reach what guards the house, also where the name of the thing is wrong.
GUARDING = SENSITIVE_DOMAINS | ANY_OF_THEM | {"cover"}
HIDING = GUARDING | BODIED_DOMAINS
"""Those that can, where nobody sees what they are aimed at."""


@dataclass(frozen=True, slots=True)
class Aimed:
    """What a step does: `calls` for certain, each on what resolves; `held` perhaps. `unclear` says what could not be resolved."""

    calls: tuple[ResolvedCall, ...] = ()
    held: tuple[ResolvedCall, ...] = ()
    unclear: str = ""


def aimed(call: Call, home: HomeView) -> Aimed:
    """Return what the call is aimed at. What does not resolve keeps nothing else from being acted on, as in Home Assistant."""
    try:
        return Aimed((expand(home, call),))
    except HomestewardError as error:
        found, held = _one_by_one(call, home)
        return Aimed(found, held, f"{call.id} cannot be resolved: {error.message}")


def aimed_blank(step: Blank, home: HomeView) -> Aimed:
    """Return what a call that hides something is aimed at: what is written out, and everything that it may be beside that."""
    named = Target() if step.aims.empty else step.aims
    if step.service:
        domain, _, service = step.service.partition(".")
        found, _ = _one_by_one(Call(domain, service, named), home)
        return Aimed(found, _every(home, domain, (service,)))
    there, domain = tuple(dict.fromkeys(_there(named, home))), domain_of(step)
    if not there:
        return Aimed(held=_every(home, domain, ()))
    by_domain: dict[str, list[str]] = defaultdict(list)
    for entity_id in there:
        by_domain[entity_id.partition(".")[0]].append(entity_id)
    return Aimed(held=_bounded(_services_on(by_domain, domain, (), home)))


def domain_of(step: BodyStep) -> str:
    """Return the domain of what a step does that hides something, where that is one of things; an integration's own can do anything."""
    domain = step.domain if isinstance(step, Blank) else step.service.partition(".")[0]
    return domain if step.service or domain in ACTING_DOMAINS | ANY_OF_THEM else ""


def _one_by_one(call: Call, home: HomeView) -> tuple[tuple[ResolvedCall, ...], tuple[ResolvedCall, ...]]:
    """Resolve every name of the target by itself; one that says everything, or too much to be told, is held to be any of them."""
    found, hidden = [ResolvedCall(call.domain, call.service, data=call.data)], False
    for key in TARGET_KEYS:
        for name in getattr(call.target, key):
            if name == "all":
                hidden = True
                continue
            try:
                found.append(expand(home, replace(call, target=Target(**{key: (name,)}))))
            except HomestewardError as error:
                if key == "entity_id":
                    found += [replace(found[0], entity_ids=(each,)) for each in _there(Target((name,)), home)]
                else:
                    hidden = hidden or isinstance(error, TooManyTargetsError | UnknownServiceError)
    return tuple(found), _every(home, call.domain, (call.service,), call) if hidden else ()


def _there(target: Target, home: HomeView) -> Iterator[str]:
    """Yield all the things that the target names and that there are, whatever acts on them."""
    there = Whereabouts.of_home(home)
    for name in target.entity_id:
        if name in home.states:
            yield name
        elif "." not in name:
            yield from (each.entity_id for each in home.entities.values() if each.registry_id == name)
    places = [there.of_device(name) for name in target.device_id] + [there.in_area(name) for name in target.area_id]
    places += [each for name in target.floor_id for each in there.on_floor(name)]
    places += [there.with_label(name) for name in target.label_id]
    yield from (each for place in places for ids in place.values() for each in ids if each in home.states)


def _every(
    home: HomeView, domain: str, services: tuple[str, ...], call: Call | None = None
) -> tuple[ResolvedCall, ...]:
    """Return what a call of one of these services (none: any) of the domain (none: any) may act on, what guards the house first."""
    of = _DOMAINS.of(home)
    if domain and domain not in ANY_OF_THEM:
        wanted: Iterable[str] = (domain,)
    else:
        wanted = sorted(of.keys() & (ACTING_DOMAINS - BODIED_DOMAINS), key=lambda each: (each not in GUARDING, each))
    held = _bounded(_services_on({each: of.get(each, ()) for each in wanted}, domain, services, home))
    return tuple(replace(each, data=call.data) for each in held) if call else held


def _services_on(
    by_domain: Mapping[str, Iterable[str]], domain: str, services: tuple[str, ...], home: HomeView
) -> Iterator[ResolvedCall]:
    """Yield each service that may be called, with the things that it acts on."""
    for own, ids in by_domain.items():
        known = [name for name in home.services if name.startswith(f"{own}.")]
        if services and domain not in ANY_OF_THEM:
            known = [f"{domain}.{service}" for service in services]
        elif services:
            known = [name for name in known if name.partition(".")[2] in services]
        for name in known if not domain or domain in {own, *ANY_OF_THEM} else ():
            named, _, service = name.partition(".")
            yield ResolvedCall(named, service, tuple(ids))


def _bounded(calls: Iterable[ResolvedCall]) -> tuple[ResolvedCall, ...]:
    found, left = [], MAX_HELD
    for call in calls:
        if left > 0 and call.entity_ids:
            found.append(replace(call, entity_ids=call.entity_ids[:left]))
        left -= len(call.entity_ids)
    return tuple(found)


def _by_domain(home: HomeView) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for entity_id in home.states:
        found[entity_id.partition(".")[0]].append(entity_id)
    return {domain: tuple(ids) for domain, ids in found.items()}


_DOMAINS: Kept[Mapping[str, tuple[str, ...]]] = Kept(lambda home: home.states, _by_domain)
