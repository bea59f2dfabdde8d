"""Looking after what nobody has to ask for: what waited too long expires, and what is amiss with the house itself is told, until it is mended."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from homesteward.actions import Gate, PlanState
from homesteward.actions.notice import NoticeKind
from homesteward.actions.notice_words import text_of
from homesteward.actions.notices import Notices
from homesteward.core import Clock
from homesteward.home.live import LiveHome
from homesteward.store.audit import Audit
from homesteward.store.verifying import Verdict

_LOG = logging.getLogger(__name__)

LOOK_S = 5.0
AWAY = timedelta(minutes=5)  # a restart of Home Assistant takes less, and is nobody's concern
AUDITED = timedelta(days=1)
AT_FIRST = timedelta(minutes=1)  # a start has other things to do

type Undo = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Concern:
    """Something that can be amiss: `why` says so in words, and is empty while all is well."""

    kind: NoticeKind
    why: Callable[[], str]


class Minding:
    """Look at the house every few seconds, which costs next to nothing while all is well."""

    def __init__(
        self,
        gate: Gate,
        notices: Notices,
        concerns: Sequence[Concern],
        *,
        language: Callable[[], str],
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """Tell `concerns` through `notices`; `wake` has what could not go out before sent again."""
        self._gate, self._notices = gate, notices
        self._concerns, self._language, self._wake = tuple(concerns), language, wake
        self._told: dict[NoticeKind, str] = {}

    def start(self) -> Undo:
        """Begin to look; the returned undo ends it."""
        task = asyncio.create_task(self._work(), name="minding")

        def undo() -> None:
            task.cancel()

        return undo

    async def look(self) -> None:
        """Look once: expire what is due, tell what has become amiss, and end what was told of what is well again."""
        await self._gate.plans(PlanState.WAITING, 1)
        for concern in self._concerns:
            why = concern.why()
            if why == self._told.get(concern.kind):
                continue
            text = text_of(concern.kind, self._language(), text=why) if why else ""
            await self._notices.stands(concern.kind, SUBJECT, text)
            self._told[concern.kind] = why
        self._wake()

    async def _work(self) -> None:
        while True:
            try:
                await self.look()
            except Exception:  # noqa: BLE001 - the root of this task: a database that is away for a minute ends nothing
                _LOG.exception("The house could not be looked after")
            await asyncio.sleep(LOOK_S)


SUBJECT = "house"


def away(home: LiveHome, clock: Clock) -> Concern:
    """Return the concern that Home Assistant is out of reach for longer than a restart takes."""
    since: list[datetime] = []

    def why() -> str:
        if home.connected:
            since.clear()
            return ""
        since.extend([clock.now()] if not since else [])
        if clock.now() - since[0] < AWAY:
            return ""
        return f"Home Assistant has not been reached since {since[0]:%Y-%m-%d %H:%M} UTC."

    return Concern(NoticeKind.HOME_AWAY, why)


class Auditor:
    """Goes through the whole audit once a day, and knows what was found."""

    def __init__(self, audit: Audit) -> None:
        """Look at `audit`."""
        self._audit = audit
        self._found: Verdict | None = None

    def start(self) -> Undo:
        """Begin; the returned undo ends it."""
        task = asyncio.create_task(self._work(), name="auditor")

        def undo() -> None:
            task.cancel()

        return undo

    async def look(self) -> None:
        """Go through it once."""
        self._found = await self._audit.verify()

    @property
    def concern(self) -> Concern:
        """Return the concern that it is not as it was written."""
        return Concern(NoticeKind.AUDIT_BROKEN, self._why)

    def _why(self) -> str:
        found = self._found
        return "" if found is None or found.ok else f"entry {found.bad}: {found.problem}."

    async def _work(self) -> None:
        wait = AT_FIRST
        while True:
            await asyncio.sleep(wait.total_seconds())
            wait = AUDITED
            try:
                await self.look()
            except Exception:  # noqa: BLE001 - the root of this task: what cannot be read today is looked at tomorrow
                _LOG.exception("The audit could not be gone through")
