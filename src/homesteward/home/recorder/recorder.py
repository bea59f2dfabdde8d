"""What Home Assistant itself remembers, as one thing to ask: its reads over one line, for windows that have begun."""

from collections.abc import Collection
from datetime import datetime

from homesteward.core import Clock, SystemClock
from homesteward.home.errors import BadWindowError
from homesteward.home.recorder import energy, history, logbook, series, statistics, totals, traces
from homesteward.home.recorder.asking import Line, Window
from homesteward.home.recorder.energy import Meter
from homesteward.home.recorder.history import Past
from homesteward.home.recorder.logbook import ActionCall, LogEntry
from homesteward.home.recorder.series import Series
from homesteward.home.recorder.statistics import Measure, Period, Row
from homesteward.home.recorder.totals import Total
from homesteward.home.recorder.traces import RunKey, Trace, TraceSummary


class Recorder:
    """Read the past of a home. Every method raises NotRecordingError where Home Assistant runs without what would know it.

    A window that has not begun raises BadWindowError; one that ends later than now ends now.
    """

    def __init__(self, line: Line, clock: Clock | None = None) -> None:
        """Ask over `line`: the link to the home, or one connection."""
        self._line = line
        self._clock = clock or SystemClock()

    async def history(
        self, entity_ids: Collection[str], since: datetime, until: datetime, *, attributes: bool = True
    ) -> dict[str, Past]:
        """Return the states that are kept of each entity, as `history.read_history` does."""
        return await history.read_history(self._line, entity_ids, self._window(since, until), attributes=attributes)

    async def measures(self, statistic_ids: Collection[str] = ()) -> dict[str, Measure]:
        """Return the statistics that are kept, with their units."""
        return await statistics.read_measures(self._line, statistic_ids)

    async def statistics(
        self, statistic_ids: Collection[str], since: datetime, until: datetime, period: Period = Period.HOUR
    ) -> dict[str, tuple[Row, ...]]:
        """Return rows of statistics, as `statistics.read_statistics` does."""
        return await statistics.read_statistics(self._line, statistic_ids, self._window(since, until), period)

    async def series(self, entity_id: str, since: datetime, until: datetime) -> Series:
        """Return states where they are kept and statistics before them, as `series.read_series` does."""
        return await series.read_series(self._line, entity_id, self._window(since, until))

    async def total(self, entity_id: str, since: datetime, until: datetime) -> Total:
        """Return what a meter counted, as `totals.read_total` does."""
        return await totals.read_total(self._line, entity_id, self._window(since, until))

    async def meters(self) -> tuple[Meter, ...]:
        """Return the meters of the household's energy dashboard, as `energy.read_meters` does."""
        return await energy.read_meters(self._line)

    async def logbook(self, since: datetime, until: datetime, entity_ids: Collection[str] = ()) -> tuple[LogEntry, ...]:
        """Return entries of the logbook, as `logbook.read_logbook` does."""
        return await logbook.read_logbook(self._line, self._window(since, until), entity_ids)

    async def action_calls(self, since: datetime, until: datetime) -> tuple[ActionCall, ...]:
        """Return calls of actions, as `logbook.read_action_calls` does. Their data may hold secrets."""
        return await logbook.read_action_calls(self._line, self._window(since, until))

    async def traces(self, domain: str, item_id: str | None = None) -> tuple[TraceSummary, ...]:
        """Return the runs of which a trace is kept, as `traces.read_traces` does."""
        return await traces.read_traces(self._line, domain, item_id)

    async def trace(self, key: RunKey) -> Trace:
        """Return one run step by step, as `traces.read_trace` does."""
        return await traces.read_trace(self._line, key)

    def _window(self, since: datetime, until: datetime) -> Window:
        now = self._clock.now()
        window = Window(since, until)
        if window.since >= now:
            raise BadWindowError(
                f"{since.isoformat()} has not come yet: it is {now.isoformat(timespec='seconds')}.",
                next="Ask for a time that has passed; give times with the right offset.",
            )
        return Window(window.since, min(window.until, now))
