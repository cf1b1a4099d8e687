import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.tall_products import MULTIPLICATIONS, NARROWEST, WIDE, _block, inner_products, tall_product

FEWEST_IN_A_BLOCK = MULTIPLICATIONS // WIDE


@given(
    st.integers(0, 3 * FEWEST_IN_A_BLOCK), st.integers(0, 40), st.integers(0, 40), st.integers(0, 1000), st.booleans()
)
def test_products_are_those_of_the_whole_matrices(records, left, right, seed, transposed):
    rng = np.random.default_rng(seed)
    order = "F" if transposed else "C"
    one, other = (rng.normal(size=(records, columns)).astype(float, order=order) for columns in (left, right))
    small = rng.normal(size=(left, right))
    assert inner_products(one, other) == pytest.approx(one.T @ other, abs=1e-11)
    assert inner_products(one, one) == pytest.approx(one.T @ one, abs=1e-11)
    assert tall_product(one, small) == pytest.approx(one @ small, abs=1e-11)


@pytest.mark.parametrize("beyond", [-1, 0, 1])
@pytest.mark.parametrize("blocks", [1, 3])
def test_blocks_that_end_with_the_records_and_just_before_or_after(blocks, beyond):
    records = blocks * MULTIPLICATIONS // NARROWEST**2 + beyond
    column = np.arange(records, dtype=float)[:, None]
    assert inner_products(column, column)[0, 0] == pytest.approx((records - 1) * records * (2 * records - 1) / 6)
    assert (tall_product(column, np.array([[2.0]])) == 2 * column).all()


def test_some_columns_of_a_matrix():
    values = np.arange(60_000.0).reshape(10_000, 6)
    assert inner_products(values[:, 1:3], values[:, 4:]) == pytest.approx(values[:, 1:3].T @ values[:, 4:])
    assert (tall_product(values[:, 1:3], np.eye(2)) == values[:, 1:3]).all()


@pytest.mark.parametrize("left", [0, 1, 4, 7, 30])
@pytest.mark.parametrize("right", [1, 5, 31, 40])
def test_a_block_has_as_many_records_as_multiplications_allow(left, right):
    columns = max(left, NARROWEST) * max(right, NARROWEST)
    size = _block(10_000, left, right)
    if columns >= WIDE:
        assert size == 10_000 and _block(0, left, right) == 1
    else:
        assert size * columns <= MULTIPLICATIONS < (size + 1) * columns
