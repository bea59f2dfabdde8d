"""The chronicle as it is asked: rows and pages, chains, why, the house at a moment, what happened lately."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from homesteward.chronicle.cascades import cascade_in
from homesteward.chronicle.chains import MAX_DEPTH, Direction, NothingThereError, Start, Walked, graph_of
from homesteward.chronicle.graph import Graph, is_bookkeeping
from homesteward.chronicle.moments import Difference, HouseAt, difference, house_at, outages_in
from homesteward.chronicle.names import Names
from homesteward.chronicle.paging import page_of
from homesteward.chronicle.query import RUNNING, Page, Query
from homesteward.chronicle.reading import Reader
from homesteward.chronicle.recent import Recent, in_words
from homesteward.chronicle.record import Kind, Outage, StateChange
from homesteward.chronicle.rows import Row
from homesteward.chronicle.sight import Sight, Visible
from homesteward.chronicle.telling import Teller
from homesteward.chronicle.times import Parsed, moment, passed
from homesteward.chronicle.walking import walk_chain
from homesteward.chronicle.why import Why, nothing_known, told
from homesteward.chronicle.wording import wording_of
from homesteward.core import Clock, HomestewardError, SystemClock
from homesteward.home.live import LiveHome
from homesteward.home.model import EMPTY
from homesteward.home.recorder.traces import RunKey, Trace
from homesteward.store import Database

_LOG = logging.getLogger(__name__)

WHY_DEPTH = 10  # how many contexts back a cause is looked for
MAX_PARTS = 25  # of a chain that is too long for one graph, on the way to where it began
LOOKED_AT = 10  # the newest rows of an entity, among which is the one that is asked about


class Traces(Protocol):
    """What Home Assistant remembers of single runs: its recorder."""

    async def trace(self, key: RunKey) -> Trace:
        """Return one run step by step; raise a HomestewardError where there is none."""
        ...


class History:
    """Everything that can be asked about the past of one home.

    Each method takes `visible`: whoever asks sees only those entities, and no sign of any other.
    """

    def __init__(
        self, database: Database, home: LiveHome, clock: Clock | None = None, traces: Traces | None = None
    ) -> None:
        """Read from the chronicle's `database` what happened in `home`; `traces` tell more of what ran lately."""
        self._database, self._home = database, home
        self._clock = clock or SystemClock()
        self._traces = traces
        self._names = Names(home.home_id)

    @property
    def zone(self) -> ZoneInfo:
        """Return the home's time zone, as it is set now."""
        return ZoneInfo(self._home.config.time_zone)

    def moment(self, text: str) -> Parsed:
        """Return the moment that a person means by `text`, in the home's time; raise BadTimeError."""
        return moment(text, self._clock.now(), self.zone)

    async def rows(self, query: Query, visible: Visible | None = None) -> Page:
        """Return one page of what happened, the newest first.

        Raises InTheFutureError for a time span that has not begun yet, and what resolving the query raises.
        """
        if query.since is not None:
            self._passed(query.since)
        return await self._read(lambda reader: page_of(query, reader, self._home, Sight(visible)))

    async def chain(self, start: Start, visible: Visible | None = None) -> Graph:
        """Return what led to a context or row and what it led to; raise NothingThereError where nothing is known of it."""
        walked = await self._read(lambda reader: walk_chain(start, reader, self._home))
        graph = graph_of(walked, self._home, Sight(visible), await self._traced(walked))
        if not graph.rows:
            raise NothingThereError
        return graph

    async def why(
        self,
        entity_id: str,
        at: datetime | None = None,
        *,
        language: str = "",
        visible: Visible | None = None,
        ids: bool = True,
    ) -> Why:
        """Return why an entity is as it is, or was at a moment.

        Raises UnknownEntityError where there never was one, and InTheFutureError for a moment that has not come yet.
        `language` is that of the sentence; empty takes the home's. Without `ids` no plan is named in it: the chain holds them.
        """
        sight, moment_ = Sight(visible), self._clock.now() if at is None else self._passed(at)
        teller = replace(self.teller(language, sight), ids=ids)
        read = await self._read(lambda reader: _behind(entity_id, moment_, reader, self._home, sight))
        if read is None:
            return nothing_known(entity_id, moment_, teller)
        graph = graph_of(read.walked, self._home, sight, await self._traced(read.walked))
        whole = graph_of(read.onward, self._home, sight) if read.onward else graph
        before = read.walked.before.get(read.ref, EMPTY)
        origin = graph_of(read.root, self._home, sight) if read.root is not read.walked else graph
        return told(graph, read.ref, teller, before, cascade_in(graph, whole), read.unheard, origin)

    async def home_at(self, at: datetime, visible: Visible | None = None) -> HouseAt:
        """Return the house as it was at a moment; raise InTheFutureError for one that has not come yet."""
        past = self._passed(at)
        return await self._read(lambda reader: house_at(past, reader, self._home, Sight(visible)))

    async def difference(self, before: datetime, after: datetime, visible: Visible | None = None) -> Difference:
        """Return what differs in the house between two moments; raise InTheFutureError where one has not come yet."""
        return difference(await self.home_at(before, visible), await self.home_at(after, visible))

    async def recent(self, query: Query, *, language: str = "", visible: Visible | None = None) -> Recent:
        """Return a page in words, as text, Markdown or rows."""
        page = await self.rows(query, visible)
        return in_words(page, self.teller(language, Sight(visible)))

    async def outages(self, since: datetime, until: datetime) -> list[Outage]:
        """Return the times within a span in which nobody listened, the oldest first."""
        return await self._read(lambda reader: outages_in(since, until, reader))

    def teller(self, language: str = "", sight: Sight | None = None) -> Teller:
        """Return what tells of records in a language (empty: the home's), as the home is now."""
        config = self._home.config
        wording = wording_of(language or config.language)
        return Teller(wording, self._home, self.zone, self._clock.now(), sight or Sight(), config.temperature_unit)

    def _passed(self, at: datetime) -> datetime:
        return passed(at, self._clock.now(), self.zone)

    async def _traced(self, walked: Walked) -> Mapping[str, Trace]:
        """Return the traces that Home Assistant still has of the runs; without them a chain is told all the same."""
        found: dict[str, Trace] = {}
        if self._traces is None:
            return found
        for key in walked.traced():
            try:
                found[key.run_id] = await self._traces.trace(key)
            except HomestewardError as error:
                _LOG.debug("no trace of %s %s: %s", key.domain, key.item_id, error.code)
        return found

    async def _read[T](self, work: Callable[[Reader], T]) -> T:
        return await self._database.read(lambda connection: work(Reader(connection, self._names)))


