"""The candidate graph: for each record the rows that may be its own, with their likelihoods, as a sparse matrix.

Released rows that are equal in all that the intruder knows form one class with a capacity, so that a file of large
groups needs few edges. Where not everybody behind the release is known, or not everybody known is in it, the graph also
has *strangers* (people the intruder does not know, who may own any row) and *absences* (having no row), so that people
always fill rows and absences exactly.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CandidateGraph:
    """Candidate classes of rows of each record in compressed sparse rows.

    `starts`       record i has the edges starts[i] to starts[i + 1]
    `classes`      the class of rows of each edge
    `weights`      the likelihood of each edge: of one row of the class, up to a factor for each record or class
    `capacity`     how many rows each class has
    `background`   for each record, the likelihood of every class besides, times `spread`; 0 where a zero is promised
    `spread`       how the classes that a record does not list share its background
    `density`      how likely a row of each class is for somebody the intruder does not know
    `strangers`    how many people the intruder does not know who may be in the release
    `absence`      the likelihood of having no row
    """

    starts: Indices
    classes: Indices
    weights: Floats
    capacity: Indices
    background: Floats
    spread: Floats
    density: Floats
    strangers: int = 0
    absence: float = 1.0

    @property
    def records(self) -> int:
        """How many records the intruder knows."""
        return len(self.starts) - 1

    @property
    def row_count(self) -> int:
        """How many rows were released."""
        return int(self.capacity.sum())

    @property
    def absences(self) -> int:
        """How many people, known or not, have no row."""
        return self.records + self.strangers - self.row_count

    @classmethod
    def of(
        cls,
        starts: Indices,
        classes: Indices,
        log_likelihood: Floats,
        capacity: Indices,
        *,
        background: float = 0.0,
        density: Floats | None = None,
        strangers: int = 0,
    ) -> "CandidateGraph":
        """The graph from log-likelihoods; `background` is the weight of an unlisted row, relative to the likeliest.

        A factor for each record changes nothing where everybody has a row. Where people may be absent, likelihoods are
        those relative to `density`, and `background` is relative to it too.
        """
        starts, classes = np.asarray(starts, dtype=np.int64), np.asarray(classes, dtype=np.int64)
        capacity = np.asarray(capacity, dtype=np.int64)
        records = len(starts) - 1
        if records + strangers < capacity.sum():
            raise ValueError("fewer people than rows: somebody owns two rows")
        sizes = np.diff(starts)
        top = np.zeros(records)
        filled = sizes > 0
        if filled.any() and records + strangers == capacity.sum():
            top[filled] = np.maximum.reduceat(log_likelihood, starts[:-1][filled])
        weights = log_likelihood - np.repeat(top, sizes)
        np.exp(weights, out=weights)
        base = np.ones(len(capacity)) if density is None else density / density.mean()
        return cls(starts, classes, weights, capacity, np.full(records, background), base, base, strangers)

    def with_unlisted(self, left_out: Floats) -> "CandidateGraph":
        """The graph in which the classes that a record does not list share what its list leaves out of its likelihood.

        Without that, a list that is too short for a vague law would make the listed rows look likelier than they are.
        """
        listed = np.diff(self.starts)
        record_of = np.repeat(np.arange(self.records), listed)
        total = np.bincount(record_of, weights=self.weights, minlength=self.records)
        unlisted = len(self.capacity) - listed
        mean = total * left_out / np.maximum(1.0 - left_out, 1e-3) / np.maximum(unlisted, 1)
        return replace(self, background=np.maximum(self.background, np.where(unlisted > 0, mean, 0.0)))
