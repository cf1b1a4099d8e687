"""The laws of counts are those of scipy.stats."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sdckit.kernels.count_laws import (
    binomial_cdf,
    binomial_pmf,
    negative_binomial_cdf,
    negative_binomial_log_pmf,
)

counts = np.arange(-2, 40)
shares = st.floats(0.001, 0.999)


@given(st.integers(0, 1_000_000), shares)
def test_binomial(trials, share):
    assert binomial_pmf(counts, trials, share) == pytest.approx(stats.binom.pmf(counts, trials, share), abs=1e-9)
    reached = np.append(counts.astype(float), np.inf)
    assert binomial_cdf(reached, trials, share) == pytest.approx(stats.binom.cdf(reached, trials, share), abs=1e-9)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_binomial_at_its_limits(share):
    assert binomial_pmf([0, 1, 4], 4, share).tolist() == pytest.approx(stats.binom.pmf([0, 1, 4], 4, share).tolist())


@given(st.floats(0.01, 500), shares)
def test_negative_binomial(shape, success):
    assert negative_binomial_log_pmf(counts, shape, success) == pytest.approx(
        stats.nbinom.logpmf(counts, shape, success), rel=1e-9, abs=1e-9
    )
    assert negative_binomial_cdf(counts, shape, success) == pytest.approx(
        stats.nbinom.cdf(counts, shape, success), abs=1e-12
    )


@pytest.mark.parametrize("trials", [0, 1, 2, 5])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_binomial_by_counting_every_outcome(trials, share):
    law = [0.0] * (trials + 1)
    for outcome in product([0, 1], repeat=trials):
        law[sum(outcome)] += share ** sum(outcome) * (1 - share) ** (trials - sum(outcome))
    for count in range(-1, trials + 2):
        inside = 0 <= count <= trials
        assert binomial_pmf(count, trials, share) == pytest.approx(law[count] if inside else 0.0, abs=1e-12)
        for reached in (count, count + 0.5):
            assert binomial_cdf(reached, trials, share) == pytest.approx(sum(law[: max(count + 1, 0)]), abs=1e-12)


@pytest.mark.parametrize("success", [0.2, 0.7, 1.0])
def test_negative_binomial_by_its_recursion(success):
    """For shape 2: p² (k + 1) (1 − p)^k."""
    law = [success**2 * (k + 1) * (1 - success) ** k for k in range(8)]
    assert np.exp(negative_binomial_log_pmf(np.arange(-1, 8), 2, success)) == pytest.approx([0.0, *law], abs=1e-12)
    for count in range(8):
        for reached in (count, count + 0.9):
            assert negative_binomial_cdf(reached, 2, success) == pytest.approx(sum(law[: count + 1]), abs=1e-12)
    assert negative_binomial_cdf(-0.5, 2, success) == 0
