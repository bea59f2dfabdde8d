"""The steward: takes a request, has it understood, has the gate act, and tells what was seen."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from homesteward.actions import Gate, Mode
from homesteward.actions.offers import Offers
from homesteward.actions.plan import Needs, Plan, PlanState, plan_json
from homesteward.actions.rights import visible_run
from homesteward.actions.schedule import ScheduleStore, timed
from homesteward.core import Clock, ErrorInfo, HomestewardError, new_id
from homesteward.core.json import JsonObject, JsonValue, plain
from homesteward.home.calls import Call
from homesteward.home.errors import NotConnectedError
from homesteward.home.live import LiveHome
from homesteward.language import (
    Acts,
    Asks,
    Declines,
    Found,
    NotUnderstood,
    Reading,
    Recalls,
    Says,
    Sources,
    Understander,
    describe,
    error_text,
    is_no,
    is_yes,
    not_understood,
)
from homesteward.people import Caller
from homesteward.steward.answer import Answer, Outcome, answer_json
from homesteward.steward.backwards import Backwards
from homesteward.steward.calling_off import CallingOff, calls_off
from homesteward.steward.choosing import Choosing
from homesteward.steward.consent import Consent, Prover
from homesteward.steward.conversations import Conversations, Pending
from homesteward.steward.draft import Draft
from homesteward.steward.following import SpokenOf, withdraw
from homesteward.steward.intake import Taken, take_in, withhold
from homesteward.steward.offered import Offered
from homesteward.steward.outfit import Reasoner, StewardSettings, for_a_model
from homesteward.steward.pin import Pin
from homesteward.steward.places import area_id_of
from homesteward.steward.reasoning import Reasoning
from homesteward.steward.recalling import SourcesNow, recalled
from homesteward.steward.remembered import aged
from homesteward.steward.request import Request, Route
from homesteward.steward.run_store import RunStore
from homesteward.steward.runs import Run, Runs, unknown_run
from homesteward.steward.scheduled import Scheduled
from homesteward.steward.unanswerable import NO_PIN_ASKED, require_reader
from homesteward.steward.unasked import Surroundings
from homesteward.steward.undecided import Undecided
from homesteward.steward.wings import Wing, Wings

LOG = logging.getLogger(__name__)


class Steward:
    """Answer requests about one home. It remembers open questions and runs, and keeps no other state."""

    def __init__(  # noqa: PLR0913 - each is a room of its own that a request may come through
        self,
        home: LiveHome,
        gate: Gate,
        understander: Understander,
        clock: Clock,
        store: RunStore,
        *,
        settings: StewardSettings | None = None,
        reasoner: Reasoner | None = None,
        prover: Prover | None = None,
        offers: Offers | None = None,
        schedules: ScheduleStore | None = None,
        sources: SourcesNow = Sources,
    ) -> None:
        """Without a `reasoner`, only what the grammar reads is understood; without a `prover`, no PIN is any good; without `offers` none is heard.

        `sources` tell of the past.
        """
        self._home, self._gate, self._clock = home, gate, clock
        self._settings = settings or StewardSettings()
        self._store = store
        main = Wing(home, understander, reasoner.kernel if reasoner else None)
        self._wings = Wings(main, clock)
        self._consent = Consent(gate, prover)
        self._conversations = Conversations(clock)
        self._undecided = Undecided(gate)
        self._offered = Offered(offers)
        self._scheduled = Scheduled(schedules, clock)
        self._spoken, self._sources = SpokenOf(clock), sources
        off = CallingOff(gate, self._consent, schedules, clock)
        self._backwards = Backwards(gate, self._consent, off, self._conversations, self._spoken)
        self._choosing = Choosing(self._conversations, self._spoken, self._offered)
        self._tasks: set[asyncio.Task[Answer]] = set()
        self.runs = Runs(clock)
        self._reasoning = Reasoning(reasoner, self._consent, self.runs, clock, self._settings.profile)

    @property
    def mode(self) -> Mode:
        """Return the widest mode that a request may have."""
        return self._settings.mode

    async def ask(self, request: Request) -> Answer:
        """Answer `request`. A failure is an answer too; nothing but cancellation is raised."""
        return await self._finish(*self._begun(request))

    def start(self, request: Request) -> Run:
        """Begin on `request` in the background and return its run, to be watched."""
        run, taken = self._begun(request)
        task = asyncio.create_task(self._finish(run, taken), name=run.id)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return run

    def run(self, run_id: str, by: Caller) -> Run:
        """Return the run of this start, to be watched; raise UnknownRunError, also for one that does not exist for `by`."""
        run = self.runs.get(run_id)
        if not visible_run(run.request.caller, by):
            raise unknown_run(run_id)
        return run

    async def answer_of(self, run_id: str, by: Caller | None = None) -> JsonObject | None:
        """Return the answer of a run, None while it is on its way; raise UnknownRunError, also for one that does not exist for `by`."""
        if kept := await self._store.find(run_id):
            if by is not None and not visible_run(kept.caller, by):
                raise unknown_run(run_id)
            return kept.answer
        run = self.runs.get(run_id) if by is None else self.run(run_id, by)
        return answer_json(run.answer) if run.answer else None

    async def close(self) -> None:
        """Cancel what is under way and wait for it."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begun(self, request: Request) -> tuple[Run, Taken]:
        """Open a run for the request, which has no PIN in it any more: before this, nobody has seen it."""
        request = replace(request, conversation_id=request.conversation_id or new_id("conv"))
        wing, language = self._wings.of(request.caller), self._language(request)
        request = replace(request, language=language)
        expected = self._conversations.expects_pin(request.conversation_id)
        around = Surroundings(wing.home, lambda text: self._read(replace(request, text=text, area=""), language, wing))
        lately = self._conversations.asked_lately(request.caller)
        taken = take_in(request, language, expected=expected, lately=lately, around=around)
        taken = withhold(taken, language, around, expected=expected)
        return self.runs.start(taken.request), taken

    def _language(self, request: Request) -> str:
        usual = self._settings.language or self._home.config.language
        wing = self._wings.of(request.caller)
        return request.language or self._spoken.tongue(request, wing.understander, usual)

    async def _finish(self, run: Run, taken: Taken) -> Answer:
        """Carry `run` to its end; whoever watches hears of it also where it was cancelled."""
        try:
            return await self._carried(run, taken)
        finally:
            if not run.done:
                self.runs.record(run, "done", {"outcome": Outcome.FAILED.value, "cancelled": True})

    async def _carried(self, run: Run, taken: Taken) -> Answer:
        """Carry `run` to its answer, recording what happens on the way."""
        began = self._clock.monotonic()
        draft = Draft(run.id, run.request.conversation_id, self._language(run.request))
        self.runs.record(run, "started", {"text": run.request.text, "conversation_id": draft.conversation_id})
        try:
            answer = await self._answer(run, draft, taken)
        except HomestewardError as error:
            answer = draft.failed(error.info, error_text(error.info, draft.language))
        except Exception:  # a task root: whoever waits for this run gets an answer whatever broke
            LOG.exception("Run %s failed inside Homesteward", run.id)
            broken = ErrorInfo(
                "internal", "Something failed inside Homesteward.", retry=False, next="See the service's log."
            )
            answer = draft.failed(broken, error_text(broken, draft.language))
        total = (self._clock.monotonic() - began) * 1000
        answer = replace(answer, timings_ms={**answer.timings_ms, "total": total})
        self._remember(run.request, answer)
        run.answer = answer
        try:
            await self._store.keep(run)
        except Exception:  # still the root of the task: what was done is answered; only the looking back on it is lost
            LOG.exception("The answer of run %s could not be kept", run.id)
        self._tell(run, answer)
        return answer

    async def _answer(self, run: Run, draft: Draft, taken: Taken) -> Answer:
        request, wing = run.request, self._wings.of(run.request.caller)
        if not wing.home.connected:
            return self._remembered(request, draft, wing)
        expired = await self._undecided.expired(draft.conversation_id, request.caller)
        draft = replace(draft, news=describe(expired, wing.home, draft.language))
        pending = self._conversations.open_for(draft.conversation_id, request.caller)
        if pending and (reply := await self._reply(pending, run, draft, taken)):
            return reply
        if taken.only_pin:
            return draft.failed(NO_PIN_ASKED, error_text(NO_PIN_ASKED, draft.language))
        return await self._asked(pending, run, draft, taken)

    async def _asked(self, pending: Pending | None, run: Run, draft: Draft, taken: Taken) -> Answer:
        """Answer a request that is no reply to an open question (`pending`)."""
        request, wing = run.request, self._wings.of(run.request.caller)
        if request.route is not Route.KERNEL and not taken.withheld:
            if back := await self._backwards.answer(run, draft, wing, taken.pin, self._mode(request)):
                return back
            if told := await self._scheduled.answer(request, draft, wing.home):
                return told
        if request.route is Route.KERNEL and not taken.withheld:
            return await self._reasoning.answer(run, draft, wing, taken.pin, self._mode(request))
        began = self._clock.monotonic()
        if followed := await self._followed(run, draft, wing, taken):
            return followed
        reading = await self._meant(request, draft, wing, withheld=taken.withheld)
        draft = draft.heard(reading.how, (self._clock.monotonic() - began) * 1000)
        if pending and not isinstance(reading, NotUnderstood):
            self._conversations.close(draft.conversation_id, request.caller)  # something else was asked instead
        if isinstance(reading, Declines) and reading.code == "negation":
            stays = await self._backwards.stays(request, draft, wing)
            reading = replace(reading, text=f"{reading.text} {stays}".strip())
        if wing.kernel and not taken.withheld and for_a_model(reading):
            return await self._reasoning.answer(run, draft, wing, taken.pin, self._mode(request))
        return await self._carry_out(run, draft, reading, wing, taken.pin)

    def _remembered(self, request: Request, draft: Draft, wing: Wing) -> Answer:
        """Answer a question from what was known last, and say from when that is; raise NotConnectedError for everything else."""
        as_of = wing.home.as_of
        reading = self._read(request, draft.language, wing) if as_of and request.route is not Route.KERNEL else None
        if as_of is None or not isinstance(reading, Says):
            raise NotConnectedError
        require_reader(request.caller)
        zone = wing.home.config.time_zone
        return draft.said(aged(reading.text, as_of, self._clock.now(), draft.language, zone), reading.sources)

    async def _meant(self, request: Request, draft: Draft, wing: Wing, *, withheld: bool) -> Reading:
        """Return what the sentence means: as the name of an offer, which a text with something taken out is not, else as a sentence."""
        language, subject = draft.language, self._spoken.last(draft.conversation_id, request.caller).subject

        def otherwise() -> Reading:
            return self._read(request, language, wing, subject)

        if withheld:
            return otherwise()
        area_id = area_id_of(wing.home, request.area)
        return await self._offered.read(request.text, request.caller, language, area_id, otherwise)

    def _read(self, request: Request, language: str, wing: Wing, subject: Found | None = None) -> Reading:
        config = wing.home.config
        return wing.understander.read(
            request.text,
            language,
            area_id=area_id_of(wing.home, request.area),
            time_zone=config.time_zone,
            temperature_unit=config.temperature_unit,
            subject=subject,
        )

    async def _followed(self, run: Run, draft: Draft, wing: Wing, taken: Taken) -> Answer | None:
        """Answer what hangs on the request before, None for a sentence of its own; a correction takes that back first."""
        request, spoken = run.request, self._spoken.last(draft.conversation_id, run.request.caller)
        if spoken.asked is None or taken.withheld:
            return None
        area_id = area_id_of(wing.home, request.area)
        zone = wing.home.config.time_zone
        followed = wing.understander.follow(request.text, draft.language, spoken.asked, area_id=area_id, time_zone=zone)
        if not followed:
            return None
        self._conversations.close(draft.conversation_id, request.caller)
        if followed.corrects and spoken.plan_ids:
            by = (request.caller, run.id, self._mode(request))
            back = await withdraw(self._gate, self._consent, spoken.plan_ids, *by)
            self._conversations.taken_back(draft.conversation_id, request.caller, spoken.plan_ids)
            draft = replace(draft, news=f"{draft.news} {describe(back.plans, wing.home, draft.language)}".strip())
        return await self._carry_out(run, draft, followed.reading, wing, taken.pin)

    async def _carry_out(self, run: Run, draft: Draft, reading: Reading, wing: Wing, pin: Pin | None) -> Answer:
        """Turn what a sentence was read as into its answer."""
        if isinstance(reading, Recalls):
            require_reader(run.request.caller)
            reading = await recalled(
                reading, run.request.caller, wing.home, self._sources(), draft.language, self._clock
            )
        self._spoken.heard(draft.conversation_id, run.request.caller, run.id, reading)
        match reading:
            case Acts(calls, note, at, until) as acts:
                plans = await self._submit(calls, run, run.request.text, at, until, wide=acts.wide)
                return await self._told(plans, run, draft, pin, note)
            case Says(text, sources):
                require_reader(run.request.caller)
                return draft.said(text, sources)
            case Asks(text, options, calls, at, until, unshown):
                pending = Pending(
                    run.request.caller,
                    run.request.text,
                    options=(*options, *unshown),
                    calls=calls,
                    shown=len(options),
                    at=at,
                    until=until,
                )
                self._conversations.ask(draft.conversation_id, pending)
                return draft.which(text, options)
            case Declines(code, text, onward):
                return draft.declined(ErrorInfo(code, text, retry=False, next=onward))
            case NotUnderstood(text):
                info = ErrorInfo("not_understood", text, retry=False, next=not_understood(wing.home, draft.language))
                return draft.failed(info, text)

    async def _submit(
        self,
        calls: Sequence[Call],
        run: Run,
        text: str,
        at: datetime | None,
        until: datetime | None,
        *,
        wide: bool = False,
    ) -> tuple[Plan, ...]:
        """Ask the gate for the calls: now, or at a time, and where they are for a while for their end as well."""
        caller, mode = run.request.caller, self._mode(run.request)
        asked = timed(calls, self._home, caller, at=at, until=until)
        return await self._gate.submit(asked, caller, request=text, run_id=run.id, mode=mode, wide=wide)

    async def _told(self, plans: tuple[Plan, ...], run: Run, draft: Draft, pin: Pin | None, note: str = "") -> Answer:
        """Tell what became of new plans; a PIN that came with the request is the yes to those that wait for one."""
        caller, error = run.request.caller, None
        if pin:
            plans, error = await self._consent.give_pin(plans, caller, pin, draft.conversation_id)
        return draft.did(plans, self._wings.of(caller).home, note, error=error)

    async def _reply(self, pending: Pending, run: Run, draft: Draft, taken: Taken) -> Answer | None:
        """Return what the text came to as the reply to an open question; None if it is no reply, and the question stays open."""
        if pending.plan_ids:
            return await self._decided(pending, run.request, draft, taken)
        answer = await self._choosing.answer(pending, run, draft)
        if answer is None or isinstance(answer, Answer):
            return answer
        plans = await self._submit(answer, run, pending.text, pending.at, pending.until, wide=len(answer) > 1)
        return await self._told(plans, run, draft, taken.pin)

    async def _decided(self, pending: Pending, request: Request, draft: Draft, taken: Taken) -> Answer | None:
        """Return what a yes, a no or a PIN came to; what is withheld is asked for again."""
        ids, caller, home = pending.plan_ids, request.caller, self._wings.of(request.caller).home
        asked_again = taken.withheld and pending.pin and not taken.pin
        if not (asked_again or taken.only_pin or is_yes(request.text, draft.language)):
            if not is_no(request.text, draft.language):
                return None
            self._conversations.close(draft.conversation_id, request.caller)
            plans, error = await self._consent.say_no(ids, caller)
            return draft.did(plans, home, error=error)
        self._conversations.close(draft.conversation_id, request.caller)  # a reply counts once
        plans, error = await self._consent.say_yes(
            ids, caller, taken.pin, draft.conversation_id, plainly=not asked_again
        )
        return draft.did(plans, home, error=error)

    def _mode(self, request: Request) -> Mode:
        return self._settings.mode.tightened(Mode(request.mode) if request.mode else None)

    def _remember(self, request: Request, answer: Answer) -> None:
        """Keep the plans that wait for a yes, for a PIN or for somebody's approval, in this conversation."""
        self._undecided.note(answer.conversation_id, request.caller, answer.plans)
        if acted := tuple(plan.id for plan in answer.plans if plan.state not in NEVER_RAN and not calls_off(plan)):
            self._conversations.acted(answer.conversation_id, request.caller, acted)
            self._spoken.became(answer.conversation_id, request.caller, answer.run_id, acted)
        if answer.outcome is Outcome.CONFIRM and answer.question and answer.question.kind in {"yes", "pin"}:
            waiting = tuple(plan.id for plan in answer.plans if plan.state is PlanState.WAITING)
            pin = any(plan.needs is Needs.PIN for plan in answer.plans)
            self._conversations.ask(
                answer.conversation_id, Pending(request.caller, request.text, plan_ids=waiting, pin=pin)
            )

    def _tell(self, run: Run, answer: Answer) -> None:
        for plan in answer.plans:
            self.runs.record(run, "plan", plan_json(plan))
        if answer.error:
            self.runs.record(run, "error", plain(answer.error))
        final: dict[str, JsonValue] = dict(answer_json(answer))
        self.runs.record(
            run, "confirm" if answer.question else "reply", {"reply": answer.reply, "question": final["question"]}
        )
        self.runs.record(run, "done", final)


NEVER_RAN = frozenset({PlanState.REJECTED, PlanState.EXPIRED, PlanState.CANCELLED, PlanState.SIMULATED})
