"""Sentences that go back on what was asked for: "undo that", "never mind", "cancel the sprinklers"."""

from homesteward.actions import Gate, Mode, Plan
from homesteward.core import ErrorInfo
from homesteward.language import cancelled, is_no, is_undo, not_undone, nothing_to_undo
from homesteward.steward.answer import Answer
from homesteward.steward.calling_off import Asking, CallingOff
from homesteward.steward.consent import Consent
from homesteward.steward.conversations import Conversations
from homesteward.steward.draft import Draft
from homesteward.steward.following import SpokenOf, withdraw
from homesteward.steward.pin import Pin
from homesteward.steward.request import Request
from homesteward.steward.runs import Run
from homesteward.steward.wings import Wing


class Backwards:
    """Take back what was done, and call off what is still to come. Each thing is gone back on once; the next is the one before it."""

    def __init__(
        self, gate: Gate, consent: Consent, calling_off: CallingOff, conversations: Conversations, spoken: SpokenOf
    ) -> None:
        """Know from `conversations` what was asked for, and have `spoken` forget it with them."""
        self._gate, self._consent, self._off = gate, consent, calling_off
        self._conversations, self._spoken = conversations, spoken

    async def answer(self, run: Run, draft: Draft, wing: Wing, pin: Pin | None, mode: Mode) -> Answer | None:
        """Answer a sentence that goes back on something, None for every other, and for a no to nothing."""
        text, caller = run.request.text, run.request.caller
        asking = Asking(caller, run.id, text, mode)
        last = self._conversations.last_acts(draft.conversation_id, caller)
        if is_no(text, draft.language) and last and (plans := await self._off.last(last, asking)):
            self._forget(draft, asking, last)
            return await self._told(plans, draft, asking, wing, pin)
        what = cancelled(text, draft.language)
        if what and (answer := await self._named(what, draft, asking, wing, pin)):
            return answer
        return await self._take_back(last, draft, asking, wing, pin) if is_undo(text, draft.language) else None

    async def stays(self, request: Request, draft: Draft, wing: Wing) -> str:
        """Return what stays scheduled in spite of something that was said not to be done, nothing where it is about no such thing."""
        named = wing.understander.named(request.text, draft.language)
        ids = self._conversations.last_acts(draft.conversation_id, request.caller)
        mine = await self._off.mine(request.caller)
        found = [each for each in mine if each.plan_id in ids or named & set(each.call.entity_ids)]
        return self._off.stays(found, wing.home, draft.language)

    async def _named(self, what: str, draft: Draft, asking: Asking, wing: Wing, pin: Pin | None) -> Answer | None:
        """Call off what is named; where that may be several things, or part of one, tell what stays."""
        names = wing.understander.named(what, draft.language)
        acts = self._conversations.acts(draft.conversation_id, asking.caller)
        plans, stay = await self._off.named(names, acts, asking)
        if plans:
            self._spoken.forget(draft.conversation_id, asking.caller)
            return await self._told(plans, draft, asking, wing, pin)
        return draft.said(self._off.stays(stay, wing.home, draft.language)) if stay else None

    async def _take_back(
        self, last: tuple[str, ...], draft: Draft, asking: Asking, wing: Wing, pin: Pin | None
    ) -> Answer:
        """Take back what the caller asked for last in this conversation, or drop it where it waits; tell what could not be."""
        if not last:
            text = nothing_to_undo(draft.language)
            info = ErrorInfo("nothing_to_undo", text, retry=False, next="Name the plan: homesteward plans undo PLAN.")
            return draft.failed(info, f"{text} (homesteward plans undo PLAN)")
        self._conversations.close(draft.conversation_id, asking.caller)  # a yes that comes after is to nothing of it
        taken = await withdraw(self._gate, self._consent, last, asking.caller, asking.run_id, asking.mode)
        self._forget(draft, asking, last)
        left = not_undone(taken.left, wing.home, draft.language)
        return await self._told(taken.plans, draft, asking, wing, pin, left)

    async def _told(
        self, plans: tuple[Plan, ...], draft: Draft, asking: Asking, wing: Wing, pin: Pin | None, note: str = ""
    ) -> Answer:
        """Tell what became of the plans; a PIN that came with the request is the yes to those that wait for one."""
        error = None
        if pin:
            plans, error = await self._consent.give_pin(plans, asking.caller, pin, draft.conversation_id)
        return draft.did(plans, wing.home, note, error=error)

    def _forget(self, draft: Draft, asking: Asking, plan_ids: tuple[str, ...]) -> None:
        """Forget what was gone back on, as what was asked for last and as what is spoken of."""
        self._conversations.taken_back(draft.conversation_id, asking.caller, plan_ids)
        self._spoken.forget(draft.conversation_id, asking.caller)
