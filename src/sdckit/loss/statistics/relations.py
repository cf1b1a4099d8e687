"""Relations: how strongly every two attributes are related, in the original and in the masked file."""

from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.kernels.associations import correlation_ratio, cramers_v
from sdckit.kernels.pairwise_correlations import pairwise_correlations
from sdckit.loss.statistics.mean_variation import with_values
from sdckit.microdata import Kind, Microdata, Role
from sdckit.release import Release

MOST_ATTRIBUTES = 60  # above it, as many at equal distances from the list of all
CORRELATION, RATIO, CRAMER = "correlation", "correlation ratio", "Cramér's V"


@dataclass(frozen=True)
class Relation:
    """The association of two attributes before and after masking: from −1 to 1 for a correlation, else from 0 to 1.

    `key` says whether one of the two is a key, so that shuffling the keys would destroy the relation.
    """

    first: str
    second: str
    measure: str
    before: float
    after: float
    key: bool

    @property
    def strength(self) -> float:
        """The larger of the two associations, whatever its sign."""
        return max(abs(self.before), abs(self.after))

    @property
    def lost(self) -> float:
        """How far the association moved, at most its strength: a relation with the opposite sign is lost."""
        return min(abs(self.before - self.after), self.strength)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        values = asdict(self)
        del values["key"]
        return values


def relations(release: Release) -> tuple[Relation, ...]:
    """Every two attributes that a loss is measured on."""
    return release.computed_once("relations", lambda: _relations(release))


def _relations(release: Release) -> tuple[Relation, ...]:
    names = with_values(release, Kind.ANY)
    if len(names) > MOST_ATTRIBUTES:
        names = tuple(names[int(at)] for at in np.linspace(0, len(names) - 1, MOST_ATTRIBUTES))
    if len(names) < 2:
        raise NotApplicableError("the two files share one attribute only; a relation needs two")
    numbers = [name for name in names if _is_ordered(release, name)]
    before, after = (_strengths(file, names, numbers) for file in (release.original, release.masked))
    keys = {name for name in names if release.original.attribute(name).role is Role.KEY}
    return tuple(
        Relation(
            names[j],
            names[k],
            CRAMER
            if not {names[j], names[k]} & set(numbers)
            else CORRELATION
            if _both(names, numbers, j, k)
            else RATIO,
            float(before[j, k]),
            float(after[j, k]),
            not keys.isdisjoint({names[j], names[k]}),
        )
        for j, k in combinations(range(len(names)), 2)
    )


def _is_ordered(release: Release, name: str) -> bool:
    """Whether an attribute has numbers, or ordered categories to which the masking added none."""
    attribute, masked = release.original.attribute(name), release.masked.attribute(name)
    if not attribute.kind & masked.kind & Kind.ORDERED:
        return False
    return not attribute.coded or len(masked.categories or ()) <= len(attribute.categories or ())


def _both(names: tuple[str, ...], numbers: list[str], j: int, k: int) -> bool:
    return names[j] in numbers and names[k] in numbers


def _strengths(file: Microdata, names: tuple[str, ...], numbers: list[str]) -> NDArray[np.float64]:
    """The association of every two attributes of one file."""
    values = file.matrix(numbers)
    position = {name: column for column, name in enumerate(numbers)}
    codes = {name: file.codes([name])[:, 0].astype(np.int64) for name in names if name not in position}
    correlations = pairwise_correlations(values) if len(numbers) > 1 else np.ones((1, 1))
    found = np.zeros((len(names), len(names)))
    for j, k in combinations(range(len(names)), 2):
        one, other = names[j], names[k]
        if one in position and other in position:
            found[j, k] = correlations[position[one], position[other]]
        elif one in position:
            found[j, k] = correlation_ratio(codes[other], values[:, position[one]])
        elif other in position:
            found[j, k] = correlation_ratio(codes[one], values[:, position[other]])
        else:
            found[j, k] = cramers_v(codes[one], codes[other])
    return found
