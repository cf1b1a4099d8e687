"""Bins: round edges for a histogram, so that no edge is a value of the file."""

import math

import numpy as np
from numpy.typing import NDArray

BINS = 24
OUTER = 0.005  # share of the values at each end that joins the last bin, so that an outlier does not flatten the rest


def round_edges(values: NDArray[np.float64], bins: int = BINS) -> NDArray[np.float64]:
    """Equally wide bins with a width of 1, 2 or 5 times a power of ten over all but the outermost values.

    Where there are few integers, each has a bin of its own.

    >>> round_edges(np.array([0.0, 10.0]), 5).tolist()
    [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    >>> round_edges(np.array([1.0, 2.0, 3.0])).tolist()
    [0.5, 1.5, 2.5, 3.5]
    """
    low, high = np.quantile(values, [OUTER, 1 - OUTER])
    if high - low < bins and bool((values == np.rint(values)).all()):
        return np.arange(math.floor(low), math.ceil(high) + 2) - 0.5
    width = _round_width((high - low) / bins if high > low else max(abs(low), 1.0) / bins)
    first, last = math.floor(low / width), math.floor(high / width) + 1
    return np.arange(first, last + 1) * width


def shares(values: NDArray[np.float64], edges: NDArray[np.float64], of: int) -> NDArray[np.float64]:
    """Share of `of` records in each bin; values beyond the edges are counted in the first and the last bin."""
    clipped = np.clip(values, edges[0], np.nextafter(edges[-1], edges[0]))
    return np.histogram(clipped, edges)[0] / max(of, 1)


def _round_width(width: float) -> float:
    power = 10.0 ** math.floor(math.log10(width))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-9))
