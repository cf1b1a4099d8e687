"""Multivariate top coding: records beyond an ellipsoid are moved to its surface."""

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.kernels.robust_covariance import estimate_of_observed
from sdckit.masking import Masking, masking
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@masking("multivariate-top-coding", kind=Kind.ORDERED, reference="templ2008")
class MultivariateTopCoding(Masking):
    """Move records that are outlying in several attributes together to the edge of where most records are.

    The edge is the ellipsoid of constant robust Mahalanobis distance that contains 1 − `share` of a normal
    distribution. A record beyond it moves straight towards the robust centre until it is on the ellipsoid; all others
    are unchanged. A record that is extreme in no single attribute but unusual in their combination is coded, too, such
    as that of a young person with a high pension. Two records in the same direction from the centre become equal. A
    missing value stays missing, and its record is judged by the values that it has.

    Formula: x′ = c + (x − c) · min(1, √(q / d²)),  d² = (x − c)ᵀ S⁻¹ (x − c),  q the (1 − share) quantile of χ²

    Use it when outliers are recognisable by combinations of values, and the bulk of the records must stay unchanged.
    """

    keeps_missing = True

    share: float = param(
        0.025, "share of a normal distribution that is beyond the edge", low=1e-6, high=0.5, grid=(0.01, 0.025, 0.1)
    )

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        return self.coded(values)

    def coded(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The records with those beyond the ellipsoid moved to it."""
        from scipy.stats import chi2

        estimate = estimate_of_observed(values)
        distances = estimate.squared_distances(estimate.completed(values))
        observed = (~np.isnan(values)).sum(axis=1)
        edge = np.where(observed > 0, chi2.ppf(1 - self.share, np.maximum(observed, 1)), np.inf)
        beyond = distances > edge
        factor = np.sqrt(np.where(beyond, edge / np.where(beyond, distances, 1.0), 1.0))
        moved = estimate.centre + (values - estimate.centre) * factor[:, None]
        return np.where(beyond[:, None], moved, values)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """An intruder who knows the whole file computes what each record became; any other can exclude nothing."""
        if released is None:
            return None
        names = [each.name for each in released.attributes]
        if not known.complete or any(name not in known.lower for name in names):
            return None
        low, high = (np.column_stack([ends[name] for name in names]) for ends in (known.lower, known.upper))
        if not np.isfinite(low).all() or not np.array_equal(low, high):
            return None
        masked = dict(zip(names, self.coded(low).T, strict=True))
        return Candidates(known.records, masked, masked)
