"""What may happen to a call: the preset's cell for the heaviest thing it does, with the reason in plain words."""

from collections.abc import Iterator
from dataclasses import replace

from homesteward.home.calls import ResolvedCall
from homesteward.home.view import HomeView, area_of, leaves_of, members_of
from homesteward.people import Caller, Role
from homesteward.policy.decision import Action, Decision, Kind
from homesteward.policy.impact import judge
from homesteward.policy.presets import GUEST_LABEL, Preset, row_of
from homesteward.policy.tables import ROUTINE_DOMAINS

GENERIC_DOMAINS = frozenset({"homeassistant", "group"})  # their services fit entities of every domain


def decide(call: ResolvedCall, caller: Caller, home: HomeView, preset: Preset) -> Decision:
    """Return what may happen to `call` as a whole: the strictest decision among its targets."""
    return _strictest([_decide_one(call, entity_id, caller, home, preset) for entity_id in call.entity_ids or (None,)])


def verdicts(
    call: ResolvedCall, caller: Caller, home: HomeView, preset: Preset
) -> tuple[tuple[ResolvedCall, Decision], ...]:
    """Split `call` into one call per verdict, in the order of its targets.

    A group stays as named where all of its members get the verdict that it gets itself; else its members stand for it.
    """
    if not call.entity_ids:
        return ((call, decide(call, caller, home, preset)),)
    judged = list(_judged(call, caller, home, preset))
    split: dict[tuple[Action, bool], dict[str, Decision]] = {}
    for entity_id, decision in judged:
        split.setdefault(decision.verdict, {}).setdefault(entity_id, decision)
    return tuple((replace(call, entity_ids=tuple(same)), _strictest(list(same.values()))) for same in split.values())


def _judged(call: ResolvedCall, caller: Caller, home: HomeView, preset: Preset) -> Iterator[tuple[str, Decision]]:
    """Yield each target, or the members that stand for it, with its decision; what is plain is decided once for all of it."""
    plain: Decision | None = None
    for entity_id in call.entity_ids:
        if _is_plain(entity_id, caller, home):
            plain = plain or _decide_one(call, entity_id, caller, home, preset)
            yield entity_id, plain
            continue
        for part in _parts(call, entity_id, caller, home, preset):
            yield part, _decide_one(call, part, caller, home, preset)


def _is_plain(entity_id: str, caller: Caller, home: HomeView) -> bool:
    """Return whether nothing about this entity can weigh in: an everyday thing, no group, for somebody whose areas are all alike."""
    domain = entity_id.partition(".")[0]
    everyday = domain in ROUTINE_DOMAINS and domain != "cover"  # a cover's class can make it an entrance
    return everyday and caller.role is not Role.GUEST and entity_id in home.states and not members_of(home, entity_id)


def _parts(call: ResolvedCall, entity_id: str, caller: Caller, home: HomeView, preset: Preset) -> tuple[str, ...]:
    """Return the group itself, or its members where their verdicts differ and the call fits each of them."""
    leaves = tuple(leaves_of(home, (entity_id,)))
    if leaves in {(), (entity_id,)} or not all(_fits(call, leaf) for leaf in leaves):
        return (entity_id,)
    whole = _decide_one(call, entity_id, caller, home, preset).verdict
    same = all(_decide_one(call, leaf, caller, home, preset).verdict == whole for leaf in leaves)
    return (entity_id,) if same else leaves


def _fits(call: ResolvedCall, entity_id: str) -> bool:
    return call.domain in GENERIC_DOMAINS or entity_id.startswith(f"{call.domain}.")


def _decide_one(call: ResolvedCall, entity_id: str | None, caller: Caller, home: HomeView, preset: Preset) -> Decision:
    judgement = judge(call, entity_id, home)
    cell = row_of(preset, judgement.kind).verdict(caller.role, in_guest_area=_for_guests(judgement.ends, home))
    return Decision(
        cell.action,
        _rule(preset, judgement.kind),
        f"{judgement.reason}; for the role {caller.role} that means {MEANINGS[cell.action]}{' by an owner' if cell.by_owner else ''}",
        judgement.impact,
        cell.by_owner,
    )


MEANINGS = {
    Action.ALLOW: "it is done",
    Action.CONFIRM: "a yes in the conversation first",
    Action.APPROVE: "an approval first",
    Action.DENY: "it is refused",
}


def _rule(preset: Preset, kind: Kind) -> str:
    return "deny list" if kind is Kind.FORBIDDEN else f"preset {preset}: {kind.word}"


def _for_guests(ends: tuple[str, ...], home: HomeView) -> bool:
    """Return whether everything that is reached lies in areas labelled for guests."""
    areas = [area_of(home, entity_id) for entity_id in ends]
    return bool(areas) and all(area is not None and GUEST_LABEL in area.labels for area in areas)


def _strictest(decisions: list[Decision]) -> Decision:
    """Return the strictest decision; among equals the first of those that matter most."""
    return max(decisions, key=lambda decision: (decision.strictness, decision.impact.level))
