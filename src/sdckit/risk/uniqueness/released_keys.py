"""What an intruder sees of the keys in a release, and the population that its records represent.

Two records agree if they have the same value in every key that both have; numbers agree if they are equal. A missing
key, also one that was suppressed, agrees with every value, or is a value of its own (`holes_as_values`): a measure
takes both readings, and the stricter one counts.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.equivalence_classes import MISSING, wildcard_frequencies, wildcard_sums
from sdckit.microdata import Kind, Role
from sdckit.release import Release


@dataclass(frozen=True, eq=False)
class ReleasedKeys:
    """The keys that the intruder knows and the release still has, as codes of the released rows."""

    release: Release
    names: tuple[str, ...]
    codes: NDArray[np.int32]
    missing: NDArray[np.bool_]
    holes_are_values: bool = False

    @classmethod
    def seen_by(cls, intruder: Intruder, release: Release, kind: Kind = Kind.ANY) -> "ReleasedKeys":
        """The keys in a release, coarsened ones too, or an error where there is none."""
        for name in intruder.attributes or ():
            release.original.attribute(name)
        requested = intruder.attributes if intruder.attributes is not None else release.original.names(role=Role.KEY)
        which = "" if kind is Kind.ANY else "discrete or categorical "
        names = tuple(
            name
            for name in requested
            if name in release.masked
            and release.masked.attribute(name).kind & kind
            and release.original.attribute(name).role is not Role.IDENTIFIER
        )
        if not names:
            raise NotApplicableError(f"the intruder knows no {which}attribute that the release still has")
        return release.computed_once(("released keys", names), lambda: cls._of(release, names))

    @classmethod
    def _of(cls, release: Release, names: tuple[str, ...]) -> "ReleasedKeys":
        codes = release.masked.codes(names)
        return cls(release, names, codes, codes == MISSING)

    @cached_property
    def holes_as_values(self) -> "ReleasedKeys":
        """The same keys, a missing one being a value of its own: it agrees with missing ones only."""
        own = self.codes.max(axis=0, initial=MISSING) + 1
        return ReleasedKeys(self.release, self.names, np.where(self.missing, own, self.codes), self.missing, True)

    @property
    def has_holes(self) -> bool:
        """Whether a key is missing in a released record, or in the original where that is the population."""
        if self.missing.any():
            return True
        release = self.release
        if release.masked.names(role=Role.WEIGHT) or len(release.masked) >= len(release.original):
            return False
        return any(release.original.missing(name) for name in self.names)

    @property
    def suppressed_records(self) -> int:
        """How many released records have no key at all."""
        return int(self.missing.all(axis=1).sum())

    @cached_property
    def frequency(self) -> NDArray[np.int64]:
        """How many released records agree with each."""
        return wildcard_frequencies(self.codes)

    @cached_property
    def population(self) -> NDArray[np.float64]:
        """How many persons of the population agree with each released record, itself included.

        The weights give it; without weights, a release of some records of the original has that file for its
        population.
        """
        if self.release.masked.names(role=Role.WEIGHT):
            total = wildcard_sums(self.codes, weights_of(self.release))
        else:
            total = self._in_the_original().astype(np.float64)
        return np.maximum(total, self.frequency)

    def _in_the_original(self) -> NDArray[np.int64]:
        size_of_population(self.release)  # refuses where there is none
        original, masked = self.release.original, self.release.masked
        both = np.empty((len(masked) + len(original), len(self.names)), dtype=np.int64)
        for column, name in enumerate(self.names):
            both[:, column] = _together(self.release, name)
        if self.holes_are_values:
            # A person of unknown value is not counted as another's double; a suppressed key still fits every person.
            persons = both[len(masked) :]
            persons[persons == MISSING] = both.max(initial=0) + 1
        return wildcard_sums(both, np.repeat([0.0, 1.0], [len(masked), len(original)]))[: len(masked)].astype(np.int64)


def weights_of(release: Release) -> NDArray[np.float64]:
    """The sampling weight of each released record; zero, negative and missing ones are refused."""
    names = release.masked.names(role=Role.WEIGHT)
    if not names:
        raise NotApplicableError("the release has no weights; give the column of sampling weights the role 'weight'")
    if release.masked.attribute(names[0]).coded:
        raise NotApplicableError(f"the weight {names[0]!r} is not a number; declare its kind as continuous")
    weights = release.masked.matrix([names[0]])[:, 0]
    bad = int((~(weights > 0) | ~np.isfinite(weights)).sum())
    if bad:
        raise NotApplicableError(
            f"{bad} of the {len(weights)} weights in {names[0]!r} are zero, negative or missing; "
            "drop these records or give them the weight that they represent"
        )
    return weights


def size_of_population(release: Release) -> float:
    """How many persons the release represents: its total weight, or the original that it is a part of."""
    rows = len(release.masked)
    if release.masked.names(role=Role.WEIGHT):
        return max(float(weights_of(release).sum()), float(rows))
    if rows >= len(release.original):
        raise NotApplicableError(
            "the release has no weights and contains every record, so its population is not known; give the column of "
            "sampling weights the role 'weight'"
        )
    return float(len(release.original))


def _together(release: Release, name: str) -> NDArray[np.int64]:
    """Codes of a key in the masked rows, then in the original records, each lifted to what was released of it."""
    original, masked = release.original, release.masked
    after, before = masked.attribute(name), original.attribute(name)
    if not after.coded and not before.coded:
        both = np.concatenate([masked.columns[name], original.columns[name]])
        absent = np.isnan(both)
        codes = np.unique(np.where(absent, 0.0, both), return_inverse=True)[1].astype(np.int64)
        codes[absent] = MISSING
        return codes
    if after.categories is None or before.categories is None:
        raise NotApplicableError(
            f"{name!r} was released in another form, so the population cannot be counted in the original"
        )
    position = {str(category): code for code, category in enumerate(after.categories)}
    released = set(np.unique(masked.columns[name]).tolist())
    lifted = np.arange(len(before.categories) + 1, dtype=np.int64)
    lifted[-1] = MISSING
    for code, category in enumerate(before.categories):
        tree = after.hierarchy
        path = tree.ancestors(category) if tree and category in tree else (str(category),)
        found = (position[node] for node in path if position.get(node) in released)
        lifted[code] = next(found, len(position) + code)
    return np.concatenate([masked.columns[name].astype(np.int64), lifted[original.columns[name]]])
