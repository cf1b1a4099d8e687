from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.methods.files import admitted, correlated, masked_matrix, numeric

from sdckit import Microdata, assess, protect
from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.methods.swapping.rank_swapping import RankSwapping
from sdckit.recipe import Recipe

files = arrays(np.float64, st.tuples(st.integers(1, 25), st.integers(1, 3)), elements=st.integers(-6, 6))
windows = st.floats(0, 1)


@given(files, windows)
def test_the_values_of_each_attribute_are_a_rearrangement(values, window):
    masked = masked_matrix(RankSwapping(window=window), values)
    assert np.array_equal(np.sort(masked, axis=0), np.sort(values, axis=0))


@given(st.integers(1, 40), windows)
def test_no_value_travels_beyond_the_window(records, window):
    ranks = np.random.default_rng(records).permutation(records).astype(float)[:, None]
    masked = masked_matrix(RankSwapping(window=window), ranks)
    assert np.abs(masked - ranks).max() <= int(window * records + 1e-9)


def test_two_records_swap_by_hand():
    assert masked_matrix(RankSwapping(window=0.5), np.array([[7.0], [3.0]])).tolist() == [[3.0], [7.0]]


def test_an_empty_window_changes_nothing():
    values = correlated(30, 2, seed=1)
    assert np.array_equal(masked_matrix(RankSwapping(window=0.02), values), values)


def test_the_window_is_counted_without_rounding_errors():
    assert RankSwapping(window=0.29).reach(100) == 29


def test_missing_values_stay_and_take_no_rank():
    values = np.array([[5.0], [np.nan], [1.0]])
    masked = masked_matrix(RankSwapping(window=0.5), values)
    assert masked[:, 0].tolist() == pytest.approx([1.0, np.nan, 5.0], nan_ok=True)


def test_ordered_categories_keep_their_counts():
    grades = ["low", "high", "low", "middle", "high", "low"]
    frame = pl.DataFrame({"grade": pl.Series(grades, dtype=pl.Enum(["low", "middle", "high"]))})
    data = Microdata.from_frame(frame, roles={"grade": "key"})
    masked = protect(data, RankSwapping(window=0.5), seed=4).masked.to_frame()
    assert sorted(masked["grade"]) == sorted(frame["grade"])
    assert masked["grade"].to_list() != grades


def test_a_wider_window_weakens_correlation_and_lowers_linkage():
    values = correlated(600, 3, seed=2)
    data = numeric(values)
    releases = [protect(data, RankSwapping(window=window), seed=3) for window in (0.01, 0.05, 0.2, 0.8)]
    correlation = [np.corrcoef(release.masked.matrix(("a", "b")).T)[0, 1] for release in releases]
    linkage = [assess(release, ["distance-linkage"])["distance-linkage"].value for release in releases]
    for figures in (correlation, linkage):
        assert all(less > more for less, more in pairwise(figures))


@given(files, windows, st.booleans())
def test_the_true_row_is_always_possible(values, window, complete):
    assert admitted(RankSwapping(window=window), values, complete=complete).diagonal().all()


@settings(max_examples=20, deadline=None)
@given(files, windows)
def test_the_possible_rows_are_those_of_the_definition(values, window):
    """B(x): masked values at most `window` ranks from the run of values equal to x; brute force."""
    reach = int(window * len(values) + 1e-9)
    found = admitted(RankSwapping(window=window), values, complete=False, seed=9)
    data = numeric(values)
    masked = Recipe.of(RankSwapping(window=window)).protect(data, draws=Draws.of(9)).matrix(data.names())
    for record, row in np.ndindex(found.shape):
        possible = True
        for j in range(values.shape[1]):
            ordered = np.sort(values[:, j])
            run = np.flatnonzero(ordered == values[record, j])
            near = ordered[max(run[0] - reach, 0) : run[-1] + reach + 1]
            possible &= near[0] <= masked[row, j] <= near[-1]
        assert found[record, row] == possible


def test_who_does_not_see_the_swapped_file_learns_nothing():
    data = numeric(correlated(10, 2, seed=5))
    assert RankSwapping().candidates(Candidates.known(data, ("a", "b")), None) is None


def test_a_later_noise_hides_only_the_attribute_it_was_added_to():
    data = numeric(correlated(40, 2, seed=6))
    recipe = Recipe((*Recipe.of("rank-swapping", ("a", "b")).steps, *Recipe.of("additive-noise", ("b",)).steps))
    release = protect(data, recipe, seed=7)
    possible = recipe.candidates(Candidates.known(data, ("a", "b")), release.masked)
    assert possible is not None
    assert possible.names == ("a",)
