"""Compiled code gives the same log-likelihoods of pairs as numpy, to the last bit."""

import numpy as np
import pytest

from sdckit.kernels import pair_log_likelihoods
from sdckit.laws import blocks as module
from sdckit.laws.blocks import Deviations, Equality, Table

RNG = np.random.default_rng(3)
RECORDS, ROWS, PAIRS = 40, 60, 5_000


def with_holes(values: np.ndarray) -> np.ndarray:
    return np.where(RNG.random(values.shape) < 0.2, np.nan, values)


BLOCKS = (
    Equality(("x",), RNG.integers(-1, 4, RECORDS), RNG.integers(-1, 4, ROWS), np.log(RNG.random(ROWS))),
    Equality(("x",), RNG.integers(-1, 4, RECORDS), RNG.integers(-1, 4, ROWS), np.full(ROWS, -np.inf)),
    Table(("x",), RNG.standard_normal((5, 7)), RNG.integers(-1, 5, RECORDS), RNG.integers(7, size=ROWS)),
    *(
        Deviations(
            ("x",),
            with_holes(RNG.standard_normal((RECORDS, dimensions))),
            with_holes(RNG.standard_normal((ROWS, dimensions))),
            hole,
        )
        for dimensions in (1, 2, 7, 8, 11)
        for hole in (-np.inf, -3.0)
    ),
)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: type(block).__name__)
def test_pairs_have_the_bits_of_numpy(block, monkeypatch):
    records, rows = RNG.integers(RECORDS, size=PAIRS), RNG.integers(ROWS, size=PAIRS)
    monkeypatch.setattr(module, "by_compiled_code", lambda *_: False)
    plain = block.of_pairs(records, rows)
    monkeypatch.setattr(module, "by_compiled_code", lambda *_: True)
    assert (block.of_pairs(records, rows) == plain).all() and len(set(plain)) > 1


@pytest.mark.parametrize(
    ("pairs", "without", "expected"), [(499, False, False), (500, False, True), (500, True, False)]
)
def test_pairs_are_evaluated_by_compiled_code_where_there_are_many_and_it_is_not_spared(
    pairs, without, expected, monkeypatch
):
    monkeypatch.setattr(pair_log_likelihoods, "spared", lambda *_: without)
    assert pair_log_likelihoods.by_compiled_code(pair_log_likelihoods.of_table, pairs) is expected
