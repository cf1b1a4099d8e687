"""MDAV: maximum distance to average vector, the classical multivariate microaggregation."""

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.errors import SchemaError
from sdckit.kernels.mdav import mdav
from sdckit.kernels.mdav_with_missing import mdav_with_missing
from sdckit.kernels.partitions import group_means
from sdckit.kernels.standardisation import standardise
from sdckit.masking import Masking, masking
from sdckit.methods.microaggregation.nearest_centroids import nearest_centroids
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@masking("mdav", kind=Kind.ORDERED, reference="domingo2005")
class Mdav(Masking):
    """Group the record farthest from the average with its nearest ones, then the one opposite, and publish group means.

    Every group has `group_size` to twice as many less one records, so on the masked attributes nobody is alone. Means
    and sums are kept, variances shrink. Attributes are standardised for the distance; ties go to the lower record
    number.

    Formula: x′ᵢ = (1 / |G|) · Σ_{j ∈ G} xⱼ,  i ∈ G,  k ≤ |G| ≤ 2k − 1

    Use it when nobody may be alone on several ordered attributes together (k-anonymity on them), and means and totals
    must stay what they were.
    """

    keeps_missing = True

    group_size: int = param(3, "least records in a group (the papers' k)", low=1, grid=(3, 5, 10))

    def transform(self, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
        if len(values) < self.group_size:
            raise SchemaError(
                f"mdav needs at least {self.group_size} records to fill a group and the file has {len(values)}; "
                "take a smaller group_size"
            )
        absent = np.isnan(values)
        group = mdav_with_missing if absent.any() else mdav
        labels = group(standardise(values), self.group_size)
        means = group_means(values, labels)[labels]
        return np.where(absent, np.nan, means)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """The groups with the nearest centroids: likely, not certain, as the groups are not bounded by a rule."""
        return nearest_centroids(known, released)
