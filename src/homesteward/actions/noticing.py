"""Which entries of the audit somebody is told of: a table, worked off in the transaction in which the thing happens.

A plan that waits and the notice about it are kept together or not at all, whatever the process does next.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Row, select

from homesteward.actions.entries import GateKind
from homesteward.actions.notice import NoticeKind
from homesteward.actions.notice_words import ACTIONS, ADDRESS, MORE, NONE, SOMEBODY, spoken, text_of
from homesteward.actions.notices import Notices
from homesteward.actions.plan import Needs, PlanState, StepState
from homesteward.actions.proposal import NO_PIN, NOBODYS_PIN
from homesteward.actions.ties import AnyWitness
from homesteward.core.json import JsonObject
from homesteward.people import Role
from homesteward.people.audit import AuditKind
from homesteward.store.tables import persons, plans, steps

UNSURE = frozenset({StepState.RUNNING, StepState.UNCERTAIN})
MOST_STEPS = 5  # named in one notice
MOST_ENDS = 5  # of what a step reaches through a group, scene or script
LONGEST = 160  # characters of a request in it
SCREEN = dict.fromkeys((*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), " ")


class Noticing:
    """A witness beside the audit's: it takes the same entries, and tells whoever has to know."""

    def __init__(
        self, notices: Notices, home_id: str, witness: AnyWitness, language: Callable[[], str] = lambda: "en"
    ) -> None:
        """Hand every entry to `witness` first; tell in what `language` gives at that moment."""
        self._notices, self._home_id, self._witness, self._language = notices, home_id, witness, language

    def __call__(self, connection: Connection, kind: str, actor: str, subject: str, data: JsonObject, /) -> None:
        """Take down one entry, and tell of it where the table says so. It runs on a thread of the database."""
        self._witness(connection, kind, actor, subject, data)
        if (tell := TOLD.get(kind)) is not None:
            tell(_Entry(self._notices, self._home_id, connection, spoken(self._language()), subject, data))


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry, with the hands to tell of it."""

    notices: Notices
    home_id: str
    connection: Connection
    language: str
    subject: str
    data: JsonObject

    def put(self, kind: NoticeKind, *, about: str = "", for_person: str = "", **facts: str) -> None:
        text = text_of(kind, self.language, **facts)
        self.notices.put(self.connection, kind, about or self.subject, text, for_person)

    def settle(self, *kinds: NoticeKind) -> int:
        return self.notices.settle_in(self.connection, self.subject, *kinds)

    @property
    def plan(self) -> _Plan | None:
        """Return what is told of the plan; None for one of ours: what tells somebody of something is not told of itself."""
        where = (plans.c.home_id == self.home_id, plans.c.id == self.subject)
        row = self.connection.execute(select(plans).where(*where)).one_or_none()
        if row is None or row.role == Role.SYSTEM:
            return None
        here = (steps.c.home_id == self.home_id, steps.c.plan_id == self.subject)
        found = self.connection.execute(select(steps).where(*here).order_by(steps.c.n).limit(MOST_STEPS + 1)).all()
        unsure = [step for step in found if step.state in UNSURE]
        who = plain(row.person) or SOMEBODY[self.language]
        return _Plan(
            row.person_id,
            row.role,
            who,
            plain(row.request),
            _listed(found, self.language),
            _listed(unsure, self.language) or NONE[self.language],
        )

    def name_of(self, subject: str) -> str:
        """Return who a lockout is against, in words."""
        kind, _, who = subject.partition(":")
        if kind == "address":
            return ADDRESS[self.language].format(address=plain(who))
        where = (persons.c.home_id == self.home_id, persons.c.id == who)
        name = self.connection.execute(select(persons.c.name).where(*where)).scalar()
        return plain(name) if name else SOMEBODY[self.language]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a notice says of a plan."""

    person_id: str
    role: str
    who: str
    request: str
    steps: str
    unsure: str
    """Those of which nobody knows whether they happened."""


