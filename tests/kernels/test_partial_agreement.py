"""Partial agreement: frequencies pair by pair, and suppression round by round."""

import numpy as np
import pytest

from sdckit.kernels.partial_agreement import partial_frequencies, suppress_by_partial_agreement


def files():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        yield rng.integers(-1, 3, (rng.integers(1, 8), rng.integers(1, 4))), rng


def pair_by_pair(codes, alpha):
    """Itself and equal complete rows count for 1, rows that agree through a hole for alpha."""
    return [
        sum(
            1.0 if i == j or ((row == other).all() and (row >= 0).all()) else alpha
            for j, other in enumerate(codes)
            if ((row == other) | (row < 0) | (other < 0)).all()
        )
        for i, row in enumerate(codes)
    ]


def test_frequencies_are_those_of_all_pairs():
    for codes, rng in files():
        alpha = float(rng.choice([0.0, 0.25, 1.0]))
        assert partial_frequencies(codes, alpha).tolist() == pytest.approx(pair_by_pair(codes, alpha))


def test_the_rarest_lose_the_cheapest_key_round_by_round():
    for codes, rng in files():
        codes = np.maximum(codes, rng.integers(-1, 1, codes.shape))
        alpha = 0.5
        k = int(rng.integers(1, 2 + (len(codes) - 1) // 2))
        costs = rng.integers(1, 3, codes.shape[1]).astype(float)
        out = codes.copy()
        while True:
            frequency = pair_by_pair(out, alpha)
            rare = [i for i, row in enumerate(out) if frequency[i] < k and (row >= 0).any()]
            if not rare:
                break
            fewest = min(frequency[i] for i in rare)
            lost = [
                (
                    i,
                    min(np.flatnonzero(out[i] >= 0), key=lambda j: (costs[j], -len(set(codes[:, j].tolist())), j)),
                )
                for i in rare
                if frequency[i] == fewest
            ]
            for i, j in lost:
                out[i, j] = -1
        assert suppress_by_partial_agreement(codes, k, costs, alpha).tolist() == out.tolist()
        assert min(pair_by_pair(out, alpha)) >= k


def test_the_codes_given_are_unchanged():
    codes = np.array([[0, 1], [2, 3], [4, 5]])
    suppress_by_partial_agreement(codes, 2, np.ones(2), 1.0)
    assert codes.tolist() == [[0, 1], [2, 3], [4, 5]]
