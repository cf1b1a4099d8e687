"""Linkage by ranks instead of values."""

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import Intruder
from sdckit.measure import Finds, Need, risk
from sdckit.release import Release
from sdckit.risk.linkage.linkage import EuclideanLinkage


@risk("rank-linkage", reference="muralidhar2016", finds=Finds.RECORDS, needs={Need.ROWS})
class RankLinkage(EuclideanLinkage):
    """Share of records found by linking each to the one with the nearest ranks.

    A known value is ranked among the original's values, a released one among the released; ties take the mean rank.
    Skewed attributes and any masking that keeps the order, such as a change of units, make no difference.

    Formula: d²(a, b) = Σⱼ (rank_X(aⱼ) / |X| − rank_X′(bⱼ) / |X′|)²

    Intruder: holds the known attributes of a record exactly and knows the original's distribution of each.

    Use it when attributes are skewed, and against methods that work on ranks.
    """

    def space(
        self, release: Release, intruder: Intruder, *, seed: int | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        view = intruder.view(release, seed=seed)
        original = release.original.matrix(view.names)
        return ranked_among(view.known, original), ranked_among(view.released, view.released)


def ranked_among(values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of a reference column below each value, ties counted half; missing stays missing."""
    out = np.full(values.shape, np.nan)
    for place in range(values.shape[1]):
        column = np.sort(reference[~np.isnan(reference[:, place]), place])
        seen = ~np.isnan(values[:, place])
        below = np.searchsorted(column, values[seen, place], side="left")
        upto = np.searchsorted(column, values[seen, place], side="right")
        out[seen, place] = (below + upto) / 2 / max(len(column), 1)
    return out
