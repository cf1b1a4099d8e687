import numpy as np
import pytest
from tests.methods.files import admitted, correlated, masked_matrix, numeric

from sdckit import protect
from sdckit.candidates import Candidates
from sdckit.errors import SchemaError
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.methods.microaggregation.mdav import Mdav
from sdckit.microdata import Attribute, Kind, Microdata, Role


def variation_lost(values, masked):
    """100 · SSE / SST on standardised attributes."""
    spread = ((values - values.mean(axis=0)) ** 2).sum(axis=0)
    return 100 * (((masked - values) ** 2).sum(axis=0) / spread).mean()


@pytest.mark.parametrize(("group_size", "lost"), [(3, 5.6922), (5, 9.0884), (10, 14.1559)])
def test_losses_on_census_are_the_published_ones(census, group_size, lost):
    """Domingo-Ferrer and Torra (2005) and later: 5.69, 9.09, 14.16."""
    assert variation_lost(census, masked_matrix(Mdav(group_size=group_size), census)) == pytest.approx(lost, abs=5e-5)


@pytest.mark.parametrize(("group_size", "lost"), [(3, 0.4829), (5, 1.6667), (10, 3.8397)])
def test_losses_on_eia_are_the_published_ones(eia11, group_size, lost):
    assert variation_lost(eia11, masked_matrix(Mdav(group_size=group_size), eia11)) == pytest.approx(lost, abs=5e-5)


def test_two_clear_groups_by_hand():
    values = np.array([[1.0, 10.0], [20.0, 200.0], [2.0, 20.0], [22.0, 220.0], [3.0, 30.0], [24.0, 240.0]])
    masked = masked_matrix(Mdav(group_size=3), values)
    assert masked == pytest.approx(np.array([[2.0, 20.0], [22.0, 220.0]] * 3))


@pytest.mark.parametrize("records", [3, 5, 6, 8, 9, 40])
def test_nobody_is_alone(records):
    sizes = equal_rows(masked_matrix(Mdav(group_size=3), correlated(records, 2, seed=records))).sizes
    assert sizes.min() >= 3
    assert sizes.max() <= 5


def test_means_are_kept_and_variances_shrink():
    values = correlated(100, 3, seed=1)
    masked = masked_matrix(Mdav(group_size=5), values)
    assert masked.mean(axis=0) == pytest.approx(values.mean(axis=0))
    assert (masked.var(axis=0) < values.var(axis=0)).all()


def test_groups_of_one_change_nothing():
    values = correlated(12, 2, seed=2)
    assert np.array_equal(masked_matrix(Mdav(group_size=1), values), values)


def test_equal_values_stay_what_they_are_to_the_last_digit():
    values = np.array([[0.1, 3.3]] * 3 + [[0.7, 9.1]] * 4)
    assert np.array_equal(masked_matrix(Mdav(group_size=3), values), values)


def test_fewer_records_than_a_group_are_refused_with_the_cure():
    with pytest.raises(SchemaError, match="smaller group_size"):
        protect(numeric(correlated(4, 2, seed=1)), Mdav(group_size=5), seed=1)


def test_missing_values_stay_and_the_rest_is_grouped():
    values = correlated(30, 2, seed=3)
    values[4, 0] = values[9, 1] = np.nan
    masked = masked_matrix(Mdav(group_size=4), values)
    assert np.array_equal(np.isnan(masked), np.isnan(values))
    whole = ~np.isnan(values).any(axis=1)
    assert equal_rows(masked[whole]).sizes.min() >= 2


def test_the_unit_of_measurement_does_not_matter():
    values = correlated(60, 2, seed=4)
    scaled = masked_matrix(Mdav(group_size=3), values * [1000, 1] + [5, 0])
    assert scaled == pytest.approx(masked_matrix(Mdav(group_size=3), values) * [1000, 1] + [5, 0])


def test_larger_groups_lose_more():
    values = correlated(200, 3, seed=5)
    lost = [variation_lost(values, masked_matrix(Mdav(group_size=size), values)) for size in (2, 5, 20)]
    assert lost == sorted(lost)


@pytest.mark.parametrize(("group_size", "recall"), [(3, 0.985), (10, 0.939)])
def test_the_true_group_is_among_the_nearest_for_most(census, group_size, recall):
    """Recall of the three nearest centroids with all attributes known (ALGORITHMS 2.3)."""
    found = admitted(Mdav(group_size=group_size), census, complete=True).diagonal().mean()
    assert found == pytest.approx(recall, abs=0.0005)


def test_an_attribute_published_to_few_decimals_is_attacked_too():
    data = Microdata(
        (Attribute("a", Kind.CONTINUOUS, Role.KEY, decimals=1),), {"a": np.round(correlated(60, 1, seed=6)[:, 0], 1)}
    )
    release = protect(data, Mdav(), seed=1)
    possible = release.recipe.candidates(Candidates.known(data, ("a",)), release.masked)
    assert possible.admits(release.masked, 0).sum() < 20
