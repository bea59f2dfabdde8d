"""Rules that can never matter in this home: they name an area, a floor, a label, a thing or a service that it does not have."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from homesteward.core.text import fold
from homesteward.home.view import HomeView
from homesteward.policy.rule import Limit, Rule, RuleFile, When


def names_nothing(file: RuleFile, home: HomeView) -> tuple[str, ...]:
    """Return one sentence for each condition, of rules and limits that are enabled, all of whose names this home does not know.

    It warns and refuses nothing: a thing may be bought after its rule, and an integration that starts late has no things yet.
    """
    every: tuple[Rule | Limit, ...] = (*file.rules, *file.limits)
    enabled = [each for each in every if each.enabled]
    return tuple(
        f"{each.name!r} is about the {kind} {', '.join(names)}, which this home does not have"
        for each in enabled
        for kind, names in _unknown(each.when, home)
    )


def _unknown(when: When, home: HomeView) -> Iterator[tuple[str, tuple[str, ...]]]:
    carried = (label for entity in home.entities.values() for label in entity.labels)  # some stand in no registry
    known = {
        "area": (
            when.area,
            [name for area in home.areas.values() for name in (area.area_id, area.name, *area.aliases)],
        ),
        "floor": (when.floor, [name for f in home.floors.values() for name in (f.floor_id, f.name, *f.aliases)]),
        "label": (
            when.label,
            [name for label in home.labels.values() for name in (label.label_id, label.name)] + [*carried],
        ),
    }
    for kind, (wanted, there) in known.items():
        if wanted and {fold(name) for name in wanted}.isdisjoint(map(fold, there)):
            yield kind, wanted
    if when.state and (gone := tuple(name for name in when.state if name not in home.states)):
        yield "entity", gone
    for kind, patterns, names in (
        ("entity", when.entity, tuple(home.states)),
        ("domain", when.domain, tuple({entity_id.partition(".")[0] for entity_id in home.states})),
        ("service", when.service, _services(home)),
    ):
        if patterns and names and not any(fnmatchcase(name, pattern) for pattern in patterns for name in names):
            yield kind, patterns
    if when.none_of is not None:
        yield from _unknown(when.none_of, home)


def _services(home: HomeView) -> tuple[str, ...]:
    """Return the services by both of the names that a rule may call them; none where the catalogue is not known."""
    if not home.services:
        return ()
    return (*home.services, *(name.partition(".")[2] for name in home.services), "scene.apply", "apply")
