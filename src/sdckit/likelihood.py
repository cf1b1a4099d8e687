"""Law: the probability of a released value given the original one, where the published method and parameters fix it."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Law(Protocol):
    """How likely each released row is for each known record."""

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        """One row a known record, one column a released row; a constant per row may be left out."""
        ...
