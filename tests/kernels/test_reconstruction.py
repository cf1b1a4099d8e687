"""What preserved products give away: against solving the system for every set of known records."""

from itertools import combinations

import numpy as np
import pytest

from sdckit.kernels import reconstruction
from sdckit.kernels.reconstruction import (
    _columns_and_differences,
    _Found,
    _search,
    others_needed,
    solved_values,
    width_left,
)


def by_solving(design):
    """The fewest others who, when known, leave a record's value determined; all others where none do."""
    records = range(len(design))
    needed = []
    for record in records:
        others = [each for each in records if each != record]
        needed.append(
            next(
                (
                    size
                    for size in range(len(design))
                    for known in combinations(others, size)
                    if determined(design, record, [each for each in others if each not in known])
                ),
                len(design) - 1,
            )
        )
    return needed


def determined(design, record, unknown):
    with_it = np.linalg.matrix_rank(design[[record, *unknown]])
    return with_it > (np.linalg.matrix_rank(design[unknown]) if unknown else 0)


def designs():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        design = rng.integers(0, 3, rng.integers([1, 1], [7, 4])).astype(float)
        if seed % 3 == 0:  # columns that depend on each other
            design = np.column_stack([design, design.sum(axis=1), 2 * design[:, 0]])
        yield design * 10.0 ** rng.integers(-3, 4, design.shape[1])


def test_the_fewest_others_are_those_of_solving_the_system():
    for design in designs():
        found = others_needed(design, np.random.default_rng(0))
        assert found.exact
        assert found.number.tolist() == by_solving(design)


def test_the_weights_give_each_record_by_the_others_they_name():
    for design in designs():
        found = others_needed(design, np.random.default_rng(0))
        assert found.weights.shape == design.shape
        for record, (number, weights) in enumerate(zip(found.number, found.weights, strict=True)):
            products = design @ weights
            there = np.abs(products) > 1e-9 * np.abs(products).max()
            if design[record].any():
                assert there[record] and there.sum() == number + 1
            else:
                assert not weights.any() and number == len(design) - 1


def test_where_not_all_planes_are_tried_the_search_never_finds_fewer_than_there_are(monkeypatch):
    monkeypatch.setattr(reconstruction, "SUBSETS", 0)
    plain = reconstruction._search
    for design in list(designs())[:9]:
        if not design.any():
            continue
        monkeypatch.setattr(reconstruction, "_search", lambda *_: None)
        unsearched = others_needed(design, np.random.default_rng(0))
        monkeypatch.setattr(reconstruction, "_search", plain)
        found = others_needed(design, np.random.default_rng(0))
        assert not found.exact
        assert (found.number >= by_solving(design)).all() and (found.number <= unsearched.number).all()
        for record, weights in enumerate(found.weights):
            products = np.abs(design @ weights)
            assert (products > 1e-9 * products.max()).sum() == found.number[record] + 1 or not weights.any()


def test_a_large_file_is_not_searched_but_its_columns_are_tried(monkeypatch):
    monkeypatch.setattr(reconstruction, "SUBSETS", 2)
    design = np.array([[1.0, 0, 1], [1, 0, 0], [0, 1, 2], [0, 1, 3]])
    monkeypatch.setattr(reconstruction, "LARGEST", 11)
    monkeypatch.setattr(reconstruction, "_search", lambda *_: pytest.fail("searched"))
    found = others_needed(design, np.random.default_rng(0))
    assert found.number.tolist() == [1, 1, 1, 1] and not found.exact
    calls = []
    monkeypatch.setattr(reconstruction, "LARGEST", 12)
    monkeypatch.setattr(reconstruction, "_search", lambda *given: calls.append(given))
    others_needed(design, np.random.default_rng(0))
    assert len(calls) == 1
    monkeypatch.setattr(reconstruction, "SUBSETS", 6)  # the planes through two of four rows
    assert others_needed(design, np.random.default_rng(0)).exact and len(calls) == 1
    monkeypatch.setattr(reconstruction, "SUBSETS", 5)
    assert not others_needed(design, np.random.default_rng(0)).exact and len(calls) == 2


def test_columns_and_pairs_by_hand(monkeypatch):
    assert _columns_and_differences(1).tolist() == [[1]]
    assert _columns_and_differences(0).shape == (0, 0)
    three = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, -1, 0], [1, 1, 0], [1, 0, -1], [1, 0, 1], [0, 1, -1], [0, 1, 1]]
    assert _columns_and_differences(3).tolist() == three
    monkeypatch.setattr(reconstruction, "MANY_COLUMNS", 3)
    assert len(_columns_and_differences(3)) == 9 and len(_columns_and_differences(4)) == 4


