"""Sending notices to the owner's notify target: through the gate like everything else, as the system, under the one rule it has."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from homesteward.actions.gate import Gate
from homesteward.actions.notice import Notice, Severity
from homesteward.actions.notice_words import title_of
from homesteward.actions.notices import LATER, Change, Notices, What
from homesteward.actions.plan import Plan, PlanState
from homesteward.core import Clock, HomestewardError
from homesteward.home.calls import Call, Target
from homesteward.home.errors import NotConnectedError
from homesteward.home.live import LiveHome
from homesteward.people import SYSTEM

_LOGGER = logging.getLogger(__name__)

HOUR = timedelta(hours=1)
AGAIN_S = 300
RESERVED = 4  # one in so many of an hour's is kept for what is serious
FRESH = timedelta(hours=12)
"""What is older is not sent any more: it is on the pages."""

type Undo = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Outlet:
    """Where notices go out: a notify service or entity, our own address for whoever reads them there, and how many an hour."""

    target: str
    link: str = ""
    per_hour: int = 20


class Notifier:
    """Send the notices for owners to one target, at most so many an hour. What could not be sent is kept with the reason."""

    def __init__(
        self,
        gate: Gate,
        notices: Notices,
        home: LiveHome,
        clock: Clock,
        outlet: Outlet,
        *,
        language: Callable[[], str] = lambda: "en",
        clean: Callable[[str], str] = lambda text: text,
    ) -> None:
        """Send by `outlet`, in what `language` gives, once `clean` has taken secrets out."""
        self._gate, self._notices, self._home, self._clock = gate, notices, home, clock
        self._outlet, self._link = outlet, outlet.link.rstrip("/")
        self._language, self._clean = language, clean
        self._due = asyncio.Event()

    def start(self) -> Undo:
        """Begin to send, also what was left before; the returned undo ends it."""
        task = asyncio.create_task(self._work(), name="notices")
        unsubscribe = self._notices.subscribe(self._heard)
        self.wake()

        def undo() -> None:
            unsubscribe()
            task.cancel()

        return undo

    def wake(self) -> None:
        """Look again for what has to be sent, as after the home has come back."""
        self._due.set()

    async def send_due(self) -> None:
        """Send what is due, the oldest first. While the home is away it stays due."""
        if not self._home.connected:
            return
        now = self._clock.now()
        due = await self._notices.unsent(now - FRESH)
        for notice in sorted(due, key=lambda each: not _serious(each)):
            if await self._notices.sent_since(now - HOUR) >= self._room(notice):
                if not notice.problem:
                    await self._notices.mark(notice, problem=f"{LATER} {self._outlet.per_hour} in an hour is the most.")
                continue
            try:
                await self._send(notice)
            except NotConnectedError:
                return
            except HomestewardError as error:
                await self._notices.mark(notice, problem=self._clean(f"Not sent: {error.message}"))
            else:
                await self._notices.mark(notice, sent=self._clock.now())

    def _room(self, notice: Notice) -> int:
        """Return how many may have gone out within the hour for this one to go: the last of them are for what is serious."""
        most = self._outlet.per_hour
        return most if _serious(notice) or most == 1 else most - ceil(most / RESERVED)

    async def _send(self, notice: Notice) -> None:
        """Send one notice; raise a HomestewardError where it did not go out."""
        (plan,) = await self._gate.submit([self._call(notice)], SYSTEM, request=f"notice {notice.id}")
        if (
            plan.state is PlanState.WAITING
        ):  # nobody shall have to approve that they are told of what they have to approve
            plan = await self._gate.reject(plan.id, SYSTEM)
        if plan.state is not PlanState.COMPLETED:
            raise HomestewardError(_why(plan), code="not_sent", next="See the setting notices.target.")

    def _call(self, notice: Notice) -> Call:
        where = f" {self._link}/" if self._link else ""
        text = self._clean(f"{title_of(notice.kind, self._language())}: {notice.text}{where}")
        target = self._outlet.target
        if target in self._home.services:
            domain, _, service = target.partition(".")
            return Call(domain, service, data={"message": text})
        return Call("notify", "send_message", Target(entity_id=(target,)), {"message": text})

    def _heard(self, change: Change) -> None:
        if change.what is What.ADDED:
            self.wake()

    async def _work(self) -> None:
        while True:
            with suppress(TimeoutError):  # what there was no room for is looked at again when there may be some
                async with asyncio.timeout(AGAIN_S):
                    await self._due.wait()
            self._due.clear()
            try:
                await self.send_due()
            except Exception:  # the root of this task: the notice stays on the pages, and the next is tried again
                _LOGGER.exception("A notice could not be sent")


def _serious(notice: Notice) -> bool:
    """Return whether it has to get through whatever else there is to tell."""
    return notice.form.severity is Severity.PROBLEM


def _why(plan: Plan) -> str:
    said = [step.error for step in plan.steps if step.error]
    if plan.state is PlanState.SIMULATED:
        return "dry run, nothing is sent."
    return "; ".join(said) or plan.decision.reason
