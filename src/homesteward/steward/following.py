"""What was spoken of last in a conversation, which "it", "brighter" and "no, the other one" hang on; and taking a mistaken act back."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime

from homesteward.actions import Gate, Mode, PlanState
from homesteward.actions.undo import Undone
from homesteward.core import Clock, HomestewardError
from homesteward.language import Acts, Asked, Fit, Found, Reading, Says, Understander
from homesteward.people import Caller
from homesteward.steward.consent import Consent
from homesteward.steward.conversations import REMEMBERED, asker_key
from homesteward.steward.request import Request
from homesteward.steward.taking_back import take_back

MOST = 1000  # conversations; the one not heard of for longest is forgotten first


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a conversation is about: the last request, the plans it became, and the one thing that was spoken of last."""

    run_id: str = ""
    asked: Asked | None = None
    plan_ids: tuple[str, ...] = ()
    subject: Found | None = None


NOTHING = Spoken()


class SpokenOf:
    """Remember, per conversation and asker, what was spoken of last; not for long, and nobody else's."""

    def __init__(self, clock: Clock) -> None:
        """Measure age with `clock`."""
        self._clock = clock
        self._tongues: OrderedDict[tuple[str, ...], str] = OrderedDict()
        self._said: OrderedDict[tuple[str, ...], tuple[datetime, Spoken]] = OrderedDict()

    def tongue(self, request: Request, understander: Understander, usual: str) -> str:
        """Return the language that the request is in; short words are in that of the sentence before."""
        key = (request.conversation_id, *asker_key(request.caller))
        language = understander.tongue(request.text, self._tongues.pop(key, usual))
        self._tongues[key] = language
        while len(self._tongues) > MOST:
            self._tongues.popitem(last=False)
        return language

    def last(self, conversation_id: str, caller: Caller) -> Spoken:
        """Return what was spoken of last here by this caller."""
        at, spoken = self._said.get((conversation_id, *asker_key(caller)), (None, NOTHING))
        return NOTHING if at is None or self._clock.now() - at > REMEMBERED else spoken

    def heard(self, conversation_id: str, caller: Caller, run_id: str, reading: Reading) -> None:
        """Remember what a sentence was about. A question leaves the last request what it was."""
        match reading:
            case Acts(asked=[asked]):
                self._keep(conversation_id, caller, Spoken(run_id, asked, subject=asked.target))
            case Acts():
                self.forget(conversation_id, caller)
            case Says(sources=[one]):
                spoken = self.last(conversation_id, caller)
                self._keep(conversation_id, caller, replace(spoken, subject=Found((one,), Fit.EXACT)))

    def chose(self, conversation_id: str, caller: Caller, entity_id: str) -> None:
        """Remember the one that was chosen where it was asked which."""
        self._keep(conversation_id, caller, Spoken(subject=Found((entity_id,), Fit.EXACT)))

    def became(self, conversation_id: str, caller: Caller, run_id: str, plan_ids: tuple[str, ...]) -> None:
        """Remember the plans that the run led to; what another way of understanding did is not what was said last."""
        spoken = self.last(conversation_id, caller)
        if spoken.run_id == run_id or set(plan_ids) <= set(spoken.plan_ids):
            self._keep(conversation_id, caller, replace(spoken, plan_ids=plan_ids))
        else:
            self.forget(conversation_id, caller)

    def forget(self, conversation_id: str, caller: Caller) -> None:
        """Forget what was spoken of."""
        self._said.pop((conversation_id, *asker_key(caller)), None)

    def _keep(self, conversation_id: str, caller: Caller, spoken: Spoken) -> None:
        key = (conversation_id, *asker_key(caller))
        self._said.pop(key, None)
        self._said[key] = (self._clock.now(), spoken)
        while len(self._said) > MOST:
            self._said.popitem(last=False)


async def withdraw(
    gate: Gate, consent: Consent, plan_ids: tuple[str, ...], caller: Caller, run_id: str, mode: Mode
) -> Undone:
    """Take back what was done, and drop what of it still waits; return the plans of both, and what is left as it is.

    Raises what keeps it from being taken back: then nothing else may be done in its place.
    """
    plans = [await gate.plan(plan_id) for plan_id in plan_ids]
    waiting = [plan.id for plan in plans if plan.state is PlanState.WAITING]
    dropped, error = await consent.say_no(waiting, caller)
    if error:
        raise HomestewardError(error.message, code=error.code, retry=error.retry, next=error.next)
    done = tuple(plan.id for plan in plans if plan.id not in waiting)
    taken = await take_back(gate, done, caller, run_id, mode)
    return Undone((*dropped, *taken.plans), taken.left)
