"""Projection by an aggregation operator, after Nin and Torra's modelling projections."""

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError
from sdckit.fuzzy.operators import Operator, OrderedWeightedAverage
from sdckit.fuzzy.scaling import Scaling
from sdckit.masking import masking
from sdckit.methods.microaggregation.projection import ProjectedMicroaggregation
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("aggregation-projection", kind=Kind.ORDERED, reference="nin2008")
class AggregationProjection(ProjectedMicroaggregation):
    """Order the records by an aggregation of their scaled attributes, and group them optimally in that order.

    Each attribute is scaled to 0..1, by default by its least and greatest value. The operator says what makes records
    alike: a weighted mean weighs attributes, an ordered weighted average weighs high or low values, a Choquet or Sugeno
    integral weighs sets of them; the last three by any quantifier, such as owa(linear+0.3+0.8) for 'most of them'.

    Formula: p(x) = A(s₁(x₁), …, s_v(x_v)),  sⱼ(x) = (x − minⱼ) / (maxⱼ − minⱼ)

    Use it when it is known which attributes, or which of a record's values, matter most to the users of the file.
    """

    operator: Operator = param(
        OrderedWeightedAverage(0.5),
        "an operator of sdckit.fuzzy, such as owa(0.5), weighted-mean(0.7+0.3), choquet(2), sugeno(linear+0.3+0.8)",
    )
    scaling: Scaling = param(Scaling.MIN_MAX, "how attributes are brought to 0..1: min-max, ranks or normal")

    def project(self, values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
        try:
            return self.operator(self.scaling(values, reference))
        except ValueError as problem:
            raise SchemaError(f"{self.name}: {problem}") from None
