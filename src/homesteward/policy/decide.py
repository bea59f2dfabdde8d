"""What may happen to a call: the first rule that fits, else the preset's cell, for everything it reaches; then the limits. With the reason in words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from homesteward.home.calls import ResolvedCall
from homesteward.home.reserved import is_reserved
from homesteward.home.view import HomeView, area_of, leaves_of
from homesteward.people import Caller, Role
from homesteward.policy import own
from homesteward.policy.book import NO_RULES, RuleBook, Sitting
from homesteward.policy.circumstances import Circumstances
from homesteward.policy.decision import Action, Decision, Kind, Verdict
from homesteward.policy.impact import everyday_in, reached
from homesteward.policy.judgement import Judgement
from homesteward.policy.limits import action_of, breach
from homesteward.policy.own import is_own_notice
from homesteward.policy.pins import with_pin
from homesteward.policy.presets import GUEST_LABEL, Preset, row_of
from homesteward.policy.rule import Rule
from homesteward.policy.subject import Subject
from homesteward.policy.unnamed import after_outside

GENERIC_DOMAINS = frozenset({"homeassistant", "group"})  # their services fit entities of every domain
CELSIUS = "°C"


@dataclass(frozen=True, slots=True)
class Policy:
    """What decides: the owner's rules and limits, and the preset where no rule does.

    `held` says why nothing is decided at present, for a rule file that cannot be read: everything but reading waits for an owner.
    """

    preset: Preset = Preset.FAMILY
    book: RuleBook = NO_RULES
    held: str = ""
    temperature_unit: str = CELSIUS
    """The home's: what its thermostats are told in."""
    notify: str = ""
    """The one notify service or entity by which Homesteward itself may tell the owner something."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A call to be judged: for whom, in which home, when and by what."""

    call: ResolvedCall
    caller: Caller
    home: HomeView
    policy: Policy
    at: Circumstances
    sitting: Sitting


def _case(call: ResolvedCall, caller: Caller, home: HomeView, policy: Policy, at: Circumstances) -> _Case:
    return _Case(call, caller, home, policy, at, Sitting(policy.book, caller, home, at))


def decide(call: ResolvedCall, caller: Caller, home: HomeView, policy: Policy, at: Circumstances) -> Decision:
    """Return what may happen to `call` as a whole: the strictest decision among its targets."""
    case = _case(call, caller, home, policy, at)
    return _strictest([_decide_one(case, entity_id) for entity_id in call.entity_ids or (None,)])


def verdicts(
    call: ResolvedCall, caller: Caller, home: HomeView, policy: Policy, at: Circumstances
) -> tuple[tuple[ResolvedCall, Decision], ...]:
    """Split `call` into one call per verdict, in the order of its targets.

    A group stays as named where all of its members get the verdict that it gets itself; else its members stand for it.
    """
    case = _case(call, caller, home, policy, at)
    if not call.entity_ids:
        return ((call, _decide_one(case, None)),)
    split: dict[Verdict, dict[str, Decision]] = {}
    for entity_id, decision in _judged(case):
        split.setdefault(decision.verdict, {}).setdefault(entity_id, decision)
    return tuple(
        (replace(call, entity_ids=tuple(same)), _strictest(_each_once(same.values()))) for same in split.values()
    )


def _judged(case: _Case) -> Iterator[tuple[str, Decision]]:
    """Yield each target, or the members that stand for it, with its decision; what is alike is decided once for all of it, but for its limits."""
    plain: dict[tuple[str, int, bool, bool], _Alike] = {}
    guest, everyday, openings = case.caller.role is Role.GUEST, everyday_in(case.home), case.sitting.openings(case.call)
    for entity_id in case.call.entity_ids:
        left = openings(entity_id)
        if left.alike and everyday(entity_id):  # nothing about it can weigh in but what it shares with others
            there = guest and _for_guests((entity_id,), case.home)
            key = entity_id.partition(".")[0], id(left), entity_id in case.at.named, there
            if key not in plain:
                plain[key] = _alike(case, entity_id, limited=bool(left.limits))
            yield entity_id, plain[key].decided(case, entity_id)
            continue
        for part in _parts(case, entity_id):
            yield part, _decide_one(case, part)


