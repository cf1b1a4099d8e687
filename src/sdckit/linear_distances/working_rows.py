"""The rows p·row > 0 that the search works with: those of the rivals met so far, instead of all pairs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.branch_and_bound import least_rows
from sdckit.linear_distances.linkage import Linkage

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

PAIRS_AT_ONCE = 1 << 18  # pairs compared at a time: bounds memory


class WorkingRows:
    """Rows grouped by the record they belong to; a record is linked when all its rows are positive."""

    def __init__(self, linkage: Linkage) -> None:
        self.linkage = linkage
        size = linkage.model.size(linkage.attributes)
        self.values = np.empty((0, size))
        self.lengths = np.empty(0)
        self.owners = np.empty(0, np.int64)
        self._keys = np.empty(0, np.int64)
        self.impossible: Flags = linkage.truth < 0

    @property
    def starts(self) -> Indices:
        """Record i owns the rows starts[i] to starts[i+1]."""
        return np.searchsorted(self.owners, np.arange(self.linkage.records + 1))

    def add(self, rivals: Indices) -> int:
        """Add the rows against these rivals (one line per record, −1 for none); returns the number of new ones."""
        owners, column = np.nonzero((rivals >= 0) & ~self.impossible[:, None])
        targets = rivals[owners, column]
        keys = np.unique(owners * self.linkage.targets + targets)
        keys = np.setdiff1d(keys, self._keys, assume_unique=True)
        if len(keys) == 0:
            return 0
        owners, targets = np.divmod(keys, self.linkage.targets)
        rows, lengths = self.linkage.rows(owners, targets)
        blank = ~rows.any(axis=1)
        if self.linkage.strict:
            self.impossible[owners[blank]] = True
        if self.linkage.model.monotone:
            never = ~blank & ((rows <= 0).all(axis=1) | self._dominated(owners, targets))
            self.impossible[owners[never]] = True
        self._keys = np.concatenate([self._keys, keys])
        self.values = np.concatenate([self.values, rows[~blank]])
        self.lengths = np.concatenate([self.lengths, lengths[~blank]])
        self.owners = np.concatenate([self.owners, owners[~blank]])
        kept = np.flatnonzero(~self.impossible[self.owners])
        kept = kept[np.argsort(self.owners[kept], kind="stable")]
        self.values, self.lengths, self.owners = self.values[kept], self.lengths[kept], self.owners[kept]
        return len(keys)

    def _dominated(self, owners: Indices, targets: Indices) -> Flags:
        """Whether the rival is at least as near in every attribute, hence under every monotone distance."""
        own = np.abs(self.linkage.differences(owners, self.linkage.truth[owners]))
        against = np.abs(self.linkage.differences(owners, targets))
        return np.asarray((against <= own).all(axis=1))

    def linked(self, parameters: Array, margin: float = 0.0) -> Flags:
        """Which records have all their rows above the margin."""
        linked = ~self.impossible
        linked[self.owners[self.values @ parameters <= margin]] = False
        return linked


def least_rows_of_all_pairs(
    linkage: Linkage, impossible: Flags, over: Callable[[], bool]
) -> tuple[Array, Indices, Flags]:
    """The rows against every candidate that, for positive parameters, imply all others; their records; and the records
    that no positive parameters link. If stopped early, the rows of the first records only."""
    impossible = impossible.copy()
    parts, part_owners = [np.empty((0, linkage.model.size(linkage.attributes)))], [np.empty(0, np.int64)]
    block = max(1, PAIRS_AT_ONCE // max(1, linkage.targets))
    for first in range(0, linkage.records, block):
        if over():
            break
        records = np.arange(first, min(first + block, linkage.records))
        if len(linkage.offsets):
            rivals = linkage.members[linkage.offsets[records[0]] : linkage.offsets[records[-1] + 1]]
            owners = np.repeat(records, np.diff(linkage.offsets)[records])
        else:
            rivals = np.tile(np.arange(linkage.targets), len(records))
            owners = np.repeat(records, linkage.targets)
        relevant = (rivals != linkage.truth[owners]) & ~impossible[owners]
        owners, rivals = owners[relevant], rivals[relevant]
        rows, lengths = linkage.rows(owners, rivals)
        blank = ~rows.any(axis=1)
        impossible[owners[(rows <= 0).all(axis=1) & (linkage.strict | ~blank)]] = True
        rows, owners = (rows * lengths[:, None])[~impossible[owners]], owners[~impossible[owners]]
        kept = least_rows(rows, np.searchsorted(owners, np.append(records, records[-1] + 1)))
        parts.append(rows[kept])
        part_owners.append(owners[kept])
    return np.concatenate(parts), np.concatenate(part_owners), impossible
