"""The nearest rows by Gower's distance are those of a sort of all rows, holes and ties included."""

import numpy as np
import pytest

from sdckit.kernels.gower_neighbours import gower_neighbours


def plain(records, rows, categorical, priority, neighbours):
    """All distances, sorted; a hole of a row is as far as the values of its column are on average."""
    expected = []
    for record in records:
        found = []
        for row, values in enumerate(rows):
            total = 0.0
            for j, (mine, theirs) in enumerate(zip(record, values, strict=True)):
                if np.isnan(mine):
                    continue
                pairs = [(a, b) for a in records[:, j] for b in rows[:, j] if a == a and b == b]
                apart = [float(a != b) if categorical[j] else abs(a - b) for a, b in pairs]
                if np.isnan(theirs):
                    total += np.mean(apart) if apart else 0.0
                else:
                    total += float(mine != theirs) if categorical[j] else abs(mine - theirs)
            found.append((round(total, 9), priority[row], row))
        expected.append(sorted(found)[:neighbours])
    return expected


@pytest.mark.parametrize("seed", range(60))
def test_neighbours_are_those_of_a_sort(seed):
    rng = np.random.default_rng(seed)
    columns = int(rng.integers(1, 4))
    categorical = rng.random(columns) < 0.5
    records, rows = (
        np.where(categorical, rng.integers(0, 3, (size, columns)), rng.integers(0, 5, (size, columns)) / 4)
        for size in (int(rng.integers(1, 5)), int(rng.integers(1, 8)))
    )
    for values in (records, rows):
        if seed % 3:
            values[rng.random(values.shape) < 0.25] = np.nan
    priority, neighbours = rng.permutation(len(rows)), int(rng.integers(1, 9))
    found = gower_neighbours(records, rows, categorical, priority, neighbours)
    for expected, chosen, distances in zip(
        plain(records, rows, categorical, priority, neighbours), found.rows, found.distances, strict=True
    ):
        assert len(chosen) == min(neighbours, len(rows))
        assert distances == pytest.approx([distance for distance, _, _ in expected], abs=1e-8)
        assert len(set(chosen)) == len(chosen)
        assert chosen.tolist() == [row for _, _, row in expected]
