"""The room of `homesteward.schedule` and `homesteward.unschedule`: what is asked for later is kept, once it was agreed to."""

from collections.abc import Callable, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from homesteward.actions.agreed import Agreed
from homesteward.actions.codes import without_codes
from homesteward.actions.errors import GateError
from homesteward.actions.freshness import freshen
from homesteward.actions.hashing import hash_of
from homesteward.actions.plan import Evidence, Plan, Status, Step
from homesteward.actions.reach import require_reach, resolve_for
from homesteward.actions.reached import reached_by
from homesteward.actions.reserved import Performed, Prepared
from homesteward.actions.schedule.asked import AskedCondition, read
from homesteward.actions.schedule.conditions import Condition, condition_json, wanted
from homesteward.actions.schedule.lateness import lateness_of
from homesteward.actions.schedule.pairs import SCHEDULE, UNSCHEDULE
from homesteward.actions.schedule.rows import call_of, condition_of
from homesteward.actions.schedule.schedule import Schedule, ScheduleState, call_json
from homesteward.actions.schedule.store import ScheduleStore, UnknownScheduleError, one_of
from homesteward.core import Clock
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import Call, ResolvedCall, parse_call
from homesteward.home.errors import UnknownEntityError
from homesteward.home.live import LiveHome
from homesteward.home.model import Service, ServiceField
from homesteward.home.reserved import OWN, is_reserved
from homesteward.people import Caller
from homesteward.people.scoped import scoped
from homesteward.policy import Action

NAMED = 8  # targets in a summary


class NotForLaterError(GateError):
    """This is nothing that can be done later."""

    code = "not_for_later"


class CodeNotKeptError(NotForLaterError):
    """A code was given with what is asked for later; none is kept until then."""

    code = "code_not_kept"


