"""The kernel as others hold it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from homesteward.core.clock import Clock
from homesteward.home.view import HomeView
from homesteward.kernel.budgets import PROFILES, Budgets
from homesteward.kernel.events import Listener
from homesteward.kernel.request import KernelRequest, KernelResult
from homesteward.tools import ToolRegistry

if TYPE_CHECKING:
    from pydantic_ai.models import Model


@dataclass(frozen=True, slots=True)
class Kernel:
    """Answer requests with a model and the tools of `registry`. It holds no state between two runs."""

    registry: ToolRegistry
    home: HomeView
    clock: Clock

    async def run(
        self,
        request: KernelRequest,
        model: Model,
        budgets: Budgets = PROFILES["balanced"],
        *,
        on_event: Listener | None = None,
    ) -> KernelResult:
        """Run `request` to its end. A failing model, a spent budget and a failing tool are results, not exceptions.

        A model whose profile has no tools (`tool_mode: choice`) picks one call of a list made from the home instead.
        """
        from homesteward.kernel.loop import run_loop  # noqa: PLC0415 - the model library takes 1.5 s; a service without a model never pays it

        return await run_loop(
            request, model, self.registry, budgets, home=self.home, clock=self.clock, on_event=on_event
        )
