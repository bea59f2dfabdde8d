"""What the API is sent, validated before anything else looks at it."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from homesteward.settings.settings import PresetName
from homesteward.steward.request import MAX_TEXT


class Form(BaseModel):
    """A request body: unknown keys are errors, so that a misspelled guard is never silently none."""

    model_config = ConfigDict(extra="forbid")


class AskForm(Form):
    """One sentence for the house."""

    text: str = Field(min_length=1, max_length=MAX_TEXT)
    conversation_id: str = Field("", max_length=100)
    mode: Literal["observe", "plan", "auto"] | None = None
    profile: Literal["rapid", "balanced", "deep"] | None = None
    language: str = Field("", max_length=20)
    area: str = Field("", max_length=200)


class ApproveForm(Form):
    """Which steps of a plan are approved; none named means all."""

    steps: list[int] | None = None


class ExplainForm(Form):
    """A call to be judged, not made: by the preset named, else by the one that is set."""

    call: dict[str, Any]
    preset: PresetName | None = None


class ToolForm(Form):
    """A tool's arguments."""

    arguments: dict[str, Any] = Field(default_factory=dict)
