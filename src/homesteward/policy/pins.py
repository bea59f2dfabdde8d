"""Where an owner asks for a PIN as well: by the impact of a call, or by the domain of what it reaches. Nowhere by default."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from homesteward.people import Caller, Role
from homesteward.policy.decision import Action, Decision, Level

HOUSEHOLD = frozenset({Role.OWNER, Role.MEMBER})


@dataclass(frozen=True, slots=True)
class PinRule:
    """The levels of impact and the domains for which whoever says yes gives a PIN with it."""

    levels: frozenset[Level] = frozenset()
    domains: frozenset[str] = frozenset()

    @classmethod
    def of(cls, names: Iterable[str]) -> PinRule:
        """Return the rule for names that are each a level of impact (`sensitive`) or else a domain (`lock`)."""
        words = {level.word: level for level in Level}
        listed = frozenset(names)
        return cls(frozenset(words[name] for name in listed & words.keys()), listed - words.keys())

    def asks(self, decision: Decision, domains: Iterable[str]) -> bool:
        """Return whether this decision about a call that reaches `domains` takes a PIN. Looking never does, nor does a refusal."""
        if decision.action is Action.DENY or decision.impact.level is Level.READ:
            return False
        return decision.impact.level in self.levels or not self.domains.isdisjoint(domains)


NO_PINS = PinRule()


def with_pin(decision: Decision, caller: Caller) -> Decision:
    """Return `decision` with a PIN asked for.

    A person says yes with the PIN to what would else be done at once, or after a plain yes, and to what they could have approved alone.
    Everything else is an approval, and whoever gives it proves who they are.
    """
    return replace(
        decision,
        action=Action.CONFIRM if _says_yes(decision, caller) else Action.APPROVE,
        rule=f"{decision.rule}, with a PIN",
        reason=f"{decision.reason}, and an owner asks for a PIN here",
        pin=True,
    )


def _says_yes(decision: Decision, caller: Caller) -> bool:
    """Return whether the caller's own yes is enough. A machine has no PIN."""
    if caller.token_id:
        return False
    if decision.action is Action.APPROVE:
        return caller.role in ({Role.OWNER} if decision.by_owner else HOUSEHOLD)
    return caller.role in HOUSEHOLD | {Role.GUEST}
