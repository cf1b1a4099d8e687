"""Linkage by a kernel distance."""

from itertools import combinations_with_replacement
from math import factorial

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.measure import Finds, Need, risk
from sdckit.parameters import param
from sdckit.risk.linkage.nearest_rows import EuclideanLinkage


@risk("kernel-linkage", reference="torra2006", finds=Finds.RECORDS, needs={Need.ROWS}, by_default=False)
class KernelLinkage(EuclideanLinkage):
    r"""Share of records re-identified by linking each to the nearest in the space of a polynomial kernel.

    Products of attributes count like attributes, so records far from the middle are distinguished more sharply than
    those near it. With degree 1 it is the plain distance. (A Gaussian kernel would give the same links as the plain
    distance, since it decreases with it.) A missing value counts as the mean.

    Formula: $d^2(a, b) = K(a, a) - 2 K(a, b) + K(b, b)$,  $K(a, b) = (1 + a^\top b)^{\text{degree}}$ on standardised
    files

    Intruder: knows some attributes of a record exactly.

    Use it when a second opinion on the plain distance is needed for files with many outlying records.
    """

    degree: int = param(2, "degree of the polynomial", low=1, high=3, grid=(2, 3))

    def space(self, view: AttackerView) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        known, released = view.standardised()
        return features(np.nan_to_num(known), self.degree), features(np.nan_to_num(released), self.degree)


def features(points: NDArray[np.float64], degree: int) -> NDArray[np.float64]:
    """Coordinates whose dot product is (1 + aᵀb)^degree, without the constant one."""
    bordered = np.column_stack([np.ones(len(points)), points])
    columns = []
    for chosen in combinations_with_replacement(range(bordered.shape[1]), degree):
        if any(chosen):
            ways = factorial(degree)
            for column in set(chosen):
                ways //= factorial(chosen.count(column))
            columns.append(np.sqrt(ways) * bordered[:, chosen].prod(axis=1))
    return np.column_stack(columns)
