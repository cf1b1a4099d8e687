"""A digest of the content: the same through every format, another for any changed cell."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sdckit import Microdata, read, write
from sdckit.digest import content_digest
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
