"""Changes: how many values of each attribute a release changed, suppressed or left as they were."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.release import Release


@dataclass(frozen=True)
class AttributeChanges:
    """What became of the values of one attribute, over the records that have a row in the release."""

    name: str
    role: str
    values: int
    changed: int
    suppressed: int
    dropped: bool = False

    @property
    def share(self) -> float:
        """The share of the values that differ, suppressed ones too."""
        return (self.changed + self.suppressed) / max(self.values, 1)


def changes_by_attribute(release: Release) -> list[AttributeChanges]:
    """The changes of every attribute of the original; none where no row belongs to a record."""
    if not release.corresponds:
        return []
    records = np.arange(len(release.original))
    rows = release.true_rows(records)
    kept = rows >= 0
    return [_changes(release, each.name, records[kept], rows[kept]) for each in release.original.attributes]


def differs(release: Release, name: str, records: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of some records have another value in their row."""
    before, after = release.original, release.masked
    if before.attribute(name).coded == after.attribute(name).coded:
        ours, theirs = before.columns[name][records], after.columns[name][rows]
        if before.attribute(name).coded:
            return np.asarray(ours != theirs)
        return np.asarray((ours != theirs) & ~(np.isnan(ours) & np.isnan(theirs)))
    ours, theirs = before.values(name)[records], after.values(name)[rows]
    return np.array([str(own) != str(other) for own, other in zip(ours, theirs, strict=True)], dtype=bool)


def _changes(release: Release, name: str, records: NDArray[np.int64], rows: NDArray[np.int64]) -> AttributeChanges:
    role = release.original.attribute(name).role
    if name not in release.masked:
        return AttributeChanges(name, role.value, len(records), 0, 0, dropped=True)
    other = differs(release, name, records, rows)
    lost = release.masked.absent(name)[rows] & ~release.original.absent(name)[records]
    return AttributeChanges(name, role.value, len(records), int((other & ~lost).sum()), int(lost.sum()))
