"""Path lengths: distances from some nodes to all others, by breadth-first search."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

FAR = -1  # the distance of a node that no path leads to, or that is beyond the radius


@njit(cache=True)
def distances(
    indptr: NDArray[np.int64], indices: NDArray[np.int64], sources: NDArray[np.int64], radius: int
) -> NDArray[np.int32]:
    """The distance from each source (rows) to every node, up to the radius; −1 where it is larger or there is none."""
    nodes = len(indptr) - 1
    out = np.full((len(sources), nodes), FAR, dtype=np.int32)
    queue = np.empty(nodes, dtype=np.int64)
    for row in range(len(sources)):
        queue[0] = sources[row]
        out[row, sources[row]] = 0
        first, last = 0, 1
        while first < last:
            node = queue[first]
            first += 1
            step = out[row, node] + 1
            if step > radius:
                break
            for edge in range(indptr[node], indptr[node + 1]):
                other = indices[edge]
                if out[row, other] == FAR:
                    out[row, other] = step
                    queue[last] = other
                    last += 1
    return out
