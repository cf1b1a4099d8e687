"""Rank swapping of ten records, as printed in the slides on supervised disclosure risk (V. Torra): p = 2 ranks."""

import numpy as np
import pytest
from tests.conftest import columns, reference_file

from sdckit.candidates import Candidates
from sdckit.methods.swapping.rank_swapping import RankSwapping
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe

ATTRIBUTES = ("a1", "a2", "a3", "a4")
SET_SIZES = {
    "a1": [5, 5, 3, 5, 4, 4, 3, 5, 5, 5],
    "a2": [4, 5, 5, 3, 5, 4, 3, 5, 5, 5],
    "a3": [3, 3, 5, 4, 5, 5, 5, 5, 5, 4],
    "a4": [5, 4, 3, 5, 5, 5, 4, 3, 5, 5],
}
INTERSECTIONS = [[0], [1], [2], [3], [3, 4], [5], [6], [7], [4, 8], [7, 9]]
NEAREST_INSIDE = [0, 1, 2, 3, 3, 5, 6, 7, 4, 7]


@pytest.fixture(scope="module")
def files():
    """The original and the masked file under the same names."""
    table = columns(reference_file("published", "rank_swapping_example.csv"))
    meaning = tuple(Attribute(name, Kind.DISCRETE, Role.KEY, integral=True) for name in ATTRIBUTES)
    return tuple(
        Microdata(meaning, {name: np.array(table[letter + name[1]], dtype=float) for name in ATTRIBUTES})
        for letter in "am"
    )


def possible_rows(files, known):
    original, masked = files
    recipe = Recipe.of(RankSwapping(window=0.2), ATTRIBUTES)
    candidates = recipe.candidates(Candidates.known(original, known), masked)
    return [np.flatnonzero(candidates.admits(masked, record)).tolist() for record in range(10)]


def test_the_masked_file_is_a_rank_swap_of_two_ranks(files):
    original, masked = files
    for name in ATTRIBUTES:
        before, after = original.columns[name], masked.columns[name]
        assert sorted(before) == sorted(after) == list(range(1, 11))
        assert np.abs(before - after).max() <= 2


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_each_attribute_leaves_the_printed_number_of_rows(files, attribute):
    assert [len(rows) for rows in possible_rows(files, (attribute,))] == SET_SIZES[attribute]


def test_together_they_leave_the_printed_rows(files):
    assert possible_rows(files, ATTRIBUTES) == INTERSECTIONS


def test_the_true_row_is_always_among_them(files):
    assert all(record in rows for record, rows in enumerate(INTERSECTIONS))
    assert all(record in rows for record, rows in enumerate(possible_rows(files, ATTRIBUTES)))


def test_the_nearest_row_inside_finds_seven_of_ten(files):
    original, masked = (file.matrix(ATTRIBUTES) for file in files)
    linked = [
        min(rows, key=lambda row, known=known: ((known - masked[row]) ** 2).sum())
        for known, rows in zip(original, possible_rows(files, ATTRIBUTES), strict=True)
    ]
    assert linked == NEAREST_INSIDE
    assert sum(record == row for record, row in enumerate(linked)) == 7


def test_the_second_record_is_the_masked_row_of_the_slides(files):
    (row,) = possible_rows(files, ATTRIBUTES)[1]
    assert files[1].matrix(ATTRIBUTES)[row].tolist() == [5, 5, 8, 1]
