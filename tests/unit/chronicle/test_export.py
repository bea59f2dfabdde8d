import csv
import io
import stat
import sys

import pytest
from pyarrow import parquet

from chronicles import START, act, after, change
from homes import small_home
from homesteward.chronicle.export import (
    COLUMNS,
    ExportFileError,
    ExportFormat,
    ExtraMissingError,
    csv_chunks,
    export_to,
    harmless,
)
from homesteward.chronicle.history import History
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.query import Query
from homesteward.chronicle.writer import Writer
from homesteward.core import FrozenClock, json

LAMP, OTHER = "light.hall", "light.kitchen"
UNTIL = after(3600)


@pytest.fixture
async def history(open_database):
    home = small_home()
    database = await open_database(CHRONICLE)
    writer = await Writer.start(database, home.home_id)
    for n in range(30):
        writer.put(change(n, LAMP if n % 2 else OTHER, f"state {n}", attributes={"brightness": n}))
    writer.put(act(40, LAMP))
    await writer.close()
    return History(database, home, FrozenClock(UNTIL))


def read_csv(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


@pytest.fixture
def small_pages(monkeypatch):
    monkeypatch.setattr("homesteward.chronicle.export.MAX_LIMIT", 7)


@pytest.mark.parametrize(
    "text", ["=1+1", "\n=1+1", "\n", "\n@x", " =1+1", "\u3000=1", "\uff1d1+1", "\uff0bx", "\uff0dx", "\uff20x", "\ufeff=1", "\u200b=1", "\0=1", "\t=1"]
)  # fmt: skip
def test_nothing_that_a_spreadsheet_would_calculate_stays_one_whatever_stands_before_it(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-5", "+1.5", "on", "", "a=b", "21.5 °C", "日本"])
def test_what_is_no_formula_stays_as_it_is(text):
    assert harmless(text) == text


async def test_a_csv_file_has_every_row_once_the_oldest_first(history, tmp_path, small_pages):
    exported = await export_to(tmp_path / "all.csv", ExportFormat.CSV, history, Query(), UNTIL)

    rows = read_csv(exported.path)
    assert [row["new"] for row in rows] == [f"state {n}" for n in range(30)] + [""]
    assert (exported.rows, tuple(rows[0])) == (31, COLUMNS)
    assert rows[3]["at"] == after(3).isoformat()
    assert json.loads(rows[3]["attributes"]) == {"brightness": 3}
    assert (rows[-1]["kind"], json.loads(rows[-1]["more"])["person"]) == ("act", "Ada")


async def test_a_parquet_file_has_the_same_rows_with_their_types(history, tmp_path, small_pages):
    exported = await export_to(tmp_path / "all.parquet", ExportFormat.PARQUET, history, Query(), UNTIL)

    rows = parquet.read_table(exported.path).to_pylist()
    assert [row["new"] for row in rows] == [f"state {n}" for n in range(30)] + [None]
    assert rows[0]["at"] == START
    assert rows[0]["id"] == 1
    assert tuple(rows[0]) == COLUMNS


async def test_a_span_and_a_filter_are_kept_to(history, tmp_path):
    query = Query(entities=(LAMP,), since=after(5), until=after(9))
    exported = await export_to(tmp_path / "some.csv", ExportFormat.CSV, history, query, UNTIL)

    assert [row["new"] for row in read_csv(exported.path)] == ["state 5", "state 7"]


async def test_what_may_not_be_seen_is_not_exported(history, tmp_path):
    exported = await export_to(
        tmp_path / "some.csv", ExportFormat.CSV, history, Query(), UNTIL, lambda entity_id: entity_id == OTHER
    )

    assert {row["entity_id"] for row in read_csv(exported.path)} == {OTHER}


async def test_an_empty_answer_is_a_file_with_its_columns(history, tmp_path):
    query = Query(since=after(1000))
    empty = await export_to(tmp_path / "none.csv", ExportFormat.CSV, history, query, UNTIL)
    assert empty.path.read_text().strip() == ",".join(COLUMNS)

    assert (await export_to(tmp_path / "none.parquet", ExportFormat.PARQUET, history, query, UNTIL)).rows == 0


async def test_csv_comes_in_chunks_for_whoever_reads_along(history, small_pages):
    chunks = [chunk async for chunk in csv_chunks(history, Query(), UNTIL)]

    assert len(chunks) == 6
    assert len(list(csv.DictReader(io.StringIO(b"".join(chunks).decode())))) == 31


async def test_the_file_is_its_owners_alone_and_takes_the_place_of_another_at_the_end(history, tmp_path):
    path = tmp_path / "all.csv"
    path.write_text("before")
    path.chmod(0o644)

    await export_to(path, ExportFormat.CSV, history, Query(), UNTIL)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.glob("*.part")) == []


async def test_a_place_that_cannot_be_written_is_told(history, tmp_path):
    with pytest.raises(ExportFileError, match="cannot be written"):
        await export_to(tmp_path / "none" / "all.csv", ExportFormat.CSV, history, Query(), UNTIL)


async def test_without_its_library_parquet_says_what_to_install(history, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(ExtraMissingError) as caught:
        await export_to(tmp_path / "all.parquet", ExportFormat.PARQUET, history, Query(), UNTIL)

    assert "homesteward[export]" in caught.value.next
    assert list(tmp_path.glob("all*")) == []


@pytest.mark.parametrize("text", ["=1+1", "+SUM(A1)", "-2+3", "@x", "\tx", "=cmd|' /C calc'!A0"])
def test_a_text_that_would_be_calculated_is_made_harmless(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-3.5", "+20", "on", "", "a=b", 7, None, "-1e5"])
def test_numbers_and_plain_texts_stay_as_they_are(value):
    assert harmless(value) == value
