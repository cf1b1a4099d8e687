"""The candidate graph: for each record the rows that may be its own, with their log-likelihoods, as a sparse matrix.

Records and rows are people and their places in the release. Where not everybody behind the release is known, or not
everybody known is in it, the graph also holds *strangers* (people the intruder does not know, who may own any row) and
*absences* (ways for a person not to be in the release), so that people and rows always match one to one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CandidateGraph:
    """Candidate rows of each record in compressed sparse rows.

    `starts`       record i has the edges starts[i] to starts[i + 1]
    `rows`         the row of each edge
    `weights`      the likelihood of each edge, scaled so that the largest of a record is 1
    `row_count`    how many rows were released
    `background`   for each record, the weight of every row besides, times `density`; 0 where a zero is promised
    `density`      how likely each row is for somebody the intruder does not know, with mean 1
    `strangers`    how many people the intruder does not know who may be in the release
    `absence`      the weight of having no row
    """

    starts: Indices
    rows: Indices
    weights: Floats
    row_count: int
    background: Floats
    density: Floats
    strangers: int = 0
    absence: float = 1.0

    @property
    def records(self) -> int:
        """How many records the intruder knows."""
        return len(self.starts) - 1

    @property
    def absences(self) -> int:
        """How many people, known or not, have no row."""
        return self.records + self.strangers - self.row_count

    @classmethod
    def of(
        cls,
        starts: Indices,
        rows: Indices,
        log_likelihood: Floats,
        row_count: int,
        *,
        background: float = 0.0,
        density: Floats | None = None,
        strangers: int = 0,
    ) -> "CandidateGraph":
        """The graph from log-likelihoods; `background` is the weight of an unlisted row beside the likeliest of 1.

        The likelihood of a record is scaled by a constant of its own, which matters only where people may be absent:
        then an absence counts as one row of likelihood 1, so pass likelihoods relative to `density`.
        """
        starts, rows = starts.astype(np.int64), rows.astype(np.int64)
        records = len(starts) - 1
        if records + strangers < row_count:
            raise ValueError("fewer people than rows: somebody owns two rows")
        exact = records + strangers == row_count
        sizes = np.diff(starts)
        top = np.zeros(records)
        filled = sizes > 0
        if filled.any():
            top[filled] = np.maximum.reduceat(log_likelihood, starts[:-1][filled])
        if not exact:
            top[:] = 0.0  # an absence has a weight of its own beside the rows
        weights = np.exp(log_likelihood - np.repeat(top, sizes))
        base = np.ones(row_count) if density is None else density / density.mean()
        return cls(starts, rows, weights, row_count, np.full(records, background), base, strangers)
