"""A figure on a page may differ from a new one by the Monte Carlo error of the intruder, and by no more."""

import numpy as np
import polars as pl
import pytest
from tools.monte_carlo import alike, is_one_more_of, with_other_last_bits

from sdckit.methods import AdditiveNoise, Mdav
from sdckit.microdata import Microdata
from sdckit.release import Release, protect


@pytest.fixture
def release() -> Release:
    rng = np.random.default_rng(5)
    data = Microdata.from_frame(pl.DataFrame({"income": rng.lognormal(size=60), "age": rng.integers(20, 60, 60)}))
    return protect(data, AdditiveNoise(), attributes=["income"], seed=1)


def test_values_move_by_at_most_one_unit_in_the_last_place_and_some_do(release: Release) -> None:
    moved = with_other_last_bits(release.masked, release.original, np.random.default_rng(0))
    before, after = release.masked.columns["income"], moved.columns["income"]
    assert 0 < (before != after).sum() < len(before)
    assert (np.abs(before - after) <= np.spacing(np.abs(before))).all()
    assert np.array_equal(moved.columns["age"], release.masked.columns["age"])


def test_equal_values_stay_equal(release: Release) -> None:
    grouped = protect(release.original, Mdav(group_size=5), attributes=["income"], seed=1).masked
    moved = with_other_last_bits(grouped, release.original, np.random.default_rng(0))
    _, one = np.unique(grouped.columns["income"], return_inverse=True)
    _, other = np.unique(moved.columns["income"], return_inverse=True)
    assert np.array_equal(one, other)


def test_rows_keep_their_records(release: Release) -> None:
    for each in alike(release, 3):
        assert np.allclose(each.masked.columns["income"], release.masked.columns["income"][each.origin], rtol=1e-15)
        assert not np.array_equal(each.origin, release.origin)


def test_a_figure_without_monte_carlo_error_must_be_the_same() -> None:
    assert is_one_more_of(0.25, [0.25] * 12)
    assert not is_one_more_of(0.2501, [0.25] * 12)
    assert is_one_more_of(0.2501, [0.25] * 12, rounding=0.001)


def test_new_draws_are_accepted_at_the_stated_rate_and_another_mean_is_refused() -> None:
    rng = np.random.default_rng(3)
    accepted = [is_one_more_of(rng.normal(), rng.normal(size=12).tolist()) for _ in range(4000)]
    assert 1 - np.mean(accepted) == pytest.approx(0.001, abs=0.002)  # four binomial standard deviations
    assert not any(is_one_more_of(12.0, rng.normal(size=12).tolist()) for _ in range(200))
