"""What is asked of the kernel, and what it answers."""

from dataclasses import dataclass
from enum import StrEnum

from homesteward.actions import Mode, Plan
from homesteward.core.errors import ErrorInfo
from homesteward.core.json import JsonObject
from homesteward.kernel.events import Event
from homesteward.people import Caller


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier exchange of the same conversation: what was asked, and what was answered to a person."""

    text: str
    reply: str


@dataclass(frozen=True, slots=True)
class KernelRequest:
    """One request for a model. `dry_run` None leaves it to the gate's settings."""

    text: str
    caller: Caller
    run_id: str
    language: str = "en"
    mode: Mode = Mode.AUTO
    dry_run: bool | None = None
    history: tuple[Turn, ...] = ()
    named: frozenset[str] = frozenset()
    """The entities that the person's own words named: what a run that has read text from outside may still change at once."""
    news: tuple[str, ...] = ()
    """What became, since the last turn, of what was asked for in this conversation."""


class Stop(StrEnum):
    """Why a run ended."""

    FINAL = "final"  # the model said its last word
    ITERATIONS = "iterations"
    CALLS = "calls"
    TIME = "time"
    MODEL_ERROR = "model_error"
    TOOL_ERRORS = "tool_errors"


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One tool call of a run. `repeated` means that an earlier, identical one gave the answer and nothing ran again."""

    name: str
    arguments: JsonObject
    ok: bool
    changes: bool
    error: ErrorInfo | None = None
    plan_ids: tuple[str, ...] = ()
    repeated: bool = False
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    """What the model cost. Tokens count only the `measured` requests: a provider may report none."""

    requests: int = 0
    measured: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class KernelResult:
    """What a run came to. `text` is the model's own last word: a claim, worth no more than the evidence in `plans`."""

    text: str
    plans: tuple[Plan, ...]
    calls: tuple[CallRecord, ...]
    trace: tuple[Event, ...]
    usage: Usage
    stop: Stop
    error: ErrorInfo | None = None

    @property
    def proposed(self) -> bool:
        """Return whether the model asked for any change, granted or not. If not, a claim to have done something is false."""
        return any(call.changes for call in self.calls)

    @property
    def refusals(self) -> tuple[ErrorInfo, ...]:
        """Return why proposed changes never became a plan, each once, in order. What became one is told by its plan."""
        unplanned = (call for call in self.calls if call.changes and not call.plan_ids)
        return tuple(dict.fromkeys(call.error for call in unplanned if call.error))
