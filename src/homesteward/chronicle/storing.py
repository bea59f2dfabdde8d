"""One batch of records made into rows, in one transaction. Everything here runs on the thread that writes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, Table, bindparam, func, select
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from homesteward.chronicle.contexts import own_of
from homesteward.chronicle.inserting import StateRow, insert_state_changes
from homesteward.chronicle.interning import Interning
from homesteward.chronicle.outages import store_outage
from homesteward.chronicle.partitions import Partitions
from homesteward.chronicle.record import Act, Call, Context, Outage, Record, Run, Source, StateChange
from homesteward.chronicle.stamps import DAY, SECOND, micros
from homesteward.chronicle.tables import acts, calls, homes, runs, targets
from homesteward.home.model import EMPTY
from homesteward.store.database import after_commit
from homesteward.store.tables import EPOCH, Moment

MAX_STATE = 255  # Home Assistant's own limit
MAX_TEXT = 2_000  # characters kept of a request, a name or a trigger
MAX_TARGETS = 5_000  # of one call


@dataclass(slots=True)
class Batch:
    """What is stored in one transaction."""

    records: Sequence[Record]
    names: dict[str, str] = field(default_factory=dict)
    """User id -> name."""
    outages: list[Outage] = field(default_factory=list)
    heard: datetime | None = None
    """Until when all that was heard is stored once this is."""
    last_id: int = 0
    """The id of its last record, 0 where none was given: what a commit whose answer was lost is recognised by."""


HEARD = Source.HEARD

# Made once: with every batch anew it would cost as much as the rows of a quiet house.
GROW = (
    homes.update()
    .where(homes.c.key == bindparam("home"))
    .values(
        last_id=homes.c.last_id + bindparam("more"),
        heard=func.coalesce(bindparam("until", type_=Moment), homes.c.heard),
    )
    .returning(homes.c.last_id)
)

type Row = dict[str, object]


class Storing:
    """Turns the records of one home into rows."""

    def __init__(self, home_id: str) -> None:
        """Store for the home known by `home_id`."""
        self._home_id = home_id
        self._partitions = Partitions()
        self._open = False
        self.interning = Interning()

    def begin(self, connection: Connection) -> int:
        """Return the home's key, at the start of whatever is written: what an undone transaction left behind is forgotten."""
        if self._open:
            self._forget()
        self._open = True
        after_commit(connection, self._close)
        if not self.interning.home:
            insert = (sqlite_insert if connection.dialect.name == "sqlite" else postgres_insert)(homes)
            connection.execute(insert.values(home_id=self._home_id, last_id=0).on_conflict_do_nothing())
            key = connection.scalar(select(homes.c.key).where(homes.c.home_id == self._home_id))
            self.interning.home = key or 0
        return self.interning.home

    def store(self, connection: Connection, batch: Batch) -> None:
        """Write the whole batch."""
        home = self.begin(connection)
        if batch.last_id and batch.last_id <= self._last_id(connection):
            return  # it was committed; only the answer was lost
        more = {"home": home, "more": len(batch.records), "until": batch.heard}
        batch.last_id = connection.execute(GROW, more).scalar_one()
        self.interning.trim()
        self._partitions.make(connection, batch.records)
        self._store_records(connection, batch.records, batch.last_id - len(batch.records) + 1)
        for user_id, name in batch.names.items():
            self.interning.name_user(connection, user_id, name)
        for outage in batch.outages:
            store_outage(connection, home, outage)

    def _last_id(self, connection: Connection) -> int:
        return int(connection.execute(select(homes.c.last_id).where(homes.c.key == self.interning.home)).scalar_one())

    def _close(self) -> None:
        self._open = False

    def _forget(self) -> None:
        self._partitions.forget()
        self.interning.forget()

    def _store_records(self, connection: Connection, records: Sequence[Record], first_id: int) -> None:
        rows, others = self._rows_of(connection, records, first_id)
        insert_state_changes(connection, rows)
        if others:
            self._store_others(connection, others)

    def _rows_of(  # noqa: C901 - one loop, see below
        self, connection: Connection, records: Sequence[Record], first_id: int
    ) -> tuple[list[StateRow], list[tuple[int, Record]]]:
        """Return the state changes as rows, in the order of `inserting.COLUMNS`, and all other records with their ids.

        This is the hot path, gone through for every change of the house: one loop, because calls cost.
        """
        rows: list[StateRow] = []
        others: list[tuple[int, Record]] = []
        interning = self.interning
        learned, append = False, rows.append
        home, known, contexts = interning.home, interning.entities, interning.contexts
        for id_, change in enumerate(records, first_id):
            if type(change) is not StateChange:
                others.append((id_, change))
                continue
            entity = known.get(change.entity_id)
            if entity is None:
                interning.learn_entities(connection, (one.entity_id for one in records if type(one) is StateChange))
                entity = known[change.entity_id]
            since = change.at - EPOCH
            stamp = since.days * DAY + since.seconds * SECOND + since.microseconds
            state, old, context, source = change.new, change.old, change.context, change.source
            if state is not None and len(state) > MAX_STATE:
                state = state[:MAX_STATE]
            if entity.at is None or stamp >= entity.at:
                if old == entity.state:
                    old = None
                entity.at, entity.state = stamp, state
            key = own = None
            if context is not None:
                tie = contexts.get(context.id)
                if tie is None and context.parent_id is None and context.user_id is None:
                    own = own_of(context.id, stamp)
                if own is None:
                    if tie is None and not learned:
                        interning.learn_contexts(connection, tied_contexts(records))
                        learned = True
                    key = interning.context(connection, context, stamp)
            body, attributes = None, change.attributes
            if attributes is not EMPTY and attributes:
                if attributes is not entity.kept or stamp > entity.body.used:
                    entity.kept, entity.body = attributes, interning.body_row(connection, attributes, stamp)
                body = entity.body.key
            append((home, stamp, id_, entity.key, state, old, body, key, own, 0 if source is HEARD else int(source)))
        return rows, others

    def _store_others(self, connection: Connection, records: list[tuple[int, Record]]) -> None:
        """Insert what ran, was called and was done by us, together for each table."""
        self.interning.learn_entities(connection, (one for _, record in records for one in entities_of(record)))
        found = ((context, micros(record.at)) for _, record in records if (context := context_of(record)))
        self.interning.learn_contexts(connection, found)
        of_table: dict[Table, list[Row]] = {runs: [], calls: [], acts: [], targets: []}
        for id_, record in records:
            key = {"home_id": self.interning.home, "at": record.at, "id": id_}
            match record:
                case Run():
                    of_table[runs].append(key | self._run_row(connection, record))
                case Call():
                    of_table[calls].append(key | self._call_row(connection, record))
                case Act():
                    of_table[acts].append(key | self._act_row(connection, record))
                case StateChange():
                    continue  # stored already
            if not isinstance(record, Run):
                aimed = dict.fromkeys(record.entity_ids[:MAX_TARGETS])
                of_table[targets] += [key | {"entity": self.interning.entity(connection, one)} for one in aimed]
        for table, rows in of_table.items():
            if rows:
                connection.execute(table.insert(), rows)

    def _run_row(self, connection: Connection, run: Run) -> Row:
        trigger_entity = self.interning.entity(connection, run.trigger_entity_id) if run.trigger_entity_id else None
        return {
            "kind": run.kind.value,
            "entity": self.interning.entity(connection, run.entity_id),
            "name": run.name[:MAX_TEXT],
            "trigger": run.trigger[:MAX_TEXT],
            "trigger_entity": trigger_entity,
            "item_id": run.item_id[:MAX_TEXT],
            "run_id": run.run_id[:MAX_TEXT],
            "context": self._context(connection, run),
            "source": run.source.value,
        }

    def _call_row(self, connection: Connection, call: Call) -> Row:
        return {
            "service": f"{call.domain}.{call.service}"[:MAX_TEXT],
            "data": self.interning.body(connection, call.data, micros(call.at)),
            "context": self._context(connection, call),
            "source": call.source.value,
        }

    def _act_row(self, connection: Connection, act: Act) -> Row:
        texts = ("plan_id", "run_id", "person", "role", "channel", "rule", "request", "outcome")
        return {name: getattr(act, name)[:MAX_TEXT] for name in texts} | {
            "ended": act.ended,
            "step": act.step,
            "service": f"{act.domain}.{act.service}"[:MAX_TEXT],
            "data": self.interning.body(connection, act.data, micros(act.at)),
            "context": self._context(connection, act),
        }

    def _context(self, connection: Connection, record: Record) -> int | None:
        context = context_of(record)
        return self.interning.context(connection, context, micros(record.at)) if context else None


def tied_contexts(records: Sequence[Record]) -> Iterator[tuple[Context, int]]:
    """Yield the contexts of state changes that name a parent or a user, each with the moment of the change."""
    for record in records:
        if type(record) is StateChange and (context := record.context) and (context.parent_id or context.user_id):
            yield context, micros(record.at)


def entities_of(record: Record) -> Iterator[str]:
    """Yield the entities a record names."""
    if isinstance(record, StateChange | Run):
        yield record.entity_id
        if isinstance(record, Run) and record.trigger_entity_id:
            yield record.trigger_entity_id
    else:
        yield from record.entity_ids[:MAX_TARGETS]


def context_of(record: Record) -> Context | None:
    """Return the context of a record; of an act of ours Home Assistant told no more than its id."""
    if isinstance(record, Act):
        return Context(record.context_id) if record.context_id else None
    return record.context
