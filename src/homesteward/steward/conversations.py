"""What was asked back, per conversation: a yes counts once, for the same caller, and not for long."""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from homesteward.actions.rights import same_asker
from homesteward.core.clock import Clock
from homesteward.home.calls import Call
from homesteward.language import Option
from homesteward.people import Caller

REMEMBERED = timedelta(minutes=5)  # as long as Home Assistant keeps a conversation
MAY_STILL_COME = timedelta(hours=1)
UNDOABLE = timedelta(hours=1)
MOST = 500  # conversations kept at once; the oldest is forgotten first


@dataclass(frozen=True, slots=True)
class Pending:
    """A question that waits for its answer: plans for a yes, with the PIN where `pin` says so, or calls to choose from."""

    caller: Caller
    text: str
    plan_ids: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    calls: tuple[Call, ...] = ()
    pin: bool = False


class Conversations:
    """Keep, per conversation, at most one open question and what was done last."""

    def __init__(self, clock: Clock) -> None:
        """Measure age with `clock`."""
        self._clock = clock
        self._open: OrderedDict[str, tuple[datetime, Pending]] = OrderedDict()
        self._acted: OrderedDict[str, tuple[datetime, Caller, tuple[str, ...]]] = OrderedDict()

    def ask(self, conversation_id: str, pending: Pending) -> None:
        """Remember what was asked, in place of any earlier question."""
        self._open.pop(conversation_id, None)
        self._open[conversation_id] = (self._clock.now(), pending)
        while len(self._open) > MOST:
            self._open.popitem(last=False)

    def open_for(self, conversation_id: str, caller: Caller) -> Pending | None:
        """Return the question that waits for an answer of `caller`; what somebody else was asked is not theirs to answer."""
        asked, pending = self._open.get(conversation_id, (None, None))
        if asked is None or pending is None or self._clock.now() - asked > REMEMBERED:
            return None
        return pending if same_asker(pending.caller, caller) else None

    def expects_pin(self, conversation_id: str) -> bool:
        """Return whether a PIN was asked for here and nothing else came since, also of somebody else and also long ago.

        Whoever answers too late, or in another's place, has given it all the same.
        """
        asked, pending = self._open.get(conversation_id, (None, None))
        return asked is not None and pending is not None and pending.pin and self._clock.now() - asked <= MAY_STILL_COME

    def acted(self, conversation_id: str, caller: Caller, plan_ids: tuple[str, ...]) -> None:
        """Remember what was asked for last, which "undo that" is about."""
        self._acted.pop(conversation_id, None)
        self._acted[conversation_id] = (self._clock.now(), caller, plan_ids)
        while len(self._acted) > MOST:
            self._acted.popitem(last=False)

    def last_acts(self, conversation_id: str, caller: Caller) -> tuple[str, ...]:
        """Return the plans of what `caller` asked for last in this conversation; what somebody else did is not theirs to take back so."""
        at, who, plan_ids = self._acted.get(conversation_id, (None, None, ()))
        if at is None or who is None or self._clock.now() - at > UNDOABLE or not same_asker(who, caller):
            return ()
        return plan_ids

    def close(self, conversation_id: str) -> None:
        """Forget the question: it was answered, or something else was asked instead."""
        self._open.pop(conversation_id, None)
