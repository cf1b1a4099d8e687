"""Fuzzy microaggregation: every record may get any of the centres, near ones more likely (Torra 2015)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.clusterings import Clustering, FuzzyCMeans
from sdckit.fuzzy.clusters import Adjust, Clusters
from sdckit.fuzzy.mixed_points import MixedPoints
from sdckit.kernels.mdav import mdav
from sdckit.kernels.partitions import group_means
from sdckit.kernels.standardisation import standardise
from sdckit.masking import masking
from sdckit.methods.microaggregation.cluster_notes import remember
from sdckit.methods.microaggregation.drawn_centres import DrawnCentres
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@masking("fuzzy-microaggregation", kind=Kind.ANY, reference="torra2015")
class FuzzyMicroaggregation(DrawnCentres):
    r"""Cluster the records by a fuzzy clustering and replace each by a centre drawn with its memberships.

    There are as many centres as MDAV would make groups of `group_size`. With an assignment fuzziness above 1 every
    centre has a positive probability, so a published method and parameters exclude no record: `candidates` is None, and
    the intersection attack excludes nothing. The cost is that `group_size` is not guaranteed: a centre may be drawn by
    fewer records, and the notes of a release give the smallest number. A fuzziness of the clustering of about 1.02 to
    1.3 keeps the centres separate; above, they move towards each other, and on some files they coincide (the notes of a
    release say so). A centre of unordered categories has their mode, at a distance of 1 from any other category. A
    missing value stays missing and is left out of distances and means.

    Formula: $x' = v_i$ with probability $\mu_i(x) = \frac{D_i^{-1/(m_2 - 1)}}{\sum_j D_j^{-1/(m_2 - 1)}}$,  $D_i =
    \lVert x - v_i \rVert^2$,  $V = \mathrm{FCM}(X, c, m_1)$, $c = \lceil \frac{n}{k} \rceil$

    Use it when microaggregation is needed and method and parameters will be published; for a guaranteed group size take
    mdav and expect the intersection attack.
    """

    clustering: Clustering = param(
        FuzzyCMeans(1.1),
        "how centres are found: a clustering of sdckit.fuzzy, such as fuzzy-c-means(1.1) or noise-clustering(1.1+1); a "
        "number is the fuzziness of fuzzy c-means (the paper's m₁), where 1 is k-means",
        grid=(FuzzyCMeans(1.05), FuzzyCMeans(1.1), FuzzyCMeans(1.3)),
        formerly="centre_fuzziness",
    )

    def centres(
        self, values: NDArray[np.float64], points: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        found = self.fitted(points, first_centres(points, self.group_size), self.adjusted(points))
        return remember(self, values, found).centres

    def mixed_centres(
        self, values: NDArray[np.float64], mixed: MixedPoints, labels: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        start = with_far_records(mixed.points, labels, self.group_size)
        return remember(self, values, self.fitted(mixed.points, start, self.adjusted_mixed(mixed))).centres

    def adjusted(self, points: NDArray[np.float64]) -> Adjust | None:
        """What becomes of the weighted means of numbers: they are the centres."""
        return None

    def adjusted_mixed(self, mixed: MixedPoints) -> Adjust:
        """What becomes of the weighted means of numbers and indicators: the most frequent category is taken."""
        return mixed.with_modes

    def fitted(self, points: NDArray[np.float64], start: NDArray[np.float64], adjust: Adjust | None) -> Clusters:
        """The clusters of the points, from initial centres."""
        start = start if adjust is None else adjust(start, np.ones((len(start), 1)))
        return self.clustering.fit(points, start, adjust=adjust)

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        notes = super().notes(original, masked, attributes)
        for block in self.blocks(len(attributes)):
            names = attributes[block]
            ordered = all(original.attribute(name).kind & Kind.ORDERED for name in names)
            if ordered and isinstance(self.clustering, FuzzyCMeans):
                values = original.matrix(names)
                complete = values[~np.isnan(values).any(axis=1)]
                notes.append(f"{', '.join(names)}: {collapse(standardise(complete))}")
        return notes


def first_centres(points: NDArray[np.float64], group_size: int) -> NDArray[np.float64]:
    """The centroids of MDAV's groups, and the records farthest from theirs until there are ⌈n / k⌉."""
    from sdckit.kernels.mixed_mdav import mixed_mdav

    if not np.isnan(points).any():
        return with_far_records(points, mdav(points, group_size), group_size)
    none = np.empty((len(points), 0), dtype=np.int64)
    return with_far_records(points, mixed_mdav(points, none, np.empty(0, dtype=np.int64), none, group_size), group_size)


def with_far_records(points: NDArray[np.float64], labels: NDArray[np.int64], group_size: int) -> NDArray[np.float64]:
    """The centroids of groups, and the records farthest from theirs until there are ⌈n / k⌉; no value is missing."""
    centres = np.nan_to_num(group_means(points, labels))
    missing = -(-len(points) // group_size) - len(centres)
    far = np.argsort(-np.nansum((points - centres[labels]) ** 2, axis=1), kind="stable")[: max(missing, 0)]
    return np.concatenate([centres, np.nan_to_num(points[far])])


def collapse(points: NDArray[np.float64]) -> str:
    """From which fuzziness on all centres fall into the mean, in words.

    Near the mean a centre's next position is a linear image of its last one; the mean draws it in iff the fuzziness is
    above 1 / (1 − 2λ), λ the largest eigenvalue of the average of u uᵀ / |u|², u a record's direction from the mean.
    """
    directions = points - points.mean(axis=0) if len(points) else points
    length = np.sqrt((directions**2).sum(axis=1))
    directions = directions[length > 0] / length[length > 0, None]
    largest = (
        float(np.linalg.eigvalsh(directions.T @ directions / max(len(directions), 1))[-1]) if len(directions) else 1.0
    )
    if largest >= 0.5:
        return "centres never all fall into the mean, whatever the centre fuzziness"
    return f"centres near the mean fall into it from a centre fuzziness of {1 / (1 - 2 * largest):.2f} on"
