"""The words for times of one language: where they stand in a sentence, and what they say. All without accents."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import cast

from hassil.numbers import get_rbnf_engine

from homesteward.core.text import fold
from homesteward.language.guards import masked
from homesteward.language.spelling import unmarked
from homesteward.language.tables import table
from homesteward.language.wall_clock import Part, TimeOfDay

KINDS = ("delay", "duration", "until", "at", "days", "weekday", "parts")
UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
DIGITS = r"\d+(?:[.,]\d+)?"
WRITTEN = r"\d{1,2}(?:[:.]| ?h ?)\d{2}"
NUMBERS, NOON, HOUR = 60, 12, 60
HALVES = re.compile(r"(?<=[\d\s])[ap]\.?\s?m\.?$")  # what only an hour of a clock of twelve stands beside


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that tell a time: their kind, where they stand and what they name."""

    kind: str
    span: tuple[int, int]
    value: str


@dataclass(frozen=True, slots=True)
class Day:
    """A day by how far it is ahead of today, and the part of it that its name holds."""

    ahead: int
    part: Part = Part.ANY


class TimeWords:
    """The compiled times of one language."""

    def __init__(self, language: str, raw: Mapping[str, object]) -> None:
        """Compile what `data/times.<language>.yaml` holds."""
        self._raw = raw
        self._numbers = _spoken(language) | self._table("counts") | self._table("hours")
        self._lengths = self._table("lengths") | self._halves("half_hours", 60)
        self._numbers |= self._halves("halves", 1)
        self._parts = {unmarked(words): Part(name) for words, name in cast("dict[str, str]", raw["parts"]).items()}
        self.days = {unmarked(name): _day(day) for name, day in cast("dict[str, list[object]]", raw["days"]).items()}
        self._weekdays = [unmarked(name) for name in cast("list[str]", raw["weekdays"])]
        self._units = {name: unmarked(words) for name, words in cast("dict[str, str]", raw["units"]).items()}
        self._and = unmarked(str(raw["and"]))
        self._now = re.compile(rf"(?<!\w)(?:{'|'.join(map(unmarked, cast('list[str]', raw['now'])))})(?!\w)")
        number = "|".join([DIGITS, *map(re.escape, sorted(self._numbers, key=len, reverse=True))])
        self._number = f"(?:{number})"
        self._hour = rf"(?!\d+[.,]\d)(?!\d{{3}})(?:{number})"
        self._forms = [
            (re.compile(self._form(form, h="(?P<h>{})", m="(?P<m>{})")), str(added)) for form, added in self._clock()
        ]
        self._patterns = [(kind, pattern) for kind in KINDS for pattern in self._compiled(kind)]

    def find(self, text: str, names: Iterable[str]) -> list[Piece]:
        """Return the pieces of time in the tidy text, the longest first where two would share a word; none lies in a name."""
        said = unmarked(text)
        taken = [
            found.span() for name in names for found in re.finditer(rf"(?<!\w){re.escape(unmarked(name))}(?!\w)", said)
        ]
        pieces: list[Piece] = []
        for piece in sorted(self._matches(said), key=lambda one: one.span[0] - one.span[1]):
            if all(piece.span[1] <= start or end <= piece.span[0] for start, end in taken):
                taken.append(piece.span)
                pieces.append(piece)
        return pieces

    def length(self, text: str) -> timedelta | None:
        """Return how long that is, None where it is no length or none at all."""
        if (minutes := self._lengths.get(text)) is not None:
            return timedelta(minutes=minutes)
        if whole := self._counted(text):
            return whole
        parts = [self._counted(part) for part in re.split(rf"\s(?:{self._and})\s", text)]
        known = [length for length in parts if length]
        return sum(known, timedelta()) if len(known) == len(parts) else None

    def _counted(self, text: str) -> timedelta | None:
        """Return how long a number of one unit is, None where it is no such words or no time at all."""
        for name, unit in self._units.items():
            if match := re.fullmatch(rf"({self._number})\s?(?:{unit})", text):
                return timedelta(seconds=round(self._value(match[1]) * UNITS[name])) or None
        return None

    def clock(self, text: str) -> TimeOfDay | None:
        """Return the time of day that the words name, None where they name none."""
        said, part = self._parted(text)
        if HALVES.search(text) and (hour := re.match(r"\d+", said)) and not 1 <= int(hour[0]) <= NOON:
            return None  # no clock shows 13 pm or 0 am
        if match := re.match(r"(?P<h>\d{1,2})(?:[:.]| ?h ?)(?P<m>\d{2})(?!\d)", said):
            exact = not self._raw.get("twelve_hours") and part is Part.ANY
            return _time(match["h"], int(match["h"]), int(match["m"]), part, exact=exact)
        for form, added in self._forms:
            if match := form.fullmatch(said):
                return self._told(match.groupdict(), added, part)
        return None

    def says_now(self, text: str, names: Iterable[str]) -> bool:
        """Return whether the text without these names says that something is to be done at once."""
        return bool(self._now.search(masked(unmarked(text), map(unmarked, names))))

    def part(self, text: str) -> Part:
        """Return the part of the day that the words name."""
        return next((part for words, part in self._parts.items() if re.fullmatch(words, text)), Part.ANY)

    def weekday(self, text: str) -> int:
        """Return the place of the weekday in the week, Monday first."""
        return next(place for place, words in enumerate(self._weekdays) if re.fullmatch(words, text))

    def _told(self, groups: Mapping[str, str | None], added: str, part: Part) -> TimeOfDay | None:
        hour = groups.get("h")
        if hour is None:
            return TimeOfDay.of(int(added), part, exact=True)
        past = self._value(groups.get("m") or "0")
        if past >= HOUR:
            return None
        minute = past * (-1 if added.endswith("-m") else 1)
        fixed = int(re.sub(r"[+-]?m$", "", added) or 0)
        return _time(hour, self._value(hour), round(fixed + minute), part)

    def _parted(self, text: str) -> tuple[str, Part]:
        """Return the words of a clock without the part of the day behind them, and that part."""
        for words, part in self._parts.items():
            if match := re.search(rf"(?<=[\s\d])(?:{words})$", text):
                return text[: match.start()].strip(), part
        return text, Part.ANY

    def _value(self, text: str) -> float:
        return self._numbers[text] if text in self._numbers else float(text.replace(",", "."))

    def _table(self, key: str) -> dict[str, float]:
        written = cast("dict[str, float]", self._raw.get(key) or {})
        return {unmarked(word): float(value) for word, value in written.items()}

    def _halves(self, key: str, size: int) -> dict[str, float]:
        """Return what the templates of `key` come to with each small number in them, and a half."""
        templates = [unmarked(words) for words in cast("list[str]", self._raw.get(key) or [])]
        small = [(word, value) for word, value in self._numbers.items() if value in range(1, NOON + 1)]
        small += [(str(value), value) for value in range(1, NOON + 1)]
        return {words.replace("{n}", word): (value + 0.5) * size for words in templates for word, value in small}

    def _clock(self) -> Iterator[tuple[str, int | str]]:
        for form, added in cast("dict[str, int | str]", self._raw["clock"]).items():
            yield unmarked(form), added

    def _form(self, form: str, *, h: str, m: str) -> str:
        return form.replace("{h}", h.format(self._hour)).replace("{m}", m.format(self._number))

    def _matches(self, said: str) -> Iterator[Piece]:
        for kind, pattern in self._patterns:
            for match in pattern.finditer(said):
                yield Piece(kind, match.span(), match["value"])

    def _compiled(self, kind: str) -> Iterator[re.Pattern[str]]:
        slots = self._slots()
        for entry in self._entries(kind):
            filled = unmarked(entry).replace("(?P<clock>", "(?P<value>")
            for name, pattern in slots.items():
                filled = filled.replace("{" + name + "}", f"(?P<value>{pattern}){self._behind(name)}")
            yield re.compile(rf"(?<!\w)(?:{filled})(?!\w)")

    def _entries(self, kind: str) -> list[str]:
        match kind:
            case "days":
                return ["{days}"]
            case "parts":
                return ["{parts}"]
            case "weekday":
                return [cast("str", self._raw["weekday"])]
            case _:
                return cast("list[str]", self._raw[kind])

    def _slots(self) -> Mapping[str, str]:
        forms = "|".join(self._form(form, h="(?:{})", m="(?:{})") for form, _ in self._clock())
        part = rf"(?:\s?(?:{'|'.join(self._parts)}))?"
        marked = "|".join(map(unmarked, cast("list[str]", self._raw["marked"])))
        counted = rf"{self._number}\s?(?:{'|'.join(self._units.values())})"
        lengths = "|".join(map(re.escape, sorted(self._lengths, key=len, reverse=True)))
        return {
            "length": rf"(?:{lengths})|{counted}(?:\s(?:{self._and})\s{counted})?",
            "clock": f"(?:{WRITTEN}|{forms}){part}",
            "marked": f"(?:{marked}){part}",
            "weekday": "|".join(self._weekdays),
            "days": "|".join(map(re.escape, sorted(self.days, key=len, reverse=True))),
            "parts": "|".join(self._parts),
        }

    def _behind(self, slot: str) -> str:
        """Return what must not follow: a number with its unit is no time of day."""
        if slot not in {"clock", "marked"}:
            return ""
        return rf"(?!\s?(?:{unmarked(str(self._raw['no_clock']))}))(?![.,:]?\d)"


