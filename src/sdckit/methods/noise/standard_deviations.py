"""The standard deviations that the size of noise is measured in."""

import numpy as np
from numpy.typing import NDArray


def standard_deviations(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard deviation (n − 1) of each column, 0 for one value."""
    return values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1])
