"""Projection by an aggregation operator, after Nin and Torra's modelling projections."""

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError
from sdckit.fuzzy.operators import Operator, OrderedWeightedAverage
from sdckit.masking import masking
from sdckit.methods.microaggregation.projection import ProjectedMicroaggregation
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("aggregation-projection", kind=Kind.ORDERED, reference="nin2008")
class AggregationProjection(ProjectedMicroaggregation):
    """Order the records by an aggregation of their scaled attributes, and group them optimally in that order.

    Each attribute is scaled to 0..1 by its least and greatest value. The operator says what makes two records alike: a
    weighted mean weighs attributes, an ordered weighted average weighs high or low values, a Choquet or Sugeno integral
    weighs sets of them.

    Formula: p(x) = A(s₁(x₁), …, s_v(x_v)),  sⱼ(x) = (x − minⱼ) / (maxⱼ − minⱼ)

    Use it when it is known which attributes, or which of a record's values, matter most to the users of the file.
    """

    operator: Operator = param(
        OrderedWeightedAverage(0.5),
        "an operator of sdckit.fuzzy, such as owa(0.5), weighted-mean(0.7+0.3), choquet(2), sugeno(1)",
    )

    def project(self, values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
        try:
            return self.operator(scaled_to_unit(values, reference))
        except ValueError as problem:
            raise SchemaError(f"{self.name}: {problem}") from None


def scaled_to_unit(values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values between the least and the greatest of a reference file's, as a share of the way; clipped to 0..1."""
    low, high = reference.min(axis=0), reference.max(axis=0)
    length = np.where(high > low, high - low, 1.0)
    share: NDArray[np.float64] = np.clip((values - low) / length, 0.0, 1.0)
    return share