@dataclass(frozen=True, slots=True)
class _Alike:
    """What is decided for all things that share everything but what limits measure: as a whole, or up to the limits."""

    whole: Decision | None
    judgement: Judgement | None = None
    ruled: Decision | None = None

    def decided(self, case: _Case, entity_id: str) -> Decision:
        """Return the decision on one of them."""
        if self.whole is not None:
            return self.whole
        if self.judgement is None or self.ruled is None:
            return _decide_one(case, entity_id)
        judgement = replace(self.judgement, at=entity_id)
        limited = _limited(case, judgement, self.ruled)
        return after_outside(limited, (judgement,), case.caller, case.home, case.at)


def _alike(case: _Case, entity_id: str, *, limited: bool) -> _Alike:
    """Decide what can be decided for all at once; where the call does more than one thing to each, nothing can up to its limits."""
    if not limited:
        return _Alike(_decide_one(case, entity_id))
    found = reached(case.call, entity_id, case.home)
    if len(found) != 1:
        return _Alike(None)
    guests = case.caller.role is Role.GUEST and _for_guests((entity_id,), case.home)
    return _Alike(None, found[0], _ruled(case, found[0], in_guest_area=guests))


def _each_once(decisions: Iterable[Decision]) -> list[Decision]:
    """Return the decisions, the same object once: hundreds of lights share one."""
    return list({id(decision): decision for decision in decisions}.values())


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
    """Return the strictest decision on everything that the call reaches through this target."""
    found = reached(case.call, entity_id, case.home)
    ends = tuple(judgement.at for judgement in found if judgement.end)
    guests = case.caller.role is Role.GUEST and _for_guests(ends, case.home)
    decisions = [
        _limited(case, judgement, _ruled(case, judgement, in_guest_area=guests)) for judgement in _telling(case, found)
    ]
    return after_outside(_strictest(decisions), found, case.caller, case.home, case.at)


def _telling(case: _Case, found: Iterable[Judgement]) -> Iterator[Judgement]:
    """Yield what can make a difference: of those that the same rules look at and that differ in nothing a rule asks about, only the first does."""
    seen: set[tuple[int, Kind, tuple[str, ...]]] = set()
    for judgement in found:
        left = case.sitting.open_for(_subject(judgement))
        if left.limits or not left.alike:
            yield judgement
            continue
        key = (id(left) if left.rules else 0, judgement.kind, judgement.trail if left.rules else ())
        if key not in seen:
            seen.add(key)
            yield judgement


def _ruled(case: _Case, judgement: Judgement, *, in_guest_area: bool) -> Decision:
    """Return what the first rule that fits says, else the preset; for Homesteward itself, its own rule alone."""
    if case.caller.role is Role.SYSTEM and judgement.kind is not Kind.READ:
        return _of_our_own(case, judgement)
    if case.policy.held and judgement.kind not in {Kind.READ, Kind.FORBIDDEN}:
        return _held(case, judgement, _by_preset(case, judgement, in_guest_area=in_guest_area))
    rule = case.sitting.first(_subject(judgement))
    if rule is not None:
        return _by(case, judgement, rule)
    return _by_preset(case, judgement, in_guest_area=in_guest_area)


def _held(case: _Case, judgement: Judgement, otherwise: Decision) -> Decision:
    """Return that it waits for an owner, or what is stricter: what the preset refuses is not offered for a yes because rules are broken."""
    action = Action.DENY if judgement.kind is Kind.UNKNOWN else Action.APPROVE
    held = _said(
        case,
        judgement,
        action,
        "unreadable policy",
        by_owner=action is Action.APPROVE,
        because=case.policy.held,
    )
    return max(held, otherwise, key=lambda each: each.strictness)


def _by_preset(case: _Case, judgement: Judgement, *, in_guest_area: bool) -> Decision:
    cell = row_of(case.policy.preset, judgement.kind).verdict(case.caller.role, in_guest_area=in_guest_area)
    return _said(case, judgement, cell.action, _preset_rule(case.policy.preset, judgement.kind), by_owner=cell.by_owner)


