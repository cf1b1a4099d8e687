"""Principal component, z-score, Sugeno and aggregation projections."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.files import admitted, correlated, masked_matrix

from sdckit.errors import SchemaError
from sdckit.fuzzy.operators import OrderedWeightedAverage, WeightedMean
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.methods.microaggregation.aggregation_projection import AggregationProjection
from sdckit.methods.microaggregation.optimal_univariate import OptimalUnivariate
from sdckit.methods.microaggregation.principal_component_projection import PrincipalComponentProjection
from sdckit.methods.microaggregation.sugeno_projection import SugenoProjection
from sdckit.methods.microaggregation.z_score_projection import ZScoreProjection

PROJECTIONS = [PrincipalComponentProjection, ZScoreProjection, SugenoProjection, AggregationProjection]
LINEAR = [PrincipalComponentProjection, ZScoreProjection]
small = st.tuples(st.integers(3, 25), st.integers(1, 3), st.integers(0, 1000))


@pytest.mark.parametrize("projection", PROJECTIONS)
def test_one_attribute_is_microaggregated_optimally(projection):
    values = correlated(40, 1, seed=1)
    optimal = masked_matrix(OptimalUnivariate(group_size=3), values)
    axis_is_the_attribute = projection in (*LINEAR, AggregationProjection)
    masked = masked_matrix(projection(group_size=3), values)
    assert equal_rows(masked).sizes.min() >= 3
    if axis_is_the_attribute:
        assert masked == pytest.approx(optimal)


def test_two_positively_correlated_attributes_give_the_same_order_by_component_and_by_z_scores():
    values = correlated(50, 2, seed=2)
    by_component = masked_matrix(PrincipalComponentProjection(), values)
    assert by_component == pytest.approx(masked_matrix(ZScoreProjection(), values))


@pytest.mark.parametrize("projection", PROJECTIONS)
@given(small)
def test_the_masked_file_does_not_depend_on_the_order_of_the_records(projection, shape):
    records, attributes, seed = shape
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (records, attributes)).astype(float)
    order = rng.permutation(records)
    masked = masked_matrix(projection(group_size=2), values)
    shuffled = masked_matrix(projection(group_size=2), values[order])

    def pairs(original: np.ndarray, released: np.ndarray) -> list[tuple[float, ...]]:
        return sorted(map(tuple, np.round(np.hstack([original, released]), 9).tolist()))

    assert pairs(values, masked) == pairs(values[order], shuffled)


@pytest.mark.parametrize("projection", LINEAR)
@given(small)
def test_on_a_linear_axis_the_true_record_is_never_excluded(projection, shape):
    records, attributes, seed = shape
    values = np.random.default_rng(seed).integers(0, 5, (records, attributes)).astype(float)
    rows = admitted(projection(group_size=2, block_size=2), values, complete=True)
    assert np.diag(rows).all()


@pytest.mark.parametrize("projection", PROJECTIONS)
def test_blocks_are_microaggregated_on_their_own(projection):
    values = correlated(30, 5, seed=4)
    blocked = masked_matrix(projection(group_size=3, block_size=2), values)
    for block in (slice(0, 2), slice(2, 4), slice(4, 5)):
        assert blocked[:, block] == pytest.approx(masked_matrix(projection(group_size=3), values[:, block]))


def test_an_arithmetic_mean_is_an_ordered_weighted_average_with_exponent_one():
    values = correlated(30, 3, seed=5)
    mean = masked_matrix(AggregationProjection(operator=WeightedMean()), values)
    assert masked_matrix(AggregationProjection(operator=OrderedWeightedAverage(1.0)), values) == pytest.approx(mean)


def test_all_the_weight_on_one_attribute_orders_by_it():
    values = correlated(20, 2, seed=6)
    masked = masked_matrix(AggregationProjection(operator=WeightedMean(1, 0)), values)
    assert masked[:, 0] == pytest.approx(masked_matrix(OptimalUnivariate(), values[:, [0]])[:, 0])


def test_weights_that_do_not_fit_the_block_are_refused():
    with pytest.raises(SchemaError, match="2 weights do not fit a block of 3"):
        masked_matrix(AggregationProjection(operator=WeightedMean(1, 2)), correlated(10, 3, seed=1))
