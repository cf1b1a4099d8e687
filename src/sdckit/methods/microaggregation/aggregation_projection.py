"""Projection by an aggregation operator, after Nin and Torra's modelling projections."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates, Groups
from sdckit.draws import Draws
from sdckit.errors import SchemaError, UnknownNameError
from sdckit.fuzzy.operators import Operator, OrderedWeightedAverage, OverMeasure
from sdckit.fuzzy.scaling import Scaling
from sdckit.masking import masking
from sdckit.methods.microaggregation.projection import ProjectedMicroaggregation
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@masking("aggregation-projection", kind=Kind.ORDERED, reference="nin2008")
class AggregationProjection(ProjectedMicroaggregation):
    r"""Order the records by an aggregation of their scaled attributes, and group them optimally in that order.

    Each attribute is scaled to 0..1, by default by its least and greatest value. The operator says what makes records
    alike: a weighted mean weighs attributes, an ordered weighted average weighs high or low values, a Choquet or Sugeno
    integral weighs sets of them; the last three by any quantifier, such as owa(linear+0.3+0.8) for 'most of them', the
    integrals also by a measure of the attributes by name, so that attributes can reinforce or replace each other.

    Formula: $p(x) = A(s_1(x_1), \ldots, s_v(x_v))$,  $s_j(x) = \frac{x - \min_j}{\max_j - \min_j}$

    Use it when it is known which attributes, or which of a record's values, matter most to the users of the file.
    """

    operator: Operator = param(
        OrderedWeightedAverage(0.5),
        "an operator of sdckit.fuzzy, such as owa(0.5), weighted-mean(0.7+0.3), choquet(2), sugeno(linear+0.3+0.8); "
        "choquet and sugeno also by attribute, choquet(lambda+income=0.5+age=0.4), choquet(sets+income=0.5+age=0.3)",
    )
    scaling: Scaling = param(Scaling.MIN_MAX, "how attributes are brought to 0..1: min-max, ranks or normal")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        if not isinstance(self.operator, OverMeasure):
            return super().protect(data, attributes, draws=draws)
        names = self.applicable(data, attributes)
        for name in self.operator.measure.attributes:
            if name not in names and not name.isdecimal():
                raise UnknownNameError("masked attribute", name, names)
        masked = data
        for block in self.blocks(len(names)):
            own = replace(self, operator=self.operator.bound(names[block]), block_size=0)
            part = super(AggregationProjection, own).protect(data, names[block], draws=draws.child(block.start))
            masked = masked.with_columns({name: part.columns[name] for name in names[block]})
        return masked

    def groups_of(self, known: Candidates, block: Microdata) -> tuple[Groups, bool] | None:
        own = replace(self, operator=self.operator.bound([each.name for each in block.attributes]))
        return super(AggregationProjection, own).groups_of(known, block)

    def project(self, values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
        try:
            return self.operator(self.scaling(values, reference))
        except ValueError as problem:
            raise SchemaError(f"{self.name}: {problem}") from None
