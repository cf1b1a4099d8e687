"""The steps of the search: the surrogate's gradient, the exact line search, the forced link."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad

from sdckit.linear_distances import Bilinear, BilinearMetric, Choquet, WeightedMean
from sdckit.linear_distances.elastic_lp import force
from sdckit.linear_distances.line_search import hit_and_run, towards_the_cone
from sdckit.linear_distances.linkage import Linkage
from sdckit.linear_distances.search import Search, unit
from sdckit.linear_distances.surrogate import _loss

pytestmark = pytest.mark.slow  # the kernels that learn take long to compile


def some_rows(seed, records=12, size=3):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 5, records)
    rows = rng.normal(size=(counts.sum(), size))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True), np.concatenate([[0], np.cumsum(counts)])


def links(rows, starts, point):
    return sum((rows[a:b] @ point > 1e-9).all() for a, b in pairwise(starts))


def some_search(family, seed=0, records=30):
    rng = np.random.default_rng(seed)
    targets = rng.normal(size=(records, 3))
    queries = targets + 0.5 * rng.normal(size=targets.shape)
    search = Search(Linkage(queries, targets, np.arange(records), family), rng)
    search.start(search.interior, "interior")
    return search


@pytest.mark.parametrize("bounded", [False, True], ids=["convex", "sharp"])
def test_the_gradient_of_the_surrogate_is_that_of_its_value(bounded):
    rows, starts = some_rows(1)
    importance = np.random.default_rng(0).random(len(starts) - 1)
    inequalities = np.eye(3)
    arguments = (rows, starts, importance, inequalities, 3.0, bounded)
    point = np.array([0.4, -0.2, 0.7])
    error = check_grad(lambda p: _loss(p, *arguments)[0], lambda p: _loss(p, *arguments)[1], point)
    assert error < 1e-4 * max(1, np.abs(_loss(point, *arguments)[1]).max())


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_no_point_of_the_line_has_more_links_than_the_exact_search_finds(seed):
    rows, starts = some_rows(seed)
    rng = np.random.default_rng(seed)
    point, direction = unit(rng.normal(size=3)), rng.normal(size=3)
    best, found, _ = hit_and_run(
        rows,
        starts,
        np.ones(len(starts) - 1),
        np.empty((0, 3)),
        0,
        point,
        direction[None],
        rng.random((1, 4)),
        np.array([0.1]),
    )
    assert links(rows, starts, best) == found
    direction = unit(direction - (direction @ point) * point)
    angles = np.linspace(-np.pi / 2, np.pi / 2, 999)[1:-1]
    assert max(links(rows, starts, np.cos(a) * point + np.sin(a) * direction) for a in angles) <= found


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_walk_never_leaves_the_cone(seed):
    rows, starts = some_rows(seed)
    rng = np.random.default_rng(seed)
    directions = np.concatenate([rng.normal(size=(10, 3)), np.zeros((10, 3))])
    best, _, last = hit_and_run(
        rows,
        starts,
        np.ones(len(starts) - 1),
        np.eye(3),
        0,
        np.ones(3),
        directions,
        rng.random((20, 4)),
        np.full(20, 0.5),
    )
    assert (best > 0).all() and (last > 0).all()


def test_a_walk_among_matrices_stays_positive_definite():
    search = some_search(BilinearMetric())
    for _ in range(3):
        search.anneal(search.best, 0.02, lambda: False)
    matrix = np.zeros((3, 3))
    matrix[np.triu_indices(3)] = search.best
    assert np.linalg.eigvalsh(matrix + np.triu(matrix, 1).T).min() > -1e-9


def test_projections_end_in_the_cone():
    inequalities = Choquet().inequalities(3)
    inequalities = inequalities / np.linalg.norm(inequalities, axis=1, keepdims=True)
    moved = towards_the_cone(np.array([0.9, 0.1, 0.2, -0.3, 0.5, 0.6, 0.4]), inequalities, 1e-6, 10_000)
    assert (inequalities @ moved >= 0).all()


@pytest.mark.parametrize("family", [WeightedMean(), Choquet(), Bilinear()], ids=lambda family: family.name)
def test_a_forced_record_is_linked_on_the_known_rows(family):
    search = some_search(family)
    lost = np.flatnonzero(~search.linked & ~search.rows.impossible)
    forced = [(record, force(search, int(record), search.best, 5.0)) for record in lost]
    assert any(point is not None for _, point in forced)
    for record, point in forced:
        if point is not None:
            assert search.rows.linked(point)[record]
