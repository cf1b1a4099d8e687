"""Rows that are admitted, counted in a tree: those of a plain search, and without opening what is inside or outside."""

import numpy as np
import pytest

import sdckit.kernels.intersections as intersections
from sdckit.kernels.intersection_tree import ACROSS, INSIDE, OUTSIDE, RowSearch, _side
from sdckit.kernels.row_constraints import Sets, present_values


def constraints(seed, rows, records):
    rng = np.random.default_rng(seed)
    attributes, count = (int(each) for each in rng.integers(0, 3, 2))
    values = rng.integers(0, 9, (rows, attributes)).astype(float)
    values[rng.random(values.shape) < rng.choice([0.0, 0.2, 1.0])] = np.nan
    lower = rng.integers(-1, 9, (records, attributes)).astype(float)
    upper = lower + rng.integers(0, 6, lower.shape)
    unknown = rng.random(lower.shape) < 0.2
    lower[unknown], upper[unknown] = -np.inf, np.inf
    sets = []
    for _ in range(count):
        classes = int(rng.choice([2, 40]))
        members = [np.flatnonzero(rng.random(classes) < rng.random()) for _ in range(records)]
        starts = np.cumsum([0, *map(len, members)])
        sets.append(Sets(rng.integers(0, classes, rows), starts, np.concatenate(members)))
    return lower, upper, values, sets, rng.random(attributes) < 0.5


def admitted_by_definition(lower, upper, values, sets, fits):
    """Whether each record admits each row, pair by pair."""
    table = np.ones((len(lower), len(values)), dtype=bool)
    for j, column in enumerate(values.T):
        inside = (column >= lower[:, [j]]) & (column <= upper[:, [j]])
        unbounded = np.isneginf(lower[:, [j]]) & np.isposinf(upper[:, [j]])
        table &= np.where(np.isnan(column), unbounded | fits[j], inside)
    for each in sets:
        for record in range(len(lower)):
            table[record] &= np.isin(each.of_row, each.listed[each.starts[record] : each.starts[record + 1]])
    return table


@pytest.mark.parametrize("rows", [1, 5, 16, 17, 100, 400])
def test_counts_and_rows_are_those_of_all_pairs(rows, monkeypatch):
    monkeypatch.setattr(intersections, "PAIRS", 0)
    for seed in range(30):
        given = constraints(seed, rows, records=4)
        table = admitted_by_definition(*given)
        assert intersections.intersection_sizes(*given).tolist() == table.sum(axis=1).tolist()
        starts, found = intersections.intersection_rows(*given)
        assert starts.tolist() == [0, *np.cumsum(table.sum(axis=1)).tolist()]
        assert found.tolist() == np.nonzero(table)[1].tolist()


def test_a_box_is_inside_or_outside_only_where_all_its_rows_are():
    decided = set()
    for seed in range(12):
        lower, upper, values, sets, fits = constraints(seed, 60, records=4)
        table = admitted_by_definition(lower, upper, values, sets, fits)
        search = RowSearch(lower, upper, present_values(values, fits), sets)
        tree = search._tree
        for record in range(4):
            for box in range(len(tree.start)):
                mine = table[record, tree.order[tree.start[box] : tree.stop[box]]]
                side = _side(tree, search._admitted, record, box)
                decided.add(side)
                assert side != INSIDE or mine.all()
                assert side != OUTSIDE or not mine.any()
    assert decided == {OUTSIDE, ACROSS, INSIDE}


def test_one_interval_opens_the_boxes_at_its_ends_only():
    values = np.arange(4096.0)[:, None]
    search = RowSearch(np.array([[100.0]]), np.array([[3000.0]]), values, [])
    tree = search._tree
    across = [box for box in range(len(tree.start)) if _side(tree, search._admitted, 0, box) == ACROSS]
    assert search.counts().tolist() == [2901]
    assert len(across) <= 2 * 9  # at most two on each of the levels, of which there are log2(4096 / 16) + 1
