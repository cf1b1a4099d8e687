"""Interval disclosure: is the original value near the published one?"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.rank_intervals import ranks_of_both, share_inside
from sdckit.measure import Need, risk
from sdckit.risk.attribute_disclosure.near_values import Judgement, NearValues


@risk(
    "interval-disclosure",
    headline=5,
    heading="Values near the released ones",
    reference="domingo2001",
    needs={Need.ROWS},
)
class IntervalDisclosure(NearValues):
    r"""Share of values that lie within a narrow interval of ranks around their published value.

    The interval around a published value reaches over the ranks of the masked column that are at most half its width
    away; a rank beyond is not counted, and equal values have their middle rank. With fewer than 2 / w values an
    interval of width w is the published value alone. The
    figure is averaged over widths of 1 %, 2 % … up to `widest`, over attributes and records, and the details give the
    curve by width. The intruder has to know to whom a masked record belongs: this is what re-identification reveals.
    The baseline pairs records at random.

    Formula: mean over $w, j, i$ of $[x_{ij} \in I_w(x'_{ij})]$,  $I_w(x')$ the masked values at most $w \cdot
    \frac{n}{2}$ ranks from $x'$

    Intruder: knows to whom each released record belongs and takes the published values for the true ones.

    Use it when a value near the truth is already a harm, such as an income or a turnover known to within a few ranks.
    """

    def intervals(
        self, original: NDArray[np.float64], masked: NDArray[np.float64], widths: NDArray[np.float64]
    ) -> Judgement:
        of_original, of_masked = ranks_of_both(original, masked)
        return lambda rows: share_inside(of_original, of_masked.take(rows), widths)
