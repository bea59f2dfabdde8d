"""From what somebody wrote to a call on entities: names become ids, and nothing that is not exposed is reached."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonValue
from homesteward.home.calls import Call, InvalidCallError, Target, parse_call
from homesteward.home.errors import NothingThereError
from homesteward.home.targets import WORDS_FOR_ALL, expand
from homesteward.home.view import HomeView, area_of
from homesteward.tools.entities import ambiguous, check_exposed, named_entities, unknown
from homesteward.tools.places import Named, area_id_of, ids_named

OTHER_WORDS = {
    "area": "area_id",
    "floor": "floor_id",
    "label": "label_id",
    "device": "device_id",
    "entity": "entity_id",
}
BESIDE = frozenset({"name", *OTHER_WORDS})  # of a target, where somebody wrote it flat


def aimed(home: HomeView, raw: Mapping[str, JsonValue]) -> Call:
    """Return the call that `raw` asks for, aimed at exposed entities only.

    Beside Home Assistant's own form: `name` anywhere in the target, places by name, `area` for `area_id`, fields of the
    service beside `data`. With a name, an area narrows the name; without one, it is the target. Raises a HomestewardError.
    """
    nested, names = _nested(raw)
    call = parse_call(nested)
    call = replace(call, target=_places_by_id(home, call.target))
    if names:
        call = replace(call, target=_with_names(home, call, names))
    _check_named(home, call)
    return _exposed_only(home, call)


def _nested(raw: Mapping[str, JsonValue]) -> tuple[dict[str, JsonValue], list[str]]:
    """Return `raw` in Home Assistant's own form, and the names found in it."""
    target, names = _target(raw.get("target"))
    beside, more_names = _target({key: raw[key] for key in BESIDE if key in raw})
    nested: dict[str, JsonValue] = {key: raw[key] for key in raw.keys() - BESIDE}
    if not raw.get("domain") or str(raw.get("service")).startswith(f"{raw['domain']}."):
        nested.pop("domain", None)  # empty, or said once more in "light.turn_on"
    return nested | {"target": _merged(target, beside)}, names + more_names


def _target(raw: JsonValue) -> tuple[dict[str, JsonValue], list[str]]:
    """Return a target without its names, `area` and the like spelled as Home Assistant does, and its names."""
    if raw is None:
        return {}, []
    if not isinstance(raw, Mapping):
        raise InvalidCallError("target must be an object.", next='For example {"entity_id": "light.kitchen"}.')
    spelled = {OTHER_WORDS.get(key, key): value for key, value in raw.items() if key != "name"}
    name = raw.get("name")
    names = [name] if isinstance(name, str) else name if isinstance(name, Sequence) else []
    return spelled, [text.strip() for text in names if isinstance(text, str) and text.strip()]


def _merged(one: Mapping[str, JsonValue], other: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    merged = dict(one)
    for key, value in other.items():
        merged[key] = [*_list(merged.get(key)), *_list(value)] if key in merged else value
    return merged


def _list(value: JsonValue) -> list[JsonValue]:
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value] if value else []


def _places_by_id(home: HomeView, target: Target) -> Target:
    """Return `target` with areas, floors, labels and devices that were said by name replaced by their ids."""
    known: dict[str, Mapping[str, Named]] = {
        "area_id": home.areas, "floor_id": home.floors, "label_id": home.labels, "device_id": home.devices,
    }  # fmt: skip
    found = {key: [_one(places, asked) for asked in getattr(target, key)] for key, places in known.items()}
    return replace(target, **{key: tuple(dict.fromkeys(ids)) for key, ids in found.items()})


def _one(places: Mapping[str, Named], asked: str) -> str:
    """Return the one id that `asked` fits. One that nobody knows stays: the expansion names those there are."""
    found = ids_named(places, asked)
    if len(found) > 1:
        raise HomestewardError(
            f"{asked!r} fits {len(found)} of them: {', '.join(found)}.", code="ambiguous", next="Name one by its id."
        )
    return found[0] if found else asked


def _with_names(home: HomeView, call: Call, names: Sequence[str]) -> Target:
    """Return the target with each name as the one entity it fits. Areas given beside a name only tell entities apart."""
    areas = {area_id_of(home, area) for area in call.target.area_id}
    domain = None if call.domain == "homeassistant" else call.domain
    found = [_named(home, name, domain, areas) for name in names]
    return replace(call.target, entity_id=tuple(dict.fromkeys((*call.target.entity_id, *found))), area_id=())


def _named(home: HomeView, name: str, domain: str | None, areas: set[str]) -> str:
    found = named_entities(home, name, domain=domain)
    there = [entity_id for entity_id in found if (area := area_of(home, entity_id)) and area.area_id in areas]
    if areas and not there:
        raise NothingThereError(
            f"{name!r} is not in {', '.join(sorted(areas))}.", next="Leave the area out, or use find."
        )
    chosen = there if areas else list(found)
    if len(chosen) > 1:
        raise ambiguous(home, name, chosen)
    return chosen[0]


def _check_named(home: HomeView, call: Call) -> None:
    """Refuse entities that are not there or not exposed; a script called by its own service is named too."""
    check_exposed(home, call.target.entity_id)
    for entity_id in call.target.entity_id:
        if entity_id not in home.states and entity_id not in home.entities and entity_id not in WORDS_FOR_ALL:
            raise unknown(home, entity_id)
    if call.domain == "script":
        check_exposed(home, [call.id])


def _exposed_only(home: HomeView, call: Call) -> Call:
    """Return the call on its concrete entities, those left out that only a place or a label reached and are not exposed."""
    resolved = expand(home, call)
    if not resolved.entity_ids:
        return call
    kept = tuple(e for e in resolved.entity_ids if e in home.exposed or e in call.target.entity_id)
    if not kept:
        raise NothingThereError(
            f"Nothing there that {call.id} acts on is exposed to the assistant.",
            next="Expose it in Home Assistant under Settings, Voice assistants, Expose.",
        )
    return replace(call, target=Target(entity_id=kept))
