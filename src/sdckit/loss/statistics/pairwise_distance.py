"""Pairwise distance: how far the joint distribution of two attributes moved."""

from itertools import combinations

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.table_distances import expected_total_variation, joint_counts, total_variation
from sdckit.loss.statistics.both_files import codes_in_both
from sdckit.measure import Measure, Score, loss
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.release import Release

MOST_PAIRS = 1000  # above it, pairs are taken at equal distances from the list of all


@loss("pairwise-distance", reference="snoke2018")
class PairwiseDistance(Measure):
    r"""Mean distance of the joint distributions of two attributes in the two files, between 0 and 1.

    It is the total variation of their table: the share of records that would have to move to another cell. Numbers are
    put into bins with equally many values of the original; a missing value is a cell of its own. No correspondence of
    rows is needed, and the files may differ in length. Tables with many cells differ between samples, too: the details
    give what two samples of these lengths from one population differ by on average.

    Formula: mean over $j < l$ of $\frac{1}{2} \sum_{\text{cells}} |p - p'|$

    Use it when users tabulate or relate two attributes at a time, of masked or of synthetic data.
    """

    bins: int = param(10, "bins of a number", low=2, grid=(5, 20))

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = release.evaluated_attributes(Kind.ANY)
        pairs = list(combinations(range(len(names)), 2))
        if not pairs:
            raise NotApplicableError("the two files share one attribute only; a pair needs two")
        if len(pairs) > MOST_PAIRS:
            pairs = [pairs[int(at)] for at in np.linspace(0, len(pairs) - 1, MOST_PAIRS)]
        codes = codes_in_both(release, names, self.bins)
        found: list[float] = []
        expected: list[float] = []
        of: dict[str, list[float]] = {name: [] for name in names}
        for j, k in pairs:
            one, other = joint_counts((codes[j][0], codes[k][0]), (codes[j][1], codes[k][1]))
            found.append(total_variation(one, other))
            expected.append(expected_total_variation(one, other))
            of[names[j]].append(found[-1])
            of[names[k]].append(found[-1])
        return Score(
            float(np.mean(found)),
            by_attribute={name: float(np.mean(each)) for name, each in of.items() if each},
            baseline=0.0,
            details={
                "largest": float(np.max(found)),
                "expected_by_sampling": float(np.mean(expected)),
                "pairs": len(pairs),
            },
        )
