"""A notice: something that somebody is to be told, how much it matters, and who may read it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from homesteward.core.json import JsonObject
from homesteward.people import Caller, Role, Scope


class Severity(StrEnum):
    """How much a notice matters."""

    INFO = "info"
    ACTION = "action"
    """Somebody has to decide or do something."""
    PROBLEM = "problem"


class NoticeKind(StrEnum):
    """What a notice is about."""

    PLAN_WAITS = "plan_waits"
    PLAN_EXPIRED = "plan_expired"
    PLAN_INTERRUPTED = "plan_interrupted"
    RULE_DECIDED = "rule_decided"
    SWITCHED_BACK = "switched_back"
    LATE_SUCCESS = "late_success"
    PIN_MISSING = "pin_missing"
    LOCKED_OUT = "locked_out"
    RULES_HELD = "rules_held"
    AUDIT_BROKEN = "audit_broken"
    CHRONICLE_FAILING = "chronicle_failing"
    HOME_AWAY = "home_away"
    SCHEDULE_MISSED = "schedule_missed"
    SCHEDULE_DROPPED = "schedule_dropped"
    SCHEDULE_FAILED = "schedule_failed"
    OFFER_CHANGED = "offer_changed"


@dataclass(frozen=True, slots=True)
class Form:
    """How a kind of notice behaves. `stays`: it is open until the thing itself is settled; any other is over once it was seen.

    `grows`: what is told of the same subject while it is open is added to it; of any other it is told already.
    """

    severity: Severity
    stays: bool = False
    grows: bool = False


FORMS: Mapping[NoticeKind, Form] = {
    NoticeKind.PLAN_WAITS: Form(Severity.ACTION, stays=True),
    NoticeKind.PLAN_EXPIRED: Form(Severity.INFO),
    NoticeKind.PLAN_INTERRUPTED: Form(Severity.ACTION, stays=True),
    NoticeKind.RULE_DECIDED: Form(Severity.INFO),
    NoticeKind.SWITCHED_BACK: Form(Severity.INFO, grows=True),
    NoticeKind.LATE_SUCCESS: Form(Severity.INFO, grows=True),
    NoticeKind.PIN_MISSING: Form(Severity.ACTION),
    NoticeKind.LOCKED_OUT: Form(Severity.PROBLEM),
    NoticeKind.RULES_HELD: Form(Severity.PROBLEM, stays=True),
    NoticeKind.AUDIT_BROKEN: Form(Severity.PROBLEM, stays=True),
    NoticeKind.CHRONICLE_FAILING: Form(Severity.PROBLEM, stays=True),
    NoticeKind.HOME_AWAY: Form(Severity.PROBLEM, stays=True),
    NoticeKind.SCHEDULE_MISSED: Form(Severity.PROBLEM),
    NoticeKind.SCHEDULE_DROPPED: Form(Severity.INFO),
    NoticeKind.SCHEDULE_FAILED: Form(Severity.PROBLEM),
    NoticeKind.OFFER_CHANGED: Form(Severity.ACTION),
}


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice. `subject` is what it is about, such as a plan's id; `person_id` for whom, empty for every owner.

    `sent` is when it went out to the notify target, `problem` why it did not.
    """

    id: str
    kind: NoticeKind
    subject: str
    text: str
    person_id: str
    created: datetime
    sent: datetime | None = None
    problem: str = ""
    seen: datetime | None = None
    settled: datetime | None = None

    @property
    def form(self) -> Form:
        """Return how it behaves."""
        return FORMS[self.kind]


def notice_visible(notice: Notice, by: Caller) -> bool:
    """Return whether the notice exists for `by`: their own, or as an owner who reaches everything those for owners."""
    if by.reach is not None:
        return False
    if notice.person_id:
        return by.person_id == notice.person_id and not by.token_id
    return by.role is Role.OWNER and by.may(Scope.ADMIN)


def notice_json(notice: Notice, title: str = "") -> JsonObject:
    """Return the notice as it is shown to others."""
    return {
        "id": notice.id,
        "kind": notice.kind.value,
        "severity": notice.form.severity.value,
        "title": title,
        "text": notice.text,
        "subject": notice.subject,
        "for": "person" if notice.person_id else "owners",
        "created": notice.created.isoformat(),
        "seen": _iso(notice.seen),
        "settled": _iso(notice.settled),
        "sent": _iso(notice.sent),
        "problem": notice.problem,
    }


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
