"""A row: one record as it is read, with the context it had, the user behind it, and the form that every face shows."""

from dataclasses import dataclass
from datetime import datetime

from homesteward.chronicle.record import Act, Call, Context, Kind, Record, Run, Source, StateChange
from homesteward.chronicle.stamps import micros, moment
from homesteward.core.json import JsonObject, JsonValue

type Position = tuple[datetime, int]
"""Where a row stands: its moment, and its id among those of one moment."""


@dataclass(frozen=True, slots=True)
class Row:
    """One record with its context and the name of the user behind it, also where only a context further up names one."""

    record: Record
    context: Context | None = None
    user: str | None = None

    @property
    def at(self) -> datetime:
        """Return when it happened."""
        return self.record.at

    @property
    def position(self) -> Position:
        """Return where the row stands among all others."""
        return self.record.at, self.record.id

    @property
    def ref(self) -> str:
        """Return the text by which this row, and no other, is found again."""
        return f"{micros(self.record.at)}-{self.record.id}"

    @property
    def kind(self) -> Kind:
        """Return the kind of the record."""
        match self.record:
            case StateChange():
                return Kind.STATE
            case Run(kind=kind):
                return kind
            case Call():
                return Kind.CALL
            case Act():
                return Kind.ACT

    @property
    def subject(self) -> str:
        """Return the entity that changed or ran, or the service that was called."""
        record = self.record
        return record.entity_id if isinstance(record, StateChange | Run) else f"{record.domain}.{record.service}"

    @property
    def entity_ids(self) -> tuple[str, ...]:
        """Return the entities it is about: its own, or its targets."""
        record = self.record
        return (record.entity_id,) if isinstance(record, StateChange | Run) else record.entity_ids

    def as_json(self) -> JsonObject:
        """Return the row in the form of the contract, with what its kind has beyond that."""
        entity_ids = self.entity_ids
        source = Source.HEARD if isinstance(self.record, Act) else self.record.source
        return {
            "id": self.record.id,
            "ref": self.ref,
            "at": self.at.isoformat(),
            "kind": self.kind.value,
            "entity_id": entity_ids[0] if len(entity_ids) == 1 else None,
            "old": None,
            "new": None,
            "attributes": {},
            "context_id": self.context.id if self.context else None,
            "parent_id": self.context.parent_id if self.context else None,
            "user": self.user,
            "source": source.word,
            **_more(self.record),
        }


def position_of(ref: str) -> Position | None:
    """Return where the row of this reference stands, None for a text that is none."""
    stamp, dash, number = ref.partition("-")
    if not dash or not all(part.isascii() and part.isdigit() and len(part) < 18 for part in (stamp, number)):
        return None
    try:
        return moment(int(stamp)), int(number)
    except OverflowError:
        return None


def _more(record: Record) -> dict[str, JsonValue]:
    match record:
        case StateChange():
            return {"old": record.old, "new": record.new, "attributes": record.attributes}
        case Run():
            return {
                "name": record.name,
                "trigger": record.trigger,
                "trigger_entity_id": record.trigger_entity_id,
                "item_id": record.item_id,
                "run_id": record.run_id,
            }
        case Call():
            return _asked(record)
        case Act():
            return {
                **_asked(record),
                "ended": record.ended.isoformat(),
                **{name: getattr(record, name) for name in ACT_FIELDS},
            }


ACT_FIELDS = ("plan_id", "step", "run_id", "person", "role", "channel", "rule", "request", "outcome")


def _asked(record: Call | Act) -> dict[str, JsonValue]:
    return {
        "service": f"{record.domain}.{record.service}",
        "data": record.data,
        "entity_ids": list(record.entity_ids),
    }
