"""A search among released households finds what evaluating every pair of a record and a row finds."""

import numpy as np
import pytest

from sdckit.laws import household_inference as inference
from sdckit.laws import household_search as module
from sdckit.laws.blocks import Deviations, Equality, Table
from sdckit.laws.household_inference import HouseholdClasses, _Lists
from sdckit.laws.household_search import HouseholdSearch, PossibleRows
from sdckit.laws.release_law import ReleaseLaw, RowClasses

PROMISED = np.full(6, -np.inf)


def small_law(*blocks: Equality) -> ReleaseLaw:
    return ReleaseLaw(3, RowClasses(np.arange(6), np.ones(6, np.int64), np.arange(6)), blocks, {})


def random_law(records: int, rows: int, seed: int, *, promised: bool) -> ReleaseLaw:
    rng = np.random.default_rng(seed)
    unequal = np.full(rows, -np.inf) if promised else np.log(rng.random(rows))
    blocks = (
        Equality(("a",), rng.integers(-1, 3, records), rng.integers(-1, 3, rows), unequal),
        Equality(("b",), rng.integers(-1, 2, records), rng.integers(0, 2, rows), unequal),
        Table(("c",), 4 * rng.standard_normal((3, 4)), rng.integers(-1, 3, records), rng.integers(4, size=rows)),
        Deviations(("d",), 9 * rng.standard_normal((records, 1)), 9 * rng.standard_normal((rows, 1))),
    )
    return ReleaseLaw(records, RowClasses(np.arange(rows), np.ones(rows, np.int64), np.arange(rows)), blocks, {})


def test_rows_are_possible_that_have_the_codes_of_the_record_by_hand():
    law = small_law(
        Equality(("a",), np.array([1, -1, 0]), np.array([1, 0, 1, 1, -1, 0]), PROMISED),
        Equality(("b",), np.array([0, -1, 5]), np.array([0, 0, 1, 0, 0, 0]), PROMISED),
        Equality(("c",), np.array([0, 0, 0]), np.array([1, 1, 1, 1, 1, 1]), np.full(6, -9.0)),  # not promised
    )
    possible = PossibleRows(law, np.arange(3))
    assert [possible.of(record).tolist() for record in range(3)] == [[0, 3], [0, 1, 2, 3, 4, 5], []]


def test_households_in_which_a_member_has_no_row_are_not_found():
    law = small_law(Equality(("a",), np.array([1, 2, 2]), np.array([1, 2, 1, 1, 2, 1]), PROMISED))
    search = HouseholdSearch(law, np.array([[0, 1], [2, 3], [4, 5]]), np.arange(3))
    found = search.likely(np.array([0, 1]), 40, lambda weights: weights.max(axis=2).sum(axis=0))
    assert found.classes.tolist() == [0, 2]
    assert found.weights.tolist() == [[[0, -np.inf], [-np.inf, 0]], [[-np.inf, 0], [0, -np.inf]]]
    assert search.likely(np.array([1, 2]), 40, lambda weights: weights.max(axis=2).sum(axis=0)).classes.tolist() == [
        0,
        2,
    ]


def test_only_households_that_are_not_negligible_beside_the_listed_ones_are_kept():
    """Of six persons, each alone: two are listed, and one has a likelihood of e⁻⁵⁹ times the largest."""
    entries = np.array([[0.0, -1.0, -59.0, -61.0, -62.0, -100.0]])
    law = small_law(Table(("a",), entries, np.zeros(3, np.int64), np.arange(6)))
    search = HouseholdSearch(law, np.arange(6)[:, None], np.arange(3))
    found = search.likely(np.array([1]), 2, lambda weights: weights[0, :, 0])
    assert found.classes.tolist() == [0, 1, 2] and found.log_likelihood.tolist() == [0, -1, -59]
    listed = search.likely(np.array([1]), 4, lambda weights: weights[0, :, 0])
    assert listed.classes.tolist() == [0, 1, 2, 3] and module.NEGLIGIBLE == 60


@pytest.mark.parametrize("promised", [True, False])
@pytest.mark.parametrize("members", [1, 2, 3, 6])
def test_lists_are_those_of_all_pairs(members, promised, monkeypatch):
    """Households of the same rows are one class; the listed ones, their shares and probabilities are the same."""
    homes = 90
    law = random_law(homes * members, homes * members, members, promised=promised)
    rng = np.random.default_rng(members)
    rows = rng.permutation(homes * members).reshape(homes, members)
    rows[:5] = rows[5:10]
    classes = HouseholdClasses(np.arange(homes * members).reshape(homes, members), rows, 0)
    every = _Lists.of(law, classes, None)
    monkeypatch.setattr(inference, "EVERY_PAIR", 0)
    found = _Lists.of(law, classes, None)
    possible = np.isfinite(every.log_likelihood)
    assert possible.any() and (np.isfinite(found.log_likelihood) == possible).all()
    assert (found.listed[possible] == every.listed[possible]).all()
    assert np.allclose(found.log_likelihood[possible], every.log_likelihood[possible], rtol=1e-13)
    assert np.allclose(found.shares[possible], every.shares[possible], rtol=1e-13)
    assert np.allclose(found.probability, every.probability, rtol=1e-12)
    assert np.allclose(found.left_out, every.left_out, atol=1e-12)
    same, other = found.claims(), every.claims()
    assert (same.household == other.household).all() and (same.rows == other.rows).all()
    assert np.allclose(same.confidence, other.confidence, rtol=1e-12)
