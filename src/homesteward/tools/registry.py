"""The registry: every tool that a model or an MCP client may ask for, called in one way and answered in one form."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ValidationError

from homesteward.core.errors import ErrorInfo, HomestewardError
from homesteward.core.json import JsonValue, loads
from homesteward.core.text import neighbours
from homesteward.people import Caller, Scope
from homesteward.people.past import knows_the_past, require_household
from homesteward.tools.bounds import bounded
from homesteward.tools.tool import Tool, ToolContext, ToolResult, ToolSpec

MAX_DETAILS = 5  # as many mistakes as a model can mend in one go
MAX_ARGUMENTS = 20_000  # characters of JSON text
MAX_BRACKETS = 200  # no call of a person's making is as deep; a parser of Python's would be at its end near a thousand

_LOG = logging.getLogger(__name__)

type Undo = Callable[[], None]


class DuplicateToolError(HomestewardError):
    """A tool of this name is there already."""

    code = "duplicate_tool"


class ToolRegistry:
    """Hold the tools and call them. A failure of a tool is its answer: `call` raises nothing of ours."""

    def __init__(self, require_ready: Callable[[], None] = lambda: None) -> None:
        """Start empty. `require_ready` raises what keeps the tools that need the home from being used at present."""
        self._tools: dict[str, Tool[Any]] = {}
        self._require_ready = require_ready

    def add[A: BaseModel](self, tool: Tool[A]) -> Undo:
        """Register `tool` and return the way to take it out again; raise DuplicateToolError if its name is taken."""
        if tool.name in self._tools:
            raise DuplicateToolError(f"There is a tool named {tool.name} already.", next="Give it another name.")
        self._tools[tool.name] = tool
        return lambda: self._remove(tool)

    def specs(self, caller: Caller) -> tuple[ToolSpec, ...]:
        """Return what `caller` may ask for, in the order it was added."""
        return tuple(tool.spec for tool in self._tools.values() if _shown(tool, caller))

    def changes(self, name: str) -> bool:
        """Return whether the tool can change something; a name that nobody has changes nothing."""
        tool = self._tools.get(name)
        return tool is not None and tool.changes

    async def call(self, name: str, arguments: object, context: ToolContext) -> ToolResult:
        """Check `arguments` (an object, or its JSON text) and run the tool; the result is bounded JSON."""
        result = await self._call(name, arguments, context)
        if result.error:
            _LOG.info("tool %s for %s: %s %r", name, context.caller.role, result.error.code, result.error.message)
        return result

    async def _call(self, name: str, arguments: object, context: ToolContext) -> ToolResult:
        tool = self._tools.get(name)
        if tool is None or not _for(tool, context.caller):
            return self._unknown(name, context.caller)
        try:
            if tool.past:
                require_household(context.caller)
            checked = tool.arguments.model_validate(_object(arguments))
            if tool.needs_home:
                self._require_ready()
            result = bounded(await tool.run(checked, context))
            return replace(result, outside=True) if tool.outside else result
        except ValidationError as wrong:
            return _invalid(tool, wrong)
        except HomestewardError as error:
            return ToolResult.failed(error.info, outside=True)  # it may name what is there: "did you mean ...?"

    def _unknown(self, name: str, caller: Caller) -> ToolResult:
        """Answer a name that nobody has and one that this caller may not use alike."""
        known = [spec.name for spec in self.specs(caller)]
        near = neighbours(name, known)
        hint = f"Did you mean {' or '.join(near)}?" if near else f"There are: {', '.join(known) or 'none'}."
        return ToolResult.failed(ErrorInfo("unknown_tool", f"There is no tool named {name!r}.", retry=False, next=hint))

    def _remove(self, tool: Tool[Any]) -> None:
        if self._tools.get(tool.name) is tool:
            del self._tools[tool.name]


def readable(text: str) -> bool:
    """Return whether `text` is short and flat enough to be parsed as arguments."""
    return len(text) <= MAX_ARGUMENTS and text.count("{") + text.count("[") <= MAX_BRACKETS


def _for(tool: Tool[Any], caller: Caller) -> bool:
    """Return whether the caller may use the tool: its role, and to look at anything the scope read where it comes with a token."""
    return caller.role in tool.roles and (tool.changes or caller.may(Scope.READ))


def _shown(tool: Tool[Any], caller: Caller) -> bool:
    """Return whether the tool is offered to the caller: what is refused whatever is asked of it is no offer."""
    return _for(tool, caller) and (not tool.past or knows_the_past(caller))


class _NotAnObjectError(HomestewardError):
    code = "invalid_arguments"


def _object(arguments: object) -> Mapping[str, object]:
    if isinstance(arguments, str):
        if not readable(arguments):
            raise _NotAnObjectError("The arguments are too long or too deep.", next="Ask for less in one call.")
        try:
            arguments = loads(arguments or "{}")
        except ValueError as broken:
            raise _NotAnObjectError(
                f"The arguments are not valid JSON: {broken}.", next="Send one JSON object that fits the tool's schema."
            ) from broken
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise _NotAnObjectError(
            f"The arguments must be an object, not {type(arguments).__name__}.",
            next="Send one JSON object that fits the tool's schema.",
        )
    return arguments


def _invalid(tool: Tool[Any], wrong: ValidationError) -> ToolResult:
    """Name up to five mistakes by their path, and what the tool takes."""
    found = wrong.errors(include_url=False, include_context=False, include_input=False)
    details: list[JsonValue] = [
        {"path": ".".join(str(part) for part in mistake["loc"]) or "(arguments)", "message": mistake["msg"]}
        for mistake in found[:MAX_DETAILS]
    ]
    text = "; ".join(f"{d['path']}: {d['message']}" for d in details if isinstance(d, Mapping))
    error = ErrorInfo(
        "invalid_arguments",
        f"{tool.name} cannot take these arguments: {text}.",
        retry=False,
        next=f"It takes {', '.join(tool.arguments.model_fields)}. Mend the arguments and call it again.",
    )
    return ToolResult(ok=False, data={"details": details, "mistakes": wrong.error_count()}, error=error)
