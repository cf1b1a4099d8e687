"""The intersection attack: what the published recipe makes impossible is ruled out, attribute by attribute."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.intruder import AttackerView, Intruder
from sdckit.kernels.boxes import BoxLinks
from sdckit.kernels.intersections import intersection_links, intersection_sizes
from sdckit.kernels.intervals import wilson
from sdckit.kernels.mixed_tree import MixedRecords, Trees
from sdckit.kernels.standardisation import standardise, standardise_like
from sdckit.measure import Finds, Measure, Need, Score, risk
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.linkage.linkage import sampled
from sdckit.risk.linkage.mixed_space import mixed_space
from sdckit.row_sets import Constraints

MOST_EMPTY = 0.3  # of the sets of likely rows: with more that contradict what is promised, the others are wrong as well


@risk(
    "intersection-attack", reference="nin2008a", finds=Finds.RECORDS, needs={Need.ROWS, Need.RECIPE}, by_default=False
)
class IntersectionAttack(Measure):
    r"""Share of records re-identified by an intruder who knows the recipe and links only to rows that it allows.

    Each step of the recipe says which released values a known value can have become; the sets of rows that the known
    attributes leave possible are intersected. Within the intersection the nearest row is linked, by all known
    attributes: squared differences of standardised numbers, and distances of categories; ties share the credit, and a
    missing value counts as a share of the expected difference. Where theory promises that a set contains the true row,
    a set of one row is a certain match. Some methods only make some rows more likely: where no likely row is left, and
    everywhere if that is so for many records, the nearest of the possible rows is linked. The details give the share of
    certain matches, the mean size of the sets, the probability of a correct match at random, and the coverage: the
    share of the released records whose true row is in its set, 1 where theory promises it. An empty set of a released
    record shows that the recipe is not the one used, such as a window assumed too narrow, or that the likely rows were
    not the true ones. On large files a random part of the known records is linked.

    Intruder: knows the recipe and some attributes of some records, and rules out every row that could not be theirs.

    Formula: $\frac{1}{m} \sum_x \Pr[\text{the nearest row of } \cap_j B_j(x) \text{ belongs to } x]$,  $B_j(x)$ the
    rows that attribute $j$ leaves possible

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
        possible_rows = links.count if attack.certain else attack.promised_sizes(judged)
        probability = np.where(links.truth_tied, 1.0 / np.maximum(links.ties, 1), 0.0)
        released = truth >= 0
        details: dict[str, object] = {
            "attributes": view.attributes,
            "certain_matches": float((links.truth_covered & (possible_rows == 1)).mean()),
            "blind_pick": float((links.truth_covered / np.maximum(links.count, 1)).mean()),
            "mean_set": float(links.count.mean()),
            "coverage": float(links.truth_covered[released].mean()) if released.any() else 1.0,
            "coverage_promised": attack.certain,
            "empty_sets": float((links.count[released] == 0).mean()) if released.any() else 0.0,
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
    return intersection(_possible(view, single_target=single_target, align=align), view)


def one_row_promised(
    view: AttackerView, records: NDArray[np.int64], distinct: NDArray[np.int64], unique: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Whether one row alone can be each record's by what the recipe promises.

    `distinct` are the first rows of equal ones, which suffice where rows are restricted by their values alone; `unique`
    says whether no other row equals that of a record.
    """
    possible = _possible(view).promised()
    rows = view.released if possible.groups else view.released.take(distinct)
    one = intersection_sizes(*Constraints.of(possible, rows).of_records(records)) == 1
    return np.asarray(one if possible.groups else one & unique)


def _possible(view: AttackerView, *, single_target: bool = False, align: bool = False) -> Candidates:
    """What the published recipe leaves possible for all known records."""
    complete = not single_target and view.everyone and view.exact
    known = Candidates.known(view.known, view.attributes, complete=complete, original=view.original)
    possible = view.published_recipe.candidates(replace(known, aligned=align and not complete), view.released)
    assert possible is not None
    return possible


@dataclass(frozen=True, eq=False)
class Intersection:
    """The candidates of each known record, and the points to link inside them by.

    `promised` are the constraints that theory promises to be true, without the likely ones; `certain` says that there
    are no others.
    """

    constraints: Constraints
    promised: Constraints
    known: MixedRecords
    rows: MixedRecords
    trees: Trees
    certain: bool

    def links(self, judged: NDArray[np.int64], truth: NDArray[np.int64] | None = None) -> BoxLinks:
        """Link some of the known records, given by position, to the nearest of their candidates.

        Where no row is likely, the nearest of those that are possible is linked, and else the nearest of all. Where
        many sets of likely rows are empty, none of them is trusted. The sizes of the sets and the rows linked do not
        depend on the true rows, which the scoring adds.
        """
        own = np.full(len(judged), -1) if truth is None else truth
        links = self._within(self.constraints, judged, own)
        without_row = max(0.0, 1 - len(self.rows.nodes) / len(self.known.nodes))  # of the known records, at least
        if not self.certain and (links.count == 0).mean() > without_row + MOST_EMPTY:
            links.ties[:] = 0
        for wider in (self.promised, self.constraints.dropped()):
            empty = links.ties == 0
            if empty.any():
                more = self._within(wider, judged[empty], own[empty])
                links.nearest[empty], links.ties[empty], links.truth_tied[empty] = (
                    more.nearest,
                    more.ties,
                    more.truth_tied,
                )
        return links

    def promised_sizes(self, judged: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many rows can be each record's by what is promised."""
        return intersection_sizes(*self.promised.of_records(judged))

    def _within(self, constraints: Constraints, judged: NDArray[np.int64], own: NDArray[np.int64]) -> BoxLinks:
        lower, upper, values, sets, missing_fits = constraints.of_records(judged)
        known = self.known.take(judged)
        return intersection_links(lower, upper, values, sets, known, self.rows, self.trees, own, missing_fits)


def intersection(possible: Candidates, view: AttackerView) -> Intersection:
    """The candidates as arrays, with the standardised ordered attributes and the categories to link by."""
    common = [name for name in view.ordered if name in view.known]
    space = mixed_space(view)
    return Intersection(
        Constraints.of(possible, view.released),
        Constraints.of(possible.promised(), view.released),
        MixedRecords(
            standardise_like(view.known.matrix(common), view.original.matrix(common)),
            np.ascontiguousarray(space.known.nodes),
        ),
        MixedRecords(standardise(view.released.matrix(common)), np.ascontiguousarray(space.released.nodes)),
        space.trees,
        possible.certain and view.exact,
    )
