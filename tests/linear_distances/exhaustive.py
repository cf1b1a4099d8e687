"""The most links of a family on a tiny file, by trying every set of records: the twin that shares no code."""

from itertools import combinations

import numpy as np
from scipy.optimize import linprog


def differences_of_features(queries, targets, truth, features):
    """For each query the rows φ(query, rival) − φ(query, truth)."""
    return [
        np.array([features(a - b) - features(a - targets[t]) for j, b in enumerate(targets) if j != t])
        for a, t in zip(queries, truth, strict=True)
    ]


def can_be_linked_together(rows, cone, free):
    """Whether some parameters in the cone make all rows positive (the largest common margin is above 0)."""
    size = rows.shape[1]
    above = np.column_stack([-rows, np.ones(len(rows))])
    within = np.column_stack([-cone, np.zeros(len(cone))]) if len(cone) else np.empty((0, size + 1))
    matrix = np.concatenate([above, within])
    solved = linprog(
        np.append(np.zeros(size), -1.0),
        A_ub=matrix,
        b_ub=np.zeros(len(matrix)),
        bounds=[(-1 if free else 0, 1)] * size + [(None, 1)],
    )
    return -solved.fun > 1e-7


def most_links(queries, targets, truth, features, cone, free=False):
    """The size of the largest set of queries that can be linked together."""
    rows = differences_of_features(queries, targets, truth, features)
    for count in range(len(rows), 0, -1):
        for chosen in combinations(range(len(rows)), count):
            together = np.concatenate([rows[i] for i in chosen])
            together = together / np.maximum(np.linalg.norm(together, axis=1, keepdims=True), 1e-300)
            if len(together) == 0 or can_be_linked_together(together, cone, free):
                return count
    return 0
