"""Combining rules: one estimate and its error from several synthetic files.

With q̄ the mean of the m estimates, b their variance and ū the mean of their estimated variances:

`PARTIAL`  some attributes of the sample's own records were replaced (Reiter 2003): T = ū + b / m
`FULL`     records were drawn for people who were not in the sample, as by multiple imputation of the population
           (Raghunathan, Reiter and Rubin 2003): T = (1 + 1 / m) b − ū
`SIMPLE`   whole files were drawn from a model that was fitted once, as by the full syntheses here (Raab, Nowok and
           Dibben 2016): T = (k + 1 / m) ū, with k synthetic records for each original one
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf

import numpy as np

from sdckit.errors import ParameterError


class CombiningRule(Enum):
    """How the synthetic files were made."""

    PARTIAL = "partial"
    FULL = "full"
    SIMPLE = "simple"


@dataclass(frozen=True)
class CombinedEstimate:
    """An estimate from several files, its variance, the degrees of freedom of its t interval and possible values."""

    value: float
    variance: float
    degrees_of_freedom: float
    possible: tuple[float, float] = (-inf, inf)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The confidence interval at a level, as far as its values are possible."""
        from scipy.stats import t

        reach = float(t.ppf((1 + level) / 2, self.degrees_of_freedom)) * float(np.sqrt(self.variance))
        return max(self.value - reach, self.possible[0]), min(self.value + reach, self.possible[1])


def combine(
    estimates: Sequence[float],
    variances: Sequence[float],
    rule: CombiningRule | str = CombiningRule.PARTIAL,
    *,
    size: float = 1.0,
) -> CombinedEstimate:
    """Combine what the files give: an estimate of each, and its variance as if the file was the original.

    `size` is the number of synthetic records for each original one, for the rule `simple`. Where the rule `full` gives
    no positive variance, which happens with few files, ū is taken instead.

    Example
    -------
    >>> combine([10.0, 12.0, 11.0], [1.0, 1.0, 1.0]).variance
    1.3333333333333333
    """
    if len(estimates) != len(variances) or not len(estimates):
        raise ParameterError(
            f"{len(estimates)} estimates and {len(variances)} variances; give one of each for each file"
        )
    try:
        rule = CombiningRule(rule)
    except ValueError:
        raise ParameterError(f"there is no combining rule {rule!r}; use partial, full or simple") from None
    m = len(estimates)
    mean, within = float(np.mean(estimates)), float(np.mean(variances))
    if rule is CombiningRule.SIMPLE:
        return CombinedEstimate(mean, (size + 1 / m) * within, float("inf"))
    if m < 2:
        raise ParameterError(f"the rule {rule.value!r} needs at least 2 files; with one file use the rule 'simple'")
    between = float(np.var(estimates, ddof=1))
    if rule is CombiningRule.PARTIAL:
        total = within + between / m
        freedom = (m - 1) * (1 + within / (between / m)) ** 2 if between else float("inf")
        return CombinedEstimate(mean, total, freedom)
    total = (1 + 1 / m) * between - within
    if total <= 0:
        return CombinedEstimate(mean, within, float("inf"))
    return CombinedEstimate(mean, total, (m - 1) * (1 - within / ((1 + 1 / m) * between)) ** 2)
