import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog
from scipy.stats import wasserstein_distance

from sdckit.kernels import diversity
from sdckit.kernels.diversity import (
    Column,
    banded,
    distinct_values,
    effective_values,
    nominal_distance,
    of_matching_records,
    ordered_distance,
    recursive_ratio,
    tree_distance,
)

from .both_ways import both_ways

way = both_ways(diversity)
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


@pytest.mark.parametrize("block", [1, 4, 9, 1 << 22])
@pytest.mark.parametrize("holes", [False, True])
def test_figures_do_not_depend_on_how_much_is_counted_at_a_time(block, holes, monkeypatch):
    """Two columns, of which one has no value at all."""
    monkeypatch.setattr(diversity, "BLOCK", block)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        codes = rng.integers(-1 if holes else 0, 2, (int(rng.integers(1, 9)), 2))
        values = rng.integers(-1, 3, len(codes))
        columns = [
            Column(values, 3, lambda counts: counts @ np.array([1.0, 10.0, 100.0])),
            Column(np.full(len(codes), -1), 0, lambda counts: counts.sum(axis=1) + counts.shape[1]),
        ]
        found, nothing = of_matching_records(codes, columns)
        assert nothing.tolist() == [1.0] * len(codes)
        for record, own in enumerate(codes):
            agree = [all(a in (-1, b) or b == -1 for a, b in zip(own, other, strict=True)) for other in codes]
            assert found[record] == sum(10.0**value for value in values[agree] if value >= 0)


@pytest.mark.parametrize("seed", range(20))
def test_figures_of_counts_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 4, (5, 4)).astype(float)
    for row, found in zip(counts, effective_values(counts), strict=True):
        shares = row[row > 0] / max(row.sum(), 1)
        assert found == pytest.approx(np.prod(shares**-shares) if len(shares) else 0.0)
    for length in (1, 2, 3, 4):
        for row, found in zip(counts, recursive_ratio(counts, length), strict=True):
            down = sorted(row, reverse=True)
            rest = sum(down[length - 1 :])
            assert found == (down[0] / rest if rest else np.inf)


def test_one_value_is_nowhere_from_itself():
    assert tree_distance(np.ones((2, 1)), np.ones(1), np.zeros((1, 1), dtype=np.int64)).tolist() == [0, 0]
    assert ordered_distance(np.ones((2, 1)), np.ones(1)).tolist() == [0, 0]


def test_a_tree_of_three_levels_by_hand():
    """Half of the mass moves between leaves of one branch, or to another branch, or across the root."""
    levels = np.array([[0, 8, 12, 14], [1, 8, 12, 14], [2, 9, 12, 14], [3, 10, 13, 14]])
    rows = np.array([[1.0, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [2, 0, 0, 0], [0, 0, 0, 0]])
    overall = np.array([2.0, 0, 0, 0])
    assert tree_distance(rows, overall, levels) == pytest.approx([1 / 6, 1 / 3, 1 / 2, 0, 0])


@pytest.mark.parametrize("seed", range(30))
def test_bands_are_about_equally_frequent_and_keep_the_order(seed):
    rng = np.random.default_rng(seed)
    column = rng.integers(0, 7, int(rng.integers(1, 14))).astype(float)
    column[rng.random(len(column)) < 0.2] = np.nan
    for bands in (1, 2, 3, 7):
        found = banded(column, bands)
        assert ((found == -1) == np.isnan(column)).all()
        seen, codes = column[found >= 0], found[found >= 0]
        distinct = sorted(set(seen))
        wanted = distinct
        if len(distinct) > bands:
            wanted = [sum(seen < value) * bands // len(seen) for value in distinct]
        numbers = {band: number for number, band in enumerate(dict.fromkeys(wanted))}
        expected = {value: numbers[band] for value, band in zip(distinct, wanted, strict=True)}
        assert codes.tolist() == [expected[value] for value in seen]
