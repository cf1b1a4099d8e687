"""The intersection attack: what the published recipe makes impossible is ruled out, attribute by attribute."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.intruder import AttackerView, Intruder
from sdckit.kernels.boxes import BoxLinks
from sdckit.kernels.intersections import intersection_links
from sdckit.kernels.intervals import wilson
from sdckit.kernels.nearest import nearest_links
from sdckit.kernels.row_constraints import Sets
from sdckit.kernels.standardisation import standardise, standardise_like
from sdckit.measure import Finds, Measure, Need, Score, risk
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.linkage.linkage import sampled
from sdckit.row_sets import Constraints


@risk(
    "intersection-attack", reference="nin2008a", finds=Finds.RECORDS, needs={Need.ROWS, Need.RECIPE}, by_default=False
)
class IntersectionAttack(Measure):
    """Share of records re-identified by an intruder who knows the recipe and links only to rows that it allows.

    Each step of the recipe says which released values a known one can have become; the sets of the attributes known are
    intersected. A set with one record left is a certain match; in a larger one the nearest record is linked, and ties
    share the credit. The details give the share of certain matches, the mean size of the sets, the probability of
    a correct blind pick in them, and the coverage: the share of records whose true row is in its set, 1 where theory
    promises it. An empty set shows that the recipe is not the one used, such as a window assumed too narrow, or that
    the likely groups were not the true ones; such a record is linked to the nearest row of all. On large files a random
    part of the known records is linked.

    Intruder: knows the recipe and some attributes of some records, and rules out every row that could not be theirs.

    Formula: (1 / m) · Σₓ Pr[nearest row of ∩ⱼ Bⱼ(x) is x's],  Bⱼ(x) the rows that attribute j leaves possible

    Use it when method and parameters will be published, or cannot be kept secret: it is the figure that counts then.
    """

    single_target: bool = param(
        False, "attack each record as if the intruder knew no other, even if many are known", formerly="alone"
    )

    align: bool = param(
        False, "align the known part of a column with the released one: smaller sets, which may miss the truth"
    )

    max_records: int = param(10_000, "largest number of known records to link, drawn at random", low=1)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = intruder.view(release, seed=seed)
        attack = self.attack(view)
        judged = sampled(len(view), self.max_records, seed)
        truth = release.true_rows(view.records[judged])
        links = attack.links(judged, truth)
        probability = np.where(links.truth_tied, 1.0 / np.maximum(links.ties, 1), 0.0)
        released = truth >= 0
        details: dict[str, object] = {
            "attributes": view.attributes,
            "certain_matches": float((links.truth_covered & (links.count == 1)).mean()),
            "blind_pick": float((links.truth_covered / np.maximum(links.count, 1)).mean()),
            "mean_set": float(links.count.mean()),
            "coverage": float(links.truth_covered[released].mean()) if released.any() else 1.0,
            "coverage_promised": attack.promised,
            "empty_sets": float((links.count == 0).mean()),
        }
        if len(judged) < len(view):
            details["records_attacked"] = len(judged)
        return Score(
            float(probability.mean()),
            by_record=release.on_records(view.records[judged], probability),
            interval=wilson(float(probability.sum()), len(probability)),
            baseline=1.0 / len(release.masked),
            details=details,
        )

    def attack(self, view: AttackerView) -> "Intersection":
        """The sets of candidates of all known records."""
        return allowed_rows(view, single_target=self.single_target, align=self.align)


def allowed_rows(view: AttackerView, *, single_target: bool = False, align: bool = False) -> "Intersection":
    """The sets of candidates of all known records that the published recipe leaves."""
    complete = not single_target and view.everyone and view.exact
    known = Candidates.known(view.known, view.attributes, complete=complete, original=view.original)
    possible = view.published_recipe.candidates(replace(known, aligned=align and not complete), view.released)
    assert possible is not None
    return intersection(possible, view)


@dataclass(frozen=True, eq=False)
class Intersection:
    """The candidates of each known record, and the points to link inside them by.

    `promised` says that theory promises the true row to be a candidate.
    """

    constraints: Constraints
    known: NDArray[np.float64]
    rows: NDArray[np.float64]
    promised: bool

    def links(self, judged: NDArray[np.int64], truth: NDArray[np.int64] | None = None) -> BoxLinks:
        """Link some of the known records, given by position, to the nearest of their candidates.

        The sizes of the sets and the rows linked do not depend on the true rows, which the scoring adds.
        """
        own = np.full(len(judged), -1) if truth is None else truth
        given = self.constraints
        sets = [Sets(each.of_row, *taken(each, judged)) for each in given.sets]
        known = self.known[judged]
        links = intersection_links(
            given.lower[judged], given.upper[judged], given.values, sets, known, self.rows, own, given.missing_fits
        )
        return fall_back(links, known, self.rows, own)


def taken(sets: Sets, judged: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The lists of some records out of those of all: where each begins, and what it contains."""
    sizes = np.diff(sets.starts)[judged]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    within = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
    return starts, sets.listed[np.repeat(sets.starts[judged], sizes) + within]


def intersection(possible: Candidates, view: AttackerView) -> Intersection:
    """The candidates as arrays, with the standardised ordered attributes to link by."""
    common = [name for name in view.ordered if name in view.known]
    return Intersection(
        Constraints.of(possible, view.released),
        standardise_like(view.known.matrix(common), view.original.matrix(common)),
        standardise(view.released.matrix(common)),
        possible.certain and view.exact,
    )


def fall_back(
    links: BoxLinks, known: NDArray[np.float64], rows: NDArray[np.float64], truth: NDArray[np.int64]
) -> BoxLinks:
    """Where a set is empty the recipe does not help, and the intruder links to the nearest of all rows."""
    empty = links.count == 0
    if empty.any():
        plain = nearest_links(known[empty], rows, truth[empty])
        links.nearest[empty], links.ties[empty], links.truth_tied[empty] = plain.nearest, plain.ties, plain.truth_tied
    return links
