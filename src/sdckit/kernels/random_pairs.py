"""Random pairs of nodes that have no edge, all equally likely."""

import numpy as np
from numpy.typing import NDArray

DENSE = 0.5  # share of the pairs taken from which it is quicker to list all absent ones than to draw


def absent_pairs(
    nodes: int, keys: NDArray[np.int64], count: int, rng: np.random.Generator, *, directed: bool = False
) -> NDArray[np.int64]:
    """This number of different pairs low · nodes + high not among the sorted keys; directed ones either way."""
    pairs = nodes * (nodes - 1) // (1 if directed else 2)
    if len(keys) + count > DENSE * pairs:
        low, high = np.nonzero(~np.eye(nodes, dtype=bool)) if directed else np.triu_indices(nodes, 1)
        return rng.choice(np.setdiff1d(low * nodes + high, keys, assume_unique=True), count, replace=False)
    found = np.zeros(0, dtype=np.int64)
    while len(found) < count:
        ends = rng.integers(0, nodes, size=(2, 2 * (count - len(found)) + 16))
        low, high = ends if directed else (ends.min(axis=0), ends.max(axis=0))
        drawn = (low * nodes + high)[low != high]
        at = np.minimum(np.searchsorted(keys, drawn), max(len(keys) - 1, 0))
        drawn = drawn[keys[at] != drawn] if len(keys) else drawn
        together = np.concatenate([found, drawn])
        found = together[np.sort(np.unique(together, return_index=True)[1])]
    return found[:count]
