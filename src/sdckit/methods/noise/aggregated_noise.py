"""Aggregated noise: more noise for records whose values, taken together, are outlying."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.fuzzy.operators import Operator, OrderedWeightedAverage
from sdckit.fuzzy.scaling import Scaling
from sdckit.kernels.standardisation import mean_and_deviation
from sdckit.likelihood import Law
from sdckit.masking import Masking, masking
from sdckit.microdata import Kind, Microdata
from sdckit.normal_law import every_number
from sdckit.parameters import param

LEAST_DEVIATION = 1e-6  # of the attribute's own: an undisturbed attribute decides, but its rounding errors do not


@masking("aggregated-noise", kind=Kind.ORDERED, reference="nin2008")
class AggregatedNoise(Masking):
    r"""Add normal noise whose standard deviation grows with an aggregation of how outlying the record's values are.

    Outlying records are re-identified most easily and get the full share of noise; records in the middle get the
    `least` part of it. Each attribute is scaled to 0..1 and counted by its distance from the middle; the operator says
    how many attributes have to be far out, such as owa(0.2) for one of them and owa(2) for most. Means are kept in
    expectation. A missing value stays missing and counts as the middle.

    Formula: $x'_j = x_j + a(x) \cdot \varepsilon_j$,  $\varepsilon_j \sim N(0, k \cdot \mathrm{Var}(x_j))$,  $a = l +
    (1 - l) \cdot A(o_1, \ldots, o_d)$,  $o_j = |2 s_j(x_j) - 1|$

    Use it when most records are ordinary and should be changed little, and a few are outlying.

    Excludes nothing: a normal disturbance can take any size.
    """

    keeps_missing = True
    draws_values = True

    variance_share: float = param(
        0.1,
        "variance of the noise of the most outlying records, as a share of the attribute's variance (the papers' k)",
        low=0,
        grid=(0.01, 0.05, 0.1, 0.25),
    )
    least: float = param(
        0.2, "standard deviation of the noise of a record in the middle, as a share of the largest", low=0, high=1
    )
    operator: Operator = param(
        OrderedWeightedAverage(0.5),
        "an operator of sdckit.fuzzy, such as owa(0.5), weighted-mean(0.7+0.3), choquet(2), sugeno(linear+0.3+0.8)",
    )
    scaling: Scaling = param(Scaling.RANKS, "how attributes are brought to 0..1: min-max, ranks or normal")

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        deviation = np.sqrt(self.variance_share) * mean_and_deviation(values)[1]
        noise: NDArray[np.float64] = self.level(values, values)[:, None] * deviation * draws.normal(values.shape[1])
        return values + noise

    def level(self, values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
        """The part of the noise that each record gets, from `least` to 1, by the values of a reference file."""
        middle = np.nanmedian(reference, axis=0)
        filled, among = (np.where(np.isnan(each), middle, each) for each in (values, reference))
        try:
            outlying = self.operator(np.abs(2 * self.scaling(filled, among) - 1))
        except ValueError as problem:
            raise SchemaError(f"{self.name}: {problem}") from None
        return self.least + (1 - self.least) * outlying

    def law(self, released: Microdata, original: Microdata | None = None) -> Law:
        reference = every_number(released if original is None else original)
        own = mean_and_deviation(reference)[1]
        if original is None:  # the noise is part of the released variance
            own = own / np.sqrt(1 + self.variance_share * float((self.level(reference, reference) ** 2).mean()))
        deviation = np.maximum(np.sqrt(self.variance_share) * own, LEAST_DEVIATION * np.maximum(own, 1e-300))
        return LevelLaw(self, reference, deviation)


@dataclass(frozen=True, eq=False)
class LevelLaw:
    """Normal noise about a record, with a standard deviation that depends on the record; what is missing is ignored."""

    masking: AggregatedNoise
    reference: NDArray[np.float64]
    deviation: NDArray[np.float64]

    def deviations(self, known: NDArray[np.float64]) -> NDArray[np.float64]:
        """The standard deviation of the noise of each record and attribute."""
        level = np.maximum(self.masking.level(known, self.reference), LEAST_DEVIATION)
        result: NDArray[np.float64] = level[:, None] * self.deviation
        return result

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros((len(known), len(released)))
        for before, after, scale in zip(known.T, released.T, self.deviations(known).T, strict=True):
            seen = ~np.isnan(before)
            moved = (after[None, :] - before[seen, None]) / scale[seen, None]
            part = -0.5 * moved**2 - np.log(scale[seen])[:, None]
            total[seen] += np.where(np.isnan(part), -np.inf, part)  # a missing value stays missing
        return total
