"""Exact posteriors beside the list of all permutations."""

import numpy as np
import pytest

from sdckit.matching import enumeration
from sdckit.matching.enumeration import exact_posterior
from tests.matching.test_chain import brute_force


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_posteriors_are_shares_of_the_permanent(count):
    for seed in range(4):
        rng = np.random.default_rng((count, seed))
        weights = rng.integers(0, 3, (count, count)) * rng.random((count, count)) + np.eye(count)
        assert exact_posterior(weights) == pytest.approx(brute_force(weights))


def test_without_a_matching_there_is_no_posterior():
    with pytest.raises(ValueError, match="promised zero"):
        exact_posterior(np.array([[1.0, 0.0], [1.0, 0.0]]))


def test_too_many_records_are_refused(monkeypatch):
    monkeypatch.setattr(enumeration, "LARGEST", 2)
    assert exact_posterior(np.ones((2, 2))).tolist() == [[0.5, 0.5]] * 2
    with pytest.raises(ValueError, match="3 records are too many"):
        exact_posterior(np.ones((3, 3)))