@cache
def time_words(language: str) -> TimeWords | None:
    """Return the words for times of `language` (`de-AT` counts as `de`), None where there are none of ours."""
    raw = table("times", language)
    return None if raw is None else TimeWords(language.split("-", maxsplit=1)[0].lower(), raw)


def _time(said: str, hour: float, minutes: float, part: Part, *, exact: bool = False) -> TimeOfDay | None:
    """Return the time of day; an hour that no clock of twelve hours shows leaves no doubt."""
    if hour > 2 * NOON or minutes >= HOUR or not float(hour).is_integer() or (part is Part.AM and hour > NOON):
        return None
    full = exact or said.startswith("0") or hour == 0 or hour > NOON
    return TimeOfDay.of(round(hour * 60 + minutes), part, exact=full)


def _day(written: list[object]) -> Day:
    ahead, *part = written
    return Day(int(str(ahead)), Part(str(part[0])) if part else Part.ANY)


def _spoken(language: str) -> dict[str, float]:
    engine = get_rbnf_engine(language)
    words: dict[str, float] = {}
    for value in range(NUMBERS + 1):
        spelled = engine.format_number(value)
        for text in (spelled.text, *spelled.text_by_ruleset.values()):
            words.setdefault(unmarked(fold(text.replace("\xad", ""))), float(value))
    return words
