"""Policy: the rules as sentences with the file beside them, looked at while it is written, saved, compared and put back."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi import Path as Part
from starlette.responses import Response

from homesteward.actions.rule_keeper import RuleKeeper, Version
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.authority import Purpose
from homesteward.faces.web.fields import fields_of
from homesteward.faces.web.pages.differing import Line, difference
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.proving import Proving, Refused, proven, proving, refused
from homesteward.faces.web.pages.ruled import STARTER, Checked, Told, checked, told
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.tabs import POLICY_TABS, Tab
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.simulating import rules_of

HERE = "policy"
MOST_VERSIONS = 100

type Number = Annotated[int, Part(ge=1, le=2**31 - 1)]


class RulesChangedError(HomestewardError):
    """Somebody else changed the rules while this text was written."""

    code = "conflict"


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules that hold, and the text in the editor, which may be another one. `before` tells which rules it began with."""

    told: Told
    held: str
    preset: str
    file: str
    text: str
    before: str
    checked: Checked | None
    proving: Proving
    refused: Refused | None
    tabs: tuple[Tab, ...] = POLICY_TABS
    tab: str = "rules"


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of the file. `present`: it is what holds."""

    n: int
    at: Moment
    author: str
    problem: str
    present: bool


@dataclass(frozen=True, slots=True)
class VersionsPage:
    """All versions, the newest first."""

    versions: tuple[VersionRow, ...]
    tabs: tuple[Tab, ...] = POLICY_TABS
    tab: str = "versions"


@dataclass(frozen=True, slots=True)
class VersionPage:
    """One version: what putting it back would change, and its text."""

    version: VersionRow
    lines: tuple[Line, ...]
    text: str
    proving: Proving
    refused: Refused | None
    tabs: tuple[Tab, ...] = POLICY_TABS
    tab: str = "versions"


def policy_page(stage: Stage) -> APIRouter:
    """Return the routes of the rules and of their versions."""
    router = APIRouter(include_in_schema=False)
    _rules(router, stage)
    _versions(router, stage)
    return router


def _rules(router: APIRouter, stage: Stage) -> None:
    visitor = Depends(stage.visitor())

    @router.get("/policy")
    async def show(visit: Annotated[Visit, visitor]) -> Response:
        """Show what holds."""
        return await stage.page(visit, "policy", await _view(stage, visit), here=HERE)

    @router.post("/policy/check")
    async def check(visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Look at what is being written; it holds no more than before."""
        text = text_of(await fields_of(request))
        view = await _view(stage, visit, text)
        if visit.partial:
            return stage.part(visit, "policy_checked", view)
        return await stage.page(visit, "policy", view, here=HERE)

    @router.post("/policy")
    async def save(visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Let the text hold, whole or not at all."""
        fields, keeper = await fields_of(request), rules_of(stage.rooms)
        try:
            by = await proven(stage, visit, Purpose.POLICY, fields)
            if fields.get("before", "") != mark_of(keeper.text):
                raise RulesChangedError(
                    "The rules were changed meanwhile, by somebody else or in the file.",
                    next="Compare with what holds now, then save again.",
                )
            await keeper.replace(text_of(fields), by)
        except HomestewardError as error:
            wrong = refused(error)
            view = await _view(stage, visit, text_of(fields), wrong)
            return await stage.page(visit, "policy", view, here=HERE, status=wrong.status)
        return stage.onward(visit, "/policy")


def _versions(router: APIRouter, stage: Stage) -> None:
    visitor = Depends(stage.visitor())

    @router.get("/policy/versions")
    async def versions(visit: Annotated[Visit, visitor]) -> Response:
        """Show who changed the rules, and when."""
        keeper = rules_of(stage.rooms)
        rows = tuple(_row(each, keeper, visit) for each in await keeper.versions(MOST_VERSIONS))
        return await stage.page(visit, "policy_versions", VersionsPage(rows), here=HERE)

    async def shown(n: int, visit: Visit, wrong: Refused | None = None) -> Response:
        keeper = rules_of(stage.rooms)
        version = await keeper.version(n)
        view = VersionPage(
            _row(version, keeper, visit),
            difference(keeper.text, version.text),
            version.text,
            await proving(stage, visit, Purpose.POLICY),
            wrong,
        )
        return await stage.page(visit, "policy_version", view, here=HERE, status=wrong.status if wrong else 200)

    @router.get("/policy/versions/{n}")
    async def version(n: Number, visit: Annotated[Visit, visitor]) -> Response:
        """Show one version beside what holds."""
        return await shown(n, visit)

    @router.post("/policy/versions/{n}")
    async def restore(n: Number, visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Put a version back, as a new one."""
        try:
            by = await proven(stage, visit, Purpose.POLICY, await fields_of(request))
            await rules_of(stage.rooms).restore(n, by)
        except HomestewardError as error:
            if error.code == "unknown_version":
                raise
            return await shown(n, visit, refused(error))
        return stage.onward(visit, "/policy")


def text_of(fields: dict[str, str]) -> str:
    """Return the rules of a form, with the ends of lines that files have."""
    return fields.get("rules", "").replace("\r\n", "\n")


def mark_of(text: str) -> str:
    """Return what tells one text of the rules from another."""
    return sha256(text.encode()).hexdigest()


async def _view(stage: Stage, visit: Visit, text: str | None = None, wrong: Refused | None = None) -> RulesPage:
    keeper, home = rules_of(stage.rooms), stage.rooms.home
    policy = keeper.policy()
    return RulesPage(
        told=told(keeper.rules, policy, visit.language, home),
        held=policy.held,
        preset=policy.preset.value,
        file=str(keeper.file),
        text=(keeper.text or STARTER) if text is None else text,
        before=mark_of(keeper.text),
        checked=await checked(text, keeper, visit.language, home) if text is not None else None,
        proving=await proving(stage, visit, Purpose.POLICY),
        refused=wrong,
    )


def _row(version: Version, keeper: RuleKeeper, visit: Visit) -> VersionRow:
    at = visit.when(version.at)
    return VersionRow(version.n, at, version.author, version.problem, present=version.text == keeper.text)
