"""Reading and writing any format: what goes round, what never leaves, what is refused."""

import os
import subprocess
import sys
from datetime import date, datetime, time, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit.errors import FileError, ParameterError, SchemaError
from sdckit.files import read, write
from sdckit.files.atomic import replacing
from sdckit.microdata import Kind, Microdata
from sdckit.schema import Declared, Schema

WRITABLE = [".csv", ".tsv", ".parquet", ".xlsx", ".sav", ".zsav", ".dta", ".xpt"]


@pytest.fixture
def file():
    frame = pl.DataFrame(
        {
            "name": ["Ann", "Bob", "Cy", "Di"],
            "age": [30, None, 52, 41],
            "pay": [1.25, 2.5, None, 4.0],
            "town": ["Ely", "Ur", None, "Ur"],
            "born": [date(1990, 1, 2), None, date(1970, 3, 4), date(2000, 2, 29)],
        }
    )
    return Microdata.from_frame(frame, roles={"name": "identifier", "age": "key"})


@pytest.mark.parametrize("extension", WRITABLE)
def test_every_format_is_written_and_read_unchanged(tmp_path, file, extension):
    written = write(file, tmp_path / f"out{extension}")
    assert (written.records, written.columns) == (4, ("age", "pay", "town", "born"))
    back = read(written.path)
    for name in ("age", "pay", "born"):
        np.testing.assert_array_equal(back.columns[name], file.columns[name])
    assert back.values("town").tolist() == file.values("town").tolist()
    assert back.attribute("age").integral
    assert os.listdir(tmp_path) == [written.path.name]


@pytest.mark.parametrize("extension", WRITABLE)
def test_identifiers_are_never_written(tmp_path, file, extension):
    written = write(file, tmp_path / f"out{extension}")
    assert written.identifiers_dropped == ("name",)
    assert "name" not in read(written.path)
    if extension != ".xlsx":  # a workbook is packed
        assert b"Bob" not in written.path.read_bytes()


def test_of_a_release_the_masked_file_is_written(tmp_path, file):
    class Release:
        masked = file.with_columns({"age": np.array([1.0, 2, 3, 4])})
        original = file

    write(Release(), tmp_path / "out.csv")
    assert read(tmp_path / "out.csv").columns["age"].tolist() == [1, 2, 3, 4]


def test_a_file_of_identifiers_only_is_not_written(tmp_path, file):
    only = file.without(["age", "pay", "town", "born"])
    with pytest.raises(FileError, match="every column is an identifier"):
        write(only, tmp_path / "out.csv")


def test_shuffled_rows_are_the_same_rows_in_another_order(tmp_path):
    file = Microdata.from_frame(pl.DataFrame({"x": range(200), "y": range(200)}))
    written = write(file, tmp_path / "out.csv", shuffle_rows=True)
    back = read(written.path)
    assert written.rows_shuffled
    assert back.columns["x"].tolist() != list(range(200))
    assert sorted(back.columns["x"]) == list(range(200))
    assert back.columns["x"].tolist() == back.columns["y"].tolist()


def test_a_generator_decides_the_order_of_shuffled_rows(tmp_path):
    file = Microdata.from_frame(pl.DataFrame({"x": range(50), "y": range(50)}))
    for name in ("one.csv", "two.csv"):
        write(file, tmp_path / name, shuffle_rows=True, rng=np.random.default_rng(5))
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_an_existing_file_is_kept_unless_forced(tmp_path, file):
    path = tmp_path / "out.csv"
    path.write_text("old")
    with pytest.raises(FileError, match="--force"):
        write(file, path)
    assert path.read_text() == "old"
    write(file, path, force=True)
    assert path.read_text().startswith("age")


def fail_half_way(path, error, force=False):
    with replacing(path, force=force) as temporary:
        temporary.write_text("half")
        raise error


def test_a_failure_half_way_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("old")
    with pytest.raises(RuntimeError):
        fail_half_way(path, RuntimeError, force=True)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.csv"]


