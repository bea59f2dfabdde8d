"""The home and its past as one caller sees them: what is exposed and within reach, and times as the household's clocks show them."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from homesteward.chronicle.times import moment, passed
from homesteward.core.errors import HomestewardError
from homesteward.home.live import LiveHome
from homesteward.home.names import resolve_name
from homesteward.home.view import names_of
from homesteward.people.scoped import scoped
from homesteward.tools.entities import NotExposedError, ambiguous, named_entities
from homesteward.tools.tool import ToolContext

# What runs is told as a cause also where it is not exposed: exposure is about what may be looked at and acted on.
RUNS = frozenset({"automation", "script", "scene"})


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the past in UTC, and what should be known about how it was understood."""

    since: datetime
    until: datetime
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Beheld:
    """What one caller can ask about, at one moment."""

    home: LiveHome
    now: datetime

    @classmethod
    def of(cls, home: LiveHome, context: ToolContext, now: datetime) -> Beheld:
        """Return `home` as far as the caller of `context` reaches."""
        return cls(scoped(home, context.caller), now)

    @property
    def zone(self) -> ZoneInfo:
        """Return the home's time zone."""
        return ZoneInfo(self.home.config.time_zone)

    def sees(self, entity_id: str) -> bool:
        """Return whether the entity may be told of: it is exposed, or it is something that runs and so a cause of what is."""
        return entity_id in self.home.exposed or self._runs(entity_id)

    def one(self, asked: str) -> str:
        """Return the one entity that `asked` is the id or a name of; raises as `named_entities` does, and AmbiguousError."""
        if self._runs(asked):
            return asked
        try:
            found = named_entities(self.home, asked)
        except NotExposedError:
            found = tuple(each for each in resolve_name(self.home, asked, exposed_only=False) if self._runs(each))
            if not found:
                raise
        if len(found) > 1:
            raise ambiguous(self.home, asked, found)
        return found[0]

    def name(self, entity_id: str) -> str:
        """Return the entity's first name, else its id."""
        return next(iter(names_of(self.home, entity_id)), entity_id)

    def unit(self, entity_id: str) -> str | None:
        """Return the unit of its state."""
        state = self.home.states.get(entity_id)
        unit = state.attributes.get("unit_of_measurement") if state else None
        return str(unit) if unit else None

    def local(self, at: datetime) -> str:
        """Return a moment as the household reads clocks, with its offset."""
        return at.astimezone(self.zone).isoformat(timespec="seconds")

    def moment(self, text: str) -> tuple[datetime, tuple[str, ...]]:
        """Return the moment that `text` means and what was noted about it; raises BadTimeError or InTheFutureError."""
        found = moment(text, self.now, self.zone)
        return passed(found.at, self.now, self.zone, text), (found.note,) if found.note else ()

    def span(self, since: str, until: str) -> Span:
        """Return the stretch between two moments; raises as `moment` does, and BadTimeError where it ends before it begins."""
        end, end_notes = self.moment(until)
        start, start_notes = self.moment(since)
        if start >= end:
            raise HomestewardError(
                f"The window ends ({self.local(end)}) before it begins ({self.local(start)}).",
                code="bad_window",
                next=f"It is {self.local(self.now)} here. Give a beginning that lies before the end.",
            )
        return Span(start, end, (*start_notes, *end_notes))

    def _runs(self, entity_id: str) -> bool:
        return entity_id.partition(".")[0] in RUNS and entity_id in self.home.states
