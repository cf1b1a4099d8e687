"""Delimited text has the records and cells for an engine that it has in memory, or it is refused with the cure."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.engines.csv_lines import lines_of
from sdckit.engines.source import CsvSource
from sdckit.errors import FileError, SdcError
from sdckit.files.csv_dialect import cells
from sdckit.files.formats.csv import Dialect
from sdckit.schema import Schema

PIECES = ["a", "1", ",", ",", '"', '""', "\n", "\r\n", "\r", "\n\n", 'a,"b"\n', '1,"2\n3"\r\n']


def cells_by_an_engine(path: Path, names: tuple[str, ...], block_bytes: int) -> pl.DataFrame:
    lines = lines_of(path, ",", len(names), '"', block_bytes)
    return CsvSource(path, Schema(), Dialect(), names=names, lines=lines).texts().collect()


@pytest.mark.parametrize("names", [("x", "y"), ("x",)])
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=12), block_bytes=st.integers(1, 20))
def test_what_an_engine_reads_is_what_memory_reads(
    tmp_path_factory: pytest.TempPathFactory, names: tuple[str, ...], pieces: list[str], block_bytes: int
) -> None:
    text = ",".join(names) + "\n" + "".join(pieces)
    path = tmp_path_factory.mktemp("text") / "file.csv"
    path.write_bytes(text.encode())
    try:
        found = cells_by_an_engine(path, names, block_bytes)
    except (FileError, pl.exceptions.PolarsError):
        return
    expected = cells(path, text, ",")
    assert found.fill_null("").equals(expected.fill_null(""))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("block_bytes", [1, 2, 3, 5, 1000])
def test_a_regular_file_is_never_refused(tmp_path: Path, end: str, block_bytes: int) -> None:
    path = tmp_path / "file.csv"
    rows = ["x,y", "1,2", '"a,b",""', '"c ""d""",e', ",", f'"two{end}lines",f']
    for after in ("", end, 2 * end):
        path.write_bytes((end.join(rows) + after).encode())
        lines = lines_of(path, ",", 2, '"', block_bytes)
        assert (lines.records, lines.returns_in_quotes) == (5, end == "\r\n")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("x,y\n1,2\n3\n4,5\n", "line 3 has 1 fields where the header has 2"),
        ("x,y\n1,2\n3,4,5\n", "line 3 has 3 fields where the header has 2"),
        ('x,y\n"1\n2",2\n3\n', "line 4 has 1 fields"),
        ("x,y\n1,2\n\n4,5\n", "line 3 is blank, between records; remove blank lines, or use --engine memory"),
        ("x,y\r\n1,2\r\n\r\n\r\n4,5\r\n", "line 3 is blank"),
        ("x,y\n1,2\r4,5\n", "line 2 has a carriage return without a line feed"),
        ('x,y\n1,"2\n4,5\n', "unexpected end of data; check its quotes"),
        ("x,y\n", "has a header but no records"),
        ('x,y\n1,secret "2" secret\n3,"4" secret\n', "cannot be divided into cells; check its quotes, or use --engine"),
        ("x\ty\nr1\t1\t2\nr2\t3\t4\n", "the first column has no name; give it one, or use --engine memory"),
        ("x,y\n1,\x9c\n".encode("latin-1"), "is not text in UTF-8; save it in UTF-8, or use --engine memory"),
    ],
)
@pytest.mark.parametrize("block_bytes", [2, 1 << 20])
def test_what_differs_from_memory_is_refused_with_the_cure(
    tmp_path: Path, content: str | bytes, reason: str, block_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sdckit.engines.csv_lines.lines_of.__defaults__", (block_bytes,))
    path = tmp_path / "file.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(SdcError, match=reason) as problem:
        CsvSource.of(path, Schema()).columns()
    assert "secret" not in str(problem.value), "no cell is shown"
