"""PRAM and invariant PRAM: categories change by a known matrix."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.methods.categories import ZIPS, possible_rows, protected, unordered, zips

from sdckit.errors import SchemaError
from sdckit.kernels.transitions import draw_transitions, invariant_matrix, transition_matrix
from sdckit.methods.randomisation.invariant_pram import InvariantPram
from sdckit.methods.randomisation.pram import Pram, unbiased_counts

counts = st.lists(st.integers(0, 50), min_size=1, max_size=8).filter(sum)


def test_the_handbook_s_example_of_110_men_and_90_women():
    matrix = transition_matrix(np.zeros(2, dtype=np.int64), stay=0.9)
    expected = np.array([110, 90]) @ matrix
    assert np.allclose(expected, [108, 92])
    assert np.allclose(unbiased_counts(expected, matrix), [110, 90])


@given(counts, st.floats(0, 1), st.floats(0, 1), st.integers(1, 3))
def test_the_invariant_matrix_keeps_the_expected_counts(count, stay, strength, blocks):
    share = np.array(count) / sum(count)
    plain = transition_matrix(np.arange(len(count)) % blocks, stay)
    matrix = invariant_matrix(plain, share, strength)
    assert np.allclose(plain.sum(axis=1), 1, atol=1e-12) and np.allclose(matrix.sum(axis=1), 1, atol=1e-12)
    assert np.abs(share @ matrix - share).max() < 1e-12
    assert (matrix >= 0).all()


def test_records_move_as_often_as_the_matrix_says():
    rng = np.random.default_rng(3)
    matrix = np.array([[0.7, 0.3, 0.0], [0.1, 0.8, 0.1], [0.0, 0.0, 1.0]])
    codes = np.repeat(np.arange(3, dtype=np.int32), 20000)
    drawn = draw_transitions(codes, matrix, rng.random(len(codes)))
    found = np.array([np.bincount(drawn[codes == code], minlength=3) for code in range(3)]) / 20000
    spread = np.sqrt(matrix * (1 - matrix) / 20000)
    assert (np.abs(found - matrix) <= 5 * spread).all()


@given(st.integers(0, 99))
@settings(max_examples=20)
def test_transitions_of_probability_0_never_happen(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.random((6, 6)) * (rng.random((6, 6)) < 0.4)
    matrix[np.arange(6), rng.integers(0, 6, 6)] += 0.1
    matrix /= matrix.sum(axis=1, keepdims=True)
    codes = rng.integers(0, 6, 500).astype(np.int32)
    assert (matrix[codes, draw_transitions(codes, matrix, rng.random(len(codes)))] > 0).all()


def test_expected_counts_stay_by_invariant_pram_and_drift_by_pram():
    values = ["a"] * 9000 + ["b"] * 900 + ["c"] * 100
    data = unordered(x=values)
    kept = np.bincount(protected(InvariantPram(stay=0.7), data).columns["x"])
    drifted = np.bincount(protected(Pram(stay=0.7), data).columns["x"])
    assert np.abs(kept - [9000, 900, 100]).max() < 5 * np.sqrt(2 * 10000 * 0.3 * 0.1)
    assert drifted[2] > 1000


def test_all_stay_or_none_does():
    data = unordered(x=["a", "b", None, "b"])
    assert protected(Pram(stay=1), data).values("x").tolist() == ["a", "b", None, "b"]
    assert protected(Pram(stay=0), data).values("x").tolist() == ["b", "a", None, "a"]
    assert protected(Pram(stay=0), unordered(x=["a", "a"])).values("x").tolist() == ["a", "a"]


def test_a_value_stays_below_its_ancestor():
    data = zips(list(ZIPS) * 40)
    masked = protected(Pram(stay=0.1, levels=2), data)
    assert all(new[:3] == old[:3] for new, old in zip(masked.values("zip"), data.values("zip"), strict=True))
    assert (masked.columns["zip"] != data.columns["zip"]).any()
    rows = possible_rows(InvariantPram(stay=0.1, levels=2), zips(["48201", "48202", "48301"]))
    assert rows[2].tolist() == [False, False, True] and rows[0].tolist() == [True, True, False]


def test_a_value_that_nobody_has_is_never_made():
    data = zips(["48201", "48202"] * 50)
    assert set(protected(Pram(stay=0), data).values("zip")) <= {"48201", "48202"}


def test_levels_without_a_hierarchy_are_refused():
    with pytest.raises(SchemaError, match="needs the hierarchy of 'x'"):
        protected(Pram(levels=1), unordered(x=["a", "b"]))


@pytest.mark.parametrize("method", [Pram(stay=0.5), InvariantPram(stay=0.5)])
def test_a_category_that_vanished_can_have_become_any_other(method):
    data = unordered(a=["x"] * 6 + ["y"] * 5 + ["rare"])
    codes = data.columns["a"]
    rare = data.attribute("a").categories.index("rare")
    released = data.with_columns({"a": np.where(codes == rare, 0 if rare else 1, codes)})
    known, rows = np.array([[float(rare)]]), released.columns["a"][:, None].astype(float)
    likelihood = np.exp(method.law(released).log_likelihood(known, rows))
    assert (likelihood > 0).all()
    assert np.allclose(likelihood, likelihood[0, 0], rtol=0.5)  # nothing distinguishes the others much
