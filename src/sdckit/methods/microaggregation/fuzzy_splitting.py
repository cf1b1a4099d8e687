"""Fuzzy splitting: the first published microaggregation by fuzzy c-means; clusters are split until they are small."""

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import c_means, memberships
from sdckit.kernels.standardisation import standardise
from sdckit.masking import masking
from sdckit.methods.microaggregation.blocks import Microaggregation
from sdckit.microdata import Kind
from sdckit.parameters import param

ROUNDS = 100  # of one split: where it ends decides which group a record between two is in, no more


@masking("fuzzy-splitting", kind=Kind.ORDERED, reference="torra2004")
class FuzzySplitting(Microaggregation):
    r"""Split the records in two by fuzzy c-means until groups have `group_size` to twice as many; publish means.

    Each record goes to the cluster in which its membership is higher. A part with fewer than `group_size` records takes
    those of the other part that have the highest membership in it. The two initial centres are the ends of the first
    principal axis, so that nothing is drawn. The source does not say how clusters are split and how small ones are
    filled; this is one interpretation. Means and sums are kept, variances shrink. A missing value stays missing and is
    left out of distances and means; a group with too few values of an attribute is averaged together with the nearest
    such group.

    Formula: $x'_i = \frac{1}{|G|} \sum_{j \in G} x_j$,  $i \in G$,  $k \le |G| \le 2k$

    Use it when the groups of the first published method are wanted for comparison, or a file is too large for MDAV: the
    cost grows about like n log n.
    """

    keeps_missing = True

    fuzziness: float = param(1.5, "fuzziness of the clustering; 1 is k-means", low=1, grid=(1.2, 2.0))

    def partition(self, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
        points = standardise(values)
        labels = np.zeros(len(points), dtype=np.int64)
        waiting, groups = [np.arange(len(points))], 0
        while waiting:
            members = waiting.pop()
            if len(members) <= 2 * self.group_size:
                labels[members] = groups
                groups += 1
            else:
                first = split(points[members], self.group_size, self.fuzziness)
                waiting += [members[~first], members[first]]
        return labels


def split(points: NDArray[np.float64], group_size: int, fuzziness: float) -> NDArray[np.bool_]:
    """Which records are in the first of two clusters, each of at least `group_size` records."""
    observed = ~np.isnan(points)
    means = np.where(observed, points, 0.0).sum(axis=0) / np.maximum(observed.sum(axis=0), 1)
    filled = np.where(observed, points, means)
    centred = filled - means
    axis = np.linalg.svd(centred, full_matrices=False)[2][0] if len(points) <= 5_000 else _first_axis(centred)
    along = centred @ axis
    ends = filled[[int(along.argmin()), int(along.argmax())]]
    centres = c_means(points, ends, fuzziness, max_rounds=ROUNDS).centres
    lead = np.diff(memberships(points, centres, fuzziness), axis=1)[:, 0]  # of the second cluster over the first
    lead = np.nan_to_num(lead)  # a record without any value belongs to neither
    if fuzziness == 1 or np.ptp(lead) == 0:
        distance = ((filled[:, None] - centres[None]) ** 2).sum(axis=2)
        lead = distance[:, 0] - distance[:, 1]
    order = np.argsort(lead, kind="stable")
    size = int(np.clip((lead < 0).sum(), group_size, len(points) - group_size))
    first = np.zeros(len(points), dtype=np.bool_)
    first[order[:size]] = True
    return first


def _first_axis(centred: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.eigh(centred.T @ centred)[1][:, -1], dtype=np.float64)
