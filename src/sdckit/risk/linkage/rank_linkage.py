"""Linkage by ranks instead of values."""

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.measure import Finds, Need, risk
from sdckit.risk.linkage.nearest_rows import EuclideanLinkage


@risk("rank-linkage", reference="muralidhar2016", finds=Finds.RECORDS, needs={Need.ROWS}, by_default=False)
class RankLinkage(EuclideanLinkage):
    r"""Share of records re-identified by linking each to the one with the nearest ranks.

    A known value is ranked among the original's values, a released one among the released; ties take the mean rank.
    Skewed attributes and any masking that keeps the order, such as a change of units, make no difference.

    Formula: $d^2(a, b) = \sum_j (\frac{\text{rank}_X(a_j)}{|X|} - \frac{\text{rank}_{X'}(b_j)}{|X'|})^2$

    Intruder: knows some attributes of a record exactly, and the distribution of each in the original.

    Use it when attributes are skewed, and against methods that work on ranks.
    """

    def space(self, view: AttackerView) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        known, released = view.matrices()
        original = view.original.matrix(view.attributes)
        return ranked_among(known, original), ranked_among(released, released)


def ranked_among(values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of a reference column below each value, ties counted half; missing stays missing."""
    out = np.full(values.shape, np.nan)
    for column, reference_column in enumerate(reference.T):
        ordered = np.sort(reference_column[~np.isnan(reference_column)])
        seen = ~np.isnan(values[:, column])
        below = np.searchsorted(ordered, values[seen, column], side="left")
        upto = np.searchsorted(ordered, values[seen, column], side="right")
        out[seen, column] = (below + upto) / 2 / max(len(ordered), 1)
    return out
