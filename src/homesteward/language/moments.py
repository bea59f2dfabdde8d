"""The moment a sentence asks for: a delay, a time of day, how long something is to last; and the sentence without it.

The words are data per language (`data/times.<language>.yaml`). What cannot be read as one single moment is none: several times, a part
of the day alone, a time that is over. Whoever reads the rest has to hold it against every guard, so that no word of a time is lost.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from homesteward.language.reading import Asked
from homesteward.language.time_words import Piece, TimeWords, time_words
from homesteward.language.wall_clock import Part, next_at

LONGEST = timedelta(days=30)
EXCLUDING = (  # what is said of one time, so that together it is none
    ({"duration"}, {"until"}),
    ({"delay"}, {"at", "days", "weekday", "parts"}),
    ({"days"}, {"weekday"}),
)


@dataclass(frozen=True, slots=True)
class Timed:
    """A sentence without its times: when it is to be done (None: now) and until when it is to last, in UTC."""

    rest: str
    at: datetime | None = None
    until: datetime | None = None


def timed(text: str, language: str, now: datetime, names: Iterable[str] = ()) -> Timed | None:
    """Return the moments in the tidy `text` and what is left of it; None where there is none, or none that is certain.

    `now` is in the home's own time zone. Words inside `names`, folded names of the home, are no times.
    """
    words = time_words(language)
    pieces = words.find(text, names) if words else []
    if words is None or not pieces:
        return None
    moments = _Moments(words, pieces, now)
    found = list(moments.all()) if moments.single else []
    latest = now.astimezone(UTC) + LONGEST
    if not found or any(moment is None or moment > latest for moment in found):
        return None
    return Timed(_without(text, pieces), moments.at(), moments.until())


def moved(last: Asked, moment: Timed, text: str, language: str, now: datetime) -> Asked:
    """Return the request before for the `moment` that `text` names instead: how long it is to last stays, unless that is what is named."""
    if moment.at is None and last.at is not None:  # an end is counted from the beginning, which stays
        again = timed(text, language, last.at.astimezone(now.tzinfo))
        return replace(last, until=again.until if again else moment.until)
    if moment.at is None or moment.until is not None or last.until is None:
        return replace(last, at=moment.at, until=moment.until)
    return replace(last, at=moment.at, until=last.until + (moment.at - (last.at or now.astimezone(UTC))))


def says_now(text: str, language: str, names: Iterable[str] = ()) -> bool:
    """Return whether the tidy text, but for these names, says that something is to be done at once."""
    words = time_words(language)
    return words is not None and words.says_now(text, names)


class _Moments:
    """What the pieces of one sentence come to."""

    def __init__(self, words: TimeWords, pieces: list[Piece], now: datetime) -> None:
        self._words, self._now = words, now
        self._said = {piece.kind: piece.value for piece in pieces}
        self._once = len(self._said) == len(pieces)

    @property
    def single(self) -> bool:
        """Return whether no kind of time is said twice, none that excludes another, and no day without its hour."""
        said = self._said.keys()
        excluded = any(one & said and other & said for one, other in EXCLUDING)
        day_alone = said & {"days", "weekday", "parts"} and not said & {"at", "until"}
        return self._once and not excluded and not day_alone

    def all(self) -> Iterator[datetime | None]:
        """Yield each moment that was said, None for one that cannot be told."""
        if self._said.keys() & {"at", "delay"}:
            yield self.at()
        if self._said.keys() & {"until", "duration"}:
            yield self.until()

    def at(self) -> datetime | None:
        """Return when it begins, None where that is now or no moment."""
        if length := self._length("delay"):
            return self._now.astimezone(UTC) + length
        return self._clock("at", self._now)

    def until(self) -> datetime | None:
        """Return when it ends, None where it does not."""
        begins = self.at() or self._now.astimezone(UTC)
        if length := self._length("duration"):
            return begins + length
        return self._clock("until", begins.astimezone(self._now.tzinfo))

    def _length(self, kind: str) -> timedelta | None:
        return self._words.length(self._said[kind]) if kind in self._said else None

    def _clock(self, kind: str, after: datetime) -> datetime | None:
        time = self._words.clock(self._said[kind]) if kind in self._said else None
        if time is None:
            return None
        day, part = self._day() if kind == "at" or "at" not in self._said else (None, Part.ANY)
        return next_at(time.within(part), after, day)

    def _day(self) -> tuple[date | None, Part]:
        """Return the day that was named, and the part of it; a part named on its own counts as well."""
        today, part = self._now.date(), self._words.part(self._said.get("parts", ""))
        if "days" in self._said:
            day = self._words.days[self._said["days"]]
            return today + timedelta(days=day.ahead), day.part if part is Part.ANY else part
        if "weekday" in self._said:
            ahead = (self._words.weekday(self._said["weekday"]) - today.weekday() - 1) % 7 + 1
            return today + timedelta(days=ahead), part
        return None, part


def _without(text: str, pieces: list[Piece]) -> str:
    for start, end in sorted((piece.span for piece in pieces), reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return " ".join(text.split()).replace(" ,", ",").strip(" ,")
