"""Robust microaggregation: groups by robust Mahalanobis distances."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.mdav import mdav
from sdckit.kernels.robust_covariance import estimate_of_observed
from sdckit.masking import masking
from sdckit.methods.microaggregation.blocks import Microaggregation
from sdckit.microdata import Kind


@masking("robust-microaggregation", kind=Kind.ORDERED, reference="templ2008")
class RobustMicroaggregation(Microaggregation):
    """Group records as MDAV does, near by robust Mahalanobis distances, and publish group means.

    Centre and covariance matrix are those of the bulk of the records (minimum covariance determinant): outliers decide
    neither the scale of an attribute nor which attributes count as correlated, so the distance reflects the variation
    of the bulk. Every group has k to 2k − 1 records, where k is `group_size`. Means and sums are kept, variances
    shrink. A missing value stays missing and adds nothing to the distance from the centre. It is the counterpart of the
    method `rmd` of sdcMicro.

    Formula: d²(x, y) = (x − y)ᵀ · S⁻¹ · (x − y),  S the covariance matrix of least determinant of half the records

    Use it when attributes are skewed and correlated, as turnover, staff and wages of firms.
    """

    keeps_missing = True

    def partition(self, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
        estimate = estimate_of_observed(values)
        return mdav(np.ascontiguousarray(estimate.whitened(estimate.completed(values))), self.group_size)
