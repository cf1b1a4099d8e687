"""Half squared distances: exact for whole numbers, and never positive."""

import numpy as np

from sdckit.kernels.squared_distances import negative_half_squares


def test_whole_numbers_are_exact():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        columns = rng.integers(1, 4)
        a, b = (rng.integers(-3, 4, (rng.integers(1, 5), columns)).astype(float) for _ in range(2))
        assert negative_half_squares(a, b).tolist() == [[-((x - y) ** 2).sum() / 2 for y in b] for x in a]


def test_rounding_makes_no_distance_negative():
    points = 1e8 + np.random.default_rng(1).random((40, 3))
    assert (negative_half_squares(points, points) <= 0).all()
