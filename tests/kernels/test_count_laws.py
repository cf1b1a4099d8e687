"""The laws of counts are those of scipy.stats."""

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
