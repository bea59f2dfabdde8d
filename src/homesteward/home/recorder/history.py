"""The states that Home Assistant's recorder still has: read from the newest back, as far as they go and a bound allows.

Reading backwards, the answer to each slice says whether anything older is kept: its first row is then the state that held when the
slice began. So the edge of what was purged is found without knowing how long Home Assistant keeps things.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import batched
from typing import Any, cast

from homesteward.core.json import JsonValue
from homesteward.home.errors import HaError, TooMuchAskedError, UnexpectedAnswerError, UnknownEntityError
from homesteward.home.model import EMPTY, State
from homesteward.home.recorder.asking import Line, Read, Window, ask

MAX_ENTITIES = 100
MAX_ROWS = 50_000  # of one request: some 10 MB on the way, and a second of work
TOGETHER = 10  # entities in one command, so that an hour of the busiest stays far below the 64 MiB of one message
FIRST_SLICE = timedelta(hours=1)
LONGEST_SLICE = timedelta(days=31)
GROWTH, ROWS_PER_SLICE = 8, 5_000
TICK = timedelta(microseconds=1)  # Home Assistant leaves out a state of the very moment that a window begins at


@dataclass(frozen=True, slots=True)
class Past:
    """The states of one entity in a window, the oldest first.

    `held` says that the first is from before and was still so when what is known begins. That is `known_from`: the window's beginning,
    later where nothing older is kept, None where nothing is. `truncated` says that older states are kept but were left out.
    """

    entity_id: str
    states: tuple[State, ...] = ()
    known_from: datetime | None = None
    held: bool = False
    truncated: bool = False


async def read_history(
    line: Line,
    entity_ids: Collection[str],
    window: Window,
    *,
    attributes: bool = True,
    limit: int = MAX_ROWS,
) -> dict[str, Past]:
    """Return the past of each entity in `window`; one that the recorder does not know has an empty one.

    Without `attributes`, rows in which only those changed are left out. About `limit` rows are read in all, the newest.
    Raises TooMuchAskedError for more than 100 entities, UnknownEntityError for what cannot be one, and as `ask` does.
    """
    if len(entity_ids) > MAX_ENTITIES:
        raise TooMuchAskedError(
            f"{len(entity_ids)} entities are too many for one request.", next=f"Name at most {MAX_ENTITIES}."
        )
    found: dict[str, Past] = {}
    for batch in batched(dict.fromkeys(entity_ids), TOGETHER, strict=False):
        left = limit - sum(len(past.states) for past in found.values())
        found |= await _Backwards(line, batch, window, attributes=attributes, limit=max(0, left)).read()
    return found


class _Backwards:
    """One walk back through time over a few entities."""

    def __init__(self, line: Line, entity_ids: Iterable[str], window: Window, *, attributes: bool, limit: int) -> None:
        self._line = line
        self._window = window
        self._attributes = attributes
        self._limit = limit
        self._rows = 0
        self._open = list(entity_ids)
        self._slices: dict[str, list[tuple[State, ...]]] = {entity_id: [] for entity_id in self._open}
        self._known_from: dict[str, datetime | None] = dict.fromkeys(self._open)
        self._held: dict[str, State] = {}
        self._truncated: frozenset[str] = frozenset()

    async def read(self) -> dict[str, Past]:
        end, length = self._window.until, FIRST_SLICE
        while self._open:
            start = max(self._window.since, end - length) if end - self._window.since > length else self._window.since
            count = await self._slice(Window(start, end))
            if self._open and self._rows >= self._limit and start > self._window.since:
                self._truncated, self._open = frozenset(self._open), []
            end, length = start, _next_length(length, count)
        return {
            entity_id: Past(
                entity_id,
                self._states(entity_id),
                self._known_from[entity_id],
                entity_id in self._held,
                entity_id in self._truncated,
            )
            for entity_id in self._slices
        }

    async def _slice(self, window: Window) -> int:
        """Read one slice, and close those entities of which nothing older is kept; return how many rows came."""
        rows = _rows(await self._asked(Window(window.since - TICK, window.until)))
        for entity_id in tuple(self._open):
            self._take(entity_id, _parsed(entity_id, rows.get(entity_id, ())), window)
        count = sum(len(of_entity) for of_entity in rows.values())
        self._rows += count
        return count

    async def _asked(self, window: Window) -> JsonValue:
        try:
            return await ask(
                self._line,
                Read.HISTORY,
                **window.fields,
                entity_ids=self._open,
                significant_changes_only=False,
                minimal_response=not self._attributes,
                no_attributes=not self._attributes,
            )
        except HaError as error:
            if error.code != "invalid_entity_ids":
                raise
            raise UnknownEntityError(
                f"One of {', '.join(self._open)} is no entity id.", next="Use the ids that Home Assistant shows."
            ) from error

    def _take(self, entity_id: str, states: Sequence[State], window: Window) -> None:
        """Keep what one slice has of an entity; the state that held when it began is kept apart: an older slice has it too."""
        held = states[0] if states and states[0].last_updated == window.since - TICK else None
        inside = tuple(states[1:] if held else states)
        self._slices[entity_id].append(inside)
        if held:
            self._held[entity_id] = replace(held, last_changed=window.since, last_updated=window.since)
        else:
            self._held.pop(entity_id, None)
        if held or inside:
            self._known_from[entity_id] = window.since if held else inside[0].last_updated
        if not held or window.since == self._window.since:
            self._open.remove(entity_id)

    def _states(self, entity_id: str) -> tuple[State, ...]:
        """Return all that was read, the oldest first, led by what held when the reading's oldest slice began."""
        held = self._held.get(entity_id)
        states = tuple(state for part in reversed(self._slices[entity_id]) for state in part)
        return (held, *states) if held else states


def _next_length(length: timedelta, count: int) -> timedelta:
    """Return how long the next slice is, so that it has some thousand rows if the pace stays."""
    factor = min(GROWTH, max(1 / GROWTH, ROWS_PER_SLICE / max(1, count)))
    return min(LONGEST_SLICE, max(timedelta(minutes=1), length * factor))


def _rows(answer: JsonValue) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    if not isinstance(answer, Mapping):
        raise UnexpectedAnswerError("Home Assistant's history is not as expected.", next="Check its version.")
    return cast("Mapping[str, Sequence[Mapping[str, Any]]]", answer)  # each row is looked at where it is read


def _parsed(entity_id: str, rows: Iterable[Mapping[str, Any]]) -> list[State]:
    """Read compressed rows: s = state, a = attributes, lu = updated, lc = changed where that is another moment."""
    try:
        return [
            State(entity_id, row["s"], row.get("a") or EMPTY, _moment(row.get("lc") or row["lu"]), _moment(row["lu"]))
            for row in rows
        ]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UnexpectedAnswerError(
            f"A row of Home Assistant's history of {entity_id} is not as expected.", next="Check its version."
        ) from error


def _moment(stamp: float) -> datetime:
    return datetime.fromtimestamp(stamp, UTC)
