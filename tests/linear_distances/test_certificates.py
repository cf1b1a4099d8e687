"""The bounds: each proof agrees with the exhaustive truth, and never lies below it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from sdckit.linear_distances import OWA, Bilinear, Choquet, ChoquetMetric, WeightedMean
from sdckit.linear_distances.branch_and_bound import least_rows
from sdckit.linear_distances.branch_and_bound import most_links as most_links_on_the_simplex
from sdckit.linear_distances.conflicts import Conflicts, LargestMargin, bound_from_conflicts
from sdckit.linear_distances.highs import minimise
from sdckit.linear_distances.linkage import Linkage
from sdckit.linear_distances.milp import fewest_lost
from sdckit.linear_distances.search import Search

from .exhaustive import can_be_linked_together, most_links

pytestmark = pytest.mark.slow  # the kernels that learn take long to compile

FAMILIES = [WeightedMean(), OWA(), Choquet(), ChoquetMetric(), Bilinear()]
by_name = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def search_on_all_pairs(family, seed, records=7):
    """A search that knows every row but has looked for nothing."""
    rng = np.random.default_rng(seed)
    targets = rng.normal(size=(records, 2))
    queries = targets + 0.8 * rng.normal(size=targets.shape)
    search = Search(Linkage(queries, targets, np.arange(records), family), rng)
    search.rows.add(np.where(np.eye(records, dtype=bool), -1, np.arange(records)))
    search.offer(search.interior, "interior")
    return search, queries, targets


def search_and_truth(family, seed):
    """Such a search on a tiny file, and the most links by trying every set."""
    search, queries, targets = search_on_all_pairs(family, seed)
    true_most = most_links(
        queries, targets, np.arange(len(queries)), lambda difference: family.features(difference[None])[0],
        family.inequalities(2), free=isinstance(family, Bilinear),
    )  # fmt: skip
    return search, true_most


@by_name
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_smallest_hitting_set_of_all_conflicts_leaves_the_most_links(family, seed):
    search, true_most = search_and_truth(family, seed)
    assert bound_from_conflicts(Conflicts(search), lambda: 10.0) == true_most


@by_name
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_mixed_integer_program_finds_the_most_links(family, seed):
    search, true_most = search_and_truth(family, seed)
    assert fewest_lost(Conflicts(search), lambda: 10.0) == true_most
    assert search.found == true_most


@pytest.mark.parametrize("family", [WeightedMean(), OWA()], ids=lambda family: family.name)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_halving_the_simplex_proves_the_most_links(family, seed):
    search, true_most = search_and_truth(family, seed)
    rows = search.rows
    kept = least_rows(rows.values * rows.lengths[:, None], rows.starts)
    bound = most_links_on_the_simplex(
        rows.values[kept], rows.owners[kept], rows.impossible, search.linkage.groups,
        search.linkage.weights, true_most,
        lambda point: search.offer(point, ""), lambda: False,
    )  # fmt: skip
    assert bound == true_most


@by_name
def test_a_stopped_proof_still_bounds(family):
    search, true_most = search_and_truth(family, 3)
    clock = iter([1.0, 1.0, 1.0] + [0.0] * 10_000)
    bound = bound_from_conflicts(Conflicts(search), lambda: next(clock))
    assert bound is None or bound >= true_most


@by_name
def test_a_conflict_cannot_be_linked_together(family):
    search, _, _ = search_on_all_pairs(family, 11, records=12)
    margin, _, conflict = LargestMargin(search).solve(np.ones(12, dtype=bool))
    assert margin <= 1e-6 and len(conflict) >= 1
    rows = search.rows.values[np.isin(search.rows.owners, conflict)]
    cone, free = family.inequalities(2), isinstance(family, Bilinear)
    assert not can_be_linked_together(rows, cone, free)


def test_rows_above_another_row_of_the_record_are_dropped():
    rows = np.array([[-1.0, 2.0], [-0.5, 3.0], [2.0, -1.0], [1.0, 1.0]])
    np.testing.assert_array_equal(least_rows(rows, np.array([0, 4])), [0, 2])


def test_a_small_program_by_hand():
    """Cover {1,2}, {2,3}, {3,4}: two records suffice."""

    cover = csr_array(np.array([[1.0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]))
    solution = minimise(np.ones(4), np.zeros(4), np.ones(4), cover, np.ones(3), 5.0, np.ones(4, dtype=bool))
    assert solution.optimal and solution.bound == pytest.approx(2)
