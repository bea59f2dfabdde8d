"""What happened lately, to be read: one line per row, by day, in home time; as text, as Markdown, or as rows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from homesteward.chronicle.query import Page
from homesteward.chronicle.record import Act, Call, Run, Source, StateChange
from homesteward.chronicle.rows import Row
from homesteward.chronicle.telling import Teller
from homesteward.core.json import JsonObject

NAMED = 4  # targets named in one line
_MARKS = re.compile(r"([\\`*_{}\[\]<>()#+!|~-])")


@dataclass(frozen=True, slots=True)
class Line:
    """One row in words."""

    day: date
    clock: str
    words: str
    by: str


@dataclass(frozen=True, slots=True)
class Recent:
    """A page of rows in words, the newest first."""

    page: Page
    lines: tuple[Line, ...]
    more: str

    @property
    def text(self) -> str:
        """Return the lines as plain text, each day under its date."""
        parts = [
            f"{day.isoformat()}\n" + "\n".join(f"  {line.clock}  {line.words}{_by(line.by)}" for line in lines)
            for day, lines in self._days()
        ]
        return "\n".join([*parts, *self._more()])

    @property
    def markdown(self) -> str:
        """Return the lines as Markdown, each day under a heading; nothing in a name is taken for markup."""
        parts = [
            f"### {day.isoformat()}\n\n"
            + "\n".join(f"- **{line.clock}** {_plain(line.words)}{_plain(_by(line.by))}" for line in lines)
            for day, lines in self._days()
        ]
        return "\n\n".join([*parts, *self._more()])

    def as_json(self) -> JsonObject:
        """Return the rows, each with its words."""
        rows = [
            {**row.as_json(), "text": line.words, "by": line.by or None}
            for row, line in zip(self.page.rows, self.lines, strict=True)
        ]
        return {
            "rows": rows,
            "truncated": self.page.truncated,
            "cursor": self.page.cursor,
            "newer": self.page.newer,
        }

    def _days(self) -> Iterator[tuple[date, list[Line]]]:
        for day, lines in groupby(self.lines, key=lambda line: line.day):
            yield day, list(lines)

    def _more(self) -> list[str]:
        return [self.more] if self.page.truncated else []


def in_words(page: Page, teller: Teller) -> Recent:
    """Return a page in the teller's language."""
    return Recent(page, tuple(_line(row, teller) for row in page.rows), teller.text("more"))


def _line(row: Row, teller: Teller) -> Line:
    local = row.at.astimezone(teller.zone)
    return Line(local.date(), f"{local:%H:%M:%S}", _words(row, teller), row.user or "")


def _words(row: Row, teller: Teller) -> str:
    record = row.record
    match record:
        case StateChange(source=Source.FOUND, entity_id=entity_id, new=new):
            return teller.text("found_so", name=teller.name(entity_id), state=teller.state(entity_id, new))
        case StateChange():
            phrase = teller.phrase(record)
            return " ".join(part for part in (teller.name(record.entity_id), phrase.said, phrase.rest) if part)
        case Run():
            what = teller.trigger(record)
            ran = teller.text("applied" if row.subject.startswith("scene.") else "runs").replace("|", " ")
            return f"{teller.runs(record)} {ran}" + (teller.text("triggered_by", what=what) if what else "")
        case Call():
            return row.subject + _aims(record, teller)
        case Act():
            return f"{row.subject}{_aims(record, teller)} ({record.outcome})"


def _aims(record: Call | Act, teller: Teller) -> str:
    names = [teller.name(entity_id) for entity_id in record.entity_ids[:NAMED]]
    more = len(record.entity_ids) - NAMED
    return f": {', '.join(names)}{f' +{more}' if more > 0 else ''}" if names else ""


def _by(name: str) -> str:
    return f" ({name})" if name else ""


def _plain(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)
