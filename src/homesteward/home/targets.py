"""From a target in Home Assistant's five ways to concrete entities: exactly those that HA would act on, or an error."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

from homesteward.core.text import neighbours
from homesteward.home.calls import MAX_TARGETS, Call, ResolvedCall, Target
from homesteward.home.errors import (
    CallError,
    NoTargetError,
    NothingThereError,
    NotSupportedError,
    TakesNoTargetError,
    TooManyTargetsError,
    UnknownAreaError,
    UnknownDeviceError,
    UnknownEntityError,
    UnknownFloorError,
    UnknownLabelError,
    UnknownServiceError,
    WrongDomainError,
)
from homesteward.home.model import Service
from homesteward.home.view import HomeView, device_class_of, leaves_of
from homesteward.home.whereabouts import ByDomain, Whereabouts

WORDS_FOR_ALL = frozenset({"all", "none"})  # HA takes them for an entity id; "everything" is never an explicit target
GENERIC = "homeassistant"  # its turn_on, turn_off and toggle hand on to each entity's own domain
MAX_LISTED = 40


def expand(view: HomeView, call: Call) -> ResolvedCall:
    """Return `call` aimed at concrete entities: those named as they are, then those of the wider targets.

    A group of a domain of its own (`light.upstairs`) stays one entity. A plain group (`group.all`) is no entity of any other
    service: its members that the service acts on stand for it, as in HA.

    A device, area, floor or label stands for what HA itself takes it for: no hidden, configuration or diagnostic entities,
    an entity's own area before its device's, and only entities that the service acts on. Raises a leaf of CallError, with
    the nearest names in `next`, for everything that is not there; nothing else is ever put in its place.
    """
    service = service_of(view, call.domain, call.service)
    target = call.target
    if service.target is None:
        return _without_target(view, service, call)
    if target.empty or WORDS_FOR_ALL & {name for key in target_names(target) for name in key}:
        raise _no_target(service)
    named = [found for name in target.entity_id for found in _named(view, service, _by_registry_id(view, name))]
    wide = [entity_id for found in _wide(view, service, target) for entity_id in found]
    entity_ids = tuple(dict.fromkeys([*named, *wide]))
    if len(entity_ids) > MAX_TARGETS:
        raise TooManyTargetsError(
            f"{call.id} would reach {len(entity_ids)} entities; one call may reach {MAX_TARGETS}.",
            next="Name smaller places, one call for each.",
        )
    return ResolvedCall(call.domain, call.service, entity_ids, call.data, call.healed)


def service_of(view: HomeView, domain: str, service: str) -> Service:
    """Return the service of the catalogue; raise UnknownServiceError, naming the nearest, if the home has none such."""
    found = view.services.get(f"{domain}.{service}")
    if found is not None:
        return found
    of_domain = [known.service for known in view.services.values() if known.domain == domain]
    if of_domain:
        near = neighbours(service, of_domain) or tuple(sorted(of_domain))
        raise UnknownServiceError(
            f"There is no service {domain}.{service}.", next=_offer(f"{domain}.{n}" for n in near)
        )
    domains = {known.domain for known in view.services.values()}
    raise UnknownServiceError(
        f"This home has no services of the domain {domain}.", next=_offer(neighbours(domain, domains))
    )


def target_names(target: Target) -> Iterator[tuple[str, ...]]:
    """Yield the names of each kind that the target has: entities, devices, areas, floors, labels."""
    yield from (target.entity_id, target.device_id, target.area_id, target.floor_id, target.label_id)


def acts_on(view: HomeView, service: Service, entity_id: str) -> bool:
    """Return whether the service acts on entities of this kind: its domain, integration and device class."""
    if service.domain == GENERIC:
        return f"{entity_id.partition('.')[0]}.{service.service}" in view.services or entity_id.startswith("group.")
    filters = _filters(service)
    return not filters or any(_fits(view, wanted, entity_id) for wanted in filters)


def supports(view: HomeView, service: Service, entity_id: str) -> bool:
    """Return whether the entity has a feature that the service needs. HA skips one that has not, if only a place was named."""
    needed = [wanted for wanted in _filters(service) if "supported_features" in wanted]
    state = view.states.get(entity_id)
    if not needed or state is None or not state.available:
        return True  # what cannot be known now is found out, and named, by whoever runs the call
    has = state.supported_features
    return any(
        int(cast("int", bits)) & has == bits for wanted in needed for bits in _list(wanted.get("supported_features"))
    )


def _without_target(view: HomeView, service: Service, call: Call) -> ResolvedCall:
    """Resolve a call of a service that has no target; a few carry entities in a field of their own."""
    target = call.target
    if WORDS_FOR_ALL & set(target.entity_id):
        raise _no_target(service)
    given = {key: names for key, names in zip(_KEYS, target_names(target), strict=True) if names}
    strange = sorted(key for key in given if key not in service.fields)
    if strange:
        raise TakesNoTargetError(
            f"{call.id} takes no {', '.join(strange)}: it does not act on entities.",
            next="Leave the target out, or use a service that acts on entities.",
        )
    for entity_id in target.entity_id:
        _known(view, entity_id)
    fields = {key: list(names) for key, names in given.items() if key != "entity_id"}
    return ResolvedCall(call.domain, call.service, target.entity_id, {**call.data, **fields}, call.healed)


_KEYS = ("entity_id", "device_id", "area_id", "floor_id", "label_id")


def _named(view: HomeView, service: Service, entity_id: str) -> tuple[str, ...]:
    """Return what an entity that was named stands for, if it is there and the service acts on it: itself, or its members."""
    _known(view, entity_id)
    if service.domain not in {GENERIC, "group"} and entity_id.startswith("group."):
        fitting = tuple(leaf for leaf in leaves_of(view, [entity_id]) if _takes_part(view, service, leaf))
        if fitting:
            return fitting
    if service.domain != GENERIC and not acts_on(view, service, entity_id):
        domain = entity_id.partition(".")[0]
        own = [known.id for known in view.services.values() if known.domain == domain]
        raise WrongDomainError(
            f"{service.id} does not act on {entity_id}.",
            next=_offer(f"{domain}.{n.partition('.')[2]}" for n in neighbours(service.service, own) or own[:6]),
        )
    if not supports(view, service, entity_id):
        raise NotSupportedError(f"{entity_id} does not support {service.id}.", next="Ask for something that it can do.")
    return (entity_id,)


def _by_registry_id(view: HomeView, name: str) -> str:
    """Return the entity id of an entity that is named by the id of its registry entry, as HA's editor does; else `name`."""
    if "." in name:
        return name
    return next((entity.entity_id for entity in view.entities.values() if entity.registry_id == name), name)


