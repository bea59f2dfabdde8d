"""What a sentence was read as, without a model."""

from dataclasses import dataclass
from datetime import datetime

from homesteward.home.calls import Call


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to "which one?": the entity, and the words that tell it from the others."""

    entity_id: str
    label: str


@dataclass(frozen=True, slots=True)
class Acts:
    """The sentence asks for these calls, each on concrete entities. `note` names what a wide target had to leave out.

    `at` is when they are to be done ("in ten minutes"), None for now; `until` when they are to be taken back ("for an hour").
    """

    calls: tuple[Call, ...]
    note: str = ""
    at: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Says:
    """The sentence is a question and this is its answer; `sources` are the entities it was read from."""

    text: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asks:
    """The sentence fits more than one thing: `text` asks which, and `calls[i]` is what `options[i]` would mean.

    `at` and `until` are as in Acts.
    """

    text: str
    options: tuple[Option, ...]
    calls: tuple[Call, ...]
    at: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Declines:
    """The sentence was understood and nothing may be done: `code` is the guard or error, `text` the reason, `next` a way on.

    Codes: negation, exception, condition, later, statement, reminder, unavailable, unknown_entity, unknown_area, unsupported,
    not_exposed, ambiguous (several clauses, one of which fits more than one thing).
    """

    code: str
    text: str
    next: str = ""


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """No grammar fits; `text` says so and offers what can be said instead."""

    text: str


type Reading = Acts | Says | Asks | Declines | NotUnderstood
