"""Local suppression on arrays of codes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.conftest import columns, reference_file

from sdckit.kernels import suppression
from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.kernels.suppression import suppress_to_k_anonymity


def random_codes(records: int, sizes: tuple[int, ...], seed: int, missing: float) -> NDArray[np.int64]:
    rng = np.random.default_rng(seed)
    codes = np.column_stack([rng.integers(0, size, records) ** 2 // max(size - 1, 1) for size in sizes])
    codes[rng.random(codes.shape) < missing] = -1
    return codes


def by_the_book(codes: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """The plain heuristic: while a record is too rare, lose the first key that adds to its frequency."""

    def frequency(row: NDArray[np.int64]) -> int:
        return int(((codes == row) | (codes < 0) | (row < 0)).all(axis=1).sum())

    codes = codes.copy()
    order = np.argsort([-len(np.unique(column)) for column in codes.T], kind="stable")
    for record in np.flatnonzero(wildcard_frequencies(codes) < k):
        while frequency(codes[record]) < k:
            left = [key for key in order if codes[record, key] >= 0]
            for key in left:
                tried = codes[record].copy()
                tried[key] = -1
                if frequency(tried) > frequency(codes[record]):
                    break
            codes[record, key] = -1
    return codes


@given(st.integers(2, 60), st.integers(1, 4), st.integers(1, 8), st.integers(0, 999), st.sampled_from([0.0, 0.2]))
def test_afterwards_enough_records_agree_with_each_and_nothing_else_changed(records, keys, k, seed, missing):
    codes = random_codes(records, (2, 5, 9, 3)[:keys], seed, missing)
    k = min(k, records)
    masked = suppress_to_k_anonymity(codes, k, np.ones(keys))
    assert wildcard_frequencies(masked).min() >= k
    assert ((masked == codes) | (masked == -1)).all()
    frequent = wildcard_frequencies(codes) >= k
    assert np.array_equal(masked[frequent], codes[frequent])


def test_one_value_is_enough_by_hand():
    codes = np.array([[0, 0], [0, 0], [0, 0], [0, 1]])
    assert suppress_to_k_anonymity(codes, 2, np.ones(2)).tolist() == [[0, 0], [0, 0], [0, 0], [0, -1]]


def test_the_more_costly_key_is_kept():
    codes = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0]] + [[1, 0, 0]] * 2)
    cheap_last = suppress_to_k_anonymity(codes, 2, np.array([5.0, 5.0, 1.0]))
    assert not (cheap_last[:, 0] < 0).any() and (cheap_last[:, 2] < 0).any()


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize(
    "keys", [("urbrur", "roof", "walls", "water", "sex"), ("urbrur", "roof", "sex", "age", "relat")]
)
def test_a_survey_loses_no_more_than_by_the_book(keys, k):
    table = columns(reference_file("data", "testdata.csv"))
    codes = np.column_stack([np.unique(table[key], return_inverse=True)[1] for key in keys])
    masked = suppress_to_k_anonymity(codes, k, np.ones(len(keys)))
    assert wildcard_frequencies(masked).min() >= k
    assert (masked < 0).sum() <= (by_the_book(codes, k) < 0).sum()


def test_sets_taken_by_cost_do_as_well(monkeypatch):
    codes = random_codes(200, (2, 6, 12, 4), 5, 0.05)
    monkeypatch.setattr(suppression, "SETS_AT_ONCE", 1)
    assert wildcard_frequencies(suppress_to_k_anonymity(codes, 4, np.ones(4))).min() >= 4


def test_limits_all_alike_all_unique_and_all_needed():
    assert (suppress_to_k_anonymity(np.zeros((4, 2)), 4, np.ones(2)) == 0).all()
    unique = suppress_to_k_anonymity(np.arange(6)[:, None], 3, np.ones(1))
    assert wildcard_frequencies(unique).min() >= 3
    assert suppress_to_k_anonymity(np.zeros((1, 2)), 1, np.ones(2)).tolist() == [[0, 0]]
