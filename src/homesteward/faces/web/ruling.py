"""The routes of the owner's rules: what holds, its versions, another file in its place, and what a file would have made of the past."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi import Query as Parameters
from pydantic import Field

from homesteward.actions.lookback import look_back
from homesteward.actions.plan import decision_json
from homesteward.actions.rule_keeper import RuleKeeper
from homesteward.chronicle.history import History
from homesteward.core.errors import HomestewardError
from homesteward.core.json import plain
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.forms import RestoreForm, RulesForm, SimulateForm, TestForm
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms
from homesteward.people import Role
from homesteward.policy import Policy, parse_rules
from homesteward.policy.examples import judge_examples, parse_examples
from homesteward.policy.limits import STANDARD
from homesteward.policy.rule import RuleFile
from homesteward.policy.wording import closing_sentence, limit_sentence, rule_sentence, words_of

LONGEST = timedelta(days=366)
type Language = Annotated[str, Parameters(max_length=20)]
type Number = Annotated[int, Field(ge=1, le=2**31 - 1)]


class NoRulesError(HomestewardError):
    """This Homesteward keeps no rules."""

    code = "not_enabled"


def ruling(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(401, 403, 404))
    guard = Depends(entrance.guard)

    def kept() -> RuleKeeper:
        if rooms.rules is None:
            raise NoRulesError("This service keeps no rules.", next="Run it as 'homesteward run'.")
        return rooms.rules

    def remembered() -> History:
        if rooms.chronicle is None:
            raise NoRulesError(
                "Nothing is remembered here, so there is no past to judge.", next="Enable the chronicle."
            )
        return rooms.chronicle.history

    _shown(router, guard, Depends(kept), rooms)
    _changed(router, guard, Depends(kept))
    _tried(router, guard, rooms, Depends(kept), Depends(remembered))
    return router


def _shown(router: APIRouter, guard: Any, kept: Any, rooms: Rooms) -> None:  # noqa: ANN401 - FastAPI's own type for a dependency
    @router.get("/policy")
    async def show(
        _: Annotated[Asker, guard], keeper: Annotated[RuleKeeper, kept], language: Language = ""
    ) -> dict[str, Any]:
        """Return what holds, as sentences in the order in which it is looked at, with the file itself beside."""
        told = policy_json(keeper, language or rooms.home.config.language)
        return {**told, "warnings": keeper.told(rooms.home).get("warnings", [])}

    @router.get("/policy/versions")
    async def versions(
        _: Annotated[Asker, guard],
        keeper: Annotated[RuleKeeper, kept],
        limit: Annotated[int, Parameters(ge=1, le=500)] = 100,
    ) -> list[dict[str, Any]]:
        """List the versions of the rule file, the newest first."""
        return [dict(version.as_json()) for version in await keeper.versions(limit)]

    @router.get("/policy/versions/{n}")
    async def version(n: Number, _: Annotated[Asker, guard], keeper: Annotated[RuleKeeper, kept]) -> dict[str, Any]:
        """Return one version with its text."""
        found = await keeper.version(n)
        return {**found.as_json(), "text": found.text}


def _changed(router: APIRouter, guard: Any, kept: Any) -> None:  # noqa: ANN401 - as above
    @router.put("/policy")
    async def put(
        form: RulesForm, asker: Annotated[Asker, guard], keeper: Annotated[RuleKeeper, kept]
    ) -> dict[str, Any]:
        """Put a rule file in the place of the one that holds, whole or not at all."""
        return dict((await keeper.replace(form.rules, asker.caller)).as_json())

    @router.post("/policy/restore")
    async def restore(
        form: RestoreForm, asker: Annotated[Asker, guard], keeper: Annotated[RuleKeeper, kept]
    ) -> dict[str, Any]:
        """Put a version back, as a new one."""
        return dict((await keeper.restore(form.n, asker.caller)).as_json())


def _tried(router: APIRouter, guard: Any, rooms: Rooms, kept: Any, remembered: Any) -> None:  # noqa: ANN401 - as above
    @router.post("/policy/test")
    async def test(
        form: TestForm, _: Annotated[Asker, guard], keeper: Annotated[RuleKeeper, kept]
    ) -> list[dict[str, Any]]:
        """Judge the calls of a file of tests by its rules, by those given beside it, or by those that hold."""
        examples = await asyncio.to_thread(parse_examples, form.tests)
        rules = await asyncio.to_thread(parse_rules, form.rules) if form.rules is not None else examples.policy
        policy = keeper.policy_of(rules) if isinstance(rules, RuleFile) else keeper.policy()
        return [
            {"name": each.name, "passed": not each.wrong, "wrong": each.wrong, **decision_json(each.decision)}
            for each in judge_examples(examples, policy)
        ]

    async def looked_back(keeper: RuleKeeper, history: History, since: str, rules: str | None) -> dict[str, Any]:
        policy = _apart(keeper) if rules is None else keeper.policy_of(await asyncio.to_thread(parse_rules, rules))
        span = _span(history, since, rooms.clock.now())
        found = await look_back(history, rooms.gate, rooms.home, policy, _role_of, span)
        return dict(plain(found.as_json()))

    async def _role_of(user_id: str) -> Role | None:
        person = await rooms.desk.people.of_ha_user(user_id) if rooms.desk else None
        return person.role if person else None

    @router.get("/policy/simulate")
    async def simulate(
        _: Annotated[Asker, guard],
        keeper: Annotated[RuleKeeper, kept],
        history: Annotated[History, remembered],
        since: Annotated[str, Parameters(max_length=100)] = "30d",
    ) -> dict[str, Any]:
        """Say how the rules that hold would have judged what was done since a moment, or within a time such as 30d."""
        return await looked_back(keeper, history, since, None)

    @router.post("/policy/simulate")
    async def simulate_with(
        form: SimulateForm,
        _: Annotated[Asker, guard],
        keeper: Annotated[RuleKeeper, kept],
        history: Annotated[History, remembered],
    ) -> dict[str, Any]:
        """Say the same of rules that are sent along; they hold no more than before."""
        return await looked_back(keeper, history, form.since, form.rules)


def policy_json(keeper: RuleKeeper, language: str) -> dict[str, Any]:
    """Return the rules that hold in a language, in order, and where they come from."""
    words, rules, policy = words_of(language), keeper.rules, keeper.policy()
    own = rules.limits if rules else ()
    named = {limit.name for limit in own}
    standard = tuple(limit for limit in STANDARD if limit.name not in named)
    listed = (
        [{"name": rule.name, "enabled": rule.enabled, "says": rule_sentence(rule, words)} for rule in rules.rules]
        if rules
        else []
    )
    return {
        **keeper.told(),
        "rules": listed,
        "limits": [
            {
                "name": limit.name,
                "enabled": limit.enabled,
                "says": limit_sentence(limit, words),
                "standard": limit in standard,
            }
            for limit in (*own, *standard)
        ],
        "otherwise": closing_sentence(policy, words),
        "file": str(keeper.file),
        "text": keeper.text,
    }


def _apart(keeper: RuleKeeper) -> Policy:
    """Return what holds, with a book of its own: the one that decides now keeps what it has worked out for the home of now."""
    return replace(keeper.policy_of(keeper.rules), held=keeper.problem)


def _span(history: History, since: str, now: datetime) -> tuple[datetime, datetime]:
    """Return the span from what a person means by `since` up to now, a year at most."""
    start = now - _ago(since) if _ago(since) else history.moment(since).at
    return max(start, now - LONGEST), now


def _ago(text: str) -> timedelta:
    """Return `30d`, `12h` or `2w` as a time, none for anything else."""
    number, unit = text.strip()[:-1].strip(), text.strip()[-1:].lower()
    if not (number.isascii() and number.isdigit() and len(number) <= 5 and unit in AGO):
        return timedelta(0)
    return min(int(number) * AGO[unit], LONGEST)


AGO = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
