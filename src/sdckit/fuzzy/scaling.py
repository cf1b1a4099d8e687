"""Scaling: values of different units brought to 0..1, so that they can be aggregated."""

from enum import Enum

import numpy as np
from numpy.typing import NDArray


class Scaling(Enum):
    """How the values of an attribute are brought to 0..1, by those of a reference file.

    `MIN_MAX`  the share of the way from the least to the greatest value
    `RANKS`    the middle rank, as a share of the records: no value is far out, whatever the distribution
    `NORMAL`   the normal distribution function of the z-score: outliers approach 0 and 1
    """

    MIN_MAX = "min-max"
    RANKS = "ranks"
    NORMAL = "normal"

    @classmethod
    def from_text(cls, text: str) -> "Scaling":
        """The scaling of this name.

        >>> Scaling.from_text("ranks")
        <Scaling.RANKS: 'ranks'>
        """
        return cls(text)

    def __str__(self) -> str:
        return self.value

    def __call__(self, values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scaled values, column by column; it never falls where a value rises, and a constant column is 0 or 0.5.

        >>> Scaling.RANKS(np.array([[5.0], [7.0], [7.0], [90.0]]), np.array([[5.0], [7.0], [7.0], [90.0]])).ravel()
        array([0.125, 0.5  , 0.5  , 0.875])
        """
        return SCALINGS[self](np.asarray(values, dtype=np.float64), np.asarray(reference, dtype=np.float64))


def scaled_by_range(values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values between the least and the greatest of a reference file's, as a share of the way; clipped to 0..1."""
    low, high = reference.min(axis=0), reference.max(axis=0)
    length = np.where(high > low, high - low, 1.0)
    share: NDArray[np.float64] = np.clip((values - low) / length, 0.0, 1.0)
    return share


def scaled_by_rank(values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of a reference file's values below each value, and half of those equal to it."""
    out = np.empty(values.shape)
    for column, own, other in zip(out.T, values.T, reference.T, strict=True):
        ordered = np.sort(other)
        below, up_to = (np.searchsorted(ordered, own, side=side) for side in ("left", "right"))
        column[:] = (below + up_to) / (2 * len(ordered))
    return out


def scaled_by_normal(values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """The normal distribution function at each value, with a reference file's means and standard deviations."""
    from scipy.special import ndtr

    deviation = reference.std(axis=0)
    scores = (values - reference.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    share: NDArray[np.float64] = ndtr(np.where(deviation > 0, scores, 0.0))
    return share


SCALINGS = {Scaling.MIN_MAX: scaled_by_range, Scaling.RANKS: scaled_by_rank, Scaling.NORMAL: scaled_by_normal}
