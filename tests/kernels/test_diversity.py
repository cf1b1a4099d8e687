import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog
from scipy.stats import wasserstein_distance

from sdckit.kernels.diversity import (
    Column,
    distinct_values,
    effective_values,
    nominal_distance,
    of_matching_records,
    ordered_distance,
    recursive_ratio,
    tree_distance,
)

counts_of_four = arrays(np.int64, 4, elements=st.integers(0, 5)).filter(lambda counts: counts.sum() > 0)
TREE = np.array([[0, 4, 6], [1, 4, 6], [2, 5, 6], [3, 5, 6]])  # two pairs of leaves under one root


def moving(p, q, distance):
    """The earth mover's distance as the linear program that defines it."""
    m = len(p)
    sums = np.vstack([np.kron(np.eye(m), np.ones(m)), np.kron(np.ones(m), np.eye(m))])
    return linprog(distance.ravel(), A_eq=sums, b_eq=np.concatenate([p, q])).fun


@settings(max_examples=20)
@given(counts_of_four, counts_of_four)
def test_the_distances_are_the_least_work_to_move_one_distribution_to_the_other(counts, overall):
    p, q = counts / counts.sum(), overall / overall.sum()
    position = np.arange(4)
    rows, overall = counts[None].astype(float), overall.astype(float)
    assert nominal_distance(rows, overall)[0] == pytest.approx(moving(p, q, 1.0 - np.eye(4)), abs=1e-9)
    apart = np.abs(position[:, None] - position) / 3
    assert ordered_distance(rows, overall)[0] == pytest.approx(moving(p, q, apart), abs=1e-9)
    assert ordered_distance(rows, overall)[0] == pytest.approx(
        wasserstein_distance(position, position, p, q) / 3, abs=1e-9
    )
    same_branch = position[:, None] // 2 == position // 2
    apart = np.where(same_branch, 0.5, 1.0) * (1 - np.eye(4))
    assert tree_distance(rows, overall, TREE)[0] == pytest.approx(moving(p, q, apart), abs=1e-9)


def test_the_salaries_of_the_paper_on_t_closeness():
    """Li et al. 2007, section 4.3: salaries 3k … 11k; {3k, 4k, 5k} is 0.375 and {6k, 8k, 11k} 0.167 away."""
    all_nine = np.ones(9)
    rows = np.zeros((2, 9))
    rows[0, [0, 1, 2]] = rows[1, [3, 5, 8]] = 1
    assert ordered_distance(rows, all_nine) == pytest.approx([0.375, 1 / 6])


@pytest.mark.parametrize(("records", "groups", "printed"), [(12, 3, 0.136364), (12, 4, 0.090909), (20, 5, 0.078947)])
def test_one_record_of_each_stratum_keeps_within_the_proven_bounds(records, groups, printed):
    """Soria-Comas et al. 2015: a group of one record a stratum lies between two bounds; the extremes reach them."""
    lower = (records + groups) * (records - groups) / (4 * records * (records - 1) * groups)
    upper = (records - groups) / (2 * (records - 1) * groups)
    assert upper == pytest.approx(printed, abs=5e-7)
    stratum = records // groups
    picks = np.stack(np.meshgrid(*[np.arange(stratum)] * groups), axis=-1).reshape(-1, groups)
    counts = np.zeros((len(picks), records))
    counts[np.arange(len(picks))[:, None], picks + stratum * np.arange(groups)] = 1
    distances = ordered_distance(counts, np.ones(records))
    assert distances.max() == pytest.approx(upper)
    assert distances.min() >= lower - 1e-12


def test_diversity_by_hand():
    counts = np.array([[2.0, 2, 0], [4, 0, 0], [3, 2, 1], [0, 0, 0]])
    assert distinct_values(counts).tolist() == [2, 1, 3, 0]
    assert effective_values(counts)[:2] == pytest.approx([2, 1])
    assert recursive_ratio(counts[:3], 2).tolist() == [1, np.inf, 1]
    assert recursive_ratio(counts[:3], 3).tolist() == [np.inf, np.inf, 3]


@given(st.data())
def test_values_are_counted_among_all_records_that_agree(data):
    codes = data.draw(arrays(np.int32, st.tuples(st.integers(1, 12), st.integers(1, 3)), elements=st.integers(-1, 2)))
    values = data.draw(arrays(np.int64, len(codes), elements=st.integers(-1, 3)))
    agree = ((codes[:, None] == codes[None]) | (codes[:, None] == -1) | (codes[None] == -1)).all(axis=2)
    for value in range(4):
        wanted = (agree & (values == value)).sum(axis=1)
        counted = of_matching_records(codes, [Column(values, 4, lambda counts, value=value: counts[:, value])])[0]
        assert np.array_equal(counted, wanted)


def test_a_set_of_one_record_is_as_far_as_its_value_and_an_empty_one_nowhere():
    """From value 0 of three equally frequent ones, a third moves one step of two, and a third both."""
    rows, overall = np.array([[1.0, 0, 0], [0, 0, 0]]), np.ones(3)
    assert nominal_distance(rows, overall) == pytest.approx([2 / 3, 0])
    assert ordered_distance(rows, overall) == pytest.approx([1 / 2, 0])
