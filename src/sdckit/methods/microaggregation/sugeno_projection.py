"""Projection by the Sugeno integral."""

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.operators import SugenoIntegral
from sdckit.fuzzy.scaling import Scaling
from sdckit.masking import masking
from sdckit.methods.microaggregation.projection import ProjectedMicroaggregation
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("sugeno-projection", kind=Kind.ORDERED, reference="nin2008")
class SugenoProjection(ProjectedMicroaggregation):
    r"""Order the records by the Sugeno integral of their scaled attributes, and group them optimally in that order.

    The integral takes few distinct values, so that many records tie; by default these are ordered by their values,
    first attribute first. More is lost than with a linear axis, and an intruder re-identifies more records. For another
    quantifier than a power take aggregation-projection with sugeno(…).

    Formula: $p(x) = \max_i \min(Q(\frac{i}{v}), s_{(i)})$,  $s_{(1)} \ge \ldots \ge s_{(v)}$,  $Q(x) =
    x^{\text{exponent}}$

    Use it when a record's level is what enough of its attributes reach, rather than their average.
    """

    exponent: float = param(
        1.0, "the quantifier's exponent: below 1 few attributes are enough", low=1e-6, grid=(0.5, 1, 2)
    )

    scaling: Scaling = param(Scaling.MIN_MAX, "how attributes are brought to 0..1: min-max, ranks or normal")

    def project(self, values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
        return SugenoIntegral(self.exponent)(self.scaling(values, reference))
