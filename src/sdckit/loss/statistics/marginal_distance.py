"""Marginal distance: how far the distribution of each attribute moved."""

import numpy as np

from sdckit.intruder import Intruder
from sdckit.kernels.table_distances import expected_total_variation, kolmogorov_distance, total_variation
from sdckit.loss.statistics.both_files import category_codes, is_number, released_in_another_form
from sdckit.measure import Measure, Score, loss
from sdckit.microdata import Kind
from sdckit.release import Release


@loss("marginal-distance", reference="snoke2018")
class MarginalDistance(Measure):
    r"""Mean distance of the distributions of single attributes in the two files, between 0 and 1.

    For categories it is the total variation: the share of records that would have to change their value. For numbers it
    is the greatest difference of the distribution functions (Kolmogorov and Smirnov). A missing value counts as a value
    of its own, and an attribute whose numbers are released as bands counts as completely changed. No correspondence of
    rows is needed, and the files may differ in length. The details give what two samples of these lengths from one
    population differ by on average, for the categorical attributes.

    Formula: $\frac{1}{p} \sum_j d_j$,  $d_j = \frac{1}{2} \sum_c |p_c - p'_c|$ or $\max_t |F(t) - F'(t)|$

    Use it when users tabulate single attributes, of masked or of synthetic data.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        distances, expected = dict.fromkeys(released_in_another_form(release), 1.0), []
        names = () if distances and not release.shared_attributes() else release.evaluated_attributes(Kind.ANY)
        for name in names:
            if is_number(release, name):
                distances[name] = kolmogorov_distance(release.original.columns[name], release.masked.columns[name])
                continue
            one, other = category_codes(release.original, name), category_codes(release.masked, name)
            cells = int(max(one.max(), other.max())) + 1
            counts = [np.bincount(column, minlength=cells).astype(np.float64) for column in (one, other)]
            distances[name] = total_variation(counts[0], counts[1])
            expected.append(expected_total_variation(counts[0], counts[1]))
        details = {"expected_by_sampling": float(np.mean(expected))} if expected else {}
        return Score(float(np.mean([*distances.values()])), by_attribute=distances, baseline=0.0, details=details)
