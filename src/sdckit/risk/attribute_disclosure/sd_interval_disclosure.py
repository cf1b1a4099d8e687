"""Interval disclosure by deviations: is the original value within a small distance of the published one?"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.standardisation import mean_and_deviation
from sdckit.measure import Need, risk
from sdckit.risk.attribute_disclosure.near_values import Judgement, NearValues


@risk("sd-interval-disclosure", reference="mateo2004", needs={Need.ROWS})
class SdIntervalDisclosure(NearValues):
    r"""Share of values that lie within a small share of a standard deviation of their published value.

    The standard deviation is that of the masked column, which everybody can compute; the figure is averaged over 1 %,
    2 % … of it up to `widest`, over attributes and records, and the details give the curve by width. In a skewed
    attribute the many small values lie close together on this scale and count as disclosed; interval-disclosure asks
    for ranks instead. The baseline pairs records at random.

    Formula: mean over $w, j, i$ of $[|x_{ij} - x'_{ij}| \le w \cdot s_j]$,  $s_j$ the standard deviation of the masked
    attribute $j$

    Intruder: knows to whom each released record belongs and takes the published values for the true ones.

    Use it when distance in the attribute's own units is what counts, as for outlying values.
    """

    def intervals(
        self, original: NDArray[np.float64], masked: NDArray[np.float64], widths: NDArray[np.float64]
    ) -> Judgement:
        def shares(rows: NDArray[np.int64] | slice) -> NDArray[np.float64]:
            reach = mean_and_deviation(masked[rows][:, None])[1][0] * widths
            gap = np.abs(original - masked[rows])
            inside = len(widths) - np.searchsorted(reach, gap, side="left")
            return np.where(np.isnan(gap), np.nan, inside / len(widths))

        return shares
