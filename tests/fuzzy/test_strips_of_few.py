"""A small file is summed up without the compiler, to the same bits."""

import numpy as np
import pytest

from sdckit.fuzzy.strips import _add_weighted, _squared_distances
from sdckit.fuzzy.strips_of_few import add_weighted_of_few, squared_distances_of_few


@pytest.mark.parametrize("holes", [0.0, 0.3])
def test_numpy_gives_the_bits_of_the_kernels(holes):
    for seed in range(60):
        rng = np.random.default_rng(seed)
        records, centres, attributes = rng.integers(1, 30, 3) % np.array([30, 20, 9]) + 1
        points = rng.standard_normal((records, attributes)) * 10.0 ** rng.integers(-5, 6, attributes)
        points[rng.random(points.shape) < holes] = np.nan
        columns = rng.standard_normal((attributes, centres))
        distance, scale = np.empty((2, records, centres)), np.empty((2, records))
        _squared_distances(points, columns, distance[0], scale[0])
        squared_distances_of_few(points, columns, distance[1], scale[1])
        assert np.array_equal(*distance, equal_nan=True) and np.array_equal(*scale, equal_nan=True)
        weights = np.where(np.isnan(scale[0]), 0.0, rng.random(records) * (rng.random(records) > 0.2))
        influence, parts = np.repeat(rng.random((1, records, centres)), 2, axis=0), rng.random(records)
        totals = np.repeat(rng.random((1, attributes if np.isnan(points).any() else 1, centres)), 2, axis=0)
        sums = np.repeat(rng.standard_normal((1, attributes, centres)), 2, axis=0)
        added = [
            add(points, weights, scale[0], influence[way], parts, totals[way], sums[way])
            for way, add in enumerate((_add_weighted, add_weighted_of_few))
        ]
        assert added[0] == added[1] and np.array_equal(*influence) and np.array_equal(*totals) and np.array_equal(*sums)
