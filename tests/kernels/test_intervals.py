import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from sdckit.kernels.intervals import bootstrap_sums, wilson


@given(st.integers(1, 500), st.floats(0, 1), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_wilson_agrees_with_an_independent_implementation(trials, share, level):
    successes = int(share * trials)
    expected = binomtest(successes, trials).proportion_ci(level, method="wilson")
    assert wilson(successes, trials, level) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_wilson_solves_the_score_equation():
    low, high = wilson(7, 20)
    for bound in (low, high):
        assert abs(0.35 - bound) / np.sqrt(bound * (1 - bound) / 20) == pytest.approx(1.959963985, rel=1e-8)


@given(st.integers(1, 1000), st.floats(0, 1))
def test_wilson_holds_the_share_and_stays_between_zero_and_one(trials, share):
    low, high = wilson(share * trials, trials)
    assert 0 <= low <= share + 1e-12 and share - 1e-12 <= high <= 1


def test_without_trials_the_wilson_interval_is_zero_to_one():
    assert wilson(0, 0) == (0.0, 1.0)


def test_more_trials_narrow_the_interval():
    widths = [high - low for low, high in (wilson(n / 4, n) for n in (8, 80, 800))]
    assert widths == sorted(widths, reverse=True)


def test_sums_are_over_as_many_records_drawn_together():
    by_record = np.column_stack([np.ones(7), np.arange(7.0), 10 * np.arange(7.0)])
    sums = bootstrap_sums(by_record, np.random.default_rng(3), replicates=50)
    assert (sums[:, 0] == 7).all()
    assert (sums[:, 2] == 10 * sums[:, 1]).all()
    assert len(np.unique(sums[:, 1])) > 5


def test_sums_vary_as_theory_says_and_blocks_make_no_difference(monkeypatch):
    values = np.random.default_rng(4).normal(size=(400, 1))
    sums = bootstrap_sums(values, np.random.default_rng(5), replicates=4000)
    assert sums.mean() == pytest.approx(values.sum(), abs=3 * 20 / np.sqrt(4000))
    assert sums.std() == pytest.approx(20 * values.std(), rel=0.05)
    monkeypatch.setattr("sdckit.kernels.intervals.BLOCK", 1000)
    assert bootstrap_sums(values, np.random.default_rng(5), replicates=9) == pytest.approx(sums[:9])


@pytest.mark.parametrize("trials", [1, 2, 3, 10])
def test_no_success_and_only_successes_reach_the_ends_exactly(trials):
    assert wilson(0, trials)[0] == 0.0 and wilson(trials, trials)[1] == 1.0
    assert wilson(0.01, trials)[0] > 0 and wilson(trials - 0.01, trials)[1] < 1
    assert wilson(0, trials)[1] == pytest.approx(1 - wilson(trials, trials)[0])


@pytest.mark.parametrize("block", [1, 9, 10, 11, 10**6])
def test_replicates_are_drawn_block_by_block(block, monkeypatch):
    """The draws of a block follow those of the one before, record by record."""
    monkeypatch.setattr("sdckit.kernels.intervals.BLOCK", block)
    values = np.array([[1.0, 100.0], [10.0, 0.0], [100.0, 1.0]])
    draws = np.random.default_rng(2).integers(3, size=(8, 3))
    expected = [values[each].sum(axis=0).tolist() for each in draws]
    assert bootstrap_sums(values, np.random.default_rng(2), replicates=8).tolist() == expected
    assert len(bootstrap_sums(values, np.random.default_rng(2))) == 1000
