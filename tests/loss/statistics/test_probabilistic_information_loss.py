"""PIL: the printed figures, a case by hand, and the chance it promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import norm
from tests.methods.files import correlated, numeric

from sdckit import Release, build, protect
from sdckit.kernels.asymptotic_errors import Moments, quantiles

PARTS = ("quantiles", "means", "variances", "covariances", "correlations")
PIL = build("loss", "probabilistic-information-loss")
files = st.tuples(st.integers(1, 12), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(*[arrays(np.float64, shape, elements=st.integers(-3, 3))] * 2)
)


def lost(original, masked):
    return PIL.measure(Release.in_order(numeric(original), numeric(masked)))


@pytest.mark.parametrize(
    ("group_size", "parts", "average"),
    [
        (3, (61.9739, 0, 70.0388, 18.4652, 53.4112), 40.7778),
        (10, (74.1596, 0, 94.0083, 42.4555, 71.9023), 56.5052),
    ],
)
def test_microaggregated_census_gives_the_golden_figures(census, group_size, parts, average):
    """Percentages (ALGORITHMS 7.2), each attribute with its own window of density."""
    score = PIL.measure(protect(numeric(census), build("masking", "mdav", group_size=group_size), seed=1))
    assert tuple(score.details) == PARTS
    assert [100 * score.details[part] for part in PARTS] == pytest.approx(parts, abs=6e-5)
    assert 100 * score.value == pytest.approx(average, abs=6e-5)


def test_a_column_without_values_and_a_constant_one_have_no_variance():
    moments = Moments(np.array([[np.nan, 3.0, 1.0], [np.nan, 3.0, 5.0]]))
    assert moments.mean()[0].tolist() == [0.0, 3.0, 3.0]
    assert moments.mean()[1].tolist() == [0.0, 0.0, 2.0]
    assert moments.variance()[0].tolist() == [0.0, 0.0, 4.0]


def test_moments_are_those_of_the_observed_values():
    values = np.array([[np.nan, 7.0], [3.0, np.nan], [5.0, 1.0], [10.0, 4.0]])
    moments = Moments(values)
    observed = [column[~np.isnan(column)] for column in values.T]
    assert moments.mean()[0] == pytest.approx([column.mean() for column in observed])
    assert moments.mean()[1] == pytest.approx([column.var() / len(column) for column in observed])
    assert moments.variance()[0] == pytest.approx([column.var() for column in observed])


def test_a_mean_that_moved_by_one_standard_error_by_hand():
    x = np.array([[0.0], [2.0], [4.0], [6.0]])
    one_error = np.sqrt(5 / 4)  # the variance is 5 with 1 / n, over four records
    score = lost(x, x + one_error)
    assert score.details["means"] == pytest.approx(2 * norm.cdf(1) - 1)
    assert score.details["variances"] == pytest.approx(0, abs=1e-9)


def test_one_attribute_has_three_parts():
    x = correlated(30, 1, seed=1)
    assert tuple(lost(x, x).details) == PARTS[:3]


@given(files)
def test_every_part_is_a_probability_and_no_change_is_no_loss(pair):
    x, y = pair
    score = lost(x, y)
    for figure in (score.value, *score.details.values(), *score.by_attribute.values()):
        assert 0 <= figure <= 1
    assert lost(x, x).value == 0


def test_a_constant_file_loses_spread_and_quantiles_for_sure_and_keeps_the_means():
    x = correlated(500, 3, seed=2)
    score = lost(x, np.tile(x.mean(axis=0), (500, 1)))
    assert score.details["variances"] > 0.999999 < score.details["covariances"]
    assert score.details["quantiles"] > 0.8
    assert score.details["means"] == pytest.approx(0, abs=1e-9)


def test_a_statistic_without_sampling_error_that_changed_counts_whole():
    x, y = np.full((5, 1), 7.0), np.full((5, 1), 8.0)
    assert lost(x, y).details["means"] == 1


def test_more_noise_loses_more():
    data = numeric(correlated(400, 3, seed=5))
    shares = (0.0001, 0.01, 0.3)
    figures = [PIL.measure(protect(data, f"additive-noise:variance_share={share}", seed=2)).value for share in shares]
    assert figures[0] < figures[1] < figures[2]


def test_another_sample_differs_by_less_as_often_as_the_sampling_variance_says():
    """Means, variances and correlations of samples spread as the formulas promise."""
    rng = np.random.default_rng(11)
    samples = [rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 2]], size=400) for _ in range(400)]
    for statistic in ("mean", "variance", "covariance", "correlation"):
        found = np.array([np.ravel(getattr(Moments(sample), statistic)()[0])[1] for sample in samples])
        promised = np.mean([np.ravel(getattr(Moments(sample), statistic)()[1])[1] for sample in samples])
        assert found.var() == pytest.approx(promised, rel=0.2), statistic


def test_correlations_with_missing_values_are_over_the_records_that_have_both():
    x = correlated(60, 2, seed=3)
    x[:10, 0], x[20:30, 1] = np.nan, np.nan
    whole = x[~np.isnan(x).any(axis=1)]
    assert Moments(whole).correlation()[0][0, 1] == pytest.approx(np.corrcoef(whole.T)[0, 1])
    assert np.isfinite(Moments(x).correlation()[0]).all()


def test_quantiles_are_values_of_the_file():
    found, variance = quantiles(np.arange(101.0)[:, None], np.array([5, 50, 95]))
    assert found[:, 0].tolist() == [5, 50, 95]
    # one value within a thousandth of the range on either side: f = 1 / (101 · 0.2)
    assert variance[1, 0] == pytest.approx(0.25 / 101 * (101 * 0.2) ** 2)
