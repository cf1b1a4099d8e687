"""The standard deviations that the size of noise is measured in."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.pairwise_deviation import COMPILED, standard_deviation


def standard_deviations(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard deviation (n − 1) of each column, 0 for one value."""
    if values.shape[1] == 1 and len(values) >= COMPILED:
        return np.array([standard_deviation(values[:, 0])])
    return values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1])
