"""Fuzzy partitions compared: crisp ones by brute force, by hand, and aligned."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.fuzzy import partition_comparison
from sdckit.fuzzy.alignment import align_centres, align_memberships, centre_difference, membership_differences
from sdckit.fuzzy.interval_partitions import i_fuzzy_partition, interval_difference, interval_partition
from sdckit.fuzzy.partition_comparison import compare_pairs


def memberships(seed: int, records: int, clusters: int) -> np.ndarray:
    degrees = np.random.default_rng(seed).gamma(0.5, size=(records, clusters))
    return degrees / degrees.sum(axis=1, keepdims=True)


def by_definition(one: np.ndarray, other: np.ndarray) -> tuple[float, float, float]:
    """Distance, Rand and Jaccard over all pairs of records and of clusters."""
    gaps, a, b, c, d = [], 0.0, 0.0, 0.0, 0.0
    for x, y in combinations(range(len(one)), 2):
        alike = [1 - np.abs(u[x] - u[y]).sum() / 2 for u in (one, other)]
        gaps.append(abs(alike[0] - alike[1]))
        same = [np.minimum(u[x], u[y]).max() for u in (one, other)]
        different = [
            max((min(u[x, i], u[y, j]) for i, j in permutations(range(u.shape[1]), 2)), default=0.0)
            for u in (one, other)
        ]
        a, b = a + min(same), b + min(same[0], different[1])
        c, d = c + min(different[0], same[1]), d + min(different)
    return float(np.mean(gaps)), (a + d) / (a + b + c + d), a / (a + b + c) if a + b + c else 1.0


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(1, 4), st.integers(1, 4))
def test_fuzzy_partitions_are_compared_as_defined(seed, records, clusters, others):
    one, other = memberships(seed, records, clusters), memberships(seed + 1, records, others)
    found = compare_pairs(one, other)
    assert (found.distance, found.rand, found.jaccard) == pytest.approx(by_definition(one, other))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=25))
def test_of_crisp_partitions_both_are_the_classical_indices(labels):
    one, other = (np.eye(4)[[each[k] for each in labels]] for k in (0, 1))
    pairs = list(combinations(labels, 2))
    both = sum(x[0] == y[0] and x[1] == y[1] for x, y in pairs)
    agree = sum((x[0] == y[0]) == (x[1] == y[1]) for x, y in pairs)
    either = sum(x[0] == y[0] or x[1] == y[1] for x, y in pairs)
    found = compare_pairs(one, other)
    assert found.rand == pytest.approx(agree / len(pairs))
    assert 1 - found.distance == pytest.approx(agree / len(pairs))
    assert found.jaccard == pytest.approx(both / either if either else 1.0)


@given(st.integers(0, 10**6))
def test_a_partition_has_no_distance_from_itself_whatever_the_order_of_its_clusters(seed):
    one = memberships(seed, 20, 4)
    order = np.random.default_rng(seed).permutation(4)
    assert compare_pairs(one, one[:, order]).distance == pytest.approx(0, abs=1e-12)
    assert membership_differences(one, one[:, order]) == pytest.approx(np.zeros(20), abs=1e-12)


def test_pairs_drawn_at_random_come_within_their_standard_error(monkeypatch):
    one, other = memberships(1, 300, 3), memberships(2, 300, 3)
    exact = compare_pairs(one, other)
    monkeypatch.setattr(partition_comparison, "ALL_PAIRS", 10)
    monkeypatch.setattr(partition_comparison, "DRAWN", 20_000)
    drawn = compare_pairs(one, other, np.random.default_rng(3))
    assert exact.standard_error == 0 < drawn.standard_error
    assert abs(drawn.distance - exact.distance) < 4 * drawn.standard_error
    assert drawn.rand == pytest.approx(exact.rand, abs=0.02)


def test_clusters_and_centres_are_matched_with_the_least_difference():
    one = memberships(4, 30, 4)
    order = np.array([2, 0, 3, 1])
    assert one[:, order][:, align_memberships(one, one[:, order])] == pytest.approx(one)
    centres = np.random.default_rng(5).standard_normal((4, 2))
    assert np.array_equal(order[align_centres(centres, centres[order])], np.arange(4))
    assert centre_difference(centres, centres[order] + [3, 4]) <= 5 + 1e-12


def test_the_difference_of_crisp_partitions_is_the_share_of_records_in_another_cluster():
    one, other = np.eye(2)[[0, 0, 0, 1, 1]], np.eye(2)[[1, 1, 0, 0, 0]]
    assert membership_differences(one, other).tolist() == [0, 0, 1, 0, 0]


def test_records_that_belong_nowhere_in_both_do_not_differ():
    assert membership_differences(np.zeros((2, 2)), np.zeros((2, 2))).tolist() == [0, 0]


def test_partitions_of_different_records_are_refused():
    with pytest.raises(ValueError, match="same records"):
        compare_pairs(np.eye(2), np.eye(3))


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_an_i_fuzzy_partition_is_one(seed, runs):
    """Memberships sum to 1, degrees lie in 0..1, and at most one cluster has a non-membership of 0."""
    rng = np.random.default_rng(seed)
    found = [np.eye(3)[rng.integers(0, 3, 20)] if rng.random() < 0.5 else memberships(seed, 20, 3) for _ in range(runs)]
    part = i_fuzzy_partition(found)
    assert part.membership.sum(axis=1) == pytest.approx(np.ones(20))
    assert (part.hesitation >= 0).all()
    assert part.membership + part.hesitation + part.non_membership == pytest.approx(np.ones((20, 3)))
    assert ((part.non_membership == 0).sum(axis=1) <= 1).all()


def test_runs_that_agree_make_a_fuzzy_partition():
    one = memberships(6, 15, 3)
    runs = [one, one[:, [1, 2, 0]], one]
    assert i_fuzzy_partition(runs).hesitation == pytest.approx(np.zeros((15, 3)))
    assert interval_partition(runs).width == pytest.approx(0)


def test_intervals_contain_every_run_and_differ_from_themselves_by_nothing():
    runs = [memberships(seed, 12, 3) for seed in (1, 2, 3)]
    part = interval_partition(runs)
    assert (part.low <= runs[0]).all() and (runs[0] <= part.high).all()
    assert interval_difference(part, part) == pytest.approx(np.zeros(12))
    moved = interval_partition([memberships(9, 12, 3)])
    assert interval_difference(part, moved) == pytest.approx(
        np.maximum(np.abs(part.low - moved.low), np.abs(part.high - moved.high)).mean(axis=1)
    )
