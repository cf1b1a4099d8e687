"""MDAV: maximum distance to average vector, the classical multivariate microaggregation."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.kernels.mdav import mdav
from sdckit.kernels.observed_groups import means_of_observed, merged_by_observed
from sdckit.kernels.partitions import group_medians, group_modes
from sdckit.kernels.standardisation import standardise
from sdckit.masking import masking
from sdckit.methods.microaggregation.blocks import Microaggregation
from sdckit.microdata import Kind, Microdata


@masking("mdav", kind=Kind.ANY, reference="domingo2005")
class Mdav(Microaggregation):
    r"""Group the record farthest from the average with its nearest ones, then the one opposite; publish means.

    Every group has k to 2k − 1 records, where k is `group_size`, so nobody is unique on the masked attributes. Means
    and sums are kept, variances shrink. Attributes are standardised for the distance; ties go to the lower record
    number. A missing value stays missing and is left out of distances and means; a group with too few values of an
    attribute is averaged together with the nearest such group. Ordered categories are averaged by their lower median
    and unordered ones by their mode, at a distance of 0 to 1 between two of them.

    Formula: $x'_i = \frac{1}{|G|} \sum_{j \in G} x_j$,  $i \in G$,  $k \le |G| \le 2k - 1$

    Use it when nobody may be unique on several attributes together (k-anonymity on them), and means and totals must be
    unchanged.
    """

    quadratic = True
    keeps_missing = True

    def partition(self, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
        from sdckit.kernels.mixed_mdav import mixed_mdav

        points = standardise(values)
        if not np.isnan(values).any():
            return mdav(points, self.group_size)
        none = np.empty((len(values), 0), dtype=np.int64)
        return mixed_mdav(points, none, np.empty(0, dtype=np.int64), none, self.group_size)

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        if not any(data.attribute(name).coded for name in names):
            return super().protect(data, names, draws=draws)
        self.require_a_group(len(data))
        self.refuse_few_values(data, names, self.group_size)
        masked = data
        for block in self.blocks(len(names)):
            masked = self.with_averages(masked, names[block])
        return masked

    def with_averages(self, data: Microdata, names: Sequence[str]) -> Microdata:
        """The file with the means, lower medians and modes of the groups of one block of attributes of any kinds."""
        from sdckit.kernels.mixed_mdav import mixed_mdav

        numeric = [name for name in names if not data.attribute(name).coded]
        ordinal = [name for name in names if data.attribute(name).coded and data.attribute(name).kind & Kind.ORDERED]
        nominal = [name for name in names if name not in numeric and name not in ordinal]
        values, ranks, codes = data.matrix(numeric), data.codes(ordinal), data.codes(nominal)
        levels = np.array([len(data.attribute(name).categories or ()) for name in ordinal], dtype=np.int64)
        labels = mixed_mdav(
            standardise(values), ranks.astype(np.int64), levels, codes.astype(np.int64), self.group_size
        )
        means = means_of_observed(values, labels, self.group_size)
        columns = {}
        for name, column in [*zip(ordinal, ranks.T, strict=True), *zip(nominal, codes.T, strict=True)]:
            seen = column >= 0
            own = merged_by_observed(labels, seen, column.astype(np.float64), self.group_size)
            averages = (
                group_medians(np.where(seen, column, np.nan), own)
                if name in ordinal
                else group_modes(column.astype(np.int64), own)
            )
            columns[name] = np.where(seen, averages[own], -1)
        return data.with_columns(columns).with_matrix(numeric, self.published(data, numeric, means))
