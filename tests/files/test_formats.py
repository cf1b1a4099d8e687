"""Formats are found in their folder and through entry points: a new one is one new file."""

import json
import subprocess
import sys

import polars as pl
import pytest
from tests.plugin_packages import another_package, one_more_file

from sdckit.errors import FileError
from sdckit.files import formats, read, write
from sdckit.files.formats import GROUP, format_of, suffixes
from sdckit.microdata import Microdata

PACKAGE = "sdckit.files.formats"
JSON_LINES = '''
"""JSON lines: one record a line."""

import polars as pl

from sdckit.microdata import Microdata

TITLE = "JSON lines"
SUFFIXES = (".jsonl",)


def read(path, schema):
    return Microdata.from_frame(pl.read_ndjson(path), schema=schema)


def write(data, path, escape_formulas=False):
    data.to_frame("polars").write_ndjson(path)
'''


def goes_round(folder):
    data = Microdata.from_frame(pl.DataFrame({"age": [30, 41], "town": ["Ely", None]}))
    assert write(data, folder / "out.jsonl").formula_cells == 0
    assert [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()] == [
        {"age": 30, "town": "Ely"},
        {"age": 41, "town": None},
    ]
    return read(folder / "out.jsonl").values("town").tolist() == ["Ely", None]


def test_a_new_file_in_the_folder_is_a_format(tmp_path):
    with one_more_file(PACKAGE, "json_lines", JSON_LINES, tmp_path):
        assert "JSON lines" in [each.title for each in formats()]
        assert goes_round(tmp_path)
    assert format_of(".jsonl") is None


def test_another_package_adds_a_format(tmp_path):
    with another_package(PACKAGE, GROUP, "strangers_format", JSON_LINES, tmp_path):
        assert formats()[-1].name == "strangers_format"
        assert goes_round(tmp_path)


def test_a_format_that_cannot_be_imported_disables_no_other(tmp_path):
    (tmp_path / "in.csv").write_text("x\n1\n", encoding="utf-8")
    (tmp_path / "in.odd").write_text("x\n1\n", encoding="utf-8")
    with another_package(PACKAGE, GROUP, "broken_format", "import no_such_library", tmp_path):
        assert read(tmp_path / "in.csv").columns["x"].tolist() == [1]
        with pytest.raises(FileError, match=r"broken_format could not be imported .*no_such_library"):
            read(tmp_path / "in.odd")


def test_a_format_without_write_is_read_only(tmp_path):
    with one_more_file(PACKAGE, "json_lines", JSON_LINES.partition("def write")[0], tmp_path):
        with pytest.raises(FileError, match=r"\.jsonl files can be read but not written"):
            write(Microdata.from_frame(pl.DataFrame({"age": [30]})), tmp_path / "out.jsonl")
        assert not (tmp_path / "out.jsonl").exists()


def test_a_missing_library_is_named_with_the_cure(tmp_path):
    (tmp_path / "in.jsonl").write_text("{}", encoding="utf-8")
    needing = JSON_LINES.replace("    return Microdata", "    import no_such_library\n    return Microdata")
    with (
        one_more_file(PACKAGE, "json_lines", needing, tmp_path),
        pytest.raises(FileError, match=r"\.jsonl files need no_such_library"),
    ):
        read(tmp_path / "in.jsonl")


def test_every_extension_belongs_to_one_format():
    assert len(suffixes()) == len(set(suffixes()))
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in suffixes())
    assert all(each.title for each in formats())


def test_the_list_of_formats_imports_no_library_of_theirs():
    heavy = ["pandas", "pyreadstat", "fastexcel", "pyarrow"]
    code = f"import sys, sdckit.files as f; f.formats(); print([name for name in {heavy} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
