"""What a call comes to in the end: everything that it reaches through groups, scenes and scripts, as a fingerprint and by name."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256

from homesteward.core.json import canonical
from homesteward.home.calls import BodyStep, ResolvedCall
from homesteward.home.view import HomeView
from homesteward.policy import bodies_reached
from homesteward.policy.impact import reached

MOST_ENDS = 20  # named of one step; the rest is counted


@dataclass(frozen=True, slots=True)
class Reached:
    """What a step reaches. `print` is empty for one that was kept before there was any: it is then not compared.

    `ends` are the single things that it does not name itself, at most `MOST_ENDS` of them, `more` how many there are beyond.
    """

    print: str = ""
    ends: tuple[str, ...] = ()
    more: int = 0

    def within(self, holds: Callable[[str], bool]) -> Reached:
        """Return it with only those ends named that `holds` is true of; the others are counted."""
        kept = tuple(end for end in self.ends if holds(end))
        return replace(self, ends=kept, more=self.more + len(self.ends) - len(kept))


UNSEEN = Reached()


def reached_by(call: ResolvedCall, home: HomeView) -> Reached:
    """Return what `call` reaches in the home as it is known now; bring the bodies up to date before.

    The fingerprint covers each service that acts, on what and with which data, and the bodies themselves: also what nobody can
    see through (a template) is the same only where it reads the same.
    """
    found = [each for target in call.entity_ids or (None,) for each in reached(call, target, home)]
    acts = sorted({canonical([each.domain, each.service, each.at, _plain(each.data)]) for each in found})
    known = sorted(name for name in bodies_reached(call, home) if name in home.bodies)
    bodies = [[name, [_told(step) for step in home.bodies[name]]] for name in known]
    ends = dict.fromkeys(each.at for each in found if each.end and each.at and each.at not in call.entity_ids)
    named = tuple(ends)
    seal = sha256(canonical([[act.hex() for act in acts], bodies])).hexdigest()
    return Reached(seal, named[:MOST_ENDS], max(0, len(named) - MOST_ENDS))


def same_reach(then: Reached, call: ResolvedCall, home: HomeView) -> bool:
    """Return whether `call` still reaches what it did."""
    return not then.print or then.print == reached_by(call, home).print


def _plain(data: object) -> object:
    return dict(data) if isinstance(data, dict) else data


def _told(step: BodyStep) -> list[object]:
    call = step.call
    if call is None:
        return [step.description, step.member, step.reads]
    target = call.target
    aims = [target.entity_id, target.device_id, target.area_id, target.floor_id, target.label_id]
    return [step.description, step.member, call.id, [list(aim) for aim in aims], dict(call.data)]
