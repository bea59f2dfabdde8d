"""What a tool is: a name, typed arguments, and a function that answers with data or with an error, never with silence."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from homesteward.actions import Mode, Plan
from homesteward.core.errors import ErrorInfo
from homesteward.core.json import JsonObject, JsonValue, plain
from homesteward.people import Caller, Role


class Arguments(BaseModel):
    """The base of every tool's arguments: unknown ones are mistakes, harmless forms are healed (`"5"` for 5)."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    @model_validator(mode="before")
    @classmethod
    def _null_is_left_out(cls, raw: Any) -> Any:  # noqa: ANN401 - whatever was sent
        """Take `null` for what it means everywhere: not given."""
        return {key: value for key, value in raw.items() if value is not None} if isinstance(raw, Mapping) else raw


@dataclass(frozen=True, slots=True)
class ToolContext:
    """For whom a tool runs. It comes from the application; nothing in the arguments can change it."""

    caller: Caller
    request: str
    run_id: str = ""
    mode: Mode = Mode.AUTO
    dry_run: bool | None = None
    language: str = "en"
    outside: bool = False
    """Whether the run has read text from outside."""
    named: frozenset[str] = frozenset()
    """The entities that the person's own words named."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered. `ok` is false where what was asked for did not happen; `plans` are those it made."""

    ok: bool
    data: JsonValue = None
    error: ErrorInfo | None = None
    plans: tuple[Plan, ...] = ()
    outside: bool = False
    """Whether there is text in it that somebody outside may have written: names, messages, titles, entries."""

    @classmethod
    def failed(cls, error: ErrorInfo, *, outside: bool = False) -> ToolResult:
        """Return the result of a tool that did nothing because of `error`, which may quote what is `outside`."""
        return cls(ok=False, error=error, outside=outside)

    @property
    def json(self) -> JsonObject:
        """Return the result as a model, a client or a person reads it."""
        return {"ok": self.ok} | ({"error": plain(self.error)} if self.error else {}) | {"data": self.data}


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is offered: `parameters` is the JSON Schema of its arguments, `changes` whether it can change anything."""

    name: str
    description: str
    parameters: JsonObject
    changes: bool = False


@dataclass(frozen=True, slots=True)
class Tool[A: BaseModel]:
    """A tool. `run` may raise any HomestewardError; the registry makes it the answer. `roles` are those it is offered to.

    `needs_home` says that it answers only while the home can be reached: what was would be taken for what is. `outside` says that
    its answers hold text which somebody outside may have written; whoever knows better of an answer says so in the answer. `past` says that
    it tells of what was, which is not for a guest.
    """

    name: str
    description: str
    arguments: type[A]
    run: Callable[[A, ToolContext], Awaitable[ToolResult]]
    changes: bool = False
    roles: frozenset[Role] = field(default=frozenset(Role))
    needs_home: bool = True
    outside: bool = True
    past: bool = False

    @property
    def spec(self) -> ToolSpec:
        """Return the tool as it is offered to a model or a client."""
        return ToolSpec(self.name, self.description, parameters_of(self.arguments), self.changes)


def parameters_of(arguments: type[BaseModel]) -> JsonObject:
    """Return the JSON Schema of `arguments` without the titles, which say nothing that the names do not."""
    schema = _untitled(arguments.model_json_schema())
    return {key: value for key, value in schema.items() if key != "description"} if isinstance(schema, dict) else {}


NAMED = frozenset({"properties", "$defs"})  # whose keys are names chosen by somebody: one may be called "title"


def _untitled(schema: JsonValue) -> JsonValue:
    if isinstance(schema, list):
        return [_untitled(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _untitled_names(value) if key in NAMED else _untitled(value)
        for key, value in schema.items()
        if key != "title"
    }


def _untitled_names(named: JsonValue) -> JsonValue:
    return {name: _untitled(value) for name, value in named.items()} if isinstance(named, dict) else named
