"""`policy explain`: judge a call from a file, by the running service's home or, without one, by the file alone."""

from collections.abc import Mapping
from typing import Any

from homesteward.actions.plan import decision_json
from homesteward.cli.client import running
from homesteward.core.errors import HomestewardError
from homesteward.home.calls import Call, ResolvedCall, parse_call
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Preset, verdicts

OWNER = Caller(Role.OWNER, Channel.CLI)


async def explain(document: Mapping[str, Any], role: str, preset: str, url: str, token: str) -> list[dict[str, Any]]:
    """Return one decision per verdict. `document` is the call, or `{call, attributes: {entity_id: {device_class: ...}}}`.

    Without a service nothing can be looked up: the entities named are taken to exist as `attributes` describes them.
    """
    call = _object(document.get("call", document), "The call")
    named = {"preset": _preset(preset)} if preset else {}
    async with running(url, token, role) as api:
        if api:
            return list(await api.post("/policy/explain", {"call": call, **named}))
    described = _object(document.get("attributes", {}), "attributes")
    return _offline(parse_call(call), described, _caller(role), named.get("preset", Preset.FAMILY))


def _offline(call: Call, described: Mapping[str, Any], caller: Caller, preset: Preset) -> list[dict[str, Any]]:
    _require_known(call, described)
    home = SimulatedHome.build(
        Thing(entity, attributes=_object(described.get(entity, {}), f"attributes of {entity}"))
        for entity in call.target.entity_id
    )
    resolved = ResolvedCall(call.domain, call.service, call.target.entity_id, call.data)
    judged = verdicts(resolved, caller, home, preset)
    return [{"entity_ids": list(part.entity_ids), **decision_json(decision)} for part, decision in judged]


PLACES = ("device_id", "area_id", "floor_id", "label_id")
ALL = "all"
# What a thing of this domain would do hangs on this attribute: without it, "allowed" would be a guess.
TELLING = {"cover": "device_class", "group": "entity_id"}


def _require_known(call: Call, described: Mapping[str, Any]) -> None:
    """Raise where the file alone does not say what the call would reach."""
    unknown = [key for key in PLACES if getattr(call.target, key)] + [ALL] * (ALL in call.target.entity_id)
    if unknown:
        raise HomestewardError(
            f"Without a running service nobody knows what {' or '.join(unknown)} reaches.",
            code="not_connected",
            next="Start the service, or name the entities by entity_id.",
        )
    for entity in call.target.entity_id:
        telling = TELLING.get(entity.partition(".")[0])
        if telling and telling not in _object(described.get(entity, {}), f"attributes of {entity}"):
            raise HomestewardError(
                f"Without a running service nobody knows the {telling} of {entity}, and it matters here.",
                code="not_connected",
                next=f'Start the service, or write {{"call": ..., "attributes": {{"{entity}": {{"{telling}": ...}}}}}}.',
            )


def _object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise HomestewardError(f"{what} must be an object.", code="bad_usage", next="Write a JSON object, {...}.")
    return dict(value)


def _caller(role: str) -> Caller:
    return OWNER.lowered(Role(role)) if role else OWNER


def _preset(name: str) -> Preset:
    if name not in set(Preset):
        raise HomestewardError(
            f"There is no preset {name!r}.", code="bad_usage", next=f"Choose one of {', '.join(Preset)}."
        )
    return Preset(name)
