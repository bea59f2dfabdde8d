"""Who may do what with a thing: each of its everyday services judged by the rules for an owner, a member and a guest, nothing of it sent."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from homesteward.actions.gate import Gate
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.pages.states import Look, Tone
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.home.calls import Call, Target
from homesteward.home.targets import acts_on, supports
from homesteward.home.view import HomeView
from homesteward.language.names import called
from homesteward.people import Caller, Role
from homesteward.policy import Action, Decision

MOST_SERVICES = 6
ROLES: Mapping[Role, str] = {Role.OWNER: N_("An owner"), Role.MEMBER: N_("A member"), Role.GUEST: N_("A guest")}
# What people do with a thing, by its domain: the services that need nothing said beside the thing.
SERVICES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "lock": (("lock.lock", N_("Lock")), ("lock.unlock", N_("Unlock")), ("lock.open", N_("Open it"))),
    "cover": (("cover.open_cover", N_("Open it")), ("cover.close_cover", N_("Close it"))),
    "valve": (("valve.open_valve", N_("Open it")), ("valve.close_valve", N_("Close it"))),
    "alarm_control_panel": (
        ("alarm_control_panel.alarm_arm_away", N_("Arm")),
        ("alarm_control_panel.alarm_disarm", N_("Disarm")),
    ),
    "scene": (("scene.turn_on", N_("Apply")),),
    "script": (("script.turn_on", N_("Run")),),
    "automation": (("automation.trigger", N_("Run")), ("automation.turn_off", N_("Switch off"))),
    "vacuum": (("vacuum.start", N_("Start")), ("vacuum.return_to_base", N_("Send home"))),
    "media_player": (("media_player.media_play", N_("Play")), ("media_player.turn_off", N_("Switch off"))),
    "button": (("button.press", N_("Press")),),
}
SWITCHED = (("turn_on", N_("Switch on")), ("turn_off", N_("Switch off")))
VERDICTS: Mapping[Action, Look] = {
    Action.ALLOW: Look(N_("at once"), "check", Tone.GOOD),
    Action.CONFIRM: Look(N_("after a yes"), "help", Tone.CALM),
    Action.APPROVE: Look(N_("waits for approval"), "waits", Tone.WAITS),
    Action.DENY: Look(N_("never"), "no", Tone.BAD),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say of one service for one role, and why."""

    who: str
    look: Look
    reason: str
    rule: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """One service with the verdict for each role."""

    label: str
    service: str
    verdicts: tuple[Verdict, ...]


async def allowed(entity_id: str, visit: Visit, gate: Gate) -> tuple[Allowed, ...]:
    """Return who may do what; whoever only visits is told of themselves. What cannot be judged now is left out."""
    callers = [visit.caller.lowered(role) for role in _told_of(visit.caller)]
    found = []
    for service, label in list(_services(entity_id, visit.home))[:MOST_SERVICES]:
        verdicts = [verdict for by in callers if (verdict := await _verdict(service, entity_id, by, visit, gate))]
        if verdicts:
            found.append(Allowed(visit.say(label), service, tuple(verdicts)))
    return tuple(found)


def _told_of(by: Caller) -> tuple[Role, ...]:
    return {Role.OWNER: tuple(ROLES), Role.MEMBER: (Role.MEMBER, Role.GUEST)}.get(by.role, (by.role,))


def _services(entity_id: str, home: HomeView) -> Iterator[tuple[str, str]]:
    domain = entity_id.partition(".")[0]
    listed = SERVICES.get(domain) or tuple((f"{domain}.{service}", label) for service, label in SWITCHED)
    for service, label in listed:
        known = home.services.get(service)
        if known and acts_on(home, known, entity_id) and supports(home, known, entity_id):
            yield service, label


async def _verdict(service: str, entity_id: str, by: Caller, visit: Visit, gate: Gate) -> Verdict | None:
    domain, _, name = service.partition(".")
    try:
        judged = await gate.explain(Call(domain, name, Target(entity_id=(entity_id,))), by)
    except HomestewardError:
        return None
    decision = max((decision for _, decision in judged), key=_strictness)
    who = visit.say(ROLES.get(by.role, N_("You")))
    reason = decision.reason.replace(entity_id, called(visit.home, entity_id))
    return Verdict(who, VERDICTS[decision.action], reason, decision.rule)


def _strictness(decision: Decision) -> int:
    return decision.action.strictness
