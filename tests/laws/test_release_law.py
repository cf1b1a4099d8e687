"""A release law is the sum of its blocks; what anybody has is their product averaged over the known records."""

import numpy as np
import pytest

from sdckit.laws.blocks import Intervals, Table
from sdckit.laws.release_law import ReleaseLaw, RowClasses

RNG = np.random.default_rng(1)
ROWS = RowClasses(np.array([0, 1, 2, 2]), np.array([1, 1, 2]), np.array([0, 1, 2]))
LIKELIHOODS = RNG.gamma(1.0, size=(2, 5, 3))
TABLES = tuple(
    Table((name,), np.log(each), np.arange(5), np.arange(3)) for name, each in zip("ab", LIKELIHOODS, strict=True)
)
BOX = Intervals(("a",), np.full((5, 1), 0.0), np.full((5, 1), 1.0), np.array([[0.5], [2.0], [0.7]]))


def test_what_anybody_has_is_the_product_of_the_mean_likelihoods_of_the_blocks():
    law = ReleaseLaw(5, ROWS, (*TABLES, BOX), {})
    assert np.exp(law.log_margin()) == pytest.approx(LIKELIHOODS.mean(axis=1).prod(axis=0))


def test_the_candidates_are_those_of_the_product_of_all_blocks():
    found = ReleaseLaw(5, ROWS, (*TABLES, BOX), {}).candidates(3)
    product = LIKELIHOODS.prod(axis=0)
    for record in range(5):
        listed = slice(found.starts[record], found.starts[record + 1])
        assert found.classes[listed].tolist() == sorted([0, 2], key=lambda group: -product[record, group])
        assert np.exp(found.log_likelihood[listed]) == pytest.approx(product[record, found.classes[listed]])
