"""`policy test`: the calls of a file judged by its rules, with nothing but the two files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from homesteward.actions.plan import decision_json
from homesteward.cli.words import read_text
from homesteward.policy import Policy, Preset, RuleBook, parse_rules
from homesteward.policy.examples import Examples, Judged, judge_examples, parse_examples
from homesteward.policy.rule import RuleFile


async def judged(file: Path, rules: Path | None) -> list[dict[str, Any]]:
    """Return one decision per test, with whether it is as expected. Raises bad_policy, bad_policy_test, bad_usage and invalid_call.

    The rules are those of `rules`, else those that the file holds or names (a path beside it); without any the preset family decides.
    """
    examples = parse_examples(await read_text(file))
    by = parse_rules(await read_text(rules)) if rules else await _rules_of(examples, file)
    preset = Preset(by.preset) if by and by.preset else Preset.FAMILY
    return [dict(_shown(each)) for each in judge_examples(examples, Policy(preset, RuleBook(by)))]


async def _rules_of(examples: Examples, file: Path) -> RuleFile | None:
    if isinstance(examples.policy, str):
        return parse_rules(await read_text(file.parent / examples.policy))
    return examples.policy


def _shown(found: Judged) -> Mapping[str, Any]:
    return {"name": found.name, "passed": not found.wrong, "wrong": found.wrong, **decision_json(found.decision)}
