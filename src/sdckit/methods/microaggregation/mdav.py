"""MDAV: maximum distance to average vector, the classical multivariate microaggregation."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.mdav import mdav
from sdckit.kernels.mixed_mdav import mixed_mdav
from sdckit.kernels.standardisation import standardise
from sdckit.masking import masking
from sdckit.methods.microaggregation.blocks import Microaggregation
from sdckit.microdata import Kind


@masking("mdav", kind=Kind.ORDERED, reference="domingo2005")
class Mdav(Microaggregation):
    """Group the record farthest from the average with its nearest ones, then the one opposite, and publish group means.

    Every group has `group_size` to twice as many less one records, so on the masked attributes nobody is alone. Means
    and sums are kept, variances shrink. Attributes are standardised for the distance; ties go to the lower record
    number. A missing value stays missing and is left out of distances and means.

    Formula: x′ᵢ = (1 / |G|) · Σ_{j ∈ G} xⱼ,  i ∈ G,  k ≤ |G| ≤ 2k − 1

    Use it when nobody may be alone on several ordered attributes together (k-anonymity on them), and means and totals
    must stay what they were.
    """

    keeps_missing = True

    def partition(self, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
        points = standardise(values)
        if not np.isnan(values).any():
            return mdav(points, self.group_size)
        no_codes = np.empty((len(values), 0), dtype=np.int64)
        return mixed_mdav(points, no_codes, np.empty(0, dtype=np.int64), no_codes, self.group_size)
