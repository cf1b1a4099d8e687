from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels import rank_intervals
from sdckit.kernels.rank_intervals import ranks_of_both, share_inside_rank_intervals

columns = st.integers(1, 15).flatmap(lambda n: st.tuples(*[arrays(np.float64, n, elements=st.integers(0, 6))] * 2))
WIDTHS = np.array([0.1, 0.3, 0.7])


def by_definition(original, masked, widths):
    """One record, one width, one rank at a time: a rank counts if it is at most half the width away."""
    ordered = sorted(masked)
    n = len(ordered)
    share = []
    for x, y in zip(original, masked, strict=True):
        run = [index for index, value in enumerate(ordered) if value == y]
        middle = (run[0] + run[-1]) / 2
        hits = 0
        for width in widths:
            reached = [ordered[rank] for rank in range(n) if abs(rank - middle) <= width * n / 2 + 1e-9]
            hits += min([y, *reached]) <= x <= max([y, *reached])
        share.append(hits / len(widths))
    return share


@given(columns)
def test_it_is_the_definition(files):
    original, masked = files
    assert share_inside_rank_intervals(original, masked, WIDTHS).tolist() == pytest.approx(
        by_definition(original, masked, WIDTHS)
    )


def test_ten_ranks_by_hand():
    """Published as 5, in a column 1 to 10: 20 % of the ranks are 4 to 6, 60 % are 2 to 8."""
    masked = np.arange(1.0, 11.0)
    for value, inside in ((4, 1.0), (6, 1.0), (3, 0.5), (8, 0.5), (9, 0.0), (1.9, 0.0)):
        original = masked.copy()
        original[4] = value
        assert share_inside_rank_intervals(original, masked, np.array([0.2, 0.6]))[4] == inside


def test_a_rank_beyond_half_the_width_is_not_reached():
    """In a column of ten, 10 % are half a rank to each side: the published value alone. From 20 % on it is one rank."""
    masked = np.arange(10.0)
    original = masked + 1.0
    original[9] = 8.0
    for width, inside in ((0.1, 0.0), (0.19, 0.0), (0.2, 1.0), (0.29, 1.0)):
        assert (share_inside_rank_intervals(original, masked, np.array([width])) == inside).all()


def test_a_share_that_is_no_binary_fraction_reaches_as_far_as_it_says():
    """29 % of 100 ranks are 14.5 to each side of a tie of two, which ends on a rank; in floats it is a little less."""
    masked = np.concatenate([np.arange(49.0), [49.0, 49.0], np.arange(51.0, 100.0)])
    original = masked.copy()
    original[49] = masked[64]
    assert 0.29 * 100 / 2 < 14.5
    assert share_inside_rank_intervals(original, masked, np.array([0.29]))[49] == 1
    assert share_inside_rank_intervals(original, masked, np.array([0.27]))[49] == 0


def test_what_stayed_is_always_inside():
    column = np.array([3.0, 3.0, 1.0, 8.0])
    assert share_inside_rank_intervals(column, column, WIDTHS).tolist() == [1, 1, 1, 1]


def test_missing_values_are_not_judged_and_take_no_rank():
    original, masked = np.array([1.0, np.nan, 3.0, 9.0]), np.array([1.0, 2.0, np.nan, 1.0])
    share = share_inside_rank_intervals(original, masked, np.array([1.0]))
    assert np.isnan(share).tolist() == [False, True, True, False]
    assert share[[0, 3]].tolist() == [1, 0]


def test_nothing_to_judge_is_not_judged():
    nothing = np.full(3, np.nan)
    assert np.isnan(share_inside_rank_intervals(nothing, np.arange(3.0), WIDTHS)).all()
    assert np.isnan(share_inside_rank_intervals(np.arange(3.0), nothing, WIDTHS)).all()


@given(columns)
def test_a_wider_interval_never_holds_less(files):
    original, masked = files
    shares = [share_inside_rank_intervals(original, masked, np.array([width])) for width in (0.05, 0.2, 0.6, 2.0)]
    assert all((wide >= narrow).all() for narrow, wide in pairwise(shares))


def test_ranks_count_the_observed_masked_values_below_and_up_to_each():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        original, masked = (
            np.where(rng.random(7) < 0.2, np.nan, rng.integers(0, 4, 7) * (1.5 if seed % 2 else 1)) for _ in range(2)
        )
        present = masked[~np.isnan(masked)]
        for values, ranks in zip((original, masked), ranks_of_both(original, masked), strict=True):
            assert ranks.size == len(present) and ranks.seen.tolist() == (~np.isnan(values)).tolist()
            for value, below, up_to in zip(values, ranks.below, ranks.up_to, strict=True):
                assert np.isnan(value) or (below, up_to) == ((present < value).sum(), (present <= value).sum())


@pytest.mark.parametrize("block", [1, 3, 1 << 13])
def test_records_are_judged_alike_in_blocks_of_any_size_with_holes(block, monkeypatch):
    monkeypatch.setattr(rank_intervals, "BLOCK", block)
    for seed in range(25):
        rng = np.random.default_rng(seed)
        count = int(rng.integers(1, 9))
        original, masked = (np.where(rng.random(count) < 0.2, np.nan, rng.integers(0, 4, count)) for _ in range(2))
        seen = ~np.isnan(masked)
        filled = np.where(np.isnan(original), 0.0, original)[seen]
        expected = np.full(count, np.nan)
        if seen.any():
            expected[seen] = by_definition(filled, masked[seen], WIDTHS)
        expected[np.isnan(original)] = np.nan
        found = share_inside_rank_intervals(original, masked, WIDTHS)
        assert found == pytest.approx(expected, nan_ok=True)
