"""Tiny files of numbers, codes and missing values, and the most links by trying every set of records."""

from itertools import combinations

import numpy as np

from sdckit.linear_distances import Column

from .exhaustive import can_be_linked_together

TREE = np.sqrt(np.array([[0.0, 0.5, 1.0], [0.5, 0.0, 1.0], [1.0, 1.0, 0.0]]))  # codes 0 and 1 are siblings
COLUMNS = (Column(), Column(1 - np.eye(2)), Column(TREE), Column(absolute=True))


def mixed_file(seed, records=6, missing=0.2):
    """Queries and targets with a number, two codes and a number compared by its absolute difference."""
    rng = np.random.default_rng(seed)
    targets = np.column_stack([
        rng.integers(0, 5, records), rng.integers(0, 2, records), rng.integers(0, 3, records), rng.normal(size=records)
    ]).astype(float)  # fmt: skip
    queries = targets.copy()
    queries[:, 0] += rng.integers(-1, 2, records)
    queries[:, 3] += 0.5 * rng.normal(size=records)
    swapped = rng.random(records) < 0.3
    queries[swapped, 2] = rng.integers(0, 3, int(swapped.sum()))
    targets[rng.random(targets.shape) < missing] = np.nan
    return queries, targets, rng.permutation(records)


def difference(queries, targets, i, j, k, column):
    """The difference of one pair in one attribute, from its definition."""

    def of(one, other):
        if column.table is not None:
            return column.table[int(one), int(other)]
        return np.sign(one - other) * np.sqrt(abs(one - other)) if column.absolute else one - other

    one, other = queries[i, k], targets[j, k]
    if np.isnan(one) and np.isnan(other):
        return 0.0
    if not np.isnan(one) and not np.isnan(other):
        return of(one, other)
    if column.missing is not None:
        return column.missing
    present = targets[~np.isnan(targets[:, k]), k]
    asked = [one] if not np.isnan(one) else queries[~np.isnan(queries[:, k]), k]
    squares = [of(each, target) ** 2 for each in asked for target in present]
    return np.sqrt(np.mean(squares)) if squares else 0.0


def all_differences(queries, targets, columns):
    """The differences of every pair, one array per query."""
    return [
        np.array([
            [difference(queries, targets, i, j, k, column) for k, column in enumerate(columns)]
            for j in range(len(targets))
        ])
        for i in range(len(queries))
    ]  # fmt: skip


def most_shared_links(queries, targets, truth, family, columns, strict):
    """The largest number of links; unless strict, targets with the same features share one."""
    rows, worth = [], []
    for differences, own in zip(all_differences(queries, targets, columns), truth, strict=True):
        features = family.features(differences)
        others = np.delete(features - features[own], own, axis=0)
        same = np.abs(others).max(axis=1, initial=0) <= 1e-9
        rows.append(others if strict else others[~same])
        worth.append(float(not same.any()) if strict else 1 / (1 + same.sum()))
    cone, best = family.inequalities(len(columns)), 0.0
    for count in range(len(rows) + 1):
        for chosen in combinations(range(len(rows)), count):
            total = sum(worth[i] for i in chosen)
            if total <= best + 1e-9:
                continue
            together = np.concatenate([rows[i] for i in chosen])
            together = together / np.maximum(np.linalg.norm(together, axis=1, keepdims=True), 1e-300)
            if len(together) == 0 or can_be_linked_together(together, cone, not family.monotone):
                best = total
    return best
