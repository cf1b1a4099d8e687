"""Learned distances on numbers, categories and missing values: features, links and bounds from the definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.linear_distances import (
    OWA,
    Bilinear,
    BilinearMetric,
    Choquet,
    ChoquetMetric,
    Column,
    NonNegativeBilinear,
    WeightedMean,
    WeightedMeanMetric,
    learn,
    learn_on_a_share,
    recounted_credits,
)
from sdckit.linear_distances.linkage import Linkage
from sdckit.linear_distances.pairs import MixedPairs, Points, compare

from .mixed_files import COLUMNS, TREE, all_differences, mixed_file, most_shared_links

pytestmark = pytest.mark.slow  # the kernels that learn take long to compile

LINEAR = [WeightedMean(), OWA(), Choquet(), ChoquetMetric(), Bilinear()]
FAMILIES = [*LINEAR, WeightedMeanMetric(), NonNegativeBilinear(), BilinearMetric()]
by_name = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
by_rule = pytest.mark.parametrize("strict", [True, False], ids=["strict", "shared"])


def quickly(queries, targets, truth, family, budget=0.6, **more):
    return learn(queries, targets, truth, family, budget=budget, rng=np.random.default_rng(0), **more)


def test_differences_by_hand():
    queries = np.array([[1.0, 0.0, 1.0, 4.0], [np.nan, 1.0, 2.0, np.nan]])
    targets = np.array([[3.0, 1.0, 0.0, 0.0], [np.nan, 0.0, 2.0, 5.0]])
    pairs = MixedPairs(queries, targets, COLUMNS)
    np.testing.assert_allclose(pairs.differences(np.array([0]), np.array([0])), [[-2, 1, np.sqrt(0.5), 2]])
    np.testing.assert_allclose(pairs.differences(np.array([0]), np.array([1])), [[2, 0, 1, -1]])  # |1 − 3| expected
    mean_absolute = (4 + 1) / 2  # of the only known value from both released ones
    np.testing.assert_allclose(pairs.differences(np.array([1]), np.array([1])), [[0, 1, 0, np.sqrt(mean_absolute)]])


@given(st.integers(0, 10_000))
def test_differences_follow_their_definition(seed):
    queries, targets, _ = mixed_file(seed)
    queries[np.random.default_rng(seed).random(queries.shape) < 0.1] = np.nan
    columns = (COLUMNS[0], Column(COLUMNS[1].table, missing=0.25), *COLUMNS[2:])
    pairs = MixedPairs(queries, targets, columns)
    for i, expected in enumerate(all_differences(queries, targets, columns)):
        found = pairs.differences(np.full(len(targets), i), np.arange(len(targets)))
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_plain_numbers_are_points_and_anything_else_is_not():
    numbers = np.arange(6.0).reshape(3, 2)
    assert isinstance(compare(numbers, numbers, None), Points)
    assert isinstance(compare(numbers, numbers, [Column(), Column()]), Points)
    assert isinstance(compare(numbers, numbers, [Column(), Column(absolute=True)]), MixedPairs)
    assert isinstance(compare(numbers, np.where(numbers > 4, np.nan, numbers), None), MixedPairs)


@pytest.mark.slow
@pytest.mark.parametrize("family", LINEAR, ids=lambda family: family.name)
@by_rule
@settings(max_examples=6)
@given(seed=st.integers(0, 10_000))
def test_the_most_links_of_a_tiny_file_are_found_and_bounded(family, strict, seed):
    queries, targets, truth = mixed_file(seed)
    most = most_shared_links(queries, targets, truth, family, COLUMNS, strict)
    learned = quickly(queries, targets, truth, family, columns=COLUMNS, strict=strict)
    assert learned.found <= most + 1e-9
    assert learned.bound >= most - 1e-6
    if family.size(4) <= 4:
        assert learned.found == pytest.approx(most)


@by_name
@by_rule
@settings(max_examples=4)
@given(seed=st.integers(0, 10_000))
def test_the_figure_and_its_bound_follow_one_rule_for_ties(family, strict, seed):
    queries, targets, truth = mixed_file(seed, records=15)
    learned = quickly(queries, targets, truth, family, 0.3, columns=COLUMNS, strict=strict)
    assert learned.found == pytest.approx(learned.credits.sum())
    assert learned.found <= learned.bound <= len(queries)
    expected = recounted_credits(queries, targets, truth, family, learned.parameters, None, strict, COLUMNS)
    np.testing.assert_allclose(learned.credits, expected)


@pytest.mark.slow
@by_rule
@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_on_numbers_with_ties_too_the_figure_is_below_its_bound(strict, seed):
    rng = np.random.default_rng(seed)
    targets = rng.integers(0, 3, (14, 2)).astype(float)
    queries = targets + rng.integers(-1, 2, targets.shape)
    columns = (Column(), Column())
    for family in LINEAR:
        learned = quickly(queries[:7], targets[:7], np.arange(7), family, 0.3, strict=strict)
        most = most_shared_links(queries[:7], targets[:7], np.arange(7), family, columns, strict)
        assert learned.found <= most + 1e-9 and learned.bound >= most - 1e-6


@by_name
def test_renaming_the_categories_changes_nothing(family):
    queries, targets, truth = mixed_file(4, records=12)
    new_query_code, new_target_code = np.array([2, 0, 1]), np.array([1, 2, 0])
    renamed = [queries.copy(), targets.copy()]
    for file, new_code in zip(renamed, (new_query_code, new_target_code), strict=True):
        known = ~np.isnan(file[:, 2])
        file[known, 2] = new_code[file[known, 2].astype(int)]
    table = np.empty((3, 3))
    table[np.ix_(new_query_code, new_target_code)] = TREE
    columns = (*COLUMNS[:2], Column(table), COLUMNS[3])
    one = Linkage(queries, targets, truth, family, strict=False, columns=COLUMNS)
    other = Linkage(*renamed, truth, family, strict=False, columns=columns)
    np.testing.assert_allclose(one.axes, other.axes)
    parameters = family.interior(4)
    links = [each.credits(each.linked(family.onto_axes(parameters, each.axes))) for each in (one, other)]
    np.testing.assert_allclose(*links)


@by_name
@pytest.mark.parametrize("values", [(1.0, 1.0), (2.0, np.nan), (np.nan, np.nan)], ids=["constant", "lost", "missing"])
def test_a_column_without_information_changes_nothing(family, values):
    """The same value in all records, a value that the whole release lacks, or none in both files."""
    queries, targets, truth = mixed_file(7, records=10, missing=0.1)
    queries, targets, columns = queries[:, [0, 2]], targets[:, [0, 2]], (COLUMNS[0], COLUMNS[2])
    wide_queries, wide_targets = (
        np.column_stack([file, np.full(10, value)]) for file, value in zip((queries, targets), values, strict=True)
    )
    plain = quickly(queries, targets, truth, family, columns=columns, strict=False)
    wider = quickly(wide_queries, wide_targets, truth, family, columns=(*columns, Column()), strict=False)
    assert wider.found <= plain.bound + 1e-9 and plain.found <= wider.bound + 1e-9
    if isinstance(family, WeightedMean):
        assert wider.found == pytest.approx(plain.found)


@by_name
def test_only_categories_suffice(family):
    codes = np.array([[a, b] for a in range(2) for b in range(3)], dtype=float)
    columns = (Column(1 - np.eye(2)), Column(1 - np.eye(3)))
    learned = quickly(codes, codes, np.arange(6), family, 0.3, columns=columns, strict=False)
    assert learned.found == learned.bound == 6


@pytest.mark.parametrize("family", [each for each in FAMILIES if each.name != "bilinear"], ids=lambda each: each.name)
def test_rows_that_differ_alike_share_a_link_in_figure_and_bound(family):
    """Two released categories, both other than the known one: nothing distinguishes the two rows.

    The unrestricted bilinear form is left out: it can call the farther row the nearer one.
    """
    queries, targets = np.array([[0.0], [1.0]]), np.array([[1.0], [2.0]])
    learned = quickly(queries, targets, np.array([0, 1]), family, 0.3, columns=[Column(1 - np.eye(3))], strict=False)
    np.testing.assert_allclose(learned.credits, [0.5, 0])  # of record 1 the wrong row is nearer
    assert learned.found == learned.bound == 0.5
    lost = quickly(queries, targets, np.array([0, 1]), family, 0.3, columns=[Column(1 - np.eye(3))])
    assert lost.found == lost.bound == 0


@by_name
def test_identical_queries_share_no_more_than_one_link_together(family):
    """Three equal records, their rows equal too: each has a third; a fourth row apart is linked whole."""
    queries = np.array([[0.0, 0.0]] * 3 + [[5.0, 1.0]])
    columns = (Column(), Column(1 - np.eye(2)))
    learned = quickly(queries, queries, np.arange(4), family, 0.3, columns=columns, strict=False)
    np.testing.assert_allclose(learned.credits, [1 / 3] * 3 + [1])
    assert learned.found == pytest.approx(2) and learned.proven


@by_name
def test_candidates_restrict_the_rows_of_mixed_files(family):
    queries, targets, truth = mixed_file(3, records=12)
    near = np.random.default_rng(0).random((12, 12)) < 0.4
    near[np.arange(12), truth] = True
    learned = quickly(queries, targets, truth, family, 0.3, columns=COLUMNS, candidates=near, strict=False)
    expected = recounted_credits(queries, targets, truth, family, learned.parameters, near, False, COLUMNS)
    np.testing.assert_allclose(learned.credits, expected)
    everyone = quickly(queries, targets, truth, family, 0.3, columns=COLUMNS, strict=False)
    assert (
        learned.bound
        >= recounted_credits(queries, targets, truth, family, everyone.parameters, near, False, COLUMNS).sum() - 1e-9
    )


def test_the_nearest_rivals_are_those_of_a_full_sort():
    queries, targets, truth = mixed_file(9, records=30)
    rng = np.random.default_rng(1)
    for family in (WeightedMean(), OWA(), Bilinear()):
        parameters = rng.random(family.size(4))
        linkage = Linkage(queries, targets, truth, family, columns=COLUMNS)
        found = linkage.rivals(family.onto_axes(parameters, linkage.axes), 4)
        for i, differences in enumerate(all_differences(queries, targets, COLUMNS)):
            distance = family.features(differences) @ parameters
            distance[truth[i]] = np.inf
            np.testing.assert_allclose(np.sort(distance[found[i]]), np.sort(distance)[:4])


def test_held_out_records_are_linked_by_the_same_differences():
    queries, targets, truth = mixed_file(2, records=40)
    result = learn_on_a_share(
        queries, targets, truth, WeightedMean(), budget=0.3, rng=np.random.default_rng(0), strict=False, columns=COLUMNS
    )
    assert len(result.credits) == 20 and 0 <= result.share <= 1
