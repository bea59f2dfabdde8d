"""What may happen: pure functions from a call, its caller and the home as it is to a decision with its reason. Nothing here does I/O."""

from homesteward.policy.decide import decide, verdicts
from homesteward.policy.decision import Action, Decision, Impact, Kind, Level
from homesteward.policy.impact import bodies_reached, impact_of
from homesteward.policy.pins import NO_PINS, PinRule
from homesteward.policy.presets import Preset

__all__ = [
    "NO_PINS",
    "Action",
    "Decision",
    "Impact",
    "Kind",
    "Level",
    "PinRule",
    "Preset",
    "bodies_reached",
    "decide",
    "impact_of",
    "verdicts",
]
