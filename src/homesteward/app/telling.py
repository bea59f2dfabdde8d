"""Telling people, wired: what is amiss is looked for, and what is to be told goes out to the owner's notify target."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from homesteward.actions import Gate
from homesteward.actions.notice import NoticeKind
from homesteward.actions.notifying import Notifier, Outlet
from homesteward.actions.rule_keeper import RuleKeeper
from homesteward.app.entry import Entry
from homesteward.app.minding import Auditor, Concern, Minding, away
from homesteward.core import Clock
from homesteward.core.redaction import Redactor
from homesteward.home.live import LiveHome
from homesteward.settings import Settings


@contextmanager
def telling(
    settings: Settings, home: LiveHome, gate: Gate, entry: Entry, rules: RuleKeeper, clock: Clock, redactor: Redactor
) -> Iterator[None]:
    """Look after the house, and send what is to be told, for as long as it is open."""

    def language() -> str:
        return settings.language or home.config.language

    with ExitStack() as undo:
        notifier = _notifier(settings, home, gate, entry, clock, redactor, language)
        if notifier:
            undo.callback(notifier.start())
        auditor = Auditor(entry.audit)
        undo.callback(auditor.start())
        concerns = (
            Concern(NoticeKind.RULES_HELD, lambda: rules.problem),
            away(home, clock),
            auditor.concern,
        )
        wake = notifier.wake if notifier else _nothing
        undo.callback(Minding(gate, entry.notices, concerns, language=language, wake=wake).start())
        yield


def _notifier(
    settings: Settings,
    home: LiveHome,
    gate: Gate,
    entry: Entry,
    clock: Clock,
    redactor: Redactor,
    language: Callable[[], str],
) -> Notifier | None:
    """Return what sends notices, None where no target is set up."""
    wanted = settings.notices
    if not wanted.target:
        return None
    return Notifier(
        gate,
        entry.notices,
        home,
        clock,
        Outlet(wanted.target, wanted.link, wanted.per_hour),
        language=language,
        clean=redactor.clean,
    )


def _nothing() -> None:
    """Wake nobody."""
