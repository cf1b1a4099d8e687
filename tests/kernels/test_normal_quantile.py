"""The normal quantile agrees with another implementation to the last digits, in the centre and in both tails."""

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from sdckit.kernels.normal_quantile import BLOCK, normal_quantile, replace_by_quantiles


def quantiles(values: list[float]) -> list[float]:
    out = np.array(values)
    normal_quantile(out, out)
    return out.tolist()


@given(st.lists(st.floats(1e-300, 1 - 2**-53, exclude_max=False), min_size=1, max_size=20))
def test_it_agrees_with_scipy_and_the_standard_library(values):
    found = quantiles(values)
    assert found == pytest.approx(ndtri(values).tolist(), rel=1e-13, abs=1e-15)
    assert found == pytest.approx([NormalDist().inv_cdf(value) for value in values], rel=1e-13, abs=1e-15)


def test_it_is_symmetric_and_zero_at_one_half():
    low, middle, high = quantiles([0.25, 0.5, 0.75])
    assert (low, middle) == (-high, 0.0)


def test_it_agrees_with_scipy_all_along_the_centre_and_both_tails():
    centre = np.linspace(0.001, 0.999, 601)
    tail = 10.0 ** -np.linspace(0.4, 307, 600)
    upper = 1 - 10.0 ** -np.linspace(0.4, 15.5, 200)
    for values in (centre, tail, upper):
        assert quantiles(values.tolist()) == pytest.approx(ndtri(values).tolist(), rel=1e-14, abs=1e-15)


def test_the_input_may_be_kept():
    given, out = np.array([0.1, 0.5, 1e-9]), np.empty(3)
    normal_quantile(given, out)
    assert given.tolist() == [0.1, 0.5, 1e-9]
    assert out == pytest.approx(ndtri(given), rel=1e-14)


def test_compiled_quantiles_have_the_same_bits():
    """Masked files must not depend on how many numbers are drawn at once."""
    tails = np.concatenate([[2.0**-53, 0.075, 0.925, 0.5, 1 - 2.0**-53], np.exp(-np.linspace(20.0, 36.0, 500))])
    values = np.concatenate([tails, np.random.default_rng(1).uniform(2.0**-53, 1.0, 2 * BLOCK + BLOCK // 3)])
    plain, blocks, compiled = values.copy(), values.copy(), values.copy()
    normal_quantile(plain, plain)
    replace_by_quantiles(blocks, compiled=False)
    replace_by_quantiles(compiled, compiled=True)
    assert (plain.view(np.uint64) == blocks.view(np.uint64)).all()
    assert (plain.view(np.uint64) == compiled.view(np.uint64)).all()


@pytest.mark.parametrize("values", [[], [0.5], [0.01], [0.99, 1e-300], [0.2, 0.3]])
def test_few_values_have_the_same_bits_compiled(values):
    plain, compiled = np.array(values), np.array(values)
    for each, is_compiled in ((plain, False), (compiled, True)):
        replace_by_quantiles(each, compiled=is_compiled)
    assert plain.tolist() == compiled.tolist()


def test_the_two_ratios_of_the_tail_meet_where_compiled_code_has_them_meet():
    """The root of −ln p is compared with 5; close to it, rounding decides."""
    edge = np.exp(-25.0)
    values = edge * (1 + np.arange(-400, 401) * 2.0**-52)
    plain, compiled = values.copy(), values.copy()
    normal_quantile(plain, plain)
    replace_by_quantiles(compiled, compiled=True)
    assert plain.tolist() == compiled.tolist()
