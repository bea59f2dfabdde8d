"""The tool `plans`: what was asked for before, what became of it, and taking one back. Saying yes or no to one is a person's."""

from typing import Literal

from pydantic import Field

from homesteward.actions import Gate, Plan, PlanState
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonValue
from homesteward.tools.outcome import error_of, told
from homesteward.tools.tool import Arguments, Tool, ToolContext, ToolResult

MOST = 20


class PlansArguments(Arguments):
    """What is asked about plans."""

    action: Literal["list", "show", "undo"] = Field(default="list", description="What to do.")
    id: str = Field(default="", description="To show or undo: the plan, as list returns it.")
    state: PlanState | None = Field(default=None, description="To list: only plans in this state, such as waiting.")
    limit: int = Field(default=10, ge=1, le=MOST, description="To list: at most so many, the newest first.")


class NoPlanNamedError(HomestewardError):
    """There is no plan to look at."""

    code = "invalid_arguments"


def plans_tool(gate: Gate) -> Tool[PlansArguments]:
    """Return the tool. It shows what exists for the caller, and takes back as the caller, through the gate."""

    async def run(arguments: PlansArguments, context: ToolContext) -> ToolResult:
        if arguments.action == "list":
            found = await gate.plans(arguments.state, arguments.limit, context.caller)
            return ToolResult(ok=True, data=[_shown(plan) for plan in found])
        if not arguments.id:
            raise NoPlanNamedError(f"There is no plan to {arguments.action}.", next="Give its id, as list returns it.")
        if arguments.action == "show":
            plan = await gate.plan(arguments.id, context.caller)
            return ToolResult(ok=True, data={**_shown(plan), **told(plan)})
        return await _taken_back(gate, arguments.id, context)

    return Tool(
        "plans",
        "List what was asked for before and what became of it, show one plan with what was seen, or undo one. "
        "An undo is a change like any other. Only a person approves or rejects what waits.",
        PlansArguments,
        run,
        changes=True,
    )


async def _taken_back(gate: Gate, plan_id: str, context: ToolContext) -> ToolResult:
    undone = await gate.undo(
        plan_id,
        context.caller,
        run_id=context.run_id,
        mode=context.mode,
        dry_run=context.dry_run,
        outside=context.outside,
        named=context.named,
    )
    error = error_of(undone.plans)
    left: list[JsonValue] = [{"entity_id": each.entity_id, "why": each.why} for each in undone.left]
    data: dict[str, JsonValue] = {"plans": [told(plan) for plan in undone.plans], "left_as_it_is": left}
    return ToolResult(ok=error is None, data=data, error=error, plans=undone.plans)


def _shown(plan: Plan) -> dict[str, JsonValue]:
    return {
        "plan_id": plan.id,
        "state": plan.state.value,
        "needs": plan.needs.value if plan.needs else None,
        "asked_by": plan.caller.person or plan.caller.role.value,
        "request": plan.request,
        "created": plan.created.isoformat(),
        "calls": [step.summary or f"{step.call.id} {', '.join(step.call.entity_ids)}".strip() for step in plan.steps],
    }
