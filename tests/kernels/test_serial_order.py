"""What the order of a column says: against counts over neighbours."""

import itertools

import numpy as np
import pytest
from scipy.stats import rankdata

from sdckit.kernels.serial_order import neighbour_agreement, neighbour_rank_correlation, share_in_one_direction


def columns():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        yield rng.integers(0, 4, rng.integers(0, 8))


def test_ranks_of_neighbours_correlate_as_by_definition():
    for column in columns():
        expected = 0.0
        if len(column) >= 3 and len(set(column.tolist())) > 1:
            gaps = rankdata(column) - (len(column) + 1) / 2
            expected = sum(a * b for a, b in itertools.pairwise(gaps)) / sum(gaps**2)
        assert neighbour_rank_correlation(column.astype(float)) == pytest.approx(expected)


def test_a_long_sorted_column_correlates_and_an_alternating_one_the_other_way():
    assert neighbour_rank_correlation(np.arange(1000.0)) == pytest.approx(1, abs=0.01)
    assert neighbour_rank_correlation(np.tile([0.0, 1.0], 500)) == pytest.approx(-1, abs=0.01)


def test_neighbours_agree_beyond_accident_as_by_definition():
    for codes in columns():
        expected = 0.0
        if len(codes) >= 3 and len(set(codes.tolist())) > 1:
            accident = sum((codes == code).mean() ** 2 for code in set(codes.tolist()))
            agreeing = sum(a == b for a, b in itertools.pairwise(codes)) / (len(codes) - 1)
            expected = (agreeing - accident) / (1 - accident)
        assert neighbour_agreement(codes) == pytest.approx(expected)


def test_the_share_of_neighbours_in_one_direction_is_counted():
    for seed, column in enumerate(columns()):
        if not len(column):
            continue
        rng = np.random.default_rng(seed)
        values = np.where(rng.random(len(column)) < 0.2, np.nan, column)
        one_group = rng.random(len(column) - 1) < 0.8
        steps = [b - a for a, b, same in zip(values, values[1:], one_group, strict=False) if same and (b > a or b < a)]
        rising = sum(step > 0 for step in steps)
        expected = (max(rising, len(steps) - rising) / len(steps), len(steps)) if steps else (0.0, 0)
        assert share_in_one_direction(values, one_group) == pytest.approx(expected)