class Scheduling:
    """Keep what is asked for later, and take it out again. `changed` is called when something was."""

    def __init__(
        self, store: ScheduleStore, home: LiveHome, clock: Clock, changed: Callable[[], None] = lambda: None
    ) -> None:
        """Keep it in `store`."""
        self._store, self._home, self._clock, self._changed = store, home, clock, changed

    @property
    def services(self) -> Mapping[str, Service]:
        """Return the two calls of this room."""
        return SERVICES

    async def prepare(self, call: Call, caller: Caller) -> Prepared:
        """Return the call with its time as a moment and what it carries on concrete entities; raise what keeps it from fitting."""
        if call.service == UNSCHEDULE:
            return await self._to_cancel(call, caller)
        asked, now = read(call.data), self._clock.now()
        at = asked.due(now, self._zone)
        inner = await self._inner(parse_call(asked.call), caller)
        conditions = [self._condition(each, caller) for each in asked.conditions]
        ends = resolve_for(self._home, caller, parse_call(asked.ends)) if asked.ends else None
        data: dict[str, JsonValue] = {"call": call_json(inner), "at": at.isoformat()}
        data |= {"if": [condition_json(each) for each in conditions]} if conditions else {}
        data |= {"ends": call_json(ends)} if ends else {}
        prepared = ResolvedCall(OWN, SCHEDULE, data=data, healed=inner.healed)
        return Prepared(prepared, summary=self._summary(inner, at, conditions))

    async def stands(self, step: Step) -> str:
        """Return why it is too late for the step: its time is past, or there is nothing to cancel any more."""
        if step.call.service == SCHEDULE:
            at = _at(step.call.data)
            return "" if at > self._clock.now() else f"its time ({self._told(at)}) is past"
        found = await self._store.get(str(step.call.data["id"]))
        if found is None or found.state is not ScheduleState.WAITING:
            return f"it is {found.state if found else 'not there'} already"
        return ""

    async def perform(self, plan: Plan, step: Step) -> Performed:
        """Keep the schedule under an id that is the step's own, so that twice is once; or cancel one that still waits."""
        if step.call.service == UNSCHEDULE:
            return await self._cancelled(step)
        schedule = self._made(plan, step)
        await self._store.add(schedule)
        self._changed()
        kept = await self._store.get(schedule.id)
        status = Status.VERIFIED if kept else Status.FAILED
        seen = Evidence(schedule.id, "scheduled", "scheduled" if kept else "not kept", status, self._clock.now())
        return Performed((seen,), {"id": schedule.id, "at": schedule.at.isoformat()})

    def inverse(self, step: Step) -> Call | str:
        """Return the call that cancels what was scheduled, or schedules again what was cancelled."""
        if step.call.service == SCHEDULE:
            return Call(OWN, UNSCHEDULE, data={"id": str(step.after["id"])}) if step.after else "nothing was scheduled"
        return Call(OWN, SCHEDULE, data=dict(step.before)) if step.before else "what was cancelled is not known"

    async def _inner(self, call: Call, caller: Caller) -> ResolvedCall:
        if is_reserved(call.domain):
            raise NotForLaterError(f"{call.id} is not done later.", next="Schedule a service of Home Assistant.")
        resolved = resolve_for(self._home, caller, call)
        await freshen(self._home, [resolved])
        require_reach(self._home, caller, resolved)
        if without_codes(resolved, self._home) != resolved:
            raise CodeNotKeptError(
                "A code is not kept until then, so this cannot be scheduled with one.",
                next="Keep the code with 'homesteward secrets set', and ask for it without one.",
            )
        return resolved

    def _condition(self, asked: AskedCondition, caller: Caller) -> Condition:
        state = scoped(self._home, caller).states.get(asked.entity_id)
        if state is None:
            raise UnknownEntityError(
                f"There is no entity {asked.entity_id!r} here.", next="Use find to see what there is."
            )
        states = asked.state
        if asked.unchanged and not states:
            states = (str(state.attributes.get(asked.attribute)) if asked.attribute else state.state,)
        return Condition(asked.entity_id, states, asked.above, asked.below, asked.attribute, asked.unchanged)

    async def _to_cancel(self, call: Call, caller: Caller) -> Prepared:
        found = await one_of(self._store, str(call.data.get("id", "")), caller)
        if found.state is not ScheduleState.WAITING:
            raise UnknownScheduleError(
                f"This is {found.state}: there is nothing to cancel.", next="List what is scheduled."
            )
        before: dict[str, JsonValue] = {"call": call_json(found.call), "at": found.at.isoformat()}
        before |= {"if": [condition_json(each) for each in found.conditions]} if found.conditions else {}
        summary = f"cancel: {self._summary(found.call, found.at, list(found.conditions))}"
        return Prepared(ResolvedCall(OWN, UNSCHEDULE, data={"id": found.id}), before=before, summary=summary)

    async def _cancelled(self, step: Step) -> Performed:
        schedule_id = str(step.call.data["id"])
        ended = await self._store.cancel(schedule_id, self._clock.now())
        self._changed()
        now = await self._store.get(schedule_id)
        observed = now.state.value if now else "not there"
        status = Status.VERIFIED if ended else Status.FAILED
        return Performed((Evidence(schedule_id, "cancelled", observed, status, self._clock.now()),))

    def _made(self, plan: Plan, step: Step) -> Schedule:
        data, decision = step.call.data, step.decision
        call, at = _call(data["call"]), _at(data)
        schedule_id = f"{SCHEDULE}_{plan.id.partition('_')[2]}_{step.n}"
        by_policy = decision.action is Action.ALLOW
        conditions, ends = data.get("if"), data.get("ends")
        return Schedule(
            id=schedule_id,
            at=at,
            latest=at + lateness_of(call, self._home),
            created=self._clock.now(),
            caller=plan.caller,
            request=plan.request,
            call=call,
            agreed=Agreed(
                schedule_id,
                call,
                hash_of([call]),
                decision.action,
                decision.by_owner,
                decision.pin,
                reached_by(call, self._home).print,
                "" if by_policy else plan.decided_by,
                "" if by_policy else plan.decided_person_id,
            ),
            conditions=tuple(map(condition_of, conditions)) if isinstance(conditions, list | tuple) else (),
            ends=_call(ends) if ends else None,
            run_id=plan.run_id or plan.id,
            plan_id=plan.id,
        )

    def _summary(self, call: ResolvedCall, at: datetime, conditions: list[Condition]) -> str:
        shown = ", ".join(call.entity_ids[:NAMED]) + (", ..." if len(call.entity_ids) > NAMED else "")
        said = " and ".join(f"{each.entity_id} is {wanted(each)}" for each in conditions)
        return f"{call.id} {shown}".strip() + f" at {self._told(at)}" + (f", if {said} then" if said else "")

    def _told(self, at: datetime) -> str:
        return f"{at.astimezone(self._zone):%Y-%m-%d %H:%M}"

    @property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self._home.config.time_zone)


SERVICES: Mapping[str, Service] = {
    f"{OWN}.{SCHEDULE}": Service(
        OWN,
        SCHEDULE,
        "Do later",
        "Have one call made once, at a time or in a while, at most 30 days ahead.",
        {
            "call": ServiceField("call", "The call: domain, service, target and data.", required=True),
            "at": ServiceField("at", "A time of day by the home's clock, or an ISO date and time.", example="17:00"),
            "in": ServiceField("in", "Seconds, or days, hours, minutes and seconds.", example={"minutes": 10}),
            "if": ServiceField("if", "Up to five conditions on entities that have to hold at that time."),
            "ends": ServiceField("ends", "The call that this is the end of."),
        },
    ),
    f"{OWN}.{UNSCHEDULE}": Service(
        OWN,
        UNSCHEDULE,
        "Do not do later",
        "Cancel what is scheduled.",
        {"id": ServiceField("id", "Its id.", required=True)},
    ),
}


def _at(data: JsonObject) -> datetime:
    return datetime.fromisoformat(str(data["at"]))


def _call(kept: JsonValue) -> ResolvedCall:
    if not isinstance(kept, Mapping):
        raise TypeError("a call was kept that is none")
    return call_of(kept)
