"""A second release whose rows can be linked adds what it says, and never takes away."""

import numpy as np
import pytest

from sdckit.datasets import simulate_business
from sdckit.errors import ParameterError
from sdckit.intruder import Intruder, OtherRelease
from sdckit.laws.blocks import Equality, Table
from sdckit.laws.release_law import ReleaseLaw, RowClasses, Source
from sdckit.laws.several import joined
from sdckit.release import protect
from sdckit.risks import InformedIntruder

NOISE = "additive-noise:variance_share=0.1"


def two_by_two(names: tuple[str, ...], block: type, *parts: np.ndarray) -> ReleaseLaw:
    rows = RowClasses(np.array([0, 1]), np.array([1, 1]), np.array([0, 1]))
    law = block(names, *parts)
    return ReleaseLaw(2, rows, (law,), dict.fromkeys(names, Source.LEARNED), exact=True)


def test_log_likelihoods_of_linked_rows_add_up():
    index = np.array([0, 1])
    one = two_by_two(("a",), Table, np.log([[0.9, 0.1], [0.4, 0.6]]), index, index)
    other = two_by_two(("b",), Table, np.log([[0.2, 0.8], [0.7, 0.3]]), index, index)
    both = joined(one, other, np.array([1, 0]))  # row 0 here is row 1 there
    found = both.of_pairs(np.array([0, 0]), both.rows.of)
    assert sum(found.values()) == pytest.approx(np.log([0.9 * 0.8, 0.1 * 0.2]))


def test_a_row_without_a_partner_says_nothing():
    index = np.array([0, 1])
    one = two_by_two(("a",), Table, np.log([[0.9, 0.1], [0.4, 0.6]]), index, index)
    impossible = two_by_two(("b",), Equality, index, index, np.full(2, -np.inf))
    both = joined(one, impossible, np.array([-1, 0]))
    found = sum(both.of_pairs(np.array([0, 1, 0, 1]), both.rows.of[[0, 0, 1, 1]]).values())
    assert found[:2] == pytest.approx(np.log([0.9, 0.4]))
    assert found[2] == pytest.approx(np.log(0.1))  # row 1 is the other's row 0, which is record 0's
    assert np.isneginf(found[3])


@pytest.mark.slow
def test_a_second_release_helps_on_average():
    gains = []
    for seed in range(12):
        data = simulate_business(150, seed=seed)
        first, second = (protect(data, NOISE, seed=100 * seed + draw) for draw in range(2))
        alone = InformedIntruder().measure(first).value
        beside = Intruder(also=(OtherRelease(second.masked, second.recipe),))
        gains.append(InformedIntruder().measure(first, beside).value - alone)
    assert np.mean(gains) > 2 * np.std(gains) / np.sqrt(len(gains))


def test_links_name_rows_of_the_other_release():
    data = simulate_business(40, seed=1)
    first, second = protect(data, NOISE, seed=1), protect(data, "simple-sampling", seed=2)
    for other in (OtherRelease(second.masked, None, np.full(40, 99)), OtherRelease.in_order(second.masked)):
        with pytest.raises(ParameterError, match="must name one of the"):
            InformedIntruder().measure(first, Intruder(also=(other,)))
