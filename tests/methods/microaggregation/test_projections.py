"""Principal component, z-score, Sugeno and aggregation projections."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.files import admitted, correlated, masked_matrix

from sdckit.catalogue import build
from sdckit.errors import SchemaError
from sdckit.fuzzy.operators import ChoquetIntegral, OrderedWeightedAverage, SugenoIntegral, WeightedMean
from sdckit.fuzzy.quantifiers import AtLeast, Linear, Smooth
from sdckit.fuzzy.scaling import Scaling
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.partitions import within_group_sum_of_squares
from sdckit.kernels.standardisation import standardise
from sdckit.methods.microaggregation.aggregation_projection import AggregationProjection
from sdckit.methods.microaggregation.group_space import GroupSpace
from sdckit.methods.microaggregation.optimal_univariate import OptimalUnivariate
from sdckit.methods.microaggregation.principal_component_projection import PrincipalComponentProjection
from sdckit.methods.microaggregation.projection import Ties
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


# Operators, quantifiers, scaling, ties and the space of the groups


@pytest.mark.parametrize("quantifier", [Linear(0.3, 0.8), AtLeast(0.5), Smooth(0.2, 0.9)], ids=str)
def test_a_choquet_integral_of_a_symmetric_measure_orders_as_the_weighted_average_does(quantifier):
    values = correlated(40, 3, seed=7)
    by_average = masked_matrix(AggregationProjection(operator=OrderedWeightedAverage(quantifier)), values)
    by_integral = masked_matrix(AggregationProjection(operator=ChoquetIntegral(quantifier)), values)
    assert by_average == pytest.approx(by_integral)


def test_a_sugeno_projection_is_the_aggregation_projection_of_its_integral():
    values = correlated(40, 3, seed=8)
    named = masked_matrix(SugenoProjection(exponent=2), values)
    assert masked_matrix(AggregationProjection(operator=SugenoIntegral(2)), values) == pytest.approx(named)


def test_every_parameter_can_be_written_in_a_recipe():
    text = {"operator": "owa(linear+0.3+0.8)", "scaling": "ranks", "ties": "random", "space": "attributes"}
    masking = build("masking", "aggregation-projection", **text)
    assert (masking.scaling, masking.ties, masking.space) == (Scaling.RANKS, Ties.RANDOM, GroupSpace.ATTRIBUTES)
    assert masking.operator == OrderedWeightedAverage(Linear(0.3, 0.8))


@pytest.mark.parametrize("scaling", list(Scaling))
def test_a_scaling_keeps_the_order_and_lies_between_0_and_1(scaling):
    column = np.array([[3.0, 1, 1, 90, -4, 7]]).T
    scaled = scaling(column, column)
    assert ((scaled >= 0) & (scaled <= 1)).all()
    assert np.argsort(scaled[:, 0], kind="stable").tolist() == np.argsort(column[:, 0], kind="stable").tolist()
    extremes = scaling(np.array([[-np.inf], [np.inf]]), column)[:, 0]
    assert extremes[0] <= scaled.min() and extremes[1] >= scaled.max()
    assert np.ptp(scaling(np.full((4, 1), 2.0), np.full((4, 1), 2.0))) == 0


def test_scaled_ranks_do_not_change_under_a_monotone_transformation():
    values = np.exp(correlated(30, 2, seed=9))
    masking = AggregationProjection(scaling=Scaling.RANKS)
    labels = [equal_rows(masked_matrix(masking, each)).of for each in (values, np.log(values))]
    assert (labels[0][:, None] == labels[0]).tolist() == (labels[1][:, None] == labels[1]).tolist()


def test_ties_in_file_order_follow_the_file_and_random_ones_the_seed():
    values = np.array([[0.0, 1], [1, 0], [0, 1], [1, 0], [0, 1], [1, 0]])  # all have the same mean
    mean = AggregationProjection(operator=WeightedMean(), group_size=3, ties=Ties.FILE_ORDER)
    assert masked_matrix(mean, values) == pytest.approx(np.array([[1, 2]] * 3 + [[2, 1]] * 3) / 3)
    by_value = AggregationProjection(operator=WeightedMean(), group_size=3)
    assert masked_matrix(by_value, values) == pytest.approx(values)
    drawn = AggregationProjection(operator=WeightedMean(), group_size=3, ties=Ties.RANDOM)
    files = [masked_matrix(drawn, values, seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert np.array_equal(files[0], files[1])
    assert any(not np.array_equal(files[0], other) for other in files[2:])


@pytest.mark.parametrize("projection", PROJECTIONS)
def test_groups_for_the_attributes_lose_no_more_of_them(projection):
    values = correlated(60, 3, seed=10)
    lost = []
    for space in (GroupSpace.AXIS, GroupSpace.ATTRIBUTES):
        labels = equal_rows(masked_matrix(projection(space=space), values)).of
        lost.append(within_group_sum_of_squares(standardise(values), labels))
    assert lost[1] <= lost[0] * (1 + 1e-12)


@pytest.mark.parametrize("ties", list(Ties))
@pytest.mark.parametrize("space", list(GroupSpace))
@pytest.mark.parametrize("projection", LINEAR)
def test_the_true_record_is_never_excluded_whatever_the_ties_and_the_space(projection, ties, space):
    for seed in range(5):
        values = np.random.default_rng(seed).integers(0, 4, (20, 2)).astype(float)
        assert np.diag(admitted(projection(group_size=2, ties=ties, space=space), values, complete=True)).all()


@pytest.mark.parametrize("projection", PROJECTIONS)
def test_a_missing_value_stays_missing_and_is_left_out_of_the_means(projection):
    values = correlated(40, 3, seed=11)
    values[np.random.default_rng(1).random(values.shape) < 0.1] = np.nan
    for space in GroupSpace:
        masked = masked_matrix(projection(space=space), values)
        np.testing.assert_array_equal(np.isnan(masked), np.isnan(values))
        np.testing.assert_allclose(np.nanmean(masked, axis=0), np.nanmean(values, axis=0))
