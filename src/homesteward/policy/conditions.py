"""Whether the conditions of a rule hold: those about the thing itself, which only a new registry changes, and those about the moment."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from homesteward.core.json import JsonValue
from homesteward.core.text import fold
from homesteward.home.effects.effect import number
from homesteward.home.view import HomeView, device_class_of
from homesteward.people import Caller
from homesteward.policy.circumstances import Circumstances, presence_in, sun_is
from homesteward.policy.places import Places
from homesteward.policy.rule import WEEKDAYS, Bound, Wanted, When, Word
from homesteward.policy.said import Hidden, said
from homesteward.policy.subject import Subject

type Check = Callable[..., bool]

ON_OFF = {True: ("on", "true"), False: ("off", "false")}  # YAML reads a bare `on` as true


@dataclass(frozen=True, slots=True)
class Asked:
    """What a condition asks beside places and names, made ready: of the call and the moment, of the thing itself, and what must not hold."""

    round: tuple[tuple[Check, Any], ...]
    """The same for everything that one service does in one call."""
    own: tuple[tuple[Check, Any], ...]
    """Another for each thing."""
    data: Mapping[str, Wanted]
    none_of: When | None
    doubt: bool
    """Whether what cannot be known beforehand fits."""


def asked_of(when: When, *, doubt: bool) -> Asked:
    """Return what the condition asks, without what it leaves out. Doubt is to go against whoever asks: it fits what makes stricter."""
    return Asked(_given(when, ROUND), _given(when, OWN), when.data or {}, when.none_of, doubt)


def _given(when: When, table: Mapping[str, Check]) -> tuple[tuple[Check, Any], ...]:
    return tuple((check, wanted) for name, check in table.items() if (wanted := getattr(when, name)) is not None)


def fits_name(when: When, entity_id: str | None) -> bool:
    """Return whether the entity is one that `when` names; naming none names all."""
    if when.entity is None:
        return True
    return entity_id is not None and any(fnmatchcase(entity_id, pattern) for pattern in when.entity)


def fits_round(asked: Asked, subject: Subject, caller: Caller, home: HomeView, at: Circumstances) -> bool:
    """Return whether what is asked of the call, the caller, the rest of the home and the moment holds."""
    return all(check(wanted, subject, caller, home, at) for check, wanted in asked.round)


def fits_own(asked: Asked, subject: Subject, caller: Caller, home: HomeView, at: Circumstances) -> bool:
    """Return whether what is asked of the thing itself holds, and what must not hold does not."""
    own = all(check(wanted, subject, caller, home, at) for check, wanted in asked.own)
    return (
        own
        and all(_says(name, value, subject, home, doubt=asked.doubt) for name, value in asked.data.items())
        and (asked.none_of is None or not holds(asked.none_of, subject, caller, home, at, doubt=not asked.doubt))
    )


def holds(when: When, subject: Subject, caller: Caller, home: HomeView, at: Circumstances, *, doubt: bool) -> bool:
    """Return whether all conditions hold, in doubt as `doubt` says. A thing that is none (a service without a target) fits no condition about things."""
    if subject.entity_id is None and any(getattr(when, name) is not None for name in OF_THINGS):
        return False
    places, asked = Places.of_home(home), asked_of(when, doubt=doubt)
    return (
        places.where(when).holds(places.of(subject.entity_id))
        and fits_name(when, subject.entity_id)
        and fits_round(asked, subject, caller, home, at)
        and fits_own(asked, subject, caller, home, at)
    )


OF_THINGS = ("domain", "area", "floor", "label", "entity")


def _named(wanted: Iterable[str], names: Iterable[str]) -> bool:
    return not {fold(name) for name in wanted}.isdisjoint(fold(name) for name in names)


# What is the same for everything that one service does in one call. What costs more to find out comes last.
ROUND: Mapping[str, Check] = {
    "service": lambda wanted, subject, *_: any(_service(pattern, subject) for pattern in wanted),
    "role": lambda wanted, _subject, caller, *_: caller.role.value in wanted,
    "channel": lambda wanted, _subject, caller, *_: caller.channel.value in wanted,
    "token": lambda wanted, _subject, caller, *_: bool(caller.token_id) and caller.token_id in wanted,
    "time": lambda wanted, _subject, _caller, _home, at: any(span.holds(at.now.time()) for span in wanted),
    "weekday": lambda wanted, _subject, _caller, _home, at: WEEKDAYS[at.now.weekday()] in wanted,
    "mode": lambda wanted, _subject, _caller, _home, at: at.mode in wanted,
    "outside": lambda wanted, _subject, _caller, _home, at: at.outside is wanted,
    "sun": lambda wanted, _subject, _caller, home, _at: sun_is(home) == wanted,
    "state": lambda wanted, _subject, _caller, home, _at: all(_state(home, *pair) for pair in wanted.items()),
    "person": lambda wanted, _subject, caller, *_: _named(wanted, filter(None, (caller.person, caller.person_id))),
    "presence": lambda wanted, _subject, _caller, home, _at: presence_in(home) == wanted,
}
# What can differ between two things that one service is called on.
OWN: Mapping[str, Check] = {
    "kind": lambda wanted, subject, *_: subject.kind.word in wanted,
    "device_class": lambda wanted, subject, _caller, home, _at: (
        subject.entity_id is not None and device_class_of(home, subject.entity_id) in wanted
    ),
    "through": lambda wanted, subject, *_: any(
        fnmatchcase(passed, pattern) for passed in subject.trail for pattern in wanted
    ),
    "more_than": lambda wanted, subject, _caller, _home, at: (
        subject.entity_id is not None and at.counts(subject.id, subject.entity_id, wanted.within) >= wanted.times
    ),
}


def _service(pattern: str, subject: Subject) -> bool:
    return fnmatchcase(subject.id if "." in pattern else subject.service, pattern)


def _says(name: str, wanted: Wanted, subject: Subject, home: HomeView, *, doubt: bool) -> bool:
    """Return whether the call says of a field what is wanted: in any of its ways where that makes stricter, else in all of them."""
    found = [doubt if isinstance(value, Hidden) else _is(value, wanted) for value in said(name, subject, home)]
    return any(found) if doubt else bool(found) and all(found)


def _state(home: HomeView, entity_id: str, wanted: Wanted) -> bool:
    """Return whether the entity is in a state that is wanted; one that is not there is in none."""
    state = home.states.get(entity_id)
    return state is not None and _is(state.state, wanted)


def _is(value: JsonValue, wanted: Wanted) -> bool:
    if isinstance(wanted, Bound):
        amount = number(value)
        return amount is not None and wanted.holds(amount)
    several = wanted if isinstance(wanted, tuple) else (wanted,)
    values = value if isinstance(value, list | tuple) else (value,)
    return any(_same(each, word) for each in values for word in several)


def _same(value: JsonValue, word: Word) -> bool:
    if value is None:
        return False
    if isinstance(word, bool):
        return value is word or (isinstance(value, str) and value.lower() in ON_OFF[word])
    if isinstance(word, int | float) and (amount := number(value)) is not None:
        return amount == word
    return str(value).casefold() == str(word).casefold()
