"""What may happen to a call: the preset's cell for the heaviest thing it does, with the reason in plain words."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from homesteward.home.calls import ResolvedCall
from homesteward.home.view import HomeView, area_of, leaves_of, members_of
from homesteward.people import Caller, Role
from homesteward.policy.decision import Action, Decision, Kind, Verdict
from homesteward.policy.impact import Judgement, judge
from homesteward.policy.pins import NO_PINS, PinRule, with_pin
from homesteward.policy.presets import GUEST_LABEL, Preset, row_of
from homesteward.policy.tables import ROUTINE_DOMAINS

GENERIC_DOMAINS = frozenset({"homeassistant", "group"})  # their services fit entities of every domain


@dataclass(frozen=True, slots=True)
class _Case:
    """A call to be judged, for whom, in which home and by which rules."""

    call: ResolvedCall
    caller: Caller
    home: HomeView
    preset: Preset
    pins: PinRule


def decide(call: ResolvedCall, caller: Caller, home: HomeView, preset: Preset, pins: PinRule = NO_PINS) -> Decision:
    """Return what may happen to `call` as a whole: the strictest decision among its targets."""
    case = _Case(call, caller, home, preset, pins)
    return _strictest([_decide_one(case, entity_id) for entity_id in call.entity_ids or (None,)])


def verdicts(
    call: ResolvedCall, caller: Caller, home: HomeView, preset: Preset, pins: PinRule = NO_PINS
) -> tuple[tuple[ResolvedCall, Decision], ...]:
    """Split `call` into one call per verdict, in the order of its targets.

    A group stays as named where all of its members get the verdict that it gets itself; else its members stand for it.
    """
    if not call.entity_ids:
        return ((call, decide(call, caller, home, preset, pins)),)
    split: dict[Verdict, dict[str, Decision]] = {}
    for entity_id, decision in _judged(_Case(call, caller, home, preset, pins)):
        split.setdefault(decision.verdict, {}).setdefault(entity_id, decision)
    return tuple((replace(call, entity_ids=tuple(same)), _strictest(list(same.values()))) for same in split.values())


def _judged(case: _Case) -> Iterator[tuple[str, Decision]]:
    """Yield each target, or the members that stand for it, with its decision; what is plain is decided once for all of its domain."""
    plain: dict[str, Decision] = {}
    for entity_id in case.call.entity_ids:
        if _is_plain(entity_id, case.caller, case.home):
            domain = entity_id.partition(".")[0]
            if domain not in plain:
                plain[domain] = _decide_one(case, entity_id)
            yield entity_id, plain[domain]
            continue
        for part in _parts(case, entity_id):
            yield part, _decide_one(case, part)


def _is_plain(entity_id: str, caller: Caller, home: HomeView) -> bool:
    """Return whether nothing about this entity can weigh in: an everyday thing, no group, for somebody whose areas are all alike."""
    domain = entity_id.partition(".")[0]
    everyday = domain in ROUTINE_DOMAINS and domain != "cover"  # a cover's class can make it an entrance
    return everyday and caller.role is not Role.GUEST and entity_id in home.states and not members_of(home, entity_id)


def _parts(case: _Case, entity_id: str) -> tuple[str, ...]:
    """Return the group itself, or its members where their verdicts differ and the call fits each of them."""
    leaves = tuple(leaves_of(case.home, (entity_id,)))
    if leaves in {(), (entity_id,)} or not all(_fits(case.call, leaf) for leaf in leaves):
        return (entity_id,)
    whole = _decide_one(case, entity_id).verdict
    return (entity_id,) if all(_decide_one(case, leaf).verdict == whole for leaf in leaves) else leaves


def _fits(call: ResolvedCall, entity_id: str) -> bool:
    return call.domain in GENERIC_DOMAINS or entity_id.startswith(f"{call.domain}.")


def _decide_one(case: _Case, entity_id: str | None) -> Decision:
    judgement = judge(case.call, entity_id, case.home)
    by_guest_area = _for_guests(judgement.ends, case.home)
    cell = row_of(case.preset, judgement.kind).verdict(case.caller.role, in_guest_area=by_guest_area)
    by_owner = " by an owner" if cell.by_owner else ""
    decision = Decision(
        cell.action,
        _rule(case.preset, judgement.kind),
        f"{judgement.reason}; for the role {case.caller.role} that means {MEANINGS[cell.action]}{by_owner}",
        judgement.impact,
        cell.by_owner,
    )
    return with_pin(decision, case.caller) if case.pins.asks(decision, _domains(case.call, judgement)) else decision


def _domains(call: ResolvedCall, judgement: Judgement) -> frozenset[str]:
    """Return the domains of everything that the call ends at, and its own."""
    return frozenset({call.domain, *(end.partition(".")[0] for end in judgement.ends)})


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
