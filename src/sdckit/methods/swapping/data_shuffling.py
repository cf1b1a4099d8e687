"""Data shuffling: rearrange an attribute's own values in the order of simulated ones."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.kernels.moments import correlations, means_and_covariances, nearest_correlation, square_root
from sdckit.kernels.ranks import mid_ranks
from sdckit.masking import Locality, Masking, masking
from sdckit.microdata import Kind, Microdata, Role


@masking("data-shuffling", kind=Kind.ORDERED, reference="muralidhar2006")
class DataShuffling(Masking):
    r"""Simulate the attributes given the other keys by a normal copula, and put the real values in the simulated order.

    Every marginal distribution survives exactly, and the rank correlations among the attributes and with the other
    ordered keys survive in expectation. With no attributes named, the confidential ones are shuffled. Ties keep the
    order of the records.

    Formula: $X^* = z_S \rho_{SS}^{-1} \rho_{SX} + e$,  $z = \Phi^{-1}(\frac{\text{rank} - 1/2}{n})$,  $e \sim N(0,
    \rho_{XX} - \rho_{XS} \rho_{SS}^{-1} \rho_{SX})$,  $\text{rank } X' = \text{rank } X^*$

    Use it when confidential amounts must keep their distribution and their relation to published keys.

    Excludes nothing: given the other keys a record's own value has no influence on where it goes, so any value can go
    anywhere.
    """

    locality = Locality.SORT
    preserves = frozenset({Statistic.MEANS, Statistic.DISTRIBUTIONS})

    def chosen(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        return tuple(attributes) or data.names(kind=self.kinds, role=Role.CONFIDENTIAL) or super().chosen(data, ())

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        given = self.also_reads(data, names)
        self.refuse_missing(data, [*names, *given])
        values = data.matrix(names)
        return data.with_matrix(names, shuffled(values, data.matrix(given), draws.over(len(data)).normal(len(names))))

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The other ordered keys that have values, which the shuffled values are simulated from."""
        others = (name for name in data.names(kind=Kind.ORDERED, role=Role.KEY) if name not in attributes)
        return tuple(name for name in others if data.missing(name) < len(data))


def shuffled(
    values: NDArray[np.float64], given: NDArray[np.float64], noise: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Each column's values in the order of a copula simulation given other columns, with this standard normal noise."""
    d = values.shape[1]
    scores = normal_scores(np.column_stack([values, given]))
    spearman = correlations(means_and_covariances(mid_ranks(np.column_stack([values, given])))[1])
    rho = nearest_correlation(2 * np.sin(np.pi * spearman / 6))
    slope = np.linalg.pinv(rho[d:, d:]) @ rho[d:, :d]
    rest = rho[:d, :d] - rho[:d, d:] @ slope
    simulated = scores[:, d:] @ slope + noise @ square_root(rest).T
    masked = np.empty(values.shape)
    for index in range(d):
        masked[np.argsort(simulated[:, index], kind="stable"), index] = np.sort(values[:, index])
    return masked


def normal_scores(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The normal quantiles of the ranks; ties share the average rank."""
    from scipy.special import ndtri

    scores: NDArray[np.float64] = ndtri((mid_ranks(values) - 0.5) / len(values))
    return scores
