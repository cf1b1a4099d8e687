"""Transitions: matrices by hand, what they keep, and draws by uniform numbers."""

import numpy as np
import pytest

from sdckit.kernels.transitions import draw_transitions, invariant_matrix, transition_matrix

ALMOST_ONE = np.nextafter(1.0, 0.0)


def drawn(matrix, codes, uniforms):
    return draw_transitions(np.array(codes, dtype=np.int32), np.array(matrix), np.array(uniforms)).tolist()


def test_categories_change_within_their_block_by_hand():
    matrix = transition_matrix(np.array([0, 0, 1, 0]), 0.7)
    assert matrix == pytest.approx(
        np.array([[0.7, 0.15, 0, 0.15], [0.15, 0.7, 0, 0.15], [0, 0, 1, 0], [0.15, 0.15, 0, 0.7]])
    )
    assert transition_matrix(np.array([3, 3]), 0.9) == pytest.approx(np.array([[0.9, 0.1], [0.1, 0.9]]))


@pytest.mark.parametrize("strength", [0.0, 0.4, 1.0])
def test_an_invariant_matrix_keeps_the_frequencies_and_what_nobody_has(strength):
    """Nobody has the last category, and nobody of its block reaches it."""
    frequencies = np.array([0.5, 0.3, 0.2, 0.0])
    with np.errstate(all="raise"):
        matrix = invariant_matrix(transition_matrix(np.array([0, 0, 0, 1]), 0.6), frequencies, strength)
    assert frequencies @ matrix == pytest.approx(frequencies)
    assert matrix.sum(axis=1) == pytest.approx(np.ones(4))
    assert matrix[3].tolist() == [0, 0, 0, 1]


def test_two_categories_forth_and_back_by_hand():
    """Of 3 and 1 records, 2 and 2 are expected after P; back go 1.5 and 0.5 of either."""
    matrix = invariant_matrix(np.array([[0.5, 0.5], [0.5, 0.5]]), np.array([3.0, 1.0]), 1.0)
    assert matrix == pytest.approx(np.array([[0.75, 0.25], [0.75, 0.25]]))


@pytest.mark.parametrize(
    ("uniform", "expected"), [(0.0, 1), (0.49, 1), (0.5, 0), (0.74, 0), (0.75, 3), (0.99, 3), (ALMOST_ONE, 3)]
)
def test_staying_comes_first_and_then_the_others_in_their_order(uniform, expected):
    assert drawn([[1.0, 0, 0, 0], [0.25, 0.5, 0, 0.25], [0, 0, 1.0, 0], [0, 0, 0, 1.0]], [1], [uniform]) == [expected]


def test_rounding_never_draws_what_is_impossible():
    """A row that adds up to less than 1 gives the rest to its last possible category, or stays."""
    alone = [[ALMOST_ONE, 0, 0], [0, ALMOST_ONE, 0], [0, 0, ALMOST_ONE]]
    assert drawn(alone, [0, 1, 2], [ALMOST_ONE] * 3) == [0, 1, 2]
    assert drawn([[0.3, 0.6, 0], [0.3, 0.6, 0], [0.6, 0, 0.3]], [0, 1, 2], [ALMOST_ONE] * 3) == [1, 0, 0]


def by_running_totals(row, code, uniform):
    """Staying first, then each possible category; the last one takes what rounding leaves."""
    possible = [other for other in range(len(row)) if other != code and row[other] > 0]
    if uniform < row[code] or not possible:
        return code
    total = row[code]
    for other in possible:
        total += row[other]
        if uniform < total:
            return other
    return possible[-1]


def test_draws_are_those_of_running_totals():
    for seed in range(25):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(1, 6))
        weights = rng.integers(0, 3, (size, size)) + np.eye(size)
        matrix = weights / weights.sum(axis=1, keepdims=True)
        codes = np.repeat(np.arange(size), 9)
        uniforms = np.tile([0.0, 0.2, 0.25, 1 / 3, 0.5, 0.6, 0.75, 0.99, ALMOST_ONE], size)
        expected = [by_running_totals(matrix[code], code, u) for code, u in zip(codes, uniforms, strict=True)]
        assert drawn(matrix, codes, uniforms) == expected


def test_a_matrix_has_rows_of_one_and_moves_only_within_blocks():
    for seed in range(15):
        rng = np.random.default_rng(seed)
        block, stay = rng.integers(0, 3, int(rng.integers(1, 7))), float(rng.integers(0, 5)) / 4
        matrix = transition_matrix(block, stay)
        for one in range(len(block)):
            others = [other for other in range(len(block)) if block[other] == block[one] and other != one]
            assert matrix[one, one] == (stay if others else 1)
            assert matrix[one].sum() == pytest.approx(1)
            for other in set(range(len(block))) - {one}:
                assert matrix[one, other] == ((1 - stay) / len(others) if other in others else 0)


def test_an_invariant_matrix_is_there_and_back_again():
    for seed in range(15):
        rng = np.random.default_rng(seed)
        size, strength = int(rng.integers(1, 5)), float(rng.integers(0, 3)) / 2
        matrix = transition_matrix(rng.integers(0, 2, size), 0.7)
        frequencies = rng.integers(0, 4, size).astype(float)
        found = invariant_matrix(matrix, frequencies, strength)
        back = np.eye(size)
        for reached in range(size):
            total = sum(frequencies[start] * matrix[start, reached] for start in range(size))
            if total > 0:
                back[reached] = [frequencies[start] * matrix[start, reached] / total for start in range(size)]
        assert found == pytest.approx(strength * matrix @ back + (1 - strength) * np.eye(size))
