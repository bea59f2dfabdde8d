"""What may happen: pure functions from a call, its caller and the home as it is to a decision with its reason. Nothing here does I/O."""

from homesteward.policy.book import RuleBook
from homesteward.policy.circumstances import Circumstances
from homesteward.policy.decide import Policy, decide, verdicts
from homesteward.policy.decision import Action, Decision, Impact, Kind, Level
from homesteward.policy.impact import bodies_reached, impact_of
from homesteward.policy.presets import Preset
from homesteward.policy.rule_file import BadRuleFileError, parse_rules

__all__ = [
    "Action",
    "BadRuleFileError",
    "Circumstances",
    "Decision",
    "Impact",
    "Kind",
    "Level",
    "Policy",
    "Preset",
    "RuleBook",
    "bodies_reached",
    "decide",
    "impact_of",
    "parse_rules",
    "verdicts",
]
