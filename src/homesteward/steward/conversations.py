"""What was asked back, per conversation and asker: a yes counts once, for the same caller, and not for long."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from homesteward.core.clock import Clock
from homesteward.home.calls import Call
from homesteward.language import Option
from homesteward.people import Caller

REMEMBERED = timedelta(minutes=5)  # as long as Home Assistant keeps a conversation
MAY_STILL_COME = timedelta(hours=1)
UNDOABLE = timedelta(hours=1)
MOST_ACTED = 500  # conversations whose last acts are kept
MOST_ACTS = 20  # of one conversation, that can be taken back one after the other
MOST_EACH = 50  # conversations kept at once for one asker; the oldest is forgotten first, and nobody else's
MOST_ASKERS = 500


@dataclass(frozen=True, slots=True)
class Pending:
    """A question that waits for its answer: plans for a yes, with the PIN where `pin` says so, or calls to choose from."""

    caller: Caller
    text: str
    plan_ids: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    calls: tuple[Call, ...] = ()
    pin: bool = False
    shown: int = 0
    """How many of the options were read out; 0 for all of them."""
    at: datetime | None = None
    until: datetime | None = None
    """When what is chosen is to be done, and taken back; None for now, and for good."""


@dataclass(slots=True)
class _Asker:
    """The open questions of one asker by conversation, and when a PIN was last asked for, wherever that was."""

    open: OrderedDict[str, tuple[datetime, Pending]] = field(default_factory=OrderedDict)
    pin_asked: datetime | None = None


class Conversations:
    """Keep, per conversation and asker, at most one open question and what was done last: neither is another's to answer or end."""

    def __init__(self, clock: Clock) -> None:
        """Measure age with `clock`."""
        self._clock = clock
        self._askers: OrderedDict[tuple[str, ...], _Asker] = OrderedDict()
        self._acted: OrderedDict[tuple[str, ...], list[tuple[datetime, tuple[str, ...]]]] = OrderedDict()

    def ask(self, conversation_id: str, pending: Pending) -> None:
        """Remember what was asked, in place of any earlier question to the same asker."""
        key, now = asker_key(pending.caller), self._clock.now()
        asker = self._askers.pop(key, None) or _Asker()
        self._askers[key] = asker
        while len(self._askers) > MOST_ASKERS:
            self._askers.popitem(last=False)
        asker.open.pop(conversation_id, None)
        asker.open[conversation_id] = (now, pending)
        while len(asker.open) > MOST_EACH:
            asker.open.popitem(last=False)
        if pending.pin:
            asker.pin_asked = now

    def open_for(self, conversation_id: str, caller: Caller) -> Pending | None:
        """Return the question that waits for an answer of `caller`; what somebody else was asked is not theirs to answer."""
        asker = self._askers.get(asker_key(caller))
        asked, pending = asker.open.get(conversation_id, (None, None)) if asker else (None, None)
        return None if asked is None or self._clock.now() - asked > REMEMBERED else pending

    def expects_pin(self, conversation_id: str) -> bool:
        """Return whether somebody was asked for a PIN here and said nothing else since, also long ago.

        Whoever answers too late, or in another's place, has given it all the same.
        """
        found = [asker.open[conversation_id] for asker in self._askers.values() if conversation_id in asker.open]
        now = self._clock.now()
        return any(pending.pin and now - asked <= MAY_STILL_COME for asked, pending in found)

    def acted(self, conversation_id: str, caller: Caller, plan_ids: tuple[str, ...]) -> None:
        """Remember what was asked for last, which "undo that" is about; a yes to what was asked for before is no second request."""
        key = (conversation_id, *asker_key(caller))
        before = [each for each in self._acted.pop(key, []) if not set(each[1]) <= set(plan_ids)]
        self._acted[key] = [*before, (self._clock.now(), plan_ids)][-MOST_ACTS:]
        while len(self._acted) > MOST_ACTED:
            self._acted.popitem(last=False)

    def acts(self, conversation_id: str, caller: Caller) -> tuple[tuple[str, ...], ...]:
        """Return the plans of each thing that `caller` asked for lately in this conversation, the last first."""
        found = self._acted.get((conversation_id, *asker_key(caller)), [])
        return tuple(ids for at, ids in reversed(found) if self._clock.now() - at <= UNDOABLE)

    def last_acts(self, conversation_id: str, caller: Caller) -> tuple[str, ...]:
        """Return the plans of what `caller` asked for last in this conversation; what somebody else did is not theirs to take back so."""
        return next(iter(self.acts(conversation_id, caller)), ())

    def taken_back(self, conversation_id: str, caller: Caller, plan_ids: Iterable[str]) -> None:
        """Forget what was taken back: the next "undo that" is about what was asked for before it."""
        key, gone = (conversation_id, *asker_key(caller)), set(plan_ids)
        if key in self._acted:
            self._acted[key] = [each for each in self._acted[key] if not set(each[1]) & gone]

    def asked_lately(self, caller: Caller) -> bool:
        """Return whether `caller` was asked for a PIN not long ago, in whatever conversation, and whatever came since."""
        asker = self._askers.get(asker_key(caller))
        return bool(asker and asker.pin_asked and self._clock.now() - asker.pin_asked <= REMEMBERED)

    def close(self, conversation_id: str, caller: Caller) -> None:
        """Forget the question to `caller`: it was answered, or something else was asked instead."""
        if asker := self._askers.get(asker_key(caller)):
            asker.open.pop(conversation_id, None)


def asker_key(caller: Caller) -> tuple[str, ...]:
    """Return who it is: the token, else the person on record, else the device and the name that it goes by."""
    if caller.token_id:
        return "token", caller.token_id
    if caller.person_id:
        return "person", caller.person_id
    return "nobody", caller.device_id or "", caller.role.value, caller.person