@dataclass(frozen=True, slots=True)
class _Behind:
    """What was read for a why: the row, what led to it, and all that its first cause led to."""

    ref: str
    walked: Walked
    root: Walked
    """The uppermost part of what led to it; the same where that was not too much for one graph."""
    onward: Walked | None
    unheard: datetime | None
    """Since when nobody listens, where that is so at the moment that is asked about."""


def _behind(entity_id: str, at: datetime, reader: Reader, view: LiveHome, sight: Sight) -> _Behind | None:
    row = _last_of(entity_id, at, reader, view, sight)
    if row is None:
        return None
    walked = walk_chain(Start(row.ref, Direction.BACKWARD, WHY_DEPTH), reader, view)
    root = _root_of(walked, reader, view)
    ran = any(each.kind is Kind.AUTOMATION for each in walked.rows)
    onward = walk_chain(Start(root.rows[0].ref, Direction.FORWARD, MAX_DEPTH), reader, view) if ran else None
    unheard = next((outage.start for outage in outages_in(at, at, reader) if outage.filled is None), None)
    return _Behind(row.ref, walked, root, onward, unheard)


def _root_of(walked: Walked, reader: Reader, view: LiveHome) -> Walked:
    """Return the part of a chain in which it begins: who started a long loop is asked about as much as who started a short one."""
    for _ in range(MAX_PARTS):
        if not walked.deeper:
            break
        walked = walk_chain(Start(walked.rows[0].ref, Direction.BACKWARD, MAX_DEPTH), reader, view)
    return walked


def _last_of(entity_id: str, at: datetime, reader: Reader, view: LiveHome, sight: Sight) -> Row | None:
    """Return the last change of an entity up to a moment, for what runs its last run unless it changed its state since."""
    until = at + timedelta(microseconds=1)
    kinds = frozenset({Kind.STATE, *RUNNING.values()})
    page = page_of(Query((entity_id,), kinds=kinds, until=until, limit=LOOKED_AT), reader, view, sight)
    return next((row for row in page.rows if not is_bookkeeping(row) or _switched(row)), next(iter(page.rows), None))


def _switched(row: Row) -> bool:
    """Return whether an automation was switched on or off."""
    record = row.record
    return isinstance(record, StateChange) and row.subject.startswith("automation.") and record.old != record.new
