"""The largest chance of a right match: what the worst-placed person bears."""

import numpy as np
from numpy.typing import NDArray

from sdckit.measure import Score
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


def largest_chance(
    keys: ReleasedKeys, chance: NDArray[np.float64], threshold: float, *, baseline: float, **details: float
) -> Score:
    """The largest of the released records' chances; their mean and the share above a threshold stand in the details."""
    return Score(
        float(chance.max()),
        by_record=keys.release.by_original_record(chance),
        baseline=baseline,
        details={
            "attributes": keys.names,
            "mean": float(chance.mean()),
            "share_above_threshold": float((chance > threshold).mean()),
            **details,
        },
    )
