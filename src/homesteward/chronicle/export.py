"""The chronicle as a file for other programs: CSV, or Parquet where pyarrow is installed. It is written page by page, however long it is."""

import asyncio
import csv
import io
import os
import unicodedata
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import IO, Protocol

from homesteward.chronicle.query import MAX_LIMIT, Page, Query, cursor_of
from homesteward.chronicle.rows import Row
from homesteward.chronicle.sight import Visible
from homesteward.core import HomestewardError, json
from homesteward.core.json import JsonObject
from homesteward.store.tables import EPOCH

# The form of the contract, and what a kind has beyond it, as JSON.
COLUMNS = (
    "id",
    "at",
    "kind",
    "entity_id",
    "old",
    "new",
    "attributes",
    "context_id",
    "parent_id",
    "user",
    "source",
    "more",
)
FORMULA = ("=", "+", "-", "@")
"""What a text begins with that a spreadsheet would take for something to calculate, also behind what is not seen, and in full width."""
BROKEN = ("\t", "\r", "\n")
"""What a text begins with that may move the rest of it into a cell of its own."""


class ExportFormat(StrEnum):
    """What the file is."""

    CSV = "csv"
    PARQUET = "parquet"


class ExtraMissingError(HomestewardError):
    """The library that writes this kind of file is not installed."""

    code = "extra_missing"


class ExportFileError(HomestewardError):
    """The file cannot be written."""

    code = "export_file"


class Pages(Protocol):
    """Whatever has rows in pages: the history."""

    async def rows(self, query: Query, visible: Visible | None = None) -> Page:
        """Return one page."""
        ...


@dataclass(frozen=True, slots=True)
class Exported:
    """What a file holds. `path` is where it lies."""

    path: Path
    rows: int
    format: ExportFormat

    def as_json(self) -> JsonObject:
        """Return it as a face shows it."""
        return {"path": str(self.path), "rows": self.rows, "format": self.format.value}


async def export_to(
    path: Path,
    format: ExportFormat,  # noqa: A002 - the contract's word
    pages: Pages,
    query: Query,
    until: datetime,
    visible: Visible | None = None,
) -> Exported:
    """Write what `query` asks for to a file, the oldest first, and only then put it in the place of one that is there.

    `until` is where it ends if the query does not say; its limit and cursor do not count. Raises ExtraMissingError,
    ExportFileError, and what the query raises.
    """
    begin = _WRITERS[format]
    part = path.with_name(f"{path.name}.part")
    count = 0
    try:
        with _private(part) as file:
            sheet = begin(file)
            async for rows in _all(pages, query, until, visible):
                await asyncio.to_thread(sheet.write, rows)
                count += len(rows)
            await asyncio.to_thread(sheet.close)
        part.replace(path)
    except OSError as error:
        raise ExportFileError(
            f"The file {path} cannot be written: {error.strerror}.", next="Choose another place for it."
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return Exported(path, count, format)


async def csv_chunks(
    pages: Pages, query: Query, until: datetime, visible: Visible | None = None
) -> AsyncIterator[bytes]:
    """Yield the lines of `export_to` as CSV, in chunks of one page, for somebody who reads them as they come."""
    yield (",".join(COLUMNS) + "\r\n").encode()
    async for rows in _all(pages, query, until, visible):
        yield await asyncio.to_thread(_lines, rows)


class _Sheet(Protocol):
    def write(self, rows: Sequence[Row]) -> None: ...

    def close(self) -> None: ...


class _CsvSheet:
    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        file.write((",".join(COLUMNS) + "\r\n").encode())

    def write(self, rows: Sequence[Row]) -> None:
        self._file.write(_lines(rows))

    def close(self) -> None:
        self._file.flush()


class _ParquetSheet:
    def __init__(self, file: IO[bytes]) -> None:
        try:
            import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415 - it has no types; large, and only for this
            from pyarrow import parquet  # noqa: PLC0415 - as above
        except ImportError as error:
            raise ExtraMissingError(
                "Parquet files are written by pyarrow, which is not installed.",
                next="Install homesteward[export], or take CSV.",
            ) from error
        special = {"id": pa.int64(), "at": pa.timestamp("us", tz="UTC")}
        self._schema = pa.schema([(name, special.get(name, pa.string())) for name in COLUMNS])
        self._batch_of = pa.RecordBatch.from_pylist
        self._writer = parquet.ParquetWriter(file, self._schema, compression="zstd")

    def write(self, rows: Sequence[Row]) -> None:
        self._writer.write_batch(self._batch_of([_cells(row) | {"at": row.at} for row in rows], schema=self._schema))

    def close(self) -> None:
        self._writer.close()


_WRITERS: dict[ExportFormat, Callable[[IO[bytes]], _Sheet]] = {
    ExportFormat.CSV: _CsvSheet,
    ExportFormat.PARQUET: _ParquetSheet,
}


async def _all(pages: Pages, query: Query, until: datetime, visible: Visible | None) -> AsyncIterator[Sequence[Row]]:
    """Yield every row that is asked for, the oldest first, a page at a time; what comes in meanwhile is not among them."""
    cursor = cursor_of((query.since or EPOCH, 0), newer=True)
    while True:
        page = await pages.rows(replace(query, until=query.until or until, limit=MAX_LIMIT, cursor=cursor), visible)
        if page.rows:
            yield page.rows[::-1]
        if not page.truncated or page.newer is None or page.newer == cursor:
            return
        cursor = page.newer


def _cells(row: Row) -> dict[str, object]:
    """Return the row by column: what is nested as JSON."""
    whole = dict(row.as_json())
    whole.pop("ref")
    cells: dict[str, object] = {name: whole.pop(name) for name in COLUMNS[:-1]}
    cells["attributes"] = json.dumps(cells["attributes"])
    return cells | {"more": json.dumps(whole)}


def _lines(rows: Sequence[Row]) -> bytes:
    text = io.StringIO(newline="")
    lines = csv.writer(text)
    for row in rows:
        lines.writerow([harmless(value) for value in _cells(row).values()])
    return text.getvalue().encode()


def harmless(value: object) -> object:
    """Return a text that a spreadsheet would calculate with a mark before it; numbers stay as they are."""
    if not isinstance(value, str) or not (value.startswith(BROKEN) or _seen(value).startswith(FORMULA)):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def _seen(text: str) -> str:
    """Return the first character of a text that is seen, in the width that a spreadsheet reads it in; empty where there is none."""
    first = next((each for each in text if unicodedata.category(each)[0] not in "CZ"), "")
    return unicodedata.normalize("NFKC", first)


def _private(path: Path) -> IO[bytes]:
    """Open a new file that only its owner can read: it says who was at home and when."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600), "wb")
