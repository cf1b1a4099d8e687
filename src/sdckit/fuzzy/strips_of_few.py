"""The sums of a strip in numpy, for a small file: nothing is compiled, and the values are the same to the last bit."""

import numpy as np
from numpy.typing import NDArray

CELL = 3  # squared differences in the time in which numpy does the work of one record, centre and attribute


def squared_distances_of_few(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    distance: NDArray[np.float64],
    scale: NDArray[np.float64],
) -> None:
    """Fill the squared distances of points to all centres, and attributes / observed attributes, NaN where none is."""
    seen = ~np.isnan(points)
    distance[:] = 0.0
    for attribute, centres in enumerate(columns):
        gap = np.where(seen[:, attribute], points[:, attribute], 0.0)[:, None] - centres
        gap *= gap
        gap[~seen[:, attribute]] = 0.0
        distance += gap
    observed = seen.sum(axis=1)
    with np.errstate(divide="ignore"):
        scale[:] = np.where(observed == 0, np.nan, len(columns) / observed)
    distance *= scale[:, None]


def add_weighted_of_few(
    points: NDArray[np.float64],
    weights: NDArray[np.float64],
    scale: NDArray[np.float64],
    influence: NDArray[np.float64],
    parts: NDArray[np.float64],
    totals: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> float:
    """Add points, with the weight of each for each centre, to Σ w and Σ w x; returns the objective, Σ weight · part."""
    counts = weights != 0
    influence[~counts] = 0.0
    influence[counts] *= (weights * scale)[counts, None]
    if len(totals) == 1 and len(sums) > 1:
        _add_in_turn(totals[0], _by_fours(influence))
        for attribute, own in enumerate(sums):
            _add_in_turn(own, _by_fours(influence * points[:, attribute, None]))
    else:
        for attribute, own in enumerate(sums):
            seen = ~np.isnan(points[:, attribute])
            _add_in_turn(totals[attribute], influence[seen])
            _add_in_turn(own, influence[seen] * points[seen, attribute, None])
    objective = np.zeros(1)
    _add_in_turn(objective, (weights[counts] * parts[counts])[:, None])
    return float(objective[0])


def _by_fours(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sums of four rows each, in pairs as the kernel adds them, and the rows that are left."""
    fours = len(rows) // 4 * 4
    one, two, three, four = (rows[start:fours:4] for start in range(4))
    return np.concatenate([(one + two) + (three + four), rows[fours:]])


def _add_in_turn(into: NDArray[np.float64], rows: NDArray[np.float64]) -> None:
    """Add rows one after the other."""
    into[:] = np.add.accumulate(np.vstack([into, rows]), axis=0)[-1]
