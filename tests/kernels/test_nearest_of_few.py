"""Nearest rows of a small file: against distances pair by pair."""

import numpy as np
import pytest

from sdckit.kernels import nearest_of_few as few
from sdckit.kernels.nearest_of_few import nearest_by, nearest_of_few

MISSING_SHARE = 0.1  # of the expected squared difference to another record


def squared(known, released, mine, theirs):
    total = 0.0
    for j, (a, b) in enumerate(zip(mine, theirs, strict=True)):
        if np.isnan(a):
            continue
        if np.isnan(b):
            seen = released[~np.isnan(released[:, j]), j]
            variance = seen.var(ddof=1) if len(seen) > 1 else 0.0
            total += MISSING_SHARE * ((a - (seen.mean() if len(seen) else 0.0)) ** 2 + variance)
        else:
            total += (a - b) ** 2
    return total


def files(seed):
    rng = np.random.default_rng(seed)
    columns = int(rng.integers(1, 4))
    known, released = (rng.integers(0, 3, (int(rng.integers(1, 6)), columns)).astype(float) for _ in range(2))
    for each, share in ((known, (0, 0, 0.3)[seed % 3]), (released, (0, 0.3, 0.3)[seed % 3])):
        each[rng.random(each.shape) < share] = np.nan
    return known, released, rng.integers(-1, len(released), len(known))


@pytest.mark.parametrize("pairs", [1, 7, 1 << 20])
def test_the_nearest_their_number_and_the_own_row_are_those_of_all_pairs(pairs, monkeypatch):
    """However many of them are compared at a time."""
    monkeypatch.setattr(few, "PAIRS", pairs)
    for seed in range(60):
        known, released, truth = files(seed)
        least, ties, truth_tied, nearest = nearest_of_few(known, released, truth, 1e-9)
        for record, mine in enumerate(known):
            distances = np.array([squared(known, released, mine, theirs) for theirs in released])
            best = np.flatnonzero(distances <= distances.min() * (1 + 1e-9))
            assert least[record] == pytest.approx(distances.min(), abs=1e-15)
            assert ties[record] == len(best) and nearest[record] == best[0]
            assert truth_tied[record] == (truth[record] in best)


def test_rows_within_the_tolerance_are_tied_and_the_lowest_is_given():
    distance = np.array([[1.1, 1.0, 1.2], [0.0, 0.0, 5.0], [2.0, 3.0, 1.0]])
    least, ties, truth_tied, nearest = nearest_by(distance, np.array([2, 1, -1]), 0.1)
    assert least.tolist() == [1, 0, 1] and ties.tolist() == [2, 2, 1] and nearest.tolist() == [0, 0, 2]
    assert truth_tied.tolist() == [False, True, False]


def test_without_rows_nobody_is_nearest():
    least, ties, truth_tied, nearest = nearest_by(np.empty((2, 0)), np.array([-1, -1]), 0.0)
    assert (least == np.inf).all() and ties.tolist() == [0, 0] and nearest.tolist() == [-1, -1]
    assert not truth_tied.any()
