"""What is put down when a schedule ends: in the audit, and where nothing came of it for whoever asked and for the owners."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from homesteward.actions.notice import NoticeKind
from homesteward.actions.notice_words import text_of
from homesteward.actions.notices import Notices
from homesteward.actions.noticing import plain
from homesteward.actions.schedule.schedule import Schedule, ScheduleState
from homesteward.actions.ties import AnyWitness, nothing_witnessed
from homesteward.home.live import LiveHome
from homesteward.people import SYSTEM, Role
from homesteward.people.audit import actor_of

ENDED = "schedule.ended"
TOLD: Mapping[ScheduleState, NoticeKind] = {
    ScheduleState.MISSED: NoticeKind.SCHEDULE_MISSED,
    ScheduleState.DROPPED: NoticeKind.SCHEDULE_DROPPED,
    ScheduleState.FAILED: NoticeKind.SCHEDULE_FAILED,
}


@dataclass(frozen=True, slots=True)
class Telling:
    """Puts down how schedules end. Without `notices` nobody is told."""

    home: LiveHome
    notices: Notices | None = None
    witness: AnyWitness = nothing_witnessed
    language: Callable[[], str] = lambda: "en"

    def __call__(self, connection: Connection, schedule: Schedule) -> None:
        """Put down how `schedule` ended, in the transaction in which it does."""
        data = {"state": schedule.state.value, "why": schedule.why, "plan": schedule.plan_id}
        self.witness(connection, ENDED, actor_of(SYSTEM), schedule.id, data)
        if self.notices is not None and (kind := TOLD.get(schedule.state)) is not None:
            text = text_of(kind, self.language(), **self._facts(schedule))
            for person_id in self._whom(schedule):
                self.notices.put(connection, kind, schedule.id, text, person_id)

    def _whom(self, schedule: Schedule) -> tuple[str, ...]:
        """Return whoever asked, and the owners where that is none of them or nobody knows who it was."""
        asker = schedule.caller
        if not asker.person_id or asker.token_id:
            return ("",)
        return (asker.person_id,) if asker.role is Role.OWNER else (asker.person_id, "")

    def _facts(self, schedule: Schedule) -> dict[str, str]:
        call = schedule.call
        when = schedule.at.astimezone(ZoneInfo(self.home.config.time_zone))
        return {
            "request": plain(schedule.request or call.id),
            "when": f"{when:%Y-%m-%d %H:%M}",
            "why": plain(schedule.why).rstrip("."),
            "what": plain(f"{call.id} {', '.join(call.entity_ids)}".strip()),
        }
