"""A rule file of any length, as a household could have written it in years: every sort of condition, and hardly a rule that fits."""

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

from homesteward.home.simulation import SimulatedHome
from homesteward.policy import RuleBook
from homesteward.policy.rule import RuleFile

LIMITS = 20
NEVER = ["03:00-03:01"]


def book_of(rules: int, home: SimulatedHome) -> RuleBook:
    """Return so many rules and some limits about `home`. At noon none of them fits, so that each call is held against all that could."""
    listed = [{**rule, "name": f"Rule {n}"} for n, rule in enumerate(islice(_rules(home), rules))]
    limits = [{**limit, "name": f"Limit {n}"} for n, limit in enumerate(islice(_limits(home), LIMITS))]
    return RuleBook(RuleFile.model_validate({"version": 1, "rules": listed, "limits": limits}))


def _rules(home: SimulatedHome) -> Iterator[dict[str, Any]]:
    areas, lights = cycle(home.areas), cycle([entity for entity in home.states if entity.startswith("light.")])
    climates = cycle([entity for entity in home.states if entity.startswith("climate.")])
    while True:
        area = next(areas)
        yield {"when": {"area": area, "time": NEVER}, "then": "deny"}
        yield {"when": {"domain": ["light", "switch"], "area": area, "role": "trigger"}, "then": "allow"}
        yield {"when": {"device_class": ["garage", "gate"], "time": NEVER}, "then": "deny"}
        yield {"when": {"service": "lock.unlock", "presence": "nobody"}, "then": "deny"}
        yield {"when": {"entity": f"{next(lights)}*", "weekday": "sat", "sun": "down"}, "then": "confirm"}
        yield {"when": {"floor": "upper", "person": f"Guest {area}"}, "then": "confirm"}
        yield {"when": {"domain": "climate", "data": {"temperature": {"above": 40}}}, "then": "deny"}
        yield {"when": {"state": {next(climates): "cool"}, "domain": "cover"}, "then": "approve"}
        yield {"when": {"label": "security", "more_than": "5 per hour"}, "then": "approve"}
        yield {"when": {"through": "script.good_*", "kind": "sensitive"}, "then": "allow"}
        yield {"when": {"channel": "trial", "mode": "plan"}, "then": "confirm"}
        yield {"when": {"outside": True, "not": {"domain": "light"}}, "then": "approve"}


def _limits(home: SimulatedHome) -> Iterator[dict[str, Any]]:
    for area in cycle(home.areas):
        yield {"when": {"area": area, "domain": "climate"}, "temperature": {"min": 10, "max": 25, "step": 3}}
        yield {"when": {"area": area, "domain": "media_player", "time": NEVER}, "volume": {"max": 25}}
        yield {"when": {"area": area, "domain": "cover"}, "every": "6 in 10 min"}
        yield {"when": {"area": area, "domain": "light"}, "brightness": {"max": 90}, "then": "confirm"}
