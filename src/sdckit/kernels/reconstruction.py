"""Reconstruction: what exactly preserved products xᵗy and yᵗy let an intruder solve for who knows other records.

For any weights w of the columns of x the sum Σ (xᵢ·w) yᵢ is known. An intruder who knows yᵢ of all other records with
xᵢ·w ≠ 0 has the one that is left. Any w found is an upper bound on the protection: fewer others are never harder to
find than the search says.
"""

from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
ZERO = 1e-9  # of the largest: a product below it is 0
SUBSETS = 20_000  # sets of records through which a plane is laid, at most
SEARCHES = 12  # records that a sparse combination is searched for by linear programming
ROUNDS = 2  # of reweighting, each of which makes a combination sparser
MANY_COLUMNS = 60  # of x, above which pairs of them are not tried
LARGEST = 200_000  # values in the different rows of x up to which the search is made


class OthersNeeded(NamedTuple):
    """For each record the number of other records that give it away, and the weights of the columns that do so."""

    number: NDArray[np.int64]
    weights: Array
    exact: bool


def others_needed(design: Array, rng: np.random.Generator) -> OthersNeeded:
    """The fewest others found for each record; `exact` where every combination of columns was considered."""
    scale = np.abs(design).max(axis=0, initial=0.0)
    columns = design[:, scale > 0] / scale[scale > 0]
    rows, of_record, times = np.unique(columns, axis=0, return_inverse=True, return_counts=True)
    of_record = of_record.ravel()
    found = _Found(rows, times)
    for weights in _columns_and_differences(columns.shape[1]):
        found.consider(weights)
    rank = int(np.linalg.matrix_rank(rows)) if len(rows) else 0
    exact = comb(len(rows), max(rank - 1, 0)) <= SUBSETS
    if exact:
        for chosen in combinations(range(len(rows)), max(rank - 1, 0)):
            found.consider_plane(np.array(chosen, dtype=np.int64), rank)
    elif rows.size <= LARGEST:
        _search(found, rows, times, rng)
    weights = np.zeros((len(rows), design.shape[1]))
    weights[:, scale > 0] = found.weights / scale[scale > 0]
    return OthersNeeded((found.support - 1)[of_record], weights[of_record], exact)


class _Found:
    """The sparsest combination so far that does not vanish at each row of x."""

    def __init__(self, rows: Array, times: NDArray[np.int64]) -> None:
        self.rows, self.times = rows, times
        self.support = np.full(len(rows), int(times.sum()), dtype=np.int64)
        self.weights = np.zeros(rows.shape)

    def consider(self, weights: Array) -> None:
        """Take a combination for all rows at which it is sparser than the one before."""
        products = self.rows @ weights
        largest = float(np.abs(products).max(initial=0.0))
        there = np.abs(products) > ZERO * largest
        size = int(self.times[there].sum())
        better = there & ((size < self.support) | ((size == self.support) & ~self.weights.any(axis=1)))
        self.support[better] = size
        self.weights[better] = weights

    def consider_plane(self, chosen: NDArray[np.int64], rank: int) -> None:
        """The combination that vanishes at the chosen rows, where it is the only one but for its size."""
        _, sizes, axes = np.linalg.svd(self.rows[chosen], full_matrices=True)
        if int((sizes > ZERO * max(sizes.max(initial=0.0), 1.0)).sum()) == rank - 1:
            null = axes[rank - 1 :]
            if len(null) > 1:  # columns that depend on each other: keep what does not vanish everywhere
                products = self.rows @ null.T
                _, _, directions = np.linalg.svd(products, full_matrices=False)
                self.consider(directions[0] @ null)
            else:
                self.consider(null[0])


def _columns_and_differences(columns: int) -> Array:
    """Each column by itself, and each pair's difference and sum, unless there are very many."""
    single = np.eye(columns)
    if columns > MANY_COLUMNS:
        return single
    pairs = [
        single[one] + sign * single[other] for one, other in combinations(range(columns), 2) for sign in (-1.0, 1.0)
    ]
    return np.array([*single, *pairs]).reshape(columns + len(pairs), columns)


def _search(found: _Found, rows: Array, times: NDArray[np.int64], rng: np.random.Generator) -> None:
    """Sparse combinations for the rows with the greatest leverage, by reweighted linear programming."""
    triangular = np.linalg.svd(np.sqrt(times)[:, None] * rows, full_matrices=False)
    basis = triangular[0][:, triangular[1] > ZERO * triangular[1].max()]
    leverage = (basis**2).sum(axis=1) / times
    first = np.argsort(-leverage, kind="stable")[: SEARCHES // 2]
    others = rng.choice(len(rows), min(SEARCHES - len(first), len(rows)), replace=False)
    for row in np.unique(np.concatenate([first, others])):
        weight = times.astype(np.float64)
        for _ in range(ROUNDS):
            combination = _least_sum(rows, weight, row)
            if combination is None:
                break
            found.consider(combination)
            weight = times / (np.abs(rows @ combination) + 1e-3)


def _least_sum(rows: Array, weight: Array, row: int) -> Array | None:
    """The combination that is 1 at a row and has the least weighted sum of absolute products elsewhere."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack, identity, vstack

    number, columns = rows.shape
    unit = identity(number, format="csr")
    x = csr_array(rows)
    limits: Any = vstack([hstack([x, -unit]), hstack([-x, -unit])])
    equal: Any = csr_array(np.concatenate([rows[row], np.zeros(number)])[None, :])
    solved = linprog(
        np.concatenate([np.zeros(columns), weight]),
        A_ub=limits,
        b_ub=np.zeros(2 * number),
        A_eq=equal,
        b_eq=[1.0],
        bounds=[(None, None)] * columns + [(0, None)] * number,
        method="highs",
    )
    return np.asarray(solved.x, dtype=np.float64)[:columns] if solved.status == 0 else None


def solved_values(design: Array, products: Array, values: Array, unknown: NDArray[np.int64]) -> Array:
    """The unknown values of one attribute from xᵗy and the known values, by least squares."""
    known = np.ones(len(design), dtype=bool)
    known[unknown] = False
    left = products - design[known].T @ values[known]
    scale = np.abs(design).max(axis=0, initial=0.0)
    scale = np.where(scale > 0, scale, 1.0)
    return np.asarray(np.linalg.lstsq((design[unknown] / scale).T, left / scale, rcond=None)[0], dtype=np.float64)


def width_left(design: Array, values: Array, unknown: NDArray[np.int64]) -> Array:
    """Half the width of the interval in which each unknown value must lie, given xᵗy, yᵗy and the known values.

    The unknown values lie on the sphere of the given sum of squares, in the affine space of the given products: their
    distance from the nearest point of that space to 0 is fixed, and so is how far each of them can go.
    """
    rows = design[unknown]
    scale = np.abs(rows).max(axis=0, initial=0.0)
    rows = rows[:, scale > 0] / scale[scale > 0]
    left, sizes, _ = np.linalg.svd(rows, full_matrices=True)
    rank = int((sizes > ZERO * sizes.max(initial=0.0)).sum())
    free = left[:, rank:]
    radius = float(np.linalg.norm(free.T @ values[unknown]))
    return np.asarray(radius * np.linalg.norm(free, axis=1), dtype=np.float64)
