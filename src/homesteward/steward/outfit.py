"""What a steward is set up with: how requests are treated, and a model to reason with where there is one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from homesteward.actions import Mode
from homesteward.kernel import Kernel

if TYPE_CHECKING:
    from pydantic_ai.models import Model


@dataclass(frozen=True, slots=True)
class StewardSettings:
    """How requests are treated where they do not say: each is the widest that a request may ask for."""

    mode: Mode = Mode.AUTO
    language: str = ""
    profile: str = "balanced"


@dataclass(frozen=True, slots=True)
class Reasoner:
    """A model and the kernel around it. `model` is called per run: a scripted one has a memory of its own."""

    kernel: Kernel
    model: Callable[[], Model]
