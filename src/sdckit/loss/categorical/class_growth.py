"""What the losses by class size share: how many records agree with each on the keys, before and after."""

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.microdata import Role
from sdckit.release import Release


def key_frequencies(release: Release) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The number of records that agree on all keys with each, in the original and in the masked file."""
    names = tuple(name for name in release.original.names(role=Role.KEY) if name in release.masked)
    if not names:
        raise NotApplicableError("the release has no key, so no records agree or differ on keys")
    return wildcard_frequencies(release.original.codes(names)), wildcard_frequencies(release.masked.codes(names))


def growth(before: float, after: float) -> float:
    """How far a share grew towards 1, as a share of the largest possible growth; 0 where it fell."""
    return float(np.clip((after - before) / (1 - before), 0.0, 1.0)) if before < 1 else 0.0
