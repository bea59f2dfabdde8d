"""What a steward is set up with: how requests are treated, and a model to reason with, where there is one, and when it is asked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from homesteward.actions import Mode
from homesteward.kernel import Kernel
from homesteward.language import Asks, Declines, NotUnderstood, Reading, Stage

if TYPE_CHECKING:
    from pydantic_ai.models import Model

# What a model may still try after the grammar declined: names that the grammar cannot find. A guard is never handed on.
TRY_MODEL = frozenset({"unknown_entity", "unknown_area"})


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


# Where it is not known what was meant, a model may know better than to ask.
GUESSED = frozenset({Stage.SLIP, Stage.RETRIEVAL})


def for_a_model(reading: Reading) -> bool:
    """Return whether a sentence that was read so is one that a model may still try."""
    if isinstance(reading, Asks):
        return reading.how.stage in GUESSED
    return isinstance(reading, NotUnderstood) or (isinstance(reading, Declines) and reading.code in TRY_MODEL)
