"""Mondrian on arrays."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.diversity import nominal_distance, ordered_distance
from sdckit.kernels.mondrian import Sensitive, mondrian
from sdckit.kernels.mondrian_models import groups_by_cuts

gaps = st.sampled_from([0, 0.2])


def nothing(records: int) -> Sensitive:
    return Sensitive(np.empty((records, 0), dtype=np.int64), np.empty(0, dtype=bool))


def points(records: int, attributes: int, seed: int, missing: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 12, (records, attributes)).astype(float)
    values[rng.random(values.shape) < missing] = np.nan
    return values


def test_one_column_is_cut_at_its_medians_by_hand():
    column = np.array([[1.0], [2.0], [3.0], [4.0], [10.0], [11.0], [12.0], [13.0]])
    assert mondrian(column, 2, nothing(8), strict=True).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert mondrian(column, 3, nothing(8), strict=True).tolist() == [0] * 4 + [1] * 4
    assert mondrian(column, 5, nothing(8), strict=True).tolist() == [0] * 8


def test_equal_values_stay_together_by_strict_cuts_and_not_by_relaxed_ones():
    column = np.array([[1.0]] * 6 + [[2.0]] * 2)
    assert mondrian(column, 2, nothing(8), strict=True).tolist() == [0] * 6 + [1] * 2
    assert np.bincount(mondrian(np.zeros((8, 1)), 2, nothing(8), strict=False)).tolist() == [8]
    assert np.bincount(mondrian(column, 2, nothing(8), strict=False)).max() <= 4


def test_a_further_condition_is_judged_at_every_cut_by_hand():
    """Every group must have a record of each sex: the lower half has only one man, the upper half two."""
    column, sex = np.arange(8.0)[:, None] / 7, np.array([0, 1, 1, 1, 0, 1, 1, 0])

    def both(rows):
        return len(rows) >= 2 and len(set(sex[rows])) == 2

    for strict in (True, False):
        assert groups_by_cuts(column, 2, both, strict=strict).tolist() == [0, 0, 0, 0, 1, 1, 2, 2]
        assert groups_by_cuts(column, 2, lambda rows: len(rows) >= 2, strict=strict).tolist() == [
            0,
            0,
            1,
            1,
            2,
            2,
            3,
            3,
        ]
        assert groups_by_cuts(column, 2, lambda rows: len(rows) > 8, strict=strict).tolist() == [-1] * 8


@given(st.integers(1, 40), st.integers(1, 3), st.integers(1, 4), st.booleans(), st.integers(0, 999))
def test_a_condition_that_always_holds_changes_nothing(records, attributes, k, strict, seed):
    values = points(records, attributes, seed, 0.1)
    with_condition = mondrian(values, k, nothing(records), strict=strict, also=lambda rows: True)
    assert with_condition.tolist() == mondrian(values, k, nothing(records), strict=strict).tolist()


@given(
    st.integers(1, 80),
    st.integers(1, 4),
    st.integers(1, 6),
    st.booleans(),
    st.integers(0, 999),
    st.sampled_from([0, 0.2]),
)
def test_every_group_has_k_records_and_strict_groups_do_not_overlap(records, attributes, k, strict, seed, missing):
    k = min(k, records)
    values = points(records, attributes, seed, missing)
    labels = mondrian(values, k, nothing(records), strict=strict)
    assert np.bincount(labels).min() >= k and sorted(set(labels)) == list(range(labels.max() + 1))
    if strict:
        seen = {}
        for row, label in zip(np.nan_to_num(values, nan=-1).tolist(), labels.tolist(), strict=True):
            assert seen.setdefault(tuple(row), label) == label


@given(st.integers(4, 60), st.booleans(), st.integers(0, 999), st.integers(1, 3), st.sampled_from([0.2, 0.5, 1.0]))
def test_groups_are_diverse_and_close(records, strict, seed, diversity, closeness):
    rng = np.random.default_rng(seed)
    codes = np.column_stack(
        [rng.integers(0, 4, records), np.unique(rng.integers(0, 15, records), return_inverse=True)[1]]
    )
    sensitive = Sensitive(codes.astype(np.int64), np.array([False, True]))
    labels = mondrian(points(records, 2, seed), 2, sensitive, strict=strict, diversity=diversity, closeness=closeness)
    if labels[0] < 0:
        assert min(len(np.unique(column)) for column in codes.T) < diversity
        return
    for attribute, distance in ((0, nominal_distance), (1, ordered_distance)):
        counts = np.zeros((labels.max() + 1, codes[:, attribute].max() + 1))
        np.add.at(counts, (labels, codes[:, attribute]), 1)
        assert (counts > 0).sum(axis=1).min() >= diversity
        assert distance(counts, counts.sum(axis=0)).max() <= closeness + 1e-9


def test_a_stricter_condition_leaves_fewer_groups():
    rng = np.random.default_rng(4)
    sensitive = Sensitive(rng.integers(0, 6, (400, 1)), np.array([False]))
    groups = [mondrian(points(400, 3, 1), 3, sensitive, strict=False, closeness=t).max() for t in (1.0, 0.5, 0.2, 0.0)]
    assert groups == sorted(groups, reverse=True) and groups[0] > groups[-1] == 0


def test_where_not_even_the_whole_file_is_a_valid_group_nobody_has_one():
    assert mondrian(points(4, 2, 0), 5, nothing(4), strict=True).tolist() == [-1] * 4
    alike = Sensitive(np.zeros((6, 1), dtype=np.int64), np.array([False]))
    assert mondrian(points(6, 2, 0), 2, alike, strict=False, diversity=2).tolist() == [-1] * 6
