"""Mondrian on arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels import mondrian as mondrian_module
from sdckit.kernels.diversity import nominal_distance, ordered_distance
from sdckit.kernels.mondrian import Sensitive, _ordered_distance, mondrian
from sdckit.kernels.mondrian_models import groups_by_cuts

from .both_ways import both_ways

way = both_ways(mondrian_module)
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


def earth_movers_distance(part, whole, ordered):
    """By definition, of the codes of a part from those of the whole file."""
    last = max(whole)
    one, other = ([list(codes).count(code) / len(codes) for code in range(last + 1)] for codes in (part, whole))
    gaps = [a - b for a, b in zip(one, other, strict=True)]
    if not ordered:
        return sum(max(gap, 0.0) for gap in gaps)
    return sum(abs(sum(gaps[: code + 1])) for code in range(last)) / max(last, 1)


def by_definition(values, k, sensitive, strict, diversity, closeness):
    """The cuts with plain lists, every condition by its definition."""

    def valid(rows):
        if len(rows) < k or (diversity <= 1 and closeness >= 1):  # the latter is no condition, also of holes alone
            return len(rows) >= k
        for column, ordered in zip(sensitive.codes.T, sensitive.ordered, strict=True):
            present = [code for code in column[rows] if code >= 0]
            if len(set(present)) < diversity:
                return False
            everybody = [code for code in column if code >= 0]
            if present and earth_movers_distance(present, everybody, ordered) > closeness + 1e-12:
                return False
        return True

    low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
    scaled = np.where(np.isnan(values), -1.0, (values - low) / np.where(high > low, high - low, 1.0))

    def groups(rows):
        width = [max(scaled[rows, j]) - min(scaled[rows, j]) for j in range(values.shape[1])]
        if len(rows) >= 2 * k:
            for j in sorted(range(len(width)), key=lambda j: -width[j]):
                if width[j] <= 0:
                    break
                rows = sorted(rows, key=lambda row: scaled[row, j])
                column = [scaled[row, j] for row in rows]
                middle = len(rows) // 2
                ends = [middle]
                if strict:
                    below = sum(value < column[middle] for value in column)
                    up_to = sum(value <= column[middle] for value in column)
                    ends = sorted([below, up_to], key=lambda end: abs(end - middle))
                for end in ends:
                    if 0 < end < len(rows) and valid(rows[:end]) and valid(rows[end:]):
                        return groups(rows[:end]) + groups(rows[end:])
        return [rows]

    everybody = list(range(len(values)))
    labels = np.full(len(values), -1)
    for number, rows in enumerate(groups(everybody) if valid(everybody) else []):
        labels[rows] = number
    return labels


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("diversity", "closeness"), [(1, 1.0), (2, 1.0), (1, 0.5), (2, 0.3), (3, 0.6)])
def test_the_groups_are_those_of_the_definition(strict, diversity, closeness):
    for seed in range(25):
        rng = np.random.default_rng(seed)
        records = int(rng.integers(1, 16))
        values = rng.integers(0, 4, (records, int(rng.integers(1, 4)))).astype(float)
        values[1:][rng.random(values[1:].shape) < (0.2 if seed % 3 == 0 else 0)] = np.nan
        codes = rng.integers(-1 if seed % 2 else 0, 4, (records, 2))
        codes[0] = 0
        sensitive = Sensitive(codes, np.array([False, True]))
        k = int(rng.integers(1, 4))
        limits = {"diversity": diversity, "closeness": closeness}
        expected = by_definition(values, k, sensitive, strict, diversity, closeness)
        assert mondrian(values, k, sensitive, strict=strict, **limits).tolist() == expected.tolist()
        judged = mondrian(values, k, sensitive, strict=strict, also=lambda rows: True, **limits)
        assert judged.tolist() == expected.tolist()


def test_the_distance_of_ordered_codes_is_that_of_the_cumulative_shares():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        whole = rng.integers(0, int(rng.integers(1, 6)), int(rng.integers(1, 9)))
        part = np.sort(whole[rng.permutation(len(whole))[: rng.integers(1, len(whole) + 1)]])
        cumulative = np.cumsum(np.bincount(whole) / len(whole))
        sums = np.append(0.0, np.cumsum(cumulative))
        found = _ordered_distance.py_func(part, cumulative, sums, max(int(whole.max()), 1))
        assert found == pytest.approx(earth_movers_distance(part.tolist(), whole.tolist(), True), abs=1e-12)
