"""A model that follows a script: eval cases and tests say what it proposes, everything behind it is real."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from pydantic_ai.messages import ModelMessage, ModelResponse, ModelResponsePart, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from homesteward.models.errors import ModelError


class ScriptError(ModelError):
    """The script is not of the form a script has."""

    code = "bad_script"


class ScriptEndedError(ModelError):
    """The model was asked once more than its script has steps."""

    code = "script_ended"


class ScriptedCall(BaseModel):
    """A tool call of a script. Without a name it is `call_service`. Arguments may be JSON text, right or wrong."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = "call_service"
    arguments: dict[str, Any] | str = Field(default_factory=dict)


class ScriptStep(BaseModel):
    """One answer of the model: text, a tool call, or several calls in one turn."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str | None = None
    tool_call: ScriptedCall | None = None
    tool_calls: Annotated[tuple[ScriptedCall, ...], Field(max_length=50)] = ()

    @model_validator(mode="after")
    def _says_something(self) -> ScriptStep:
        if self.text is None and not self.calls:
            msg = "a step needs text, tool_call or tool_calls"
            raise ValueError(msg)
        return self

    @property
    def calls(self) -> tuple[ScriptedCall, ...]:
        """Return every call of the step, in order."""
        return (*([self.tool_call] if self.tool_call else []), *self.tool_calls)


_STEPS = TypeAdapter(tuple[ScriptStep, ...])


class ScriptedModel(FunctionModel):
    """Answer with the steps of a script, one per request; `name` is what its errors call it. One object serves one run."""

    def __init__(self, steps: Sequence[object], *, name: str = "script") -> None:
        """Read `steps` as an eval case writes them; raise ScriptError where they are of another form."""
        try:
            self._steps = _STEPS.validate_python(list(steps))
        except ValidationError as wrong:
            raise ScriptError(
                f"{name}: {wrong}", next="Write steps as {tool_call: {name, arguments}} or {text}."
            ) from wrong
        self._asked = 0
        self._script = name
        super().__init__(self._answer, model_name=f"scripted:{name}")

    async def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:  # noqa: ARG002 - the library's signature
        self._asked += 1
        if self._asked > len(self._steps):
            raise ScriptEndedError(
                f"The script {self._script} has {len(self._steps)} steps and was asked for one more.",
                next="Add a step, for example {text: ...}.",
            )
        return ModelResponse(parts=_parts(self._steps[self._asked - 1], self._asked))


def _parts(step: ScriptStep, n: int) -> list[ModelResponsePart]:
    text: list[ModelResponsePart] = [TextPart(step.text)] if step.text is not None else []
    return text + [
        ToolCallPart(call.name, call.arguments, tool_call_id=f"call_{n}_{place}")
        for place, call in enumerate(step.calls, start=1)
    ]
