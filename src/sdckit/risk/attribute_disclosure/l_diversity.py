"""l-Diversity: do records that agree on the keys differ in what is confidential?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import Intruder
from sdckit.kernels.diversity import distinct_values, effective_values, of_matching_records, recursive_ratio
from sdckit.measure import Measure, Score, risk
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.attribute_disclosure.confidential_values import confidential_values, share_breached
from sdckit.risk.uniqueness.released_keys import ReleasedKeys

ROUNDING = 1e-9  # entropies of equal shares differ by the rounding of sums


@dataclass(frozen=True, kw_only=True)
class Diversity(Measure):
    """What the kinds of l-diversity share."""

    diversity: int = param(2, "how many values must be there at least (l)", low=1, grid=(2, 3, 5))
    bands: int = param(10, "numbers count as this many bands of equal frequency", low=2)

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """The diversity of each row of counts of values."""
        raise TypeError(f"{type(self).__name__} must define of_counts")

    def breached(self, figures: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Where the diversity falls short."""
        short: NDArray[np.bool_] = figures < self.diversity - ROUNDING
        return short

    def worst(self, figures: NDArray[np.float64]) -> np.float64:
        """The figure of the least diverse group."""
        return np.min(figures)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        keys = ReleasedKeys.seen_by(intruder, release)
        breaches, worst = {}, {}
        for values in confidential_values(release, self.bands):
            figures = of_matching_records(keys.codes, values.codes, values.categories, self._where_there_are_any)
            told = figures[~np.isnan(figures)]
            breaches[values.attribute.name] = self.breached(figures)
            worst[values.attribute.name] = float(self.worst(told)) if len(told) else None
        return share_breached(release, breaches, {"attributes": keys.names, "worst_group": worst})

    def _where_there_are_any(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """The diversity, NaN for a group with no value at all: it tells nothing."""
        return np.where(counts.any(axis=1), self.of_counts(counts), np.nan)


@risk("distinct-l-diversity", reference="machanavajjhala2007")
class DistinctLDiversity(Diversity):
    """Share of released records whose group, those who agree on the keys, has fewer than l different values.

    A group with one value tells it to everybody who finds the group, however large it is. With several confidential
    attributes a record counts if one of them is too uniform. A missing key agrees with every value; missing
    confidential values are not counted. Numbers are put into bands, so that near values do not pass for different ones.

    Formula: |{i : the group of i has fewer than l different values}| / n

    Intruder: knows the keys of somebody in the release and reads the confidential values of all who fit.

    Use it when the confidential attribute has several values none of which is common.
    """

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return distinct_values(counts)


@risk("entropy-l-diversity", reference="machanavajjhala2007")
class EntropyLDiversity(Diversity):
    """Share of released records whose group has values of less entropy than l equally frequent ones.

    Unlike the count of different values it sees that nine of ten have the same one. It asks much where one value is
    common in the whole file. Missing and several attributes are handled as in distinct-l-diversity.

    Formula: |{i : −Σᵥ p(v) · log p(v) < log l}| / n,  p(v) = the share of value v in the group of i

    Intruder: knows the keys of somebody in the release and bets on the commonest value among all who fit.

    Use it when values have about the same frequency in the file.
    """

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return effective_values(counts)


@risk("recursive-l-diversity", reference="machanavajjhala2007")
class RecursiveLDiversity(Diversity):
    """Share of released records whose group has a commonest value that is too common beside the rarer ones.

    With the counts of values in falling order, the first must be less than c times the sum from the l-th on: excluding
    some values still leaves doubt. Missing and several attributes are handled as in distinct-l-diversity.

    Formula: |{i : r₁ ≥ c · (r_l + … + r_m)}| / n,  r₁ ≥ r₂ ≥ … ≥ r_m the counts of values in the group of i

    Intruder: knows the keys of somebody in the release, can exclude some values, and bets on the commonest left.

    Use it when one value is common and harmless, such as 'none', and entropy asks too much.
    """

    ratio: float = param(
        3.0, "how many times the rarer values the commonest may count (c)", low=0, grid=(1.0, 2.0, 3.0)
    )

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return recursive_ratio(counts, self.diversity)

    def breached(self, figures: NDArray[np.float64]) -> NDArray[np.bool_]:
        too_common: NDArray[np.bool_] = figures >= self.ratio
        return too_common

    def worst(self, figures: NDArray[np.float64]) -> np.float64:
        """The largest ratio."""
        return np.max(figures)
