"""An owner's rules made ready: which of them can matter for a thing is worked out once per registry, the rest when a call is judged."""

from collections.abc import Iterable
from dataclasses import dataclass

from homesteward.home.view import HomeView, area_of, labels_of
from homesteward.people import Caller
from homesteward.policy.circumstances import Circumstances
from homesteward.policy.conditions import Subject, fits_moment, fits_name, fits_place
from homesteward.policy.decision import Kind
from homesteward.policy.limits import STANDARD
from homesteward.policy.rule import Limit, Rule, RuleFile, When

# Conditions, and limits, that differ between two things which the same rules name.
PERSONAL = ("device_class", "more_than", "through", "none_of", "state")
EVERYTHING_NAMED = ("service", "kind")


type Place = tuple[str, str, frozenset[str]]
"""Domain, area and labels of a thing."""


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The rules and limits that can matter for a thing, in their order. `alike`: nothing in them depends on the thing itself."""

    rules: tuple[Rule, ...] = ()
    limits: tuple[Limit, ...] = ()
    alike: bool = True
    names_entities: bool = False


class RuleBook:
    """The rules and limits of one file, and the limits that hold everywhere. It is never changed; another file is another book."""

    def __init__(self, file: RuleFile | None = None) -> None:
        """Make the rules of `file` ready; without one, only what holds everywhere holds."""
        self.rules = tuple(rule for rule in file.rules if rule.enabled) if file else ()
        own = tuple(limit for limit in file.limits if limit.enabled) if file else ()
        named = {limit.name for limit in file.limits} if file else set()
        self.limits = (*own, *(limit for limit in STANDARD if limit.name not in named))
        self._home: HomeView | None = None
        self._revision = -1
        self._kept: dict[str | None, Shortlist] = {}
        self._places: dict[Place, Shortlist] = {}
        self._lists: dict[tuple[tuple[str, ...], tuple[str, ...]], Shortlist] = {}

    def shortlist(self, entity_id: str | None, home: HomeView) -> Shortlist:
        """Return what can matter for the thing; the same object for two things that the same rules name."""
        if home is not self._home or home.revision != self._revision:
            self._home, self._revision = home, home.revision
            self._kept, self._places, self._lists = {}, {}, {}
        found = self._kept.get(entity_id)
        if found is None:
            found = self._kept[entity_id] = self._listed(entity_id, home)
        return found

    def first(self, subject: Subject, caller: Caller, home: HomeView, at: Circumstances) -> Rule | None:
        """Return the first rule whose conditions hold, None where none does.

        What nobody has said anything about is only for a rule that names it: a catch-all was not written with it in mind.
        """
        rules = self.shortlist(subject.entity_id, home).rules
        return next(
            (rule for rule in rules if _may_judge(rule, subject) and fits_moment(rule.when, subject, caller, home, at)),
            None,
        )

    def limits_for(self, subject: Subject, caller: Caller, home: HomeView, at: Circumstances) -> Iterable[Limit]:
        """Yield the limits whose conditions hold."""
        limits = self.shortlist(subject.entity_id, home).limits
        return (limit for limit in limits if fits_moment(limit.when, subject, caller, home, at))

    def _listed(self, entity_id: str | None, home: HomeView) -> Shortlist:
        """Return what can matter: for all things of one domain, area and labels the same, but for what names entities."""
        place = _place(entity_id, home)
        if place not in self._places:
            rules = tuple(rule for rule in self.rules if fits_place(rule.when, entity_id, home))
            limits = tuple(limit for limit in self.limits if fits_place(limit.when, entity_id, home))
            self._places[place] = self._shared(rules, limits)
        near = self._places[place]
        if entity_id is None or not near.names_entities:
            return near
        return self._shared(
            tuple(rule for rule in near.rules if fits_name(rule.when, entity_id)),
            tuple(limit for limit in near.limits if fits_name(limit.when, entity_id)),
        )

    def _shared(self, rules: tuple[Rule, ...], limits: tuple[Limit, ...]) -> Shortlist:
        """Return the one shortlist of these rules and limits."""
        key = (tuple(rule.name for rule in rules), tuple(limit.name for limit in limits))
        if key not in self._lists:
            conditions = [*(rule.when for rule in rules), *(limit.when for limit in limits)]
            alike = not limits and not any(_personal(when) for when in conditions)
            named = any(when.entity is not None for when in conditions)
            self._lists[key] = Shortlist(rules, limits, alike, named)
        return self._lists[key]


def _place(entity_id: str | None, home: HomeView) -> Place:
    if entity_id is None:
        return ("", "", frozenset())
    area = area_of(home, entity_id)
    return entity_id.partition(".")[0], area.area_id if area else "", labels_of(home, entity_id)


NO_RULES = RuleBook()


def _may_judge(rule: Rule, subject: Subject) -> bool:
    if subject.kind is Kind.FORBIDDEN:
        return False
    return (
        subject.kind is not Kind.UNKNOWN
        or rule.then != "allow"
        or any(getattr(rule.when, name) for name in EVERYTHING_NAMED)
    )


def _personal(when: When) -> bool:
    return any(getattr(when, name) is not None for name in PERSONAL)
