"""Whether the conditions of a rule hold: those about the thing itself, which only a new registry changes, and those about the moment."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.text import fold
from homesteward.home.view import HomeView, area_of, device_class_of, labels_of
from homesteward.people import Caller
from homesteward.policy.circumstances import Circumstances, presence_in, sun_is
from homesteward.policy.decision import Kind
from homesteward.policy.rule import WEEKDAYS, Bound, Wanted, When, Word

ON_OFF = {True: ("on", "true"), False: ("off", "false")}  # YAML reads a bare `on` as true


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that a call does: a service on an entity (None: it names none), and the way on which it is reached."""

    domain: str
    service: str
    data: JsonObject
    entity_id: str | None
    kind: Kind
    trail: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Return `domain.service`."""
        return f"{self.domain}.{self.service}"


def fits_place(when: When, entity_id: str | None, home: HomeView) -> bool:
    """Return whether what `when` says about domain, area, floor and labels holds; it holds until the registries change.

    A thing that is none (a service without a target) fits no condition about things.
    """
    asked = {name: wanted for name in PLACE if (wanted := getattr(when, name)) is not None}
    if entity_id is None:
        return not asked and when.entity is None
    return all(PLACE[name](entity_id, home, wanted) for name, wanted in asked.items())


def fits_name(when: When, entity_id: str | None) -> bool:
    """Return whether the entity is one that `when` names; naming none names all."""
    if when.entity is None:
        return True
    return entity_id is not None and any(fnmatchcase(entity_id, pattern) for pattern in when.entity)


def fits_moment(when: When, subject: Subject, caller: Caller, home: HomeView, at: Circumstances) -> bool:
    """Return whether everything else that `when` says holds: about the call, the caller, the home's state and the time."""
    for name, check in MOMENT.items():
        wanted = getattr(when, name)
        if wanted is not None and not check(wanted, subject, caller, home, at):
            return False
    return when.none_of is None or not holds(when.none_of, subject, caller, home, at)


def holds(when: When, subject: Subject, caller: Caller, home: HomeView, at: Circumstances) -> bool:
    """Return whether all conditions hold."""
    placed = fits_place(when, subject.entity_id, home) and fits_name(when, subject.entity_id)
    return placed and fits_moment(when, subject, caller, home, at)


def _domain(entity_id: str, _home: HomeView, wanted: tuple[str, ...]) -> bool:
    return entity_id.partition(".")[0] in wanted


def _area(entity_id: str, home: HomeView, wanted: tuple[str, ...]) -> bool:
    area = area_of(home, entity_id)
    return area is not None and _named(wanted, (area.area_id, area.name, *area.aliases))


def _floor(entity_id: str, home: HomeView, wanted: tuple[str, ...]) -> bool:
    area = area_of(home, entity_id)
    floor = home.floors.get(area.floor_id or "") if area else None
    return floor is not None and _named(wanted, (floor.floor_id, floor.name, *floor.aliases))


def _label(entity_id: str, home: HomeView, wanted: tuple[str, ...]) -> bool:
    carried = labels_of(home, entity_id)
    names = (home.labels[label].name for label in carried if label in home.labels)
    return _named(wanted, (*carried, *names))


def _named(wanted: Iterable[str], names: Iterable[str]) -> bool:
    return not {fold(name) for name in wanted}.isdisjoint(fold(name) for name in names)


type PlaceCheck = Callable[[str, HomeView, tuple[str, ...]], bool]
PLACE: Mapping[str, PlaceCheck] = {
    "domain": _domain,
    "area": _area,
    "floor": _floor,
    "label": _label,
}

type MomentCheck = Callable[..., bool]
MOMENT: Mapping[str, MomentCheck] = {
    "service": lambda wanted, subject, *_: any(_service(pattern, subject) for pattern in wanted),
    "kind": lambda wanted, subject, *_: subject.kind.word in wanted,
    "device_class": lambda wanted, subject, _caller, home, _at: (
        subject.entity_id is not None and device_class_of(home, subject.entity_id) in wanted
    ),
    "data": lambda wanted, subject, *_: all(_is(subject.data.get(name), value) for name, value in wanted.items()),
    "through": lambda wanted, subject, *_: any(
        fnmatchcase(passed, pattern) for passed in subject.trail for pattern in wanted
    ),
    "role": lambda wanted, _subject, caller, *_: caller.role.value in wanted,
    "person": lambda wanted, _subject, caller, *_: _named(wanted, filter(None, (caller.person, caller.person_id))),
    "channel": lambda wanted, _subject, caller, *_: caller.channel.value in wanted,
    "token": lambda wanted, _subject, caller, *_: bool(caller.token_id) and caller.token_id in wanted,
    "time": lambda wanted, _subject, _caller, _home, at: any(span.holds(at.now.time()) for span in wanted),
    "weekday": lambda wanted, _subject, _caller, _home, at: WEEKDAYS[at.now.weekday()] in wanted,
    "sun": lambda wanted, _subject, _caller, home, _at: sun_is(home) == wanted,
    "presence": lambda wanted, _subject, _caller, home, _at: presence_in(home) == wanted,
    "state": lambda wanted, _subject, _caller, home, _at: all(_state(home, *pair) for pair in wanted.items()),
    "mode": lambda wanted, _subject, _caller, _home, at: at.mode in wanted,
    "outside": lambda wanted, _subject, _caller, _home, at: at.outside is wanted,
    "more_than": lambda wanted, subject, _caller, _home, at: (
        subject.entity_id is not None and at.counts(subject.id, subject.entity_id, wanted.within) >= wanted.times
    ),
}


def _service(pattern: str, subject: Subject) -> bool:
    return fnmatchcase(subject.id if "." in pattern else subject.service, pattern)


def _state(home: HomeView, entity_id: str, wanted: Wanted) -> bool:
    """Return whether the entity is in a state that is wanted; one that is not there is in none."""
    state = home.states.get(entity_id)
    return state is not None and _is(state.state, wanted)


def _is(value: JsonValue, wanted: Wanted) -> bool:
    if isinstance(wanted, Bound):
        number = _number(value)
        return number is not None and wanted.holds(number)
    several = wanted if isinstance(wanted, tuple) else (wanted,)
    values = value if isinstance(value, list | tuple) else (value,)
    return any(_same(each, word) for each in values for word in several)


def _same(value: JsonValue, word: Word) -> bool:
    if value is None:
        return False
    if isinstance(word, bool):
        return value is word or (isinstance(value, str) and value.lower() in ON_OFF[word])
    if isinstance(word, int | float) and (number := _number(value)) is not None:
        return number == word
    return str(value).casefold() == str(word).casefold()


def _number(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return float(value)
    except ValueError:
        return None
