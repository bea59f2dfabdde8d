"""The routes of the owner's rules: what holds, its versions, another file in its place, and what a file would have made of the past."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi import Query as Parameters
from pydantic import Field

from homesteward.actions.plan import decision_json
from homesteward.actions.rule_keeper import RuleKeeper
from homesteward.core.json import plain
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.forms import RestoreForm, RulesForm, SimulateForm, TestForm
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms
from homesteward.faces.web.simulating import rules_of, simulated
from homesteward.policy import parse_rules
from homesteward.policy.examples import judge_examples, parse_examples
from homesteward.policy.limits import STANDARD
from homesteward.policy.rule import RuleFile
from homesteward.policy.wording import closing_sentence, limit_sentence, rule_sentence, words_of

type Language = Annotated[str, Parameters(max_length=20)]
type Number = Annotated[int, Field(ge=1, le=2**31 - 1)]


def ruling(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(401, 403, 404))
    guard = Depends(entrance.guard)

    def kept() -> RuleKeeper:
        return rules_of(rooms)

    _shown(router, guard, Depends(kept), rooms)
    _changed(router, guard, Depends(kept))
    _tried(router, guard, rooms, Depends(kept))
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


def _tried(router: APIRouter, guard: Any, rooms: Rooms, kept: Any) -> None:  # noqa: ANN401 - as above
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

    @router.get("/policy/simulate")
    async def simulate(
        _: Annotated[Asker, guard], since: Annotated[str, Parameters(max_length=100)] = "30d"
    ) -> dict[str, Any]:
        """Say how the rules that hold would have judged what was done since a moment, or within a time such as 30d."""
        return dict(plain((await simulated(rooms, since, None)).as_json()))

    @router.post("/policy/simulate")
    async def simulate_with(form: SimulateForm, _: Annotated[Asker, guard]) -> dict[str, Any]:
        """Say the same of rules that are sent along; they hold no more than before."""
        return dict(plain((await simulated(rooms, form.since, form.rules)).as_json()))


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