def _known(view: HomeView, entity_id: str) -> None:
    if entity_id in view.states:
        return
    entry = view.entities.get(entity_id)
    if entry and entry.disabled:
        raise UnknownEntityError(f"{entity_id} is disabled in Home Assistant.", next="Enable it there first.")
    start = f"{entity_id.partition('.')[0]}."
    near = neighbours(entity_id, [known for known in view.states if known.startswith(start)])
    near = near or neighbours(entity_id.partition(".")[2], view.states)
    raise UnknownEntityError(f"There is no entity {entity_id}.", next=_offer(near))


def _wide(view: HomeView, service: Service, target: Target) -> Iterator[list[str]]:
    """Yield, for each place, device and label of the target, the entities that the service acts on there."""
    if not (target.floor_id or target.area_id or target.device_id or target.label_id):
        return
    there, taken = Whereabouts.of_home(view), _taken(view, service)
    for names, known, word, find in (
        (target.floor_id, view.floors, "floor", there.on_floor),
        (target.area_id, view.areas, "area", lambda name: [there.in_area(name)]),
        (target.device_id, view.devices, "device", lambda name: [there.of_device(name)]),
        (target.label_id, view.labels, "label", lambda name: [there.with_label(name)]),
    ):
        for name in names:
            if name not in known:
                raise _unknown_place(word, name, {key: each.name for key, each in known.items()})
            found = [entity_id for place in find(name) for entity_id in taken(place)]
            if not found:
                raise NothingThereError(
                    f"The {word} {known[name].name} has nothing that {service.id} acts on.",
                    next="Name the entity, or another place.",
                )
            yield sorted(found)


def _taken(view: HomeView, service: Service) -> Callable[[ByDomain], list[str]]:
    """Return what picks out of a place the entities that the service acts on. Where the domain alone says which, nothing else is looked at."""
    domains, states = _domains_of(service), view.states
    if domains and all(wanted.keys() <= {"domain"} for wanted in _filters(service)):
        return lambda place: [each for domain in domains for each in place.get(domain, ()) if each in states]
    return lambda place: [
        each
        for domain, ids in place.items()
        if not domains or domain in domains
        for each in ids
        if _takes_part(view, service, each)
    ]


def _takes_part(view: HomeView, service: Service, entity_id: str) -> bool:
    return entity_id in view.states and acts_on(view, service, entity_id) and supports(view, service, entity_id)


def _domains_of(service: Service) -> frozenset[str]:
    """Return the domains that the service acts on, empty where that cannot be said: the cheap look before the full one."""
    wanted = [_list(each.get("domain")) for each in _filters(service)]
    return frozenset(str(name) for names in wanted for name in names) if all(wanted) else frozenset()


def _filters(service: Service) -> list[Mapping[str, object]]:
    """Return the entity filters of the service's target selector; each is a full description of what fits."""
    return [wanted for wanted in _list((service.target or {}).get("entity")) if isinstance(wanted, Mapping)]


def _fits(view: HomeView, wanted: Mapping[str, object], entity_id: str) -> bool:
    domains, classes = _list(wanted.get("domain")), _list(wanted.get("device_class"))
    if domains and entity_id.partition(".")[0] not in domains:
        return False
    entry = view.entities.get(entity_id)
    if (integration := wanted.get("integration")) and entry and entry.platform != integration:
        return False
    return not classes or device_class_of(view, entity_id) in classes


def _list(value: object) -> list[object]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _no_target(service: Service) -> NoTargetError:
    return NoTargetError(
        f"{service.id} has no explicit target.",
        next="Name what it should act on: entities, a device, an area, a floor or a label. 'all' is not a target.",
    )


def _unknown_place(word: str, name: str, known: Mapping[str, str]) -> CallError:
    """Return the error for a place that is not there: the nearest if one is near, and the known ones."""
    by_name = {shown: key for key, shown in known.items()}
    near = [by_name.get(found, found) for found in neighbours(name, [*known, *by_name])]
    listed = sorted(known)[:MAX_LISTED]
    parts = [f"Did you mean {' or '.join(dict.fromkeys(near))}?"] if near else []
    parts.append(f"Known: {', '.join(listed)}." if listed else f"This home has no {word}s.")
    return UNKNOWN_PLACES[word](f"There is no {word} {name!r}.", next=" ".join(parts))


UNKNOWN_PLACES: Mapping[str, type[CallError]] = {
    "floor": UnknownFloorError,
    "area": UnknownAreaError,
    "device": UnknownDeviceError,
    "label": UnknownLabelError,
}


def _offer(names: Iterable[str]) -> str:
    listed = list(dict.fromkeys(names))[:MAX_LISTED]
    return f"Did you mean {' or '.join(listed)}?" if listed else "Look up what the home has, and name that."
