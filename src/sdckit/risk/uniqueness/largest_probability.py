"""The largest probability of a correct match: that of the record most at risk."""

import numpy as np
from numpy.typing import NDArray

from sdckit.measure import Score
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


def largest_probability(
    keys: ReleasedKeys, probability: NDArray[np.float64], threshold: float, *, baseline: float, **details: float
) -> Score:
    """The largest probability of the released records; mean and share above a threshold are in the details."""
    return Score(
        float(probability.max()),
        by_record=keys.release.by_original_record(probability),
        baseline=baseline,
        details={
            "attributes": keys.names,
            "mean": float(probability.mean()),
            "share_above_threshold": float((probability > threshold).mean()),
            **details,
        },
    )
