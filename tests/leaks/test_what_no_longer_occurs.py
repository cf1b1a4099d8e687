"""What no longer occurs in a release is in no file and no frame of it: every method, every format, every library."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit import Microdata, protect, read, write
from sdckit.files import formats
from sdckit.occurring_values import only_occurring
from sdckit.release import Release
from tests.leaks.files import gone, installed_maskings, marked, marked_frame, marked_schema, releases_of_every_method
from tests.leaks.scan import content_of

EXTENSIONS = [
    suffix
    for each in formats()
    if each.write and each.in_file and each.domain is Microdata
    for suffix in each.suffixes
    if suffix != ".sas7bdat"
]


QUICK = ("mdav", "local-suppression", "simple-sampling")


@pytest.fixture(scope="module")
def releases() -> list[tuple[str, Release]]:
    return list(releases_of_every_method(marked()))


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_a_file_of_a_few_methods_has_nothing_that_no_row_has(tmp_path: Path, extension: str) -> None:
    for name, release in releases_of_every_method(marked(), QUICK):
        scan(name, release, tmp_path / f"{name}{extension}")


@pytest.mark.slow
def test_every_method_is_scanned(releases: list[tuple[str, Release]]) -> None:
    assert {name for name, _ in releases} == installed_maskings()


@pytest.mark.slow
@pytest.mark.parametrize("extension", EXTENSIONS)
def test_a_written_file_has_nothing_that_no_row_has(
    releases: list[tuple[str, Release]], tmp_path: Path, extension: str
) -> None:
    for name, release in releases:
        scan(name, release, tmp_path / f"{name}{extension}")


def scan(name: str, release: Release, path: Path) -> None:
    """Write ten rows of a release and look for what the other rows had."""
    few = release.masked.take(np.arange(10))
    write(few, path)
    content = content_of(path)
    left = {text for text in gone(release.original, few) if text in content}
    assert not left, f"{name}: {sorted(left)[:3]}"
    there = {str(value) for name in ("town", "branch") if name in few for value in few.values(name).tolist()}
    assert any(text in content for text in there), f"{name}: the scan reads the file"


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_of_a_release_has_no_index_and_no_unused_category(
    releases: list[tuple[str, Release]], backend: str
) -> None:
    for name, release in releases:
        few = release.masked.take(np.arange(10))
        frame = few.to_frame(backend)
        left = {text for text in gone(release.original, few) if text in _dictionaries(frame)}
        assert not left, f"{name}: {sorted(left)[:3]}"


def _dictionaries(frame: object) -> str:
    """The categories that a frame carries beside its values."""
    if hasattr(frame, "column_names"):
        return str(
            [chunk.dictionary for each in frame.columns for chunk in each.chunks if hasattr(chunk, "dictionary")]
        )
    if hasattr(frame, "iloc"):
        return str([list(kind.categories) for kind in frame.dtypes if hasattr(kind, "categories")])
    return str(frame.schema) + str(frame.to_arrow().schema.metadata)


@pytest.mark.parametrize("index", ["names", "pairs"])
def test_the_index_of_a_pandas_frame_is_not_released(index: str) -> None:
    import pandas as pd

    frame = marked_frame().to_pandas()
    names = frame.pop("name")
    frame.index = pd.Index(names) if index == "names" else pd.MultiIndex.from_arrays([names, frame["town"]])
    release = protect(frame, "additive-noise", ["income"])
    masked = release.masked.to_frame()
    assert list(masked.index) == list(range(len(frame)))
    assert list(release.original.to_frame().index) == list(frame.index)
    sampled = protect(frame, "simple-sampling:share=0.5", ["income"]).masked.to_frame()
    assert list(sampled.index) == list(range(len(sampled)))


def test_categories_of_a_plain_file_come_back() -> None:
    frame = marked_frame()
    data = Microdata.from_frame(frame, schema=marked_schema(frame))
    assert data.to_frame()["grade"].dtype == frame["grade"].dtype
    assert only_occurring(data).to_frame()["grade"].to_list() == frame["grade"].to_list()


def test_missing_values_are_not_declared_where_a_masked_value_would_be_one(tmp_path: Path) -> None:
    import pyreadstat

    table = pl.DataFrame({"pay": [10.0, -99.0, 30.0], "age": [20.0, -99.0, 40.0]})
    declared = {"pay": [{"lo": -99, "hi": -99}], "age": [{"lo": -99, "hi": -99}]}
    pyreadstat.write_sav(table, tmp_path / "in.sav", missing_ranges=declared)
    data = read(tmp_path / "in.sav")
    moved = data.with_columns({"pay": np.array([-99.0, np.nan, 30.0])})
    write(moved, tmp_path / "out.sav")
    again = read(tmp_path / "out.sav")
    assert again.columns["pay"][0] == -99 and again.missing("age") == 1
    assert list(pyreadstat.read_sav(tmp_path / "out.sav", user_missing=True)[1].missing_ranges) == ["age"]
