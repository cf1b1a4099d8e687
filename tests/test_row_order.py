"""The order of the rows: a sorted file gives its masked values away, a shuffled one does not."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from sdckit import Microdata, Release, protect
from sdckit.kernels.serial_order import neighbour_agreement, neighbour_rank_correlation, share_in_one_direction
from sdckit.row_order import order_traces, shuffled
from sdckit.rows import Unknown

RNG = np.random.default_rng(5)
INCOMES = RNG.lognormal(7, 0.8, 400)


def release(frame: pl.DataFrame, *names: str, method: str = "additive-noise:variance_share=0.5") -> Release:
    return protect(frame, method, names, seed=2**127 + 3)


def test_smoothing_along_the_order_removes_most_of_the_noise() -> None:
    masked = release(pl.DataFrame({"income": np.sort(INCOMES)}), "income")
    before, after = masked.original.columns["income"], masked.masked.columns["income"]
    error, smoothed = after - before, isotonic_regression(after).x - before
    assert np.sqrt((smoothed**2).mean()) < np.sqrt((error**2).mean()) / 2
    assert [trace.attribute for trace in order_traces(masked)] == ["income"]


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize(
    "method", ["additive-noise", "multiplicative-noise", "mdav", "rank-swapping", "rounding", "data-shuffling"]
)
def test_a_sorted_file_is_found_whatever_the_method(method: str, direction: int) -> None:
    frame = pl.DataFrame({"income": direction * np.sort(INCOMES), "age": RNG.integers(18, 90, 400)})
    assert [trace.attribute for trace in order_traces(release(frame, "income", "age", method=method))] == ["income"]


def test_a_sorted_masked_category_is_found() -> None:
    towns = pl.DataFrame({"town": np.sort(RNG.choice(list("abcdefgh"), 400)), "x": INCOMES})
    data = Microdata.from_frame(towns, roles={"town": "key", "x": "other"})
    assert [trace.attribute for trace in order_traces(protect(data, "pram", ["town"], seed=2**127))] == ["town"]


@pytest.mark.parametrize("size", [2, 4, 40])
def test_groups_that_are_sorted_within_are_found(size: int) -> None:
    groups = np.repeat(np.arange(400 // size), size)
    frame = pl.DataFrame(
        {"household": groups, "age": np.sort(RNG.permutation(INCOMES).reshape(-1, size), axis=1).ravel()}
    )
    (trace,) = order_traces(release(frame, "age"))
    assert trace.attribute == "age"
    assert trace.within == "household" or trace.correlation > 0.5


def test_a_random_order_and_a_shuffled_release_are_not_warned_of() -> None:
    frame = pl.DataFrame({"income": np.sort(INCOMES), "region": RNG.choice(["N", "S"], 400)})
    masked = release(frame, "income")
    assert order_traces(masked)
    assert not order_traces(shuffled(masked, np.random.default_rng(1)))
    assert not order_traces(release(frame.sample(fraction=1.0, shuffle=True, seed=3), "income"))


def test_only_masked_attributes_count_and_unknown_rows_show_nothing() -> None:
    frame = pl.DataFrame({"number": np.arange(400), "income": INCOMES})
    masked = release(frame, "income")
    assert not order_traces(masked)
    elsewhere = Release.in_order(masked.original, masked.masked)
    assert not order_traces(elsewhere)
    sorted_file = release(pl.DataFrame({"income": np.sort(INCOMES)}), "income")
    assert order_traces(Release.in_order(sorted_file.original, sorted_file.masked))
    assert not order_traces(Release(sorted_file.original, sorted_file.masked, None, Unknown("nobody says")))


@given(st.lists(st.integers(-5, 5), min_size=3, max_size=40))
def test_correlations_are_bounded_and_do_not_depend_on_direction(values: list[int]) -> None:
    column = np.array(values, dtype=float)
    assert -1 - 1e-9 <= neighbour_rank_correlation(column) <= 1 + 1e-9
    assert neighbour_rank_correlation(column) == pytest.approx(neighbour_rank_correlation(column[::-1]))
    assert neighbour_agreement(np.array(values) + 5) <= 1
    share, pairs = share_in_one_direction(column, np.ones(len(column) - 1, dtype=bool))
    assert pairs == np.count_nonzero(np.diff(column)) and (share >= 0.5 or pairs == 0)
