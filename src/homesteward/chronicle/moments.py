"""The house at a moment, and what differs between two. What cannot be known is said, entity by entity, and not filled in."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Row as Raw
from sqlalchemy import or_, select

from homesteward.chronicle.reading import Reader
from homesteward.chronicle.record import Outage, Source
from homesteward.chronicle.sight import Sight
from homesteward.chronicle.tables import outages
from homesteward.core.json import JsonObject
from homesteward.home.view import HomeView

AFTER_ALL = 2**62  # an id behind every record's: a moment includes what happened at it
MAX_OUTAGES = 1000


class Unknown(StrEnum):
    """Why the state of an entity at a moment is not known."""

    NOT_YET = "nothing is remembered that far back"
    OUTAGE = "nobody was listening, and it was not read afterwards"


@dataclass(frozen=True, slots=True)
class Known:
    """An entity's state at a moment: since when, and how that is known."""

    state: str
    attributes: JsonObject
    since: datetime
    source: Source

    def as_json(self) -> JsonObject:
        """Return the state for faces."""
        return {
            "state": self.state,
            "attributes": self.attributes,
            "since": self.since.isoformat(),
            "source": self.source.word,
        }


@dataclass(frozen=True, slots=True)
class HouseAt:
    """The house at a moment. What was not there is not in it; what is not known is in `unknown`, with the reason.

    Inside an outage that nobody filled nothing is known: `before_outage` is how it was when it began.
    """

    at: datetime
    states: Mapping[str, Known]
    unknown: Mapping[str, Unknown]
    outage: Outage | None = None
    before_outage: Mapping[str, Known] | None = None

    def as_json(self) -> JsonObject:
        """Return the house in the form of the contract, and what is not known beside it."""
        return {
            "at": self.at.isoformat(),
            "states": {entity_id: known.as_json() for entity_id, known in self.states.items()},
            "unknown": {entity_id: reason.value for entity_id, reason in self.unknown.items()},
            "outage": _outage_json(self.outage) if self.outage else None,
            "before_outage": {entity_id: known.as_json() for entity_id, known in (self.before_outage or {}).items()},
        }


@dataclass(frozen=True, slots=True)
class Changed:
    """One entity that is not the same at two moments; None where it was not there."""

    entity_id: str
    before: Known | None
    after: Known | None

    def as_json(self) -> JsonObject:
        """Return the difference for faces."""
        return {
            "entity_id": self.entity_id,
            "before": self.before.as_json() if self.before else None,
            "after": self.after.as_json() if self.after else None,
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs between two moments, by entity id, and what cannot be compared."""

    before: datetime
    after: datetime
    changed: tuple[Changed, ...]
    unknown: Mapping[str, Unknown]

    def as_json(self) -> JsonObject:
        """Return the difference for faces."""
        return {
            "before": self.before.isoformat(),
            "after": self.after.isoformat(),
            "changed": [each.as_json() for each in self.changed],
            "unknown": {entity_id: reason.value for entity_id, reason in self.unknown.items()},
        }


def house_at(at: datetime, reader: Reader, view: HomeView, sight: Sight) -> HouseAt:
    """Return the house as it was at a moment, as far as it may be seen."""
    wanted = {entity_id for entity_id in (*reader.keys, *view.states) if sight.sees(entity_id)}
    if reader.home is None:
        return HouseAt(at, {}, dict.fromkeys(sorted(wanted), Unknown.NOT_YET))
    keys = None if sight.whole else {key for key, entity_id in reader.entities.items() if entity_id in wanted}
    newest = {raw.entity: raw for raw in sorted(reader.newest((at, AFTER_ALL), keys), key=lambda raw: (raw.at, raw.id))}
    bodies = reader.bodies(raw.attributes for raw in newest.values())
    there = {reader.name(key): raw for key, raw in newest.items()}
    states = {
        entity_id: known
        for entity_id, raw in sorted(there.items())
        if entity_id in wanted and (known := _known(raw, bodies)) is not None
    }
    unknown = dict.fromkeys(sorted(wanted - set(there)), Unknown.NOT_YET)
    outage = next((each for each in outages_in(at, at, reader) if each.filled is None), None)
    if outage is None:
        return HouseAt(at, states, unknown)
    return HouseAt(at, {}, unknown | dict.fromkeys(states, Unknown.OUTAGE), outage, states)


def difference(before: HouseAt, after: HouseAt) -> Difference:
    """Return what is not the same in two houses."""
    unknown = {**before.unknown, **after.unknown}
    both = sorted({*before.states, *after.states} - set(unknown))
    changed = [Changed(each, before.states.get(each), after.states.get(each)) for each in both]
    differing = tuple(each for each in changed if _content(each.before) != _content(each.after))
    return Difference(before.at, after.at, differing, unknown)


def outages_in(since: datetime, until: datetime, reader: Reader) -> list[Outage]:
    """Return the times within these moments (both included) in which nobody listened, the oldest first."""
    asked = select(outages).where(
        outages.c.home_id == reader.home, outages.c.start <= until, or_(outages.c.end.is_(None), outages.c.end > since)
    )
    raws = reader.raw(asked.order_by(outages.c.start).limit(MAX_OUTAGES))
    return [Outage(raw.start, raw.end, raw.reason, raw.filled, raw.rows) for raw in raws]


def _outage_json(outage: Outage) -> JsonObject:
    return {
        "start": outage.start.isoformat(),
        "end": outage.end.isoformat() if outage.end else None,
        "reason": outage.reason,
        "filled": outage.filled.isoformat() if outage.filled else None,
    }


def _known(raw: Raw[Any], bodies: Mapping[int, JsonObject]) -> Known | None:
    if raw.state is None:
        return None
    return Known(raw.state, bodies.get(raw.attributes, {}), raw.at, Source(raw.source))


def _content(known: Known | None) -> tuple[str, JsonObject] | None:
    return (known.state, known.attributes) if known else None
