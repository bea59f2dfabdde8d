"""How much one run may cost. Budgets are code: whatever a model does, a run ends, and says which bound it met."""

from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Budgets:
    """The bounds of one run. Seconds are wall time; a change that has begun is always waited for, whatever they say."""

    iterations: int  # model requests
    calls_per_turn: int
    calls: int  # tool calls in the whole run
    run_s: float
    model_s: float  # one model request
    read_s: float = 30.0  # one tool call that only reads
    output_tokens: int = 3072
    identical_reads: int = 2  # the same read with the same arguments
    failed_turns: int = 3  # in a row, every call of each failed
    parallel_reads: int = 5


PROFILES = MappingProxyType(
    {
        "rapid": Budgets(iterations=6, calls_per_turn=3, calls=12, run_s=60, model_s=45, output_tokens=1024),
        "balanced": Budgets(iterations=12, calls_per_turn=5, calls=30, run_s=180, model_s=120),
        "deep": Budgets(iterations=40, calls_per_turn=6, calls=200, run_s=1800, model_s=600, output_tokens=4096),
    }
)
