"""Policy, tried: what would happen to any call, and what rules would have made of what was asked for."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from homesteward.core.errors import HomestewardError
from homesteward.core.json import loads
from homesteward.faces.web.authority import Purpose
from homesteward.faces.web.fields import fields_of
from homesteward.faces.web.pages.judged import LOOKS, PastTold, past_told
from homesteward.faces.web.pages.policy import mark_of, text_of
from homesteward.faces.web.pages.proving import Proving, Refused, proving, refused
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.states import Look
from homesteward.faces.web.pages.tabs import POLICY_TABS, Tab
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.simulating import rules_of, simulated
from homesteward.home.calls import Call, InvalidCallError, parse_call
from homesteward.people import Role

HERE = "policy"
SPANS = (("1d", N_("A day")), ("7d", N_("A week")), ("30d", N_("A month")))
ROLES = (Role.OWNER, Role.MEMBER, Role.GUEST)
MOST_CHOICES = 1500  # names that the form offers; a home with more is typed into
MOST_THINGS = 50

type Said = Annotated[str, Query(max_length=2000)]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What would happen to some things of the call, by which rule and why."""

    look: Look
    by_owner: bool
    pin: bool
    things: tuple[str, ...]
    more: int
    rule: str
    reason: str
    impact: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TryPage:
    """A call in a form, and what would happen to it; no verdict where nothing was asked yet."""

    service: str
    target: str
    data: str
    role: str
    roles: tuple[Role, ...]
    verdicts: tuple[Verdict, ...]
    refused: Refused | None
    services: tuple[str, ...]
    things: tuple[tuple[str, str], ...]
    tabs: tuple[Tab, ...] = POLICY_TABS
    tab: str = "try"


@dataclass(frozen=True, slots=True)
class PastPage:
    """What was asked for within a span, judged by the rules that hold, or by a draft that comes with it."""

    since: str
    spans: tuple[tuple[str, str], ...]
    draft: str | None
    before: str
    past: PastTold | None
    refused: Refused | None
    proving: Proving
    tabs: tuple[Tab, ...] = POLICY_TABS
    tab: str = "past"


def policy_trying(stage: Stage) -> APIRouter:
    """Return the routes that try rules."""
    router = APIRouter(include_in_schema=False)
    visitor = Depends(stage.visitor())

    @router.get("/policy/try")
    async def attempt(
        visit: Annotated[Visit, visitor], service: Said = "", target: Said = "", data: Said = "", role: Said = "owner"
    ) -> Response:
        """Say what would happen to a call; nothing is sent."""
        verdicts, wrong = await _verdicts(stage, visit, (service, target, data), role)
        view = TryPage(
            service, target, data, role, ROLES, verdicts, wrong, tuple(sorted(visit.home.services)), _things(visit)
        )
        return await stage.page(visit, "policy_try", view, here=HERE, status=wrong.status if wrong else 200)

    @router.get("/policy/past")
    async def past(visit: Annotated[Visit, visitor], since: Annotated[str, Query(max_length=100)] = "30d") -> Response:
        """Show how the rules that hold judge what was asked for."""
        return await looked_back(visit, since, None)

    @router.post("/policy/past")
    async def past_with(visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Show how a draft would judge it; it holds no more than before."""
        fields = await fields_of(request)
        return await looked_back(visit, fields.get("since", "30d")[:100], text_of(fields))

    async def looked_back(visit: Visit, since: str, draft: str | None) -> Response:
        told, wrong, keeper = None, None, rules_of(stage.rooms)
        try:
            told = past_told(await simulated(stage.rooms, since, draft), visit)
        except HomestewardError as error:
            wrong = refused(error)
        prove = await proving(stage, visit, Purpose.POLICY)
        view = PastPage(since, SPANS, draft, mark_of(keeper.text), told, wrong, prove)
        return await stage.page(visit, "policy_past", view, here=HERE, status=wrong.status if wrong else 200)

    return router


async def _verdicts(
    stage: Stage, visit: Visit, said: tuple[str, str, str], role: str
) -> tuple[tuple[Verdict, ...], Refused | None]:
    if not said[0].strip():
        return (), None
    try:
        caller = visit.caller.lowered(Role(role)) if role in set(ROLES) else visit.caller
        judged = await stage.rooms.gate.explain(_call(*said, visit), caller)
    except HomestewardError as error:
        return (), refused(error)
    return tuple(
        Verdict(
            look=LOOKS[decision.action],
            by_owner=decision.by_owner,
            pin=decision.pin,
            things=tuple(_named(call.entity_ids[:MOST_THINGS], visit)),
            more=max(0, len(call.entity_ids) - MOST_THINGS),
            rule=decision.rule,
            reason=decision.reason,
            impact=decision.impact.level.word,
            path=decision.path,
        )
        for call, decision in judged
    ), None


def _call(service: str, target: str, data: str, visit: Visit) -> Call:
    """Return the call of a form; raise InvalidCallError. A thing or an area may be called by its name."""
    try:
        given: Any = loads(data) if data.strip() else {}
    except ValueError:
        raise InvalidCallError("The data is no JSON.", next='Write it as {"brightness_pct": 40}.') from None
    if not isinstance(given, dict):
        raise InvalidCallError("The data must be one JSON object.", next='Write it as {"brightness_pct": 40}.')
    areas = {area.name.casefold(): area.area_id for area in visit.home.areas.values()}
    names = {state.name.casefold(): entity_id for entity_id, state in visit.home.states.items()}
    aimed: dict[str, list[str]] = {"entity_id": [], "area_id": []}
    for one in filter(None, (part.strip() for part in target.split(","))):
        key = one.casefold()
        if key in areas and key not in names:
            aimed["area_id"].append(areas[key])
        else:
            aimed["entity_id"].append(names.get(key, one))
    return parse_call({"service": service.strip(), "target": {k: v for k, v in aimed.items() if v}, "data": given})


def _named(entity_ids: tuple[str, ...], visit: Visit) -> Iterator[str]:
    for entity_id in entity_ids:
        state = visit.home.states.get(entity_id)
        yield state.name if state else entity_id


def _things(visit: Visit) -> tuple[tuple[str, str], ...]:
    states = visit.home.states
    if len(states) > MOST_CHOICES:
        return ()
    return tuple(sorted((entity_id, state.name) for entity_id, state in states.items()))
