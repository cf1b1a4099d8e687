"""Why a record is found or not: its nearest released rows, and what each attribute adds to the distances.

For the steward's eyes: it speaks of one person of the original file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError, ParameterError
from sdckit.intruder import Intruder
from sdckit.kernels.mixed_distances import distances_by_attribute
from sdckit.kernels.nearest import TOLERANCE
from sdckit.release import Release
from sdckit.risk.linkage.mixed_space import mixed_space


@dataclass(frozen=True)
class Neighbour:
    """A released row: how far it is, what each attribute adds to that (none where it is missing), and whose it is."""

    row: int
    distance: float
    by_attribute: Mapping[str, float]
    own: bool


@dataclass(frozen=True)
class Explanation:
    """The rows nearest to a record; `closer` and `ties` say how many rows are before and level with its own."""

    record: int
    attributes: tuple[str, ...]
    neighbours: tuple[Neighbour, ...]
    closer: int | None
    ties: int | None

    @property
    def chance(self) -> float:
        """The chance that the nearest row, one picked from those that tie, is the record's own."""
        return 1.0 / self.ties if self.closer == 0 and self.ties else 0.0


def explain(
    release: Release, record: int, intruder: Intruder = Intruder(), *, nearest: int = 5, seed: int | None = None
) -> Explanation:
    """The nearest released rows of one original record, by the distance of mixed-linkage, its own row in any case."""
    known = intruder.known_records(release, seed)
    at = np.flatnonzero(known == record)
    if record < 0 or not len(at):
        raise ParameterError(f"the intruder does not know record {record}; take one of the {len(known)} that are known")
    names = intruder.known_attributes(release)
    if not names:
        raise NotApplicableError("the intruder knows no attribute that the release still has")
    alone = replace(intruder, records=(int(intruder.known_rows(release, seed)[at[0]]),))
    space = mixed_space(release, alone, seed=seed)
    parts = distances_by_attribute(space.known, space.released, space.trees)
    shared = (~np.isnan(parts)).sum(axis=1)
    distance = np.where(shared > 0, np.nansum(parts, axis=1) / np.maximum(shared, 1), np.inf)
    own = int(release.true_rows(np.array([record]))[0])
    order = np.argsort(distance, kind="stable")[:nearest].tolist()
    rows = order if own < 0 or own in order else [*order, own]
    closer = distance * (1 + TOLERANCE) < distance[own]
    level = ~closer & (distance <= distance[own] * (1 + TOLERANCE))
    return Explanation(
        record,
        (*space.numbers, *space.categories),
        tuple(
            Neighbour(row, float(distance[row]), added(parts[row], (*space.numbers, *space.categories)), row == own)
            for row in rows
        ),
        int(closer.sum()) if own >= 0 else None,
        int(level.sum()) if own >= 0 else None,
    )


def added(parts: NDArray[np.float64], names: tuple[str, ...]) -> dict[str, float]:
    """What each attribute adds to a mean distance, those missing left out."""
    seen = ~np.isnan(parts)
    return {
        name: float(part / seen.sum()) for name, part, there in zip(names, parts.tolist(), seen, strict=True) if there
    }