def plain(text: str) -> str:
    """Return a text of somebody's as it may stand in a notice: one line, nothing that moves or turns it, not too long."""
    line = " ".join(text.translate(SCREEN).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


def _listed(rows: Sequence[Row[tuple[object, ...]]], language: str) -> str:
    return ", ".join(_step(row, language) for row in rows[:MOST_STEPS]) + (", ..." if len(rows) > MOST_STEPS else "")


def _step(row: Row[tuple[object, ...]], language: str) -> str:
    decision = row.decision
    reached = decision.get("reached") or {}
    ends = [*reached.get("ends", ())]
    more = len(ends[MOST_ENDS:]) + reached.get("more", 0)
    shown = ", ".join(ends[:MOST_ENDS]) + (f" {MORE[language].format(count=more)}" if more else "")
    summary = (decision.get("told") or {}).get("summary")
    does = plain(summary or f"{row.domain}.{row.service} {', '.join(row.entity_ids)}".strip())
    return f"{does} → {plain(shown)}" if ends else does


def _decided(entry: _Entry) -> None:
    """Tell of what waits for an approval, of what a rule wants told, and of a PIN that nobody can give."""
    data, plan = entry.data, entry.plan
    if plan is None:
        return
    if (data["state"], data["needs"]) == (PlanState.WAITING, Needs.APPROVE):
        why = plain(str(data["reason"]))
        entry.put(NoticeKind.PLAN_WAITS, who=plan.who, request=plan.request, steps=plan.steps, why=why)
    if data.get("notify"):
        action = ACTIONS[entry.language][str(data["action"])]
        rule = plain(str(data["rule"]).removeprefix("rule "))
        entry.put(NoticeKind.RULE_DECIDED, rule=rule, request=plan.request, who=plan.who, action=action)
    if data["reason"] in {NO_PIN, NOBODYS_PIN}:
        for person_id in dict.fromkeys(("", plan.person_id)):
            entry.put(
                NoticeKind.PIN_MISSING,
                about=plan.person_id or "nobody",
                for_person=person_id,
                who=plan.who,
                request=plan.request,
            )


def _over(entry: _Entry) -> None:
    entry.settle(NoticeKind.PLAN_WAITS, NoticeKind.PLAN_INTERRUPTED)


def _expired(entry: _Entry) -> None:
    """Tell whoever asked that nobody decided; of a question in a conversation that was left open nobody is told."""
    waited, plan = entry.settle(NoticeKind.PLAN_WAITS), entry.plan
    if waited and plan:
        entry.put(NoticeKind.PLAN_EXPIRED, for_person=plan.person_id, request=plan.request)


def _interrupted(entry: _Entry) -> None:
    """Tell the owners, who can go on or give up, and whoever asked."""
    plan = entry.plan
    if plan is None:
        return
    for person_id in dict.fromkeys(("", "" if plan.role == Role.OWNER else plan.person_id)):
        entry.put(NoticeKind.PLAN_INTERRUPTED, for_person=person_id, request=plan.request, steps=plan.unsure)


def _locked_out(entry: _Entry) -> None:
    facts = {"until": plain(str(entry.data["until"]))[:16].replace("T", " "), "failures": str(entry.data["failures"])}
    entry.settle(NoticeKind.LOCKED_OUT)  # it goes on, and longer: the notice of before is out of date
    entry.put(NoticeKind.LOCKED_OUT, who=entry.name_of(entry.subject), **facts)


def _unlocked(entry: _Entry) -> None:
    entry.settle(NoticeKind.LOCKED_OUT)


def _pin_set(entry: _Entry) -> None:
    entry.settle(NoticeKind.PIN_MISSING)


TOLD: Mapping[str, Callable[[_Entry], None]] = {
    GateKind.DECIDED: _decided,
    GateKind.APPROVED: _over,
    GateKind.REJECTED: _over,
    GateKind.ENDED: _over,
    GateKind.EXPIRED: _expired,
    GateKind.INTERRUPTED: _interrupted,
    AuditKind.LOCKED_OUT: _locked_out,
    AuditKind.UNLOCKED: _unlocked,
    AuditKind.PIN_SET: _pin_set,
}
