"""The rules as a page tells them: sentences in their order, and mistakes with their lines."""

import asyncio
from dataclasses import dataclass

from homesteward.actions.rule_keeper import RuleKeeper
from homesteward.home.view import HomeView
from homesteward.policy import BadRuleFileError, Policy, parse_rules
from homesteward.policy.limits import STANDARD
from homesteward.policy.nothing import names_nothing
from homesteward.policy.rule import RuleFile
from homesteward.policy.rule_file import Mistake
from homesteward.policy.wording import closing_sentence, limit_sentence, rule_sentence, words_of

STARTER = "version: 1\n\nrules: []\n"
MOST_WARNINGS = 20


@dataclass(frozen=True, slots=True)
class Sentence:
    """One rule or limit in words; `then` is what it comes to, `standard` a limit that always holds."""

    name: str
    says: str
    enabled: bool
    then: str
    standard: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """What a rule file says: in order the rules, the limits, and what decides where none of them does."""

    rules: tuple[Sentence, ...]
    limits: tuple[Sentence, ...]
    otherwise: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A text looked at without holding: what it would say, or its mistakes. `same`: it is what holds already."""

    told: Told | None
    mistakes: tuple[Mistake, ...]
    same: bool


def told(rules: RuleFile | None, policy: Policy, language: str, home: HomeView) -> Told:
    """Return what `rules` say in a language, under the policy that they make."""
    words = words_of(language)
    own = rules.limits if rules else ()
    named = {limit.name for limit in own}
    standard = tuple(limit for limit in STANDARD if limit.name not in named)
    return Told(
        tuple(
            Sentence(rule.name, rule_sentence(rule, words), rule.enabled, str(rule.then))
            for rule in (rules.rules if rules else ())
        ),
        tuple(
            Sentence(limit.name, limit_sentence(limit, words), limit.enabled, str(limit.then), limit in standard)
            for limit in (*own, *standard)
        ),
        closing_sentence(policy, words),
        tuple(names_nothing(rules, home)[:MOST_WARNINGS]) if rules else (),
    )


async def checked(text: str, keeper: RuleKeeper, language: str, home: HomeView) -> Checked:
    """Look at a text; nothing of it holds."""
    try:
        rules = await asyncio.to_thread(parse_rules, text)
    except BadRuleFileError as wrong:
        return Checked(None, wrong.mistakes, same=False)
    return Checked(told(rules, keeper.policy_of(rules), language, home), (), same=text == keeper.text)
