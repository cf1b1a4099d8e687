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
