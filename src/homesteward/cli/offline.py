"""A call judged without a home: by the same rules, from what a file says of its entities; what it does not say is not guessed."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from homesteward.actions.plan import decision_json
from homesteward.cli.explain import as_object
from homesteward.core.errors import HomestewardError
from homesteward.home.calls import ENTITY_ID, Call, ResolvedCall, parse_call
from homesteward.home.inventory import Thing
from homesteward.home.reserved import is_reserved
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Circumstances, Policy, Preset, RuleBook, parse_rules, verdicts
from homesteward.settings import load_settings

OWNER = Caller(Role.OWNER, Channel.CLI)


def judge(document: Mapping[str, Any], described: Mapping[str, Any], role: str, preset: str) -> list[dict[str, Any]]:
    """Return one decision per verdict on the call in `document`, its entities being what `described` says of them.

    It is judged by the rules and the preset that a service here would go by; `preset` is another. Raises invalid_call, bad_usage for a preset
    that does not exist, bad_settings, and not_connected where only the home could tell.
    """
    call, caller = parse_call(document), _caller(role)
    home = SimulatedHome.build(_things(call, described))
    resolved = ResolvedCall(call.domain, call.service, call.target.entity_id, call.data)
    at = Circumstances(datetime.now(UTC))
    judged = verdicts(resolved, caller, home, _policy(preset), at)
    return [{"entity_ids": list(part.entity_ids), **decision_json(decision)} for part, decision in judged]


def _things(call: Call, described: Mapping[str, Any]) -> list[Thing]:
    """Return the entities that the call names and, of a group, its members; raise where the file does not say what they are."""
    _require_places_known(call)
    things: dict[str, Thing] = {}
    names = [*call.target.entity_id, *(described if is_reserved(call.domain) else ())]  # what it carries names others
    for entity in names:  # grows by the members of each group
        if entity in things:
            continue
        attributes = as_object(described.get(entity, {}), f"attributes of {entity}")
        _require_telling(entity, attributes)
        things[entity] = Thing(entity, attributes=attributes)
        names += _members(entity, attributes)
    return list(things.values())


def _members(entity: str, attributes: Mapping[str, Any]) -> list[str]:
    members = attributes.get("entity_id", [])
    if not isinstance(members, list) or not all(
        isinstance(name, str) and ENTITY_ID.fullmatch(name) for name in members
    ):
        raise HomestewardError(
            f"The entity_id of {entity} must be a list of entity ids.", code="bad_usage", next="Name its members there."
        )
    return members


PLACES = ("device_id", "area_id", "floor_id", "label_id")
ALL = "all"
# What a thing of this domain would do hangs on this attribute: without it, "allowed" would be a guess.
TELLING = {"cover": "device_class", "group": "entity_id"}


def _require_places_known(call: Call) -> None:
    unknown = [key for key in PLACES if getattr(call.target, key)] + [ALL] * (ALL in call.target.entity_id)
    if unknown:
        raise HomestewardError(
            f"Without a running service nobody knows what {' or '.join(unknown)} reaches.",
            code="not_connected",
            next="Start the service, or name the entities by entity_id.",
        )


def _require_telling(entity: str, attributes: Mapping[str, Any]) -> None:
    telling = TELLING.get(entity.partition(".")[0])
    if telling and telling not in attributes:
        raise HomestewardError(
            f"Without a running service nobody knows the {telling} of {entity}, and it matters here.",
            code="not_connected",
            next=f'Start the service, or write {{"call": ..., "attributes": {{"{entity}": {{"{telling}": ...}}}}}}.',
        )


def _caller(role: str) -> Caller:
    return OWNER.lowered(Role(role)) if role else OWNER


def _policy(preset: str) -> Policy:
    """Return what decides here: the preset that is named, else the rule file's, else that of the settings; and the rules, where there are any."""
    if preset and preset not in set(Preset):
        raise HomestewardError(
            f"There is no preset {preset!r}.", code="bad_usage", next=f"Choose one of {', '.join(Preset)}."
        )
    settings = load_settings().settings
    usual = Preset(settings.policy.preset)
    try:
        rules = parse_rules((settings.data / settings.policy.file).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Policy(Preset(preset or usual))
    except (HomestewardError, OSError, UnicodeDecodeError) as error:
        why = error.message if isinstance(error, HomestewardError) else "The rule file cannot be read."
        return Policy(Preset(preset or usual), held=why)
    return Policy(Preset(preset or rules.preset or usual), RuleBook(rules))
