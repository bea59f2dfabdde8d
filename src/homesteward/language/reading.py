"""What a sentence was read as, without a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from homesteward.home.calls import Call
from homesteward.language.resolution import Found
from homesteward.language.stage import UNREAD, How


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to "which one?": the entity, the words that tell it from the others, and the room that it is in."""

    entity_id: str
    label: str
    area: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Asked:
    """What was understood before the home's state was looked at: the act, the values said, the things meant; and when, as in Acts."""

    act: str
    said: Mapping[str, float | str]
    target: Found
    at: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Acts:
    """The sentence asks for these calls, each on concrete entities. `note` names what a wide target had to leave out.

    `at` is when they are to be done ("in ten minutes"), None for now; `until` when they are to be taken back ("for an hour").
    `wide`: not all of what they reach was named one by one ("all doors"). `asked` is what the calls were made from, empty where
    the state of the home had a say in what was understood.
    """

    calls: tuple[Call, ...]
    note: str = ""
    at: datetime | None = None
    until: datetime | None = None
    wide: bool = False
    asked: tuple[Asked, ...] = field(default=(), compare=False)
    how: How = field(default=UNREAD, compare=False)


@dataclass(frozen=True, slots=True)
class Says:
    """The sentence is a question and this is its answer; `sources` are the entities it was read from."""

    text: str
    sources: tuple[str, ...] = ()
    how: How = field(default=UNREAD, compare=False)


@dataclass(frozen=True, slots=True)
class Recalls:
    """The sentence asks for what no state holds: `kind` is what of (see recalls.py), of these entities, in the stretch of time `span`.

    `word` is the state that the past is asked about, as states.py names it.
    """

    kind: str
    entity_ids: tuple[str, ...]
    word: str = ""
    span: str = ""
    how: How = field(default=UNREAD, compare=False)


@dataclass(frozen=True, slots=True)
class Asks:
    """The sentence fits more than one thing: `text` asks which, and `calls[i]` is what `options[i]` would mean.

    `at` and `until` are as in Acts. `unshown` are more things that can be answered, too many to be read out: their calls come
    after those of the `options`.
    """

    text: str
    options: tuple[Option, ...]
    calls: tuple[Call, ...]
    at: datetime | None = None
    until: datetime | None = None
    unshown: tuple[Option, ...] = ()
    how: How = field(default=UNREAD, compare=False)


@dataclass(frozen=True, slots=True)
class Declines:
    """The sentence was understood and nothing may be done: `code` is the guard or error, `text` the reason, `next` a way on.

    Codes: negation, exception, condition, later, statement, reminder, unavailable, unknown_entity, unknown_area, unsupported,
    not_exposed, ambiguous (several clauses, one of which fits more than one thing).
    """

    code: str
    text: str
    next: str = ""
    how: How = field(default=UNREAD, compare=False)


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """No grammar fits; `text` says so and offers what can be said instead."""

    text: str
    how: How = field(default=UNREAD, compare=False)


def at_times(reading: Acts | Asks, at: datetime | None, until: datetime | None) -> Acts | Asks:
    """Return what is asked for at these moments; what hangs on it is for the same ones."""
    if isinstance(reading, Asks):
        return replace(reading, at=at, until=until)
    asked = tuple(replace(one, at=at, until=until) for one in reading.asked)
    return replace(reading, at=at, until=until, asked=asked)


type Reading = Acts | Says | Recalls | Asks | Declines | NotUnderstood
