"""What the loop around a model costs per tool call: a run with a scripted model, less the model's own time and the tools'."""

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from bench.homes import furnished
from bench.sample import Effort, Row, Sample, ms_since
from homesteward.app import wire
from homesteward.core import SystemClock
from homesteward.core.redaction import Redactor
from homesteward.home.simulation import SimulatedHome
from homesteward.kernel import PROFILES, Kernel, KernelRequest, Stop
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings
from homesteward.tools import ToolContext, ToolRegistry, ToolResult
from homesteward.tools.call_service import call_service_tool
from homesteward.tools.get_state import get_state_tool

if TYPE_CHECKING:
    from homesteward.actions import Gate

JUDGED = ("kernel",)
ENTITIES = 200
OWNER = Caller(Role.OWNER, Channel.API)
NAMES = ("kitchen_ceiling_light", "bedroom_floor_lamp", "study_ceiling_light", "hallway_floor_lamp")
READS = [{"name": "get_state", "arguments": {"entities": [f"light.{name}"]}} for name in NAMES]
CHANGES = [
    {
        "name": "call_service",
        "arguments": {"domain": "light", "service": service, "target": {"entity_id": f"light.{name}"}},
    }
    for name in NAMES[:2]
    for service in ("turn_on", "turn_off")
]
SCRIPT = [*({"tool_call": call} for call in [*READS, *CHANGES]), {"text": "Done."}]
CALLS = len(SCRIPT) - 1


class Timed:
    """A stop watch that adds up."""

    ms = 0.0


class TimedModel(ScriptedModel):
    """A scripted model whose own time is known."""

    def __init__(self, steps: list[Any]) -> None:
        """Answer with `steps`."""
        self.spent = Timed()
        super().__init__(steps)

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Answer, and add up how long that took."""
        began = perf_counter_ns()
        try:
            return await super().request(messages, model_settings, model_request_parameters)
        finally:
            self.spent.ms += ms_since(began)


class TimedTools(ToolRegistry):
    """The tools that the script uses, with their own time known."""

    def __init__(self, home: SimulatedHome, gate: Gate) -> None:
        """Offer what the script uses."""
        super().__init__()
        self.add(get_state_tool(home))
        self.add(call_service_tool(home, gate))
        self.spent = Timed()

    async def call(self, name: str, arguments: object, context: ToolContext) -> ToolResult:
        """Call the tool, and add up how long that took."""
        began = perf_counter_ns()
        try:
            return await super().call(name, arguments, context)
        finally:
            self.spent.ms += ms_since(began)


async def measure(effort: Effort) -> list[Row]:
    """Return the loop's own time per tool call, beside one call of the registry."""
    home = furnished(ENTITIES)
    policy = PolicySettings(dry_run=False, verify_factor=0.01)
    with TemporaryDirectory(prefix="homesteward-bench-") as data:
        settings = Settings(policy=policy, data=Path(data))
        async with wire(settings, home, home, Path(data), SystemClock(), Redactor()) as house:
            await _overhead(home, house.gate)  # imports and first schemas
            own = [await _overhead(home, house.gate) for _ in range(effort.times(200))]
            direct = [await _direct(house.registry, n) for n in range(effort.times(800))]
    return [
        Row(
            "the loop around one tool call",
            Sample.of(own),
            "a read by the registry, called directly",
            Sample.of(direct),
            "kernel",
            note=f"per call, from runs of {CALLS} calls in as many turns ({len(READS)} reads, {len(CHANGES)} changes); "
            "the scripted model's and the tools' own time is taken off",
        )
    ]


async def _overhead(home: SimulatedHome, gate: Gate) -> float:
    """Run the script once and return what the loop took per call, in ms."""
    tools, model = TimedTools(home, gate), TimedModel(SCRIPT)
    kernel = Kernel(tools, home, SystemClock())
    began = perf_counter_ns()
    result = await kernel.run(KernelRequest("do it", OWNER, "run_bench"), model, PROFILES["deep"])
    total = ms_since(began)
    if result.stop is not Stop.FINAL or len(result.calls) != CALLS or not all(call.ok for call in result.calls):
        raise RuntimeError(f"the scripted run ended as {result.stop} after {len(result.calls)} calls: {result.error}")
    return (total - tools.spent.ms - model.spent.ms) / CALLS


async def _direct(registry: ToolRegistry, n: int) -> float:
    call = READS[n % len(READS)]
    began = perf_counter_ns()
    await registry.call(str(call["name"]), call["arguments"], ToolContext(OWNER, "bench"))
    return ms_since(began)
