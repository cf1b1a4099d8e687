"""Aggregated noise: outlying records get more of it."""

import numpy as np
import pytest
from tests.methods.files import correlated, masked_matrix, numeric

from sdckit import protect
from sdckit.errors import SchemaError
from sdckit.fuzzy.operators import OrderedWeightedAverage, SugenoIntegral, WeightedMean
from sdckit.methods.noise.aggregated_noise import AggregatedNoise


def test_no_share_is_no_noise():
    values = correlated(20, 2, seed=1)
    np.testing.assert_array_equal(masked_matrix(AggregatedNoise(variance_share=0), values), values)


def test_the_level_of_five_records_by_hand():
    values = np.array([[1.0], [2], [3], [4], [5]])  # middle ranks 0.1, 0.3, 0.5, 0.7, 0.9 of the records
    level = AggregatedNoise(least=0.5).level(values, values)
    assert level == pytest.approx([0.9, 0.7, 0.5, 0.7, 0.9])


def test_the_operator_says_how_many_attributes_have_to_be_far_out():
    values = correlated(50, 3, seed=2)
    one, mean, most = (
        AggregatedNoise(operator=OrderedWeightedAverage(exponent)).level(values, values) for exponent in (0.2, 1.0, 5.0)
    )
    assert (one >= mean - 1e-12).all() and (mean >= most - 1e-12).all() and (one > most).any()
    assert np.all((most >= 0.2) & (one <= 1))


@pytest.mark.parametrize("operator", [WeightedMean(), OrderedWeightedAverage(0.5), SugenoIntegral(1)], ids=str)
def test_outlying_records_move_further(operator):
    values = correlated(4000, 2, seed=3)
    masking = AggregatedNoise(operator=operator, least=0.1)
    moved = np.abs(masked_matrix(masking, values) - values).mean(axis=1)
    level = masking.level(values, values)
    assert moved[level > np.quantile(level, 0.8)].mean() > 1.5 * moved[level < np.quantile(level, 0.2)].mean()


def test_the_noise_of_a_record_has_the_declared_standard_deviation():
    values = np.repeat(correlated(4, 1, seed=4), 5000, axis=0)
    masking = AggregatedNoise(variance_share=0.25)
    noise = (masked_matrix(masking, values) - values)[:, 0].reshape(4, -1)
    expected = 0.5 * values.std(ddof=1) * masking.level(values, values).reshape(4, -1)[:, 0]
    assert noise.std(axis=1) == pytest.approx(expected, rel=0.05)


def test_the_law_is_the_normal_density_by_hand():
    values = correlated(30, 2, seed=5)
    data = numeric(values)
    masking = AggregatedNoise()
    released = protect(data, masking, seed=1).masked
    law = masking.law(released, data)
    rows = released.matrix(("a", "b"))
    scale = np.sqrt(0.1) * values.std(axis=0, ddof=1) * masking.level(values, values)[:, None]
    expected = (-0.5 * ((rows[7] - values[3]) / scale[3]) ** 2 - np.log(scale[3])).sum()
    assert law.log_likelihood(values, rows)[3, 7] == pytest.approx(expected)
    by_law = law.log_likelihood(values, rows).argmax(axis=1)
    assert (by_law == np.arange(30)).mean() > 3 / 30


def test_missing_values_stay_missing_and_say_nothing():
    values = correlated(20, 2, seed=6)
    values[3, 0] = np.nan
    masked = masked_matrix(AggregatedNoise(), values)
    assert np.isnan(masked).sum() == 1 and np.isnan(masked[3, 0])
    law = AggregatedNoise().law(numeric(np.nan_to_num(values)))
    assert np.isfinite(law.log_likelihood(values[3:4], values)[0]).sum() == 20
    assert np.isneginf(law.log_likelihood(values[:1], values)[0, 3])


def test_weights_that_do_not_fit_are_refused():
    with pytest.raises(SchemaError, match="2 weights do not fit a block of 3"):
        masked_matrix(AggregatedNoise(operator=WeightedMean(1, 2)), correlated(10, 3, seed=7))
