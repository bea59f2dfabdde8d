"""Rows of the chronicle as a model reads them: one short line each, at local time."""

from collections.abc import Sequence

from homesteward.chronicle.history import History
from homesteward.chronicle.query import Page
from homesteward.chronicle.recent import Line, in_words
from homesteward.chronicle.rows import Row
from homesteward.chronicle.sight import Sight
from homesteward.core.json import JsonValue
from homesteward.tools.beheld import Beheld


def told(rows: Sequence[Row], chronicle: History, beheld: Beheld, language: str) -> list[JsonValue]:
    """Return the rows in words of `language`, in the order given; `ref` leads to the chain around each."""
    recent = in_words(Page(tuple(rows)), chronicle.teller(language, Sight(beheld.sees)))
    return [line_of(row, line, beheld) for row, line in zip(rows, recent.lines, strict=True)]


def line_of(row: Row, line: Line, beheld: Beheld) -> JsonValue:
    """Return one row with its words."""
    return {"at": beheld.local(row.at), "kind": row.kind.value, "text": line.words, "ref": row.ref} | (
        {"by": line.by} if line.by else {}
    )
