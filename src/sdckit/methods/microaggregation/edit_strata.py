"""Strata of records that satisfy their edits by the same alternatives, so that a mean of them satisfies these too."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.edit_alternatives import Alternative
from sdckit.edit_conditions import Condition
from sdckit.edits import EditColumns
from sdckit.kernels.equivalence_classes import class_of

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Stratum:
    """Records that are grouped together, the conditions that their means satisfy, and the signs of their values."""

    records: NDArray[np.int64]
    conditions: tuple[Condition, ...]
    signs: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RuleChoice:
    """An edit with its alternatives, and for each record which of them it satisfies and which it could.

    It could satisfy an alternative whose comparisons of attributes that are not masked hold for it.
    """

    alternatives: Sequence[Alternative]
    satisfied: Flags
    possible: Flags

    @classmethod
    def of(
        cls, alternatives: Sequence[Alternative], masked: Sequence[str], columns: EditColumns, records: int
    ) -> "RuleChoice":
        """By what the records have; a value that is missing excludes nothing."""
        satisfied = np.ones((records, len(alternatives)), dtype=bool)
        possible = satisfied.copy()
        for index, alternative in enumerate(alternatives):
            for condition in alternative:
                checked = condition.check(columns, 1e-9, {})
                holds = np.broadcast_to(checked.holds | ~checked.known, records)
                satisfied[:, index] &= holds
                if not any(name in masked for name in condition.names()):
                    possible[:, index] &= holds
        return cls(alternatives, satisfied, possible)

    def chosen(self) -> NDArray[np.int64]:
        """The first alternative that a record satisfies, else the first that it could satisfy, else the last."""
        last = len(self.alternatives) - 1
        first = np.where(self.possible.any(axis=1), self.possible.argmax(axis=1), last)
        return np.where(self.satisfied.any(axis=1), self.satisfied.argmax(axis=1), first).astype(np.int64)


def strata(
    rules: Sequence[RuleChoice],
    always: Iterable[Condition],
    signs: NDArray[np.float64],
    points: NDArray[np.float64],
    group_size: int,
) -> list[Stratum]:
    """The strata, each of at least `group_size` records; `points` say which records are near.

    A stratum that is too small takes the nearest records of others that its conditions allow. Where there are not
    enough, its records join the stratum of the nearest record, whose conditions they need not satisfy.
    """
    choice = np.column_stack([rule.chosen() for rule in rules]) if rules else np.zeros((len(signs), 0), dtype=np.int64)
    classes = class_of(np.column_stack([choice, signs.astype(np.int64)]))
    of = classes.of.copy()
    first = classes.first()
    sizes = np.bincount(of)
    for small in np.flatnonzero(sizes < group_size):
        _complete(int(small), of, sizes, choice[first[small]], rules, signs, points, group_size)
    large = sizes >= group_size
    if not large.any():
        conditions = tuple(always)
        return [Stratum(np.arange(len(of)), conditions, _common(signs))]
    homeless = ~large[of]
    if homeless.any():
        _join_nearest(of, homeless, points)
    always = tuple(always)
    found = []
    for label in np.flatnonzero(large):
        alternatives = [rule.alternatives[index] for rule, index in zip(rules, choice[first[label]], strict=True)]
        conditions = (*always, *(each for alternative in alternatives for each in alternative))
        found.append(Stratum(np.flatnonzero(of == label), conditions, signs[first[label]]))
    return found


def _complete(
    small: int,
    of: NDArray[np.int64],
    sizes: NDArray[np.int64],
    wanted: NDArray[np.int64],
    rules: Sequence[RuleChoice],
    signs: NDArray[np.float64],
    points: NDArray[np.float64],
    group_size: int,
) -> None:
    """Move to a small stratum the nearest records that may be in it, from strata that can spare them."""
    members = np.flatnonzero(of == small)
    if not len(members):
        return
    allowed = (signs == signs[members[0]]).all(axis=1) & (of != small)
    better = np.ones(len(of), dtype=bool)
    for rule, index in zip(rules, wanted, strict=True):
        allowed &= rule.possible[:, index]
        better &= rule.satisfied[:, index]
    candidates = np.flatnonzero(allowed)
    centre = points[members].mean(axis=0)
    distance = ((points[candidates] - centre) ** 2).sum(axis=1)
    taken: list[int] = []
    spare = sizes - np.where(sizes >= group_size, group_size, 0)
    for candidate in candidates[np.lexsort((candidates, distance, ~better[candidates]))]:
        if len(members) + len(taken) >= group_size:
            break
        if spare[of[candidate]] > 0:
            spare[of[candidate]] -= 1
            taken.append(int(candidate))
    if len(members) + len(taken) >= group_size:
        np.subtract.at(sizes, of[taken], 1)
        of[taken] = small
        sizes[small] += len(taken)


def _join_nearest(of: NDArray[np.int64], homeless: Flags, points: NDArray[np.float64]) -> None:
    from scipy.spatial import cKDTree

    settled = np.flatnonzero(~homeless)
    nearest = cKDTree(points[settled]).query(points[homeless])[1]
    of[homeless] = of[settled[nearest]]


def _common(signs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The more frequent sign of each attribute."""
    total = np.sign(signs.sum(axis=0))
    return np.where(total == 0, 1.0, total)
