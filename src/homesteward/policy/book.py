"""An owner's rules made ready: which of them can matter for a thing is worked out once per registry, and once per call what is open at all."""

from collections.abc import Callable
from dataclasses import dataclass, field

from homesteward.home.calls import ResolvedCall
from homesteward.home.view import HomeView
from homesteward.people import Caller
from homesteward.policy.circumstances import Circumstances
from homesteward.policy.conditions import OF_THINGS, Asked, asked_of, fits_name, fits_own, fits_round
from homesteward.policy.decision import Kind
from homesteward.policy.limits import STANDARD, concerns
from homesteward.policy.places import Place, Places, Where
from homesteward.policy.rule import Limit, Rule, RuleFile, When
from homesteward.policy.subject import Subject
from homesteward.policy.weights import acting

# Conditions that can differ between two plain things that the same rules name.
PERSONAL = ("device_class", "more_than", "data", "none_of")
EVERYTHING_NAMED = ("service", "kind")


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The rules and limits that can matter for a thing, in their order."""

    rules: tuple[Rule, ...] = ()
    limits: tuple[Limit, ...] = ()
    names_entities: bool = False
    ids: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Open:
    """Of a shortlist, what the call and the moment leave open. `alike`: none of its rules depends on the thing itself; limits always may."""

    rules: tuple[Rule, ...]
    limits: tuple[Limit, ...]
    alike: bool
    data: object = field(repr=False)
    """Held, so that its id stays its own for as long as the sitting lasts."""


class RuleBook:
    """The rules and limits of one file, and the limits that hold everywhere. It is never changed; another file is another book."""

    def __init__(self, file: RuleFile | None = None) -> None:
        """Make the rules of `file` ready; without one, only what holds everywhere holds."""
        self.rules = tuple(rule for rule in file.rules if rule.enabled) if file else ()
        own = tuple(limit for limit in file.limits if limit.enabled) if file else ()
        named = {limit.name for limit in file.limits} if file else set()
        self.limits = (*own, *(limit for limit in STANDARD if limit.name not in named))
        self._all: tuple[Rule | Limit, ...] = (*self.rules, *self.limits)
        self.asked: dict[int, Asked] = {id(each): asked_of(each.when, doubt=each.then != "allow") for each in self._all}
        self._home: HomeView | None = None
        self._revision = -1
        self._where: dict[int, Where] = {}
        self._kept: dict[str | None, Shortlist] = {}
        self._places: dict[Place, Shortlist] = {}
        self._lists: dict[tuple[int, ...], Shortlist] = {}

    def shortlist(self, entity_id: str | None, home: HomeView) -> Shortlist:
        """Return what can matter for the thing; the same object for two things that the same rules name."""
        if home is not self._home or home.revision != self._revision:
            self._look_around(home)
        found = self._kept.get(entity_id)
        if found is None:
            found = self._kept[entity_id] = self._listed(entity_id, home)
        return found

    def _look_around(self, home: HomeView) -> None:
        places = Places.of_home(home)
        self._home, self._revision = home, home.revision
        self._where = {id(each): places.where(each.when) for each in self._all}
        self._kept, self._places, self._lists = {}, {}, {}

    def _listed(self, entity_id: str | None, home: HomeView) -> Shortlist:
        """Return what can matter: for all things of one domain, area and labels the same, but for what names entities."""
        if entity_id is None:
            return self._shared(*self._without_things())
        place = Places.of_home(home).of(entity_id)
        if place not in self._places:
            rules = tuple(rule for rule in self.rules if self._where[id(rule)].holds(place))
            limits = tuple(limit for limit in self.limits if self._where[id(limit)].holds(place))
            self._places[place] = self._shared(rules, limits)
        near = self._places[place]
        if not near.names_entities:
            return near
        return self._shared(
            tuple(rule for rule in near.rules if fits_name(rule.when, entity_id)),
            tuple(limit for limit in near.limits if fits_name(limit.when, entity_id)),
        )

    def _without_things(self) -> tuple[tuple[Rule, ...], tuple[Limit, ...]]:
        """Return what says nothing about things: all that can matter for a service without a target."""
        return (
            tuple(rule for rule in self.rules if not _about_things(rule.when)),
            tuple(limit for limit in self.limits if not _about_things(limit.when)),
        )

    def _shared(self, rules: tuple[Rule, ...], limits: tuple[Limit, ...]) -> Shortlist:
        """Return the one shortlist of these rules and limits."""
        key = tuple(map(id, (*rules, *limits)))  # a rule may be called as a limit that holds in every home
        if key not in self._lists:
            named = any(when.entity is not None for when in (*(r.when for r in rules), *(m.when for m in limits)))
            self._lists[key] = Shortlist(rules, limits, named, frozenset(key))
        return self._lists[key]


class Sitting:
    """One call looked at by one book: what holds for all of it is asked once, and the things only what is theirs."""

    def __init__(self, book: RuleBook, caller: Caller, home: HomeView, at: Circumstances) -> None:
        """Judge for `caller` at the moment `at`."""
        self._book, self._caller, self._home, self._at = book, caller, home, at
        self._open: dict[tuple[int, str, str, int], Open] = {}
        self._alike: dict[tuple[int, ...], Open] = {}
        self._round: dict[tuple[str, int], tuple[set[int], set[int]]] = {}
        self._first: dict[tuple[int, Kind, tuple[str, ...]], Rule | None] = {}

    def open_for(self, subject: Subject) -> Open:
        """Return the rules and limits whose conditions about call and moment hold; the same object for two things with the same ones."""
        shortlist = self._book.shortlist(subject.entity_id, self._home)
        domain = subject.entity_id.partition(".")[0] if subject.entity_id else ""
        key = (id(shortlist), domain, subject.id, id(subject.data))
        if key not in self._open:
            self._open[key] = self._opened(shortlist, domain, subject)
        return self._open[key]

    def openings(self, call: ResolvedCall) -> Callable[[str], Open]:
        """Return what gives, for each target of the call, what is open for what the call does to it itself."""
        found: dict[tuple[int, str], Open] = {}
        shortlist, home = self._book.shortlist, self._home

        def opening(entity_id: str) -> Open:
            key = id(shortlist(entity_id, home)), entity_id.partition(".")[0]
            if key not in found:
                found[key] = self.open_for(Subject(*acting(call, entity_id), call.data, entity_id, Kind.ROUTINE))
            return found[key]

        return opening

    def first(self, subject: Subject) -> Rule | None:
        """Return the first rule whose conditions hold, None where none does.

        What nobody has said anything about is only for a rule that names it: a catch-all was not written with it in mind.
        """
        left = self.open_for(subject)
        if not left.alike:
            return self._first_of(left, subject)
        key = (id(left), subject.kind, subject.trail)
        if key not in self._first:
            self._first[key] = self._first_of(left, subject)
        return self._first[key]

    def _first_of(self, left: Open, subject: Subject) -> Rule | None:
        return next((rule for rule in left.rules if _may_judge(rule, subject) and self._fits(rule, subject)), None)

    def limits(self, subject: Subject) -> list[Limit]:
        """Return the limits whose conditions hold."""
        return [limit for limit in self.open_for(subject).limits if self._fits(limit, subject)]

    def _fits(self, each: Rule | Limit, subject: Subject) -> bool:
        return fits_own(self._book.asked[id(each)], subject, self._caller, self._home, self._at)

    def _opened(self, shortlist: Shortlist, domain: str, subject: Subject) -> Open:
        held = self._held(shortlist, subject)  # hardly ever one of hundreds
        rules = tuple(rule for rule in shortlist.rules if id(rule) in held) if held else ()
        able = (limit for limit in shortlist.limits if id(limit) in held) if held else ()
        limits = tuple(limit for limit in able if concerns(limit, domain, subject))
        key = (id(subject.data), *map(id, (*rules, *limits)))
        if key not in self._alike:
            alike = not any(_personal(rule.when) for rule in rules)
            self._alike[key] = Open(rules, limits, alike, subject.data)
        return self._alike[key]

    def _held(self, shortlist: Shortlist, subject: Subject) -> frozenset[int]:
        """Return the ids of those rules and limits whose questions about call and moment hold; each is asked once for all things."""
        asked, held = self._round.setdefault((subject.id, id(subject.data)), (set(), set()))
        for key in shortlist.ids - asked:
            if fits_round(self._book.asked[key], subject, self._caller, self._home, self._at):
                held.add(key)
        asked |= shortlist.ids
        return shortlist.ids & held


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


def _about_things(when: When) -> bool:
    return any(getattr(when, name) is not None for name in OF_THINGS)
