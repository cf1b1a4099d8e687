"""Reconstruction: whose values follow from the statistics that a method preserves exactly?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import ConditionsOn, PreservesProducts, PreservesStatistics, Statistic
from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.kernels.reconstruction import OthersNeeded, others_needed, width_left
from sdckit.kernels.residual_qr import orthonormal
from sdckit.masking import Masking
from sdckit.measure import Measure, Need, Score, risk
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release

UNKNOWN = (1, 3, 5, 10, 50)  # numbers of records that the intruder does not know, for which the width is given
SETS = 20  # random sets of such records


@dataclass(frozen=True, eq=False)
class Preserved:
    """What one step preserves: the columns whose products with these attributes are exact, and whether yᵗy is too."""

    names: tuple[str, ...]
    design: NDArray[np.float64]
    squares: bool


@risk("reconstruction", reference="dinur2003", needs={Need.RECIPE}, by_default=False)
class Reconstruction(Measure):
    r"""Share of records whose replaced values follow from a few other records and exactly preserved statistics.

     A method that keeps means, covariances or regression estimates exactly publishes the products xᵗy of what is kept
    (x, an intercept among it) and what is replaced (y). For any combination w of the columns of x the sum of (xᵢ·w) yᵢ
    is then known: an intruder who knows y of all others with xᵢ·w ≠ 0 solves for the one that is left. Few others are
    enough where a combination vanishes at nearly all records: a region with three people discloses the third to the
    other two. A record that dominates a column of x, such as the largest firm, lies on its own regression line: its
    value follows from the estimates alone, as does everybody's where x explains nearly all of y; these count as well,
    where the standard error is within the tolerance. The number of others is searched over columns, their differences
    and sparse combinations; it is exact in small cases, and otherwise an upper bound on the protection. What rounding
    and clipping leave open is taken into account. The details give the numbers, and how wide the interval is in which a
    value lies when several are not known: half its width in standard deviations, from xᵗy and yᵗy.

    Formula: $\frac{1}{n} \cdot |\{i : o_i \le \text{others} \text{ or } \sigma \sqrt{1 - h_i} \le \text{tolerance}\}|$,
    $o_i = \min_w \{\lVert X w \rVert_0 - 1 : x_i \cdot w \ne 0\}$,  $h_i$ the leverage of $i$,  $\sigma$ the standard
    deviation of the residuals over that of $y$

    Intruder: knows x of everybody, as it is released, and y of some others: a family, a firm, a class.

    Use it when the recipe has a method that preserves statistics exactly, such as IPSO-C or a hybrid.
    """

    for_synthesis: ClassVar[bool] = True

    others: int = param(10, "other records that the intruder may know", low=0, grid=(2, 5, 20))
    tolerance: float = param(0.05, "how far off a value may be, in standard deviations", low=0, high=1)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        if release.recipe is None or not intruder.knows_method:
            raise NotApplicableError("the intruder does not know how the file was masked; give the recipe")
        steps = preserved_by(release)
        if not steps:
            raise NotApplicableError("no step of the recipe preserves a statistic of numbers exactly to the end")
        rng = child(generator(seed or 0), self.name)
        records = len(release.original)
        needed = np.full(records, records - 1, dtype=np.int64)
        exposed, on_line = np.zeros(records), np.zeros(records, dtype=bool)
        by_attribute: dict[str, float] = {}
        widths: dict[str, float] = {}
        exact = True
        for step in steps:
            found = others_needed(step.design, rng)
            exact &= found.exact
            needed = np.minimum(needed, found.number)
            basis = orthonormal(step.design)[0]
            for name in step.names:
                solvable = (found.number <= self.others) & (self.errors(release, step, found, name) <= self.tolerance)
                estimated = errors_of_estimates(release, basis, name) <= self.tolerance
                on_line |= estimated
                solvable |= estimated
                by_attribute[name] = float(solvable.mean())
                exposed = np.maximum(exposed, solvable)
            if step.squares and not widths:
                widths = widths_left(step, release.original, rng)
        return Score(
            float(exposed.mean()),
            by_record=exposed,
            by_attribute=by_attribute,
            interval=wilson(float(exposed.sum()), records),
            baseline=0.0,
            details={
                "fewest_others": int(needed.min()),
                "median_others": float(np.median(needed)),
                "by_estimates_alone": float(on_line.mean()),
                "exact": exact,
                "width_left": widths,
            },
        )

    def errors(self, release: Release, step: Preserved, found: OthersNeeded, name: str) -> NDArray[np.float64]:
        """By how many standard deviations the solution for each record is off, as publishing changed the products."""
        before = release.original.matrix((name,))[:, 0]
        change = _sums(step.design, _released_values(release, name)) - _sums(step.design, before)
        if not np.isfinite(change).all():
            return np.full(len(before), np.inf)
        at_record = np.einsum("ij,ij->i", step.design, found.weights)
        deviation = float(np.nanstd(before))
        with np.errstate(divide="ignore", invalid="ignore"):
            off = np.abs(found.weights @ change) / np.abs(at_record) / (deviation if deviation > 0 else 1.0)
        return np.where(np.isfinite(off), off, np.inf)


def errors_of_estimates(release: Release, basis: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """By how many standard deviations the regression estimates alone miss each record's value, its standard error.

    `basis` is orthonormal and spans the columns whose products with the attribute are preserved.
    """
    before = release.original.matrix((name,))[:, 0]
    deviation = float(before.std())
    if deviation == 0:
        return np.full(len(before), np.inf)  # a constant is no secret
    moved = np.abs(basis @ (basis.T @ (_released_values(release, name) - before)))
    residual = before - basis @ (basis.T @ before)
    free = max(len(before) - basis.shape[1], 1)
    leverage = np.minimum((basis**2).sum(axis=1), 1.0)
    return np.asarray((np.sqrt((residual @ residual) / free * (1 - leverage)) + moved) / deviation, dtype=np.float64)


def _released_values(release: Release, name: str) -> NDArray[np.float64]:
    """The released value of each record, in the order of the original; its own where the row is not known."""
    if not release.corresponds:
        return release.original.matrix((name,))[:, 0]
    rows = release.true_rows(np.arange(len(release.original)))
    return np.where(rows >= 0, release.masked.matrix((name,))[rows, 0], np.nan)


def preserved_by(release: Release) -> list[Preserved]:
    """What the steps preserve whose attributes no later step changes; numbers alone, and nothing missing."""
    recipe = release.recipe
    assert recipe is not None
    touched = recipe.touched(release.masked)
    found = []
    for number, step in enumerate(recipe.steps):
        later = set().union(*touched[number + 1 :])
        names = tuple(
            name
            for name in touched[number]
            if name in release.shared_attributes(Kind.ORDERED)
            and not release.original.attribute(name).coded
            and not release.original.missing(name)
        )
        if not names or not later.isdisjoint(touched[number]) or len(release.original) != len(release.masked):
            continue
        declared = step.masking.preserves if isinstance(step.masking, PreservesStatistics) else frozenset()
        design = preserved_design(step.masking, release.original, touched[number], declared)
        if design is not None:
            found.append(Preserved(names, design, Statistic.COVARIANCES in declared))
    return found


def preserved_design(
    masking: Masking, data: Microdata, attributes: Sequence[str], declared: frozenset[Statistic]
) -> NDArray[np.float64] | None:
    """The columns whose products with the replaced attributes are exact; None where there are none."""
    if isinstance(masking, PreservesProducts):
        return masking.preserved_design(data, attributes)
    if Statistic.MEANS not in declared:
        return None
    intercept = np.ones((len(data), 1))
    return np.hstack([intercept, masking.design(data, attributes)]) if isinstance(masking, ConditionsOn) else intercept


def widths_left(step: Preserved, original: Microdata, rng: np.random.Generator) -> dict[str, float]:
    """Half the width in standard deviations, the median over random sets of records that are not known."""
    values = original.matrix(step.names[:1])[:, 0]
    deviation = float(values.std()) or 1.0
    widths = {}
    for number in (each for each in UNKNOWN if each <= len(values)):
        sets = [rng.choice(len(values), number, replace=False) for _ in range(SETS)]
        widths[str(number)] = float(np.median([width_left(step.design, values, some) for some in sets]) / deviation)
    return widths


def _sums(design: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The products of the columns and the values."""
    return np.asarray(design.T @ values, dtype=np.float64)
