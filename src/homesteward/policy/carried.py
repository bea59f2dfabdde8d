"""What a reserved call carries: the calls inside it, which are done later or by others, and what it changes about who may do what."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.blueprints import parsed_blueprint
from homesteward.home.bodies import BLANK_BODY, body_of
from homesteward.home.calls import BodyStep, Call, InvalidCallError, ResolvedCall, parse_call
from homesteward.home.dashboards import buttons_of
from homesteward.home.starts import open_starts
from homesteward.policy.presets import GUEST_LABEL


@dataclass(frozen=True, slots=True)
class Carried:
    """What is inside a reserved call.

    `through` names it in the way to what is reached; empty where the call is no more than what is inside, like a schedule. `notes`
    say what it changes about authority, exposure and names.
    """

    steps: tuple[BodyStep, ...] = ()
    through: str = ""
    notes: tuple[str, ...] = ()


NOTHING = Carried()


def carried_by(call: Call | ResolvedCall) -> Carried:
    """Return what is inside the call, as far as it can be read; one that carries nothing is what its service is."""
    kind = str(call.data.get("kind", ""))
    carries = CARRIES.get(call.id) or CARRIES.get(f"{call.id} {kind}")
    return carries(call.data) if carries else NOTHING


def _schedule(data: JsonObject) -> Carried:
    inner = data.get("call")
    try:
        call = parse_call(inner) if isinstance(inner, Mapping) else None
    except InvalidCallError:
        call = None
    return Carried((BodyStep(call, f"calls {call.id}") if call else BodyStep(None, "does later what cannot be read"),))


def _written(data: JsonObject) -> Carried:
    """Return what an automation or a script would do; one made from a blueprint comes with its body filled in, where it could be."""
    config = data.get("config")
    filled = data.get("body") if isinstance(config, Mapping) and "use_blueprint" in config else config
    return Carried(body_of(filled), _named(data), tuple(_outside(filled)))


def _outside(config: JsonValue) -> Iterator[str]:
    """Yield what else than the house could start an automation: whoever knows an address, or says a sentence."""
    for start in open_starts(config):
        yield f"{start} can start it"


def _blueprint(data: JsonObject) -> Carried:
    """Return what every automation or script that is made from it would do, its inputs being what nobody knows yet."""
    config = data.get("config")
    text = config.get("yaml") if isinstance(config, Mapping) else config
    return _written({**data, "config": parsed_blueprint(text) if isinstance(text, str) else config})


def _scene(data: JsonObject) -> Carried:
    config = data.get("config")
    entities = config.get("entities") if isinstance(config, Mapping) else None
    if not isinstance(entities, Mapping):
        return Carried(BLANK_BODY, _named(data))
    return Carried((BodyStep(Call("scene", "apply", data={"entities": entities}), "sets its members"),), _named(data))


def _dashboard(data: JsonObject) -> Carried:
    return Carried(buttons_of(data.get("config")), _named(data))


def _changed(data: JsonObject) -> Carried:
    return Carried(notes=tuple(_authority(data)))


def _named(data: JsonObject) -> str:
    return f"the {data.get('kind')} {data.get('id') or 'it makes'}"


def _authority(data: JsonObject) -> Iterator[str]:
    """Yield what a change of a registry, a label or exposure gives or takes, in words."""
    config, target = data.get("config"), str(data.get("id") or "it")
    fields: Mapping[str, JsonValue] = config if isinstance(config, Mapping) else {}
    for name, note in AUTHORITY.items():
        if name in fields:
            yield note.format(target)
    if GUEST_LABEL in {target, *_listed(fields.get("labels")), str(fields.get("area_id", ""))}:
        yield "it changes what guests may use"


def _listed(value: JsonValue) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


# A field of a registry entry or of exposure -> what it changes about who may do what.
AUTHORITY: Mapping[str, str] = {
    "should_expose": "it changes whether {} is within reach of speech and models",
    "expose_new": "it changes what of all new things is within reach of speech and models",
    "new_entity_id": "it gives {} another id: rules that name the old one are no longer about it",
    "entity_id": "it gives {} another id: rules that name the old one are no longer about it",
    "device_class": "it changes what {} is taken for, and so whether it counts as an entrance",
    "labels": "it changes which rules about labels hold for {}",
    "area_id": "it changes which rules about areas hold for {}",
    "user_id": "it changes who {} is",
}
# `domain.service`, or with the kind of thing that is written -> what it carries.
CARRIES: Mapping[str, Callable[[JsonObject], Carried]] = {
    "homesteward.schedule": _schedule,
    "ha_config.write automation": _written,
    "ha_config.write script": _written,
    "ha_config.write blueprint": _blueprint,
    "ha_config.write scene": _scene,
    "ha_config.write dashboard": _dashboard,
    **dict.fromkeys(
        (f"ha_config.write {kind}" for kind in ("registry", "exposure", "label", "area", "floor", "person")), _changed
    ),
    **dict.fromkeys((f"ha_config.delete {kind}" for kind in ("registry", "exposure", "label", "area")), _changed),
}
