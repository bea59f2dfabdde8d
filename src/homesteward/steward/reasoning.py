"""A request that a model answers: it proposes, and what came of it is told from the evidence alone."""

from dataclasses import replace

from homesteward.actions import Mode
from homesteward.core import Clock
from homesteward.kernel import PROFILES, Event, KernelRequest
from homesteward.steward import replies
from homesteward.steward.answer import Answer, Via
from homesteward.steward.consent import Consent
from homesteward.steward.draft import Draft
from homesteward.steward.outfit import Reasoner
from homesteward.steward.pin import Pin
from homesteward.steward.runs import Run, Runs
from homesteward.steward.unanswerable import NoModelError
from homesteward.steward.wings import Wing


class Reasoning:
    """Have a model propose, within the budgets of a profile."""

    def __init__(self, reasoner: Reasoner | None, consent: Consent, runs: Runs, clock: Clock, profile: str) -> None:
        """Ask `reasoner`, in the depth of `profile` where the request names none; what happens on the way is told to `runs`."""
        self._reasoner, self._consent, self._runs, self._clock, self._profile = reasoner, consent, runs, clock, profile

    async def answer(self, run: Run, draft: Draft, wing: Wing, pin: Pin | None, mode: Mode) -> Answer:
        """Have a model propose and return what came of it; raise NoModelError without one.

        A sentence that a guard holds back (negated, conditional, for later) lets a model read and propose, but every change it
        proposes waits for a person.
        """
        if self._reasoner is None or wing.kernel is None:
            raise NoModelError("There is no model to ask.", next="Set one up under 'model' in the settings.")
        request = run.request
        if wing.understander.guard(request.text, draft.language) is not None:
            mode = mode.tightened(Mode.PLAN)
        began = self._clock.monotonic()
        result = await wing.kernel.run(
            KernelRequest(
                request.text,
                request.caller,
                run.id,
                draft.language,
                mode,
                named=wing.understander.named(request.text, draft.language),
                news=(draft.news,) if draft.news else (),
            ),
            self._reasoner.model(),
            PROFILES[request.profile or self._profile],
            on_event=lambda event: self._pass_on(run, event),
        )
        draft = replace(draft, via=Via.KERNEL).timed("kernel", (self._clock.monotonic() - began) * 1000)
        error = None
        if pin:
            plans, error = await self._consent.give_pin(result.plans, request.caller, pin, draft.conversation_id)
            result = replace(result, plans=plans)
        return replies.from_kernel(draft, result, request.text, wing.home, amiss=error)

    def _pass_on(self, run: Run, event: Event) -> None:
        """Pass a kernel event to whoever watches; how a run begins, what it says and how it ends is the steward's to tell."""
        if event.kind.value not in {"started", "reply", "plan", "done"}:
            self._runs.record(run, event.kind.value, dict(event.data))
