"""What the kinds of l-diversity share: do records that agree on the keys differ in what is confidential?"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.diversity import Column, of_matching_records
from sdckit.measure import Score
from sdckit.parameters import param
from sdckit.risk.attribute_disclosure.confidential_values import confidential_values, share_breached
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.released_keys import ReleasedKeys

ROUNDING = 1e-9  # entropies of equal shares differ by the rounding of sums


@dataclass(frozen=True, kw_only=True)
class LDiversity(KeyMeasure):
    """What the kinds of l-diversity share."""

    reads_confidential: ClassVar[bool] = True

    diversity: int = param(2, "smallest number of values in a group (l)", low=1, grid=(2, 3, 5))
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

    def of_keys(self, keys: ReleasedKeys) -> Score:
        breaches, worst = {}, {}
        confidential = list(confidential_values(keys.release, self.bands))
        columns = [Column(values.codes, values.categories, self._where_there_are_any) for values in confidential]
        for values, figures in zip(confidential, of_matching_records(keys.codes, columns), strict=True):
            present = figures[~np.isnan(figures)]
            breaches[values.attribute.name] = self.breached(figures)
            worst[values.attribute.name] = float(self.worst(present)) if len(present) else None
        return share_breached(keys.release, breaches, {"attributes": keys.names, "worst_group": worst})

    def _where_there_are_any(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """The diversity, NaN for a group with no value at all: it reveals nothing."""
        return np.where(counts.any(axis=1), self.of_counts(counts), np.nan)
