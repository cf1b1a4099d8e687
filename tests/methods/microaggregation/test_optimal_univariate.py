import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.files import admitted, masked_matrix, numeric

from sdckit.errors import SchemaError
from sdckit.methods.microaggregation.optimal_univariate import OptimalUnivariate

columns = st.lists(st.integers(0, 12), min_size=3, max_size=30).map(lambda xs: np.array(xs, dtype=float)[:, None] / 4)


def test_neighbours_are_averaged_by_hand():
    """Three and four of 1, 2, 3, 10, 11, 12, 30: the last group takes the outlier."""
    values = np.array([[1.0], [2], [3], [10], [11], [12], [30]])
    assert masked_matrix(OptimalUnivariate(group_size=3), values)[:, 0].tolist() == [
        2,
        2,
        2,
        15.75,
        15.75,
        15.75,
        15.75,
    ]


@given(columns, st.integers(1, 3), st.booleans())
def test_the_true_record_is_never_excluded(values, group_size, complete):
    rows = admitted(OptimalUnivariate(group_size=group_size), values, complete=complete)
    assert np.diag(rows).all()


@given(columns)
def test_knowing_the_whole_column_never_leaves_more_records(values):
    masking = OptimalUnivariate(group_size=2)
    assert (admitted(masking, values, complete=True) <= admitted(masking, values, complete=False)).all()


def test_losses_on_census_are_those_of_individual_ranking(census):
    """100·SSE/SST on standardised data, ALGORITHMS 3.1."""
    for group_size, lost in ((3, 0.10292), (5, 0.33135), (10, 0.89056)):
        masked = masked_matrix(OptimalUnivariate(group_size=group_size), census)
        share = ((masked - census) ** 2).sum(axis=0) / ((census - census.mean(axis=0)) ** 2).sum(axis=0)
        assert 100 * share.mean() == pytest.approx(lost, abs=5e-6)


@pytest.mark.parametrize(
    ("group_size", "singles"),
    [(3, (0, 96.48, 99.91, 100)), (5, (0, 92.22, 99.81, 100)), (10, (0, 70.28, 98.24, 99.72))],
)
def test_two_or_three_attributes_single_out_most_of_census(census, group_size, singles):
    """Shares of records that only one masked record can be, attributes in file order (ALGORITHMS 2)."""
    masked = masked_matrix(OptimalUnivariate(group_size=group_size), census)
    inside = np.ones((len(census), len(census)), dtype=bool)
    for attribute, expected in enumerate(singles):
        column = admitted(OptimalUnivariate(group_size=group_size), census[:, [attribute]], complete=False)
        inside &= column
        assert 100 * (inside.sum(axis=1) == 1).mean() == pytest.approx(expected, abs=0.005)
        assert np.diag(inside).all()
    assert masked.shape == census.shape


def test_missing_values_stay_and_too_few_values_are_refused():
    values = np.array([[1.0], [np.nan], [3], [4]])
    assert np.isnan(masked_matrix(OptimalUnivariate(group_size=3), values)[1, 0])
    with pytest.raises(SchemaError, match="at least 4 values"):
        masked_matrix(OptimalUnivariate(group_size=4), values)
    assert numeric(values).missing("a") == 1
