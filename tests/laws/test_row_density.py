"""How likely a row is for anybody: a product of margins, and what the pairs that depend on each other add to it."""

import numpy as np
import pytest

from sdckit.laws.blocks import Equality, Intervals, Margin, Table
from sdckit.laws.release_law import ReleaseLaw, RowClasses
from sdckit.laws.row_density import _is_lift, likeliest_pairs, log_row_density

PEOPLE = 300


def equality(name, of_record, of_row):
    return Equality((name,), of_record, of_row, np.full(len(of_row), -np.inf))


def density(*columns):
    """The density of every combination of two values, where these columns are the people's."""
    rows = np.stack(np.meshgrid(*[[0, 1]] * len(columns), indexing="ij"), axis=-1).reshape(-1, len(columns))
    classes = RowClasses(np.arange(len(rows)), np.ones(len(rows), np.int64), np.arange(len(rows)))
    blocks = [equality(str(number), mine, rows[:, number]) for number, mine in enumerate(columns)]
    box = Intervals(("0",), np.zeros((PEOPLE, 1)), np.ones((PEOPLE, 1)), rows[:, :1] * 5.0)
    return rows, np.exp(log_row_density(ReleaseLaw(PEOPLE, classes, (*blocks, box), {})))


def test_attributes_that_are_independent_have_the_product_of_their_margins():
    one, other = np.repeat([0, 1, 1], PEOPLE // 3), np.tile([0, 1], PEOPLE // 2)
    rows, found = density(one, other)
    assert found == pytest.approx(np.where(rows[:, 0] == 0, 1 / 3, 2 / 3) / 2)


def test_a_row_whose_attributes_go_together_is_as_likely_as_people_who_have_both():
    status = np.repeat([0, 1, 1], PEOPLE // 3)
    rows = np.array([0, 1])  # of people, so that both attributes go together
    classes = RowClasses(rows, np.ones(2, np.int64), rows)
    law = ReleaseLaw(PEOPLE, classes, tuple(equality(name, status, rows) for name in "ab"), {})
    assert np.exp(log_row_density(law)) == pytest.approx([1 / 3, 2 / 3], rel=0.05)


def test_the_pairs_are_those_that_depend_most_on_each_other():
    """A chain of three: the first and the last go together only by the one between."""
    rng = np.random.default_rng(1)
    first = rng.integers(2, size=3_000)
    second, third = (np.where(rng.random(3_000) < 0.1, 1 - first, first) for _ in range(2))
    rows = np.stack([first, second, third])
    likelihoods = [(each[:PEOPLE, None] == each[None, PEOPLE:1_000]).astype(float) for each in rows]
    assert set(likeliest_pairs(likelihoods, np.ones(700))) == {(0, 1), (0, 2)}


def test_lifts_compare_with_anybody_already():
    classes = RowClasses(np.arange(2), np.ones(2, np.int64), np.arange(2))
    lift = Table(("a",), np.log([[3.0, 0.2]]), np.zeros(PEOPLE, np.int64), np.arange(2), lift=True)
    assert (log_row_density(ReleaseLaw(PEOPLE, classes, (lift,), {})) == 0).all()


def test_a_part_is_a_lift_where_all_its_blocks_are():
    lift = Table(("a",), np.zeros((1, 2)), np.zeros(3, np.int64), np.arange(2), lift=True)
    plain = Table(("a",), np.zeros((1, 2)), np.zeros(3, np.int64), np.arange(2))
    margin = Margin(("a",), np.zeros((1, 2)), np.zeros(3, np.int64), np.arange(2))
    assert _is_lift([lift]) and _is_lift([margin]) and _is_lift([lift, margin])
    assert not _is_lift([plain]) and not _is_lift([lift, plain])
