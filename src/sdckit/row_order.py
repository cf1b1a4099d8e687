"""Row order: a release with its rows in another order, and the same correspondence."""

from dataclasses import replace

import numpy as np

from sdckit.release import Release
from sdckit.rows import Matched, Sampled, correspondence


def shuffled(release: Release, rng: np.random.Generator | None = None) -> Release:
    """The release with its rows in a random order, drawn from the operating system unless a generator is given."""
    order = (rng or np.random.default_rng()).permutation(len(release.masked))
    masked = replace(release.masked.take(order), lineage=None)
    rows = release.rows
    if isinstance(rows, Matched | Sampled):
        rows = correspondence(rows.origin[order], len(release.original))
    return replace(release, masked=masked, rows=rows)
