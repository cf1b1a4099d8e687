"""A digest of the content: the same through every format, another for any changed cell."""

import hashlib
import struct
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sdckit import Microdata, read, write
from sdckit.bands import Bands
from sdckit.digest import MISSING, RunningDigest, content_digest, row_hashes
from sdckit.microdata import Attribute, Kind, Role
from sdckit.testing.files import a_file, with_missing


def both(data: Microdata) -> tuple[str, str]:
    return content_digest(data, ordered=True), content_digest(data, ordered=False)


def file_of_many_types() -> Microdata:
    return Microdata.from_frame(
        pl.DataFrame(
            {
                "code": ["01234", "2345", "00012", "x1", "Zürich"],
                "number": [1.5, 2.25, -0.0, 1 / 3, None],
                "whole": [1, 2, 3, 4, None],
                "flag": [True, False, True, None, False],
                "text of numbers": ["1", "2", "2", "3", None],
            }
        )
    )


@pytest.mark.parametrize("extension", ["csv", "tsv", "parquet", "xlsx", "dta", "sav"])
def test_a_file_has_one_digest_in_every_format(extension: str, tmp_path: Path) -> None:
    data = file_of_many_types()
    if extension in ("dta", "sav"):  # these formats rename a column whose name has spaces
        data = data.without(["text of numbers"])
    path = tmp_path / f"file.{extension}"
    write(data, path)
    assert both(read(path, mixtures=True)) == both(data)


@pytest.mark.parametrize("extension", ["csv", "parquet", "xlsx"])
def test_a_file_with_missing_values_keeps_its_digest(extension: str, tmp_path: Path) -> None:
    data = with_missing(a_file(40)).without(["name"])
    if extension == "xlsx":  # which keeps sixteen digits of a number
        names = [each.name for each in data.attributes if not each.coded]
        data = data.with_matrix(names, np.round(data.matrix(names), 6))
    path = tmp_path / f"file.{extension}"
    write(data, path)
    assert both(read(path)) == both(data)


@given(st.permutations(["code", "number", "whole", "flag", "text of numbers"]))
def test_the_order_of_the_columns_does_not_matter(names: list[str]) -> None:
    assert both(file_of_many_types().only(names)) == both(file_of_many_types())


@given(st.permutations(range(30)))
def test_the_order_of_the_rows_matters_to_the_ordered_digest_alone(order: list[int]) -> None:
    assume(order != sorted(order))
    data = a_file(30)
    ordered, unordered = both(data.take(np.array(order)))
    assert unordered == both(data)[1]
    assert ordered != both(data)[0]


@given(st.data())
def test_any_changed_cell_changes_both_digests(data: st.DataObject) -> None:
    file = a_file(12)
    attribute = data.draw(st.sampled_from(file.attributes))
    row = data.draw(st.integers(0, 11))
    column = file.columns[attribute.name].copy()
    if attribute.categories is not None:
        column[row] = data.draw(st.integers(-1, len(attribute.categories) - 1).filter(lambda code: code != column[row]))
    else:
        value = data.draw(st.floats(allow_infinity=False) | st.just(float(np.nextafter(column[row], np.inf))))
        assume(value != column[row])
        column[row] = value
    changed = file.with_columns({attribute.name: column})
    assert all(one != other for one, other in zip(both(file), both(changed), strict=True))


def test_values_that_change_place_between_columns_or_rows_change_the_digest() -> None:
    def digests(a: list[float], b: list[float]) -> tuple[str, str]:
        return both(Microdata.from_frame(pl.DataFrame({"a": a, "b": b})))

    assert digests([1.0, 2.0], [3.0, 4.0])[1] != digests([3.0, 2.0], [1.0, 4.0])[1]
    assert digests([1.0, 2.0], [3.0, 4.0])[1] != digests([2.0, 1.0], [3.0, 4.0])[1]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ([1, 2], [1.0, 2.0], True),
        ([1, 2], ["1", "2"], True),
        ([1.5, 2], ["1.5", "2"], True),
        ([True, False], [1, 0], True),
        ([0.0, 1.0], [-0.0, 1.0], True),
        (["007", "x"], ["7", "x"], False),
        (["1_0", "x"], ["10", "x"], False),
        (["nan", "x"], [None, "x"], False),
        (["", "x"], [None, "x"], False),
    ],
)
def test_what_is_one_value(one: list[object], other: list[object], same: bool) -> None:
    first, second = (both(Microdata.from_frame(pl.DataFrame({"a": values}))) for values in (one, other))
    assert (first == second) is same