def _of_our_own(case: _Case, judgement: Judgement) -> Decision:
    """Return what may happen to what nobody asked for: the owner is told something, or nothing happens."""
    if is_own_notice(case.call, case.policy.notify):
        return _said(case, judgement, Action.ALLOW, own.RULE, because="it only tells the owner something")
    return _said(
        case, judgement, Action.DENY, own.RULE, because="of its own accord Homesteward only tells the owner something"
    )


def _by(case: _Case, judgement: Judgement, rule: Rule) -> Decision:
    said = _said(
        case,
        judgement,
        rule.action,
        f"rule {rule.name}",
        by_owner=rule.by == "owner",
        because=f"the rule {rule.name!r} is about it",
    )
    said = replace(said, expires=rule.expires, notify=rule.notify, window=rule.window)
    return with_pin(said, case.caller) if rule.pin else said


def _limited(case: _Case, judgement: Judgement, decision: Decision) -> Decision:
    """Return the decision, or what a limit makes of it: only ever something stricter."""
    subject = _subject(judgement)
    for limit in case.sitting.limits(subject):
        if why := breach(limit, subject, case.home, case.at, case.policy.temperature_unit):
            tightened = _said(case, judgement, action_of(limit, subject), f"limit {limit.name}", because=why)
            decision = max(decision, tightened, key=lambda each: each.strictness)
    return decision


def _said(
    case: _Case, judgement: Judgement, action: Action, rule: str, *, by_owner: bool = False, because: str = ""
) -> Decision:
    reason = f"{judgement.reason}; {because}" if because else judgement.reason
    meaning = f"for the role {case.caller.role} that means {MEANINGS[action]}{' by an owner' if by_owner else ''}"
    return Decision(action, rule, f"{reason}; {meaning}", judgement.impact, by_owner, path=_path(case.call, judgement))


def _path(call: ResolvedCall, judgement: Judgement) -> tuple[str, ...]:
    """Return the way from the call to what decided; of a call inside a reserved one, the service as well."""
    acts = (judgement.acts,) if is_reserved(call.domain) and judgement.at and judgement.acts != call.id else ()
    return (call.id, *judgement.trail, *acts, *filter(None, (judgement.at,)), *judgement.leads)


MEANINGS = {
    Action.ALLOW: "it is done",
    Action.CONFIRM: "a yes in the conversation first",
    Action.APPROVE: "an approval first",
    Action.DENY: "it is refused",
}


def _subject(judgement: Judgement) -> Subject:
    return Subject(
        judgement.domain, judgement.service, judgement.data, judgement.at or None, judgement.kind, judgement.trail
    )


def _preset_rule(preset: Preset, kind: Kind) -> str:
    return "deny list" if kind is Kind.FORBIDDEN else f"preset {preset}: {kind.word}"


def _for_guests(ends: tuple[str, ...], home: HomeView) -> bool:
    """Return whether everything that is reached lies in areas labelled for guests."""
    areas = [area_of(home, entity_id) for entity_id in ends]
    return bool(areas) and all(area is not None and GUEST_LABEL in area.labels for area in areas)


def _strictest(decisions: list[Decision]) -> Decision:
    """Return the strictest decision, among equals the first of those that matter most; whose yes and what proof any of them asks for, it asks for."""
    worst = max(decisions, key=lambda decision: (decision.strictness, decision.impact.level))
    if worst.action in {Action.ALLOW, Action.DENY}:
        return worst
    pinned = next((each for each in decisions if each.pin), worst)
    owned = next((each for each in decisions if each.by_owner), worst)
    if pinned.pin == worst.pin and owned.by_owner == worst.by_owner:
        return worst
    also = dict.fromkeys(each.rule for each in (pinned, owned) if each is not worst)
    reason = f"{worst.reason}; for a part of it {' and '.join(also)} asks for more"
    return replace(worst, pin=pinned.pin, by_owner=owned.by_owner, reason=reason)