def test_an_interruption_leaves_no_partial_file(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        fail_half_way(tmp_path / "out.csv", KeyboardInterrupt)
    assert os.listdir(tmp_path) == []


def test_a_file_that_appears_while_writing_is_kept(tmp_path):
    path = tmp_path / "out.csv"
    writing = replacing(path)
    writing.__enter__().write_text("ours")
    path.write_text("theirs")
    with pytest.raises(FileError, match="--force"):
        writing.__exit__(None, None, None)
    assert path.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["out.csv"]


def test_a_new_file_takes_the_permissions_of_the_old_one(tmp_path, file):
    path = tmp_path / "out.csv"
    path.write_text("old")
    path.chmod(0o640)
    write(file, path, force=True)
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_keeps_pointing_at_the_written_file(tmp_path, file):
    target = tmp_path / "target.csv"
    target.write_text("old")
    (tmp_path / "link.csv").symlink_to(target)
    write(file, tmp_path / "link.csv", force=True)
    assert (tmp_path / "link.csv").is_symlink() and target.read_text().startswith("age")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere/out.csv", "there is no folder"),
        ("out.cvs", "did you mean '.csv'"),
        ("out", "has no extension"),
        ("out.sas7bdat", "write .xpt"),
        (".", "has no extension"),
    ],
)
def test_an_unusable_path_is_refused(tmp_path, file, name, words):
    with pytest.raises(FileError, match=words):
        write(file, tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_a_folder_is_no_file(tmp_path, file):
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(FileError, match="is a folder"):
        write(file, tmp_path / "folder.csv", force=True)
    with pytest.raises(FileError, match="is a folder"):
        read(tmp_path / "folder.csv")


def test_a_missing_file_is_refused_with_the_near_miss(tmp_path):
    (tmp_path / "survey.csv").write_text("a\n1\n")
    with pytest.raises(FileError, match=r"did you mean 'survey\.csv'"):
        read(tmp_path / "survye.csv")
    with pytest.raises(FileError, match="no folder"):
        read(tmp_path / "nowhere" / "survey.csv")


def test_an_unknown_format_is_refused_with_the_near_miss(tmp_path):
    (tmp_path / "survey.savv").write_text("a\n1\n")
    with pytest.raises(FileError, match=r"did you mean '\.sav'"):
        read(tmp_path / "survey.savv")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_read_permission_is_refused(tmp_path):
    path = tmp_path / "secret.csv"
    path.write_text("a\n1\n")
    path.chmod(0)
    with pytest.raises(FileError, match="cannot be read"):
        read(path)


@pytest.mark.parametrize("extension", [".parquet", ".xlsx", ".sav", ".zsav", ".dta", ".xpt", ".sas7bdat"])
@pytest.mark.parametrize("content", [b"", b"this is no such file, whatever its name may say"])
def test_a_file_of_another_format_is_refused_in_one_line(tmp_path, extension, content):
    path = tmp_path / f"wrong{extension}"
    path.write_bytes(content)
    with pytest.raises(FileError) as caught:
        read(path)
    assert "\n" not in str(caught.value)


def test_an_option_of_another_format_is_refused(tmp_path, file):
    write(file, tmp_path / "out.parquet")
    with pytest.raises(ParameterError, match="there are none"):
        read(tmp_path / "out.parquet", delimiter=";")


def test_a_schema_is_read_from_its_path(tmp_path):
    (tmp_path / "f.csv").write_text("sex\n1\n2\n")
    (tmp_path / "schema.toml").write_text('[attributes.sex]\nkind = "unordered"\nrole = "key"\n')
    assert read(tmp_path / "f.csv", tmp_path / "schema.toml").attribute("sex").kind is Kind.UNORDERED


# Labelled files


@pytest.fixture
def labelled():
    frame = pl.DataFrame(
        {"sex": [1, 2, None], "grade": [1, 3, 2], "pay": [1.25, 2.5, 3.0], "seen": [datetime(2020, 1, 1, 3, 4, 5)] * 3}
    )
    schema = Schema(
        {
            "sex": Declared(kind=Kind.UNORDERED, label="Sex of the person", value_labels={1: "male", 2: "fémale"}),
            "grade": Declared(label="Grade", value_labels={1: "low"}),
            "pay": Declared(decimals=2),
        }
    )
    return Microdata.from_frame(frame, schema=schema)


@pytest.mark.parametrize("extension", [".sav", ".zsav", ".dta"])
def test_labels_of_variables_and_values_are_written_and_read(tmp_path, labelled, extension):
    write(labelled, tmp_path / f"one{extension}")
    first = read(tmp_path / f"one{extension}")
    write(first, tmp_path / f"two{extension}")
    for back in (first, read(tmp_path / f"two{extension}")):
        assert back.attribute("sex").label == "Sex of the person"
        assert back.attribute("sex").value_labels == {1: "male", 2: "fémale"}
        assert back.attribute("sex").kind is Kind.UNORDERED
        assert back.attribute("grade").kind is Kind.DISCRETE  # one label of three: still numbers
        assert back.columns["seen"].tolist() == labelled.columns["seen"].tolist()


def test_decimals_of_an_spss_file_are_those_it_shows(tmp_path, labelled):
    write(labelled, tmp_path / "file.sav")
    assert read(tmp_path / "file.sav").attribute("pay").decimals == 2


def test_missing_ranges_of_an_spss_file_are_missing_and_declared_again(tmp_path):
    import pyreadstat

    frame = pl.DataFrame({"pay": [10.0, -99.0, -95.0, 20.0], "sex": [1.0, 9.0, 2.0, 1.0]})
    pyreadstat.write_sav(
        frame,
        tmp_path / "in.sav",
        missing_ranges={"pay": [{"lo": -99, "hi": -90}], "sex": [9]},
        variable_value_labels={"sex": {1: "m", 2: "f", 9: "unknown"}},
        variable_measure={"sex": "nominal"},
    )
    file = read(tmp_path / "in.sav")
    assert file.missing("pay") == 2 and file.missing("sex") == 1
    assert file.attribute("sex").categories == (1, 2)
    write(file, tmp_path / "out.sav")
    _, about = pyreadstat.read_sav(tmp_path / "out.sav", user_missing=True)
    assert about.missing_ranges == {"pay": [{"lo": -99, "hi": -90}], "sex": [{"lo": 9, "hi": 9}]}
    assert about.variable_measure["sex"] == "nominal"


@pytest.mark.parametrize("extension", [".sav", ".dta"])
def test_a_name_that_the_format_cannot_hold_is_refused(tmp_path, extension):
    file = Microdata.from_frame(pl.DataFrame({"post code": [1, 2]}))
    with pytest.raises(FileError, match="cannot hold this file"):
        write(file, tmp_path / f"out{extension}")
    assert os.listdir(tmp_path) == []


def test_labels_of_text_values_are_written_and_read_in_spss(tmp_path):
    schema = Schema({"sex": Declared(value_labels={"f": "female", "m": "male"})})
    write(Microdata.from_frame(pl.DataFrame({"sex": ["f", "m"]}), schema=schema), tmp_path / "out.sav")
    assert read(tmp_path / "out.sav").attribute("sex").value_labels == {"f": "female", "m": "male"}


@pytest.mark.parametrize("extension", WRITABLE)
def test_columns_of_every_type_can_be_written(tmp_path, extension):
    frame = pl.DataFrame(
        {
            "yes": [True, None],
            "grade": pl.Series(["lo", "hi"], dtype=pl.Enum(["lo", "hi"])),
            "group": pl.Series(["a", "b"], dtype=pl.Categorical),
            "cents": pl.Series(["1.10", None]).cast(pl.Decimal(10, 2)),
            "big": [2**60, None],
            "nothing": pl.Series([None, None], dtype=pl.Null),
            "zoned": pl.Series([datetime(2020, 1, 1), None]).dt.replace_time_zone("Europe/Madrid"),
            "span": [timedelta(hours=1), None],
            "clock": [time(1, 2, 3), None],
            "single": pl.Series([0.5, None], dtype=pl.Float32),
        }
    )
    written = write(Microdata.from_frame(frame), tmp_path / f"out{extension}")
    back = read(written.path)
    assert [back.missing(name) for name in frame.columns] == [1, 0, 0, 1, 1, 2, 1, 1, 1, 1]
    assert back.columns["cents"][0] == pytest.approx(1.1)
    assert str(back.values("big")[0]) == str(2**60)


# Workbooks


def test_a_sheet_is_chosen_by_name(tmp_path):
    import xlsxwriter

    with xlsxwriter.Workbook(tmp_path / "book.xlsx") as book:
        for sheet in ("first", "second"):
            page = book.add_worksheet(sheet)
            page.write_row(0, 0, ["x", "who"])
            page.write_row(1, 0, [1 if sheet == "first" else 2, "a"])
        book.add_worksheet("blank")
        page = book.add_worksheet("twice")
        page.write_row(0, 0, ["x", "x"])
        page.write_row(1, 0, [1, 2])
        page = book.add_worksheet("header")
        page.write_row(0, 0, ["x", "y"])
    with pytest.raises(FileError, match="3 sheets with records: 'first', 'second', 'twice'; name the one to read"):
        read(tmp_path / "book.xlsx")
    assert read(tmp_path / "book.xlsx", sheet="first").columns["x"].tolist() == [1]
    assert read(tmp_path / "book.xlsx", sheet="second").columns["x"].tolist() == [2]
    with pytest.raises(FileError, match="did you mean 'second'"):
        read(tmp_path / "book.xlsx", sheet="sceond")
    with pytest.raises(FileError, match="is empty"):
        read(tmp_path / "book.xlsx", sheet="blank")
    with pytest.raises(SchemaError, match="'x' appears twice"):
        read(tmp_path / "book.xlsx", sheet="twice")
    with pytest.raises(SchemaError, match="no records"):
        read(tmp_path / "book.xlsx", sheet="header")


def test_a_file_without_records_is_named(tmp_path):
    file = tmp_path / "empty.parquet"
    pl.DataFrame({"x": [1]}).head(0).write_parquet(file)
    with pytest.raises(SchemaError) as raised:
        read(file)
    assert str(raised.value) == f"{file} has no records; give it at least one"


def test_the_only_sheet_with_records_is_read(tmp_path):
    import xlsxwriter

    with xlsxwriter.Workbook(tmp_path / "book.xlsx") as book:
        book.add_worksheet("notes").write_row(0, 0, ["a note"])
        page = book.add_worksheet("data")
        page.write_row(0, 0, ["x", "who"])
        page.write_row(1, 0, [3, "a"])
    assert read(tmp_path / "book.xlsx").columns["x"].tolist() == [3]


def test_a_workbook_holds_text_not_formulas(tmp_path):
    import zipfile

    file = Microdata.from_frame(pl.DataFrame({"text": ["=1+1", "x"], "long": [2**60, 1]}))
    write(file, tmp_path / "out.xlsx")
    with zipfile.ZipFile(tmp_path / "out.xlsx") as parts:
        assert b"<f>" not in parts.read("xl/worksheets/sheet1.xml")
    assert read(tmp_path / "out.xlsx").values("text").tolist() == ["=1+1", "x"]
    assert read(tmp_path / "out.xlsx").values("long").tolist() == [str(2**60), "1"]


# The import


def test_the_import_brings_in_nothing_heavy():
    heavy = ["pandas", "pyreadstat", "numba", "scipy", "sklearn", "fastexcel", "pyarrow"]
    code = f"import sys, sdckit.files; print([name for name in {heavy} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_a_parquet_file_with_a_large_dictionary_in_its_last_column_is_read(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "file.parquet"
    pq.write_table(pa.table({"age": range(5000), "income": [number / 7 for number in range(5000)]}), path)
    assert len(read(path)) == 5000