def test_a_renamed_column_a_dropped_row_and_a_repeated_row_change_the_digest() -> None:
    data = a_file(10)
    others = [data.without(["age"]), data.take(np.arange(9)), data.take(np.r_[np.arange(10), 9])]
    assert len({both(data)[1], *(both(other)[1] for other in others)}) == 4


MULTIPLIERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)


def the_hash(value: float | str | None) -> int:
    """The bits of a number, a short hash of a text, and a number of its own for a missing value."""
    if value is None:
        return int(MISSING)
    if isinstance(value, float):
        return int.from_bytes(struct.pack("<d", value), "little")
    return int.from_bytes(hashlib.blake2b(value.encode(), digest_size=8).digest(), "little")


def row_hash(row: dict[str, float | str | None], lane: int) -> int:
    """The sum over the columns of the mixed hashes of their values, each with the name of its column."""
    total = 0
    for name, value in row.items():
        mixed = (the_hash(value) ^ the_hash(f"{lane}:{name}")) * MULTIPLIERS[lane] % 2**64
        mixed = (mixed ^ (mixed >> 31)) * MULTIPLIERS[1] % 2**64
        total += mixed ^ (mixed >> 29)
    return total % 2**64


def test_a_digest_is_that_of_the_sums_of_mixed_hashes() -> None:
    """A key is kept for years: the digests of its files must be computed in the same way then."""
    rows = [{"a": 1.5, "b": "x"}, {"a": None, "b": "2"}, {"a": -3.0, "b": None}]
    data = Microdata.from_frame(pl.DataFrame(rows))
    plain = [row | ({"b": 2.0} if row["b"] == "2" else {}) for row in rows]
    lanes = [[row_hash(row, lane) for lane in (0, 1)] for row in plain]
    assert row_hashes(data).tolist() == lanes
    for ordered in (True, False):
        listed = lanes if ordered else sorted(lanes, key=lambda row: row[::-1])
        whole = hashlib.blake2b(b'[3, "a", "b"]', digest_size=16)
        whole.update(b"".join(number.to_bytes(8, "little") for row in listed for number in row))
        assert content_digest(data, ordered=ordered) == whole.hexdigest()


def test_a_digest_by_parts_is_that_of_the_whole() -> None:
    lanes = row_hashes(a_file(5))
    whole, parts = RunningDigest(5, ["b", "a"]), RunningDigest(5, ["a", "b"])
    whole.add(lanes)
    parts.add(lanes[:2])
    parts.add(lanes[2:])
    assert whole.hexdigest(b"links") == parts.hexdigest(b"links") != parts.hexdigest()


def test_a_band_has_the_digest_of_its_text() -> None:
    """Ages of 90 and more are published as "90+": read again, the column is one of texts."""
    ages = Attribute("age", Kind.DISCRETE, Role.KEY, bands=Bands((-np.inf, 90.0, np.inf), (0.0, 91.0), (None, "90+")))
    banded = Microdata((ages,), {"age": np.array([30.0, 91.0, np.nan, 30.0])})
    again = Microdata.from_frame(pl.DataFrame({"age": ["30", "90+", None, "30"]}))
    assert both(banded) == both(again)
    codes = Attribute(
        "age",
        Kind.DISCRETE,
        Role.KEY,
        categories=(30, 91),
        bands=Bands((-np.inf, 1.0, np.inf), (0.0, 1.0), (None, "90+")),
    )
    assert both(Microdata((codes,), {"age": np.array([0, 1, -1, 0])})) == both(again)


@pytest.mark.parametrize("ordered", [True, False])
def test_the_digest_does_not_depend_on_how_many_rows_are_digested_at_a_time(ordered, monkeypatch):
    data = file_of_many_types()
    whole = content_digest(data, ordered=ordered)
    for chunk in (1, 2, len(data)):
        monkeypatch.setattr("sdckit.digest.CHUNK", chunk)
        assert content_digest(data, ordered=ordered) == whole