def test_a_combination_counts_where_it_does_not_vanish_and_is_sparser():
    rows, times = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), np.array([2, 1, 4])
    found = _Found(rows, times)
    assert found.support.tolist() == [7, 7, 7] and not found.weights.any()
    found.consider(np.array([1.0, 1.0]))  # as many as all of them, but it is the first combination
    assert found.support.tolist() == [7, 7, 7] and (found.weights == 1).all()
    found.consider(np.array([2.0, 1.0]))  # no sparser: the first one stays
    assert (found.weights == 1).all()
    found.consider(np.array([1.0, 0.0]))
    assert found.support.tolist() == [3, 3, 7]
    found.consider(np.array([1.0, 1e-12]))  # what is left of the last row is rounding
    assert found.weights.tolist() == [[1, 0], [1, 0], [1, 1]]
    found.consider(np.array([0.0, 1.0]))
    assert found.support.tolist() == [3, 3, 5] and found.weights[2].tolist() == [0, 1]


def test_a_plane_is_considered_only_where_it_is_the_only_one():
    rows = np.array([[1.0, 1.0], [2.0, 2.0], [1.0, 0.0]])
    found = _Found(rows, np.ones(3, dtype=np.int64))
    found.consider_plane(np.array([0]), 2)  # vanishes at the first two rows
    assert found.support.tolist() == [3, 3, 1]
    found = _Found(rows, np.ones(3, dtype=np.int64))
    found.consider_plane(np.array([0, 1]), 3)  # two rows of one direction leave more than a plane
    assert found.support.tolist() == [3, 3, 3] and not found.weights.any()


@pytest.mark.parametrize("searches", [2, 4, 100])
def test_the_search_visits_rows_of_great_leverage_and_some_others(searches, monkeypatch):
    """One combination after the other for each row: at most as many rows as asked, half of them by leverage."""
    monkeypatch.setattr(reconstruction, "SEARCHES", searches)
    rng = np.random.default_rng(3)
    rows, times = rng.normal(size=(9, 2)), rng.integers(1, 4, 9)
    design = np.repeat(rows, times, axis=0)
    leverage = np.diag(design @ np.linalg.inv(design.T @ design) @ design.T)[np.cumsum(times) - 1]
    asked = []
    plain = reconstruction._least_sum

    def remembered(every, weight, row):
        asked.append((int(row), weight))
        return plain(every, weight, row)

    monkeypatch.setattr(reconstruction, "_least_sum", remembered)
    found = _Found(rows, times)
    _search(found, rows, times, np.random.default_rng(1))
    visited = list(dict.fromkeys(row for row, _ in asked))
    assert len(asked) == 2 * len(visited) and len(visited) <= min(searches, 9)
    assert set(np.argsort(-leverage)[: searches // 2]) <= set(visited)
    assert visited == sorted(visited)
    assert all(np.array_equal(weight, times) for _, weight in asked[::2])
    first = plain(rows, times.astype(float), visited[0])
    assert asked[1][1] == pytest.approx(times / (np.abs(rows @ first) + 1e-3))
    assert (found.support < times.sum()).all()  # a line of two columns leaves out the row it goes through


def test_unknown_values_follow_from_the_products_where_they_can():
    rng = np.random.default_rng(4)
    for unknown in ([2], [0, 3], [1, 2, 4]):
        design, values = rng.normal(size=(6, 3)), rng.normal(size=6)
        design[:, 1] *= 1e6
        design = np.column_stack([design, np.zeros(6)])
        some = np.array(unknown)
        assert solved_values(design, design.T @ values, values, some) == pytest.approx(values[some], abs=1e-9)


def test_of_more_unknown_values_than_products_the_shortest_solution_is_given():
    solved = solved_values(np.ones((4, 1)), np.array([10.0]), np.array([1.0, 9.0, 9.0, 9.0]), np.array([1, 2, 3]))
    assert solved == pytest.approx([3, 3, 3])


def test_the_width_is_how_far_each_value_can_go_on_the_sphere():
    """Three unknown values of a known sum and sum of squares: each one's extremes, by their closed form."""
    values = np.array([5.0, 1.0, 2.0, 6.0])
    some = np.array([1, 2, 3])
    about = ((values[some] - values[some].mean()) ** 2).sum()
    assert width_left(np.ones((4, 1)), values, some) == pytest.approx(np.full(3, np.sqrt(about * 2 / 3)))
    beside_zeros = np.column_stack([1e6 * np.ones(4), np.zeros(4)])
    assert width_left(beside_zeros, values, some) == pytest.approx(np.full(3, np.sqrt(about * 2 / 3)))
    assert width_left(np.zeros((4, 1)), values, np.array([0])) == pytest.approx([5.0])
    assert width_left(np.ones((4, 1)), values, np.array([2])) == pytest.approx([0.0])
