"""What the learned linkages share: the best distance of a family is learned on the true links themselves.

No intruder has the true links, so this is an upper limit by design: an intruder who links by a distance of the family
links no more than `bound`. `holdout` shows what an intruder who has the true links of some records finds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.errors import NotApplicableError
from sdckit.intruder import AttackerView, Intruder
from sdckit.kernels.intervals import wilson
from sdckit.linear_distances import CandidateLists, Learned, LinearDistance, learn, learn_on_a_share
from sdckit.measure import Measure, Score
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.worst_case.compared_files import ComparedFiles, compared_files
from sdckit.row_sets import RowSets

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FIRST = 0.3  # share of the budget for a family that is contained in the one asked for


@dataclass(frozen=True, kw_only=True)
class LearnedLinkage(Measure):
    """Share of records that the best distance of a family links to their own row, and a proven bound on it."""

    model: ClassVar[LinearDistance]
    contained: ClassVar[LinearDistance | None] = None
    most_attributes: ClassVar[int] = 30
    anytime: ClassVar[bool] = True

    budget: float = param(2.0, "seconds of CPU to search and to prove", low=0)
    reverse: bool = param(False, "link each released record to the nearest known one instead")
    strict: bool = param(
        False,
        "count a tie as no link, in the figure and in its bound; else rows that no distance distinguishes share it",
    )
    absolute: bool | None = param(
        None, "compare numbers by absolute instead of squared differences; by default, with categories both are tried"
    )
    missing_apart: bool = param(
        False, "give missing values weights of their own instead of the difference to expect of the value"
    )
    within: bool = param(False, "link only to rows that the published recipe leaves possible")
    holdout: float = param(
        0.0, "share of the records to learn on; links on the others are in the details", low=0, high=1
    )
    max_records: int = param(2000, "largest number of records to learn on, drawn at random", low=1, formerly="most")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view, possible = self.view(release, intruder, seed)
        truth = release.true_rows(view.records)
        if not (truth >= 0).any():
            raise NotApplicableError("no known record is in the release")
        scales = self.scales(view)
        tried = [
            self.learned(view, truth, possible, self.budget / len(scales), absolute=absolute, seed=seed)
            for absolute in scales
        ]
        files, learned, held_out = max(tried, key=lambda each: each[1].found)
        bound = max(each.bound for _, each, _ in tried)
        credits = self.by_known_record(truth, learned)
        importance, interactions = self.by_attribute(view.attributes, files.attributes, learned)
        details: dict[str, Any] = {
            "attributes": view.attributes,
            "records_learnt_on": len(view),
            "ties": "no link" if self.strict else "shared",
            "proof": learned.proof.value,
            "margin": max(each.margin for _, each, _ in tried),
            "proven": bound <= learned.found,
        }
        if interactions.any():
            details["interactions"] = interactions
        if self.holdout:
            details["held_out"] = held_out
        return Score(
            float(credits.mean()),
            by_record=release.on_records(view.records, credits),
            by_attribute=importance,
            interval=wilson(float(credits.sum()), len(credits)),
            baseline=1.0 / len(view.released),
            bound=min(1.0, bound / len(view)),
            details=details,
        )

    def view(self, release: Release, intruder: Intruder, seed: int | None) -> tuple[AttackerView, RowSets | None]:
        """What the intruder sees, of some records where there are many, and which rows each record can be."""
        view = intruder.view(release, seed=seed)
        chosen = np.arange(len(view))
        if len(chosen) > self.max_records:
            chosen = np.sort(child(generator(seed or 0), "worst case").choice(chosen, self.max_records, replace=False))
        if not self.within:
            return view.take(chosen), None
        candidates = view.published_recipe.candidates(Candidates.known(view.known, view.attributes), view.released)
        assert candidates is not None
        sets = _adjacency(RowSets.of_candidates(candidates, view.released))
        return view.take(chosen), RowSets.of_adjacency(sets[chosen])

    def scales(self, view: AttackerView) -> tuple[bool, ...]:
        """Whether numbers are compared by absolute differences: where there are categories, both are tried."""
        if self.absolute is not None:
            return (self.absolute,)
        mixed = 0 < len(view.names(Kind.ORDERED)) < len(view.attributes)
        return (False, True) if mixed else (False,)

    def learned(
        self,
        view: AttackerView,
        truth: NDArray[np.int64],
        possible: RowSets | None,
        budget: float,
        *,
        absolute: bool,
        seed: int | None,
    ) -> tuple[ComparedFiles, Learned, float]:
        """The files compared, the best distance on them, and the share of links on records held out."""
        files = compared_files(view, absolute=absolute)
        if self.missing_apart:
            files = files.with_missing_apart()
        if len(files.columns) > self.most_attributes:
            raise NotApplicableError(
                f"{len(files.columns)} differences are compared and {self.name} learns on {self.most_attributes} at "
                "most; let the intruder know fewer attributes"
            )
        partner = truth
        if self.reverse:
            files, partner = files.reversed(), positions_of_rows(truth, len(files.released))
            possible = None if possible is None else RowSets.of_adjacency(_adjacency(possible).T.tocsr())
        problem = files.known, files.released, partner
        options: dict[str, Any] = {
            "rng": child(generator(seed or 0), self.name),
            "strict": self.strict,
            "candidates": None if possible is None else CandidateLists(possible.starts, possible.rows),
            "columns": files.columns,
        }
        starts, left = [], budget
        if self.contained is not None:  # a larger family links at least what a smaller one does
            starts = [learn(*problem, self.contained, budget=FIRST * budget, **options)]
            left -= FIRST * budget
        learned = learn(*problem, self.model, budget=left, starts=starts, **options)
        held_out = float("nan")
        if self.holdout:
            held_out = learn_on_a_share(*problem, self.model, share=self.holdout, budget=budget, **options).share
        return files, learned, held_out

    def by_known_record(self, truth: NDArray[np.int64], learned: Learned) -> NDArray[np.float64]:
        """The share of a link that each known record receives, whichever way the links were made."""
        if not self.reverse:
            return learned.credits
        return np.where(truth >= 0, learned.credits[np.maximum(truth, 0)], 0.0)

    def by_attribute(
        self, attributes: Sequence[str], of_column: Sequence[str], learned: Learned
    ) -> tuple[dict[str, float], NDArray[np.float64]]:
        """The importance of each attribute and of each pair, summed over the columns that belong to it."""
        belongs = np.array([[name == owner for owner in of_column] for name in attributes], dtype=float)
        importance = belongs @ self.model.importance(learned.parameters, len(of_column))
        interactions = belongs @ self.model.interactions(learned.parameters, len(of_column)) @ belongs.T
        np.fill_diagonal(interactions, 0.0)
        return dict(zip(attributes, importance.tolist(), strict=True)), interactions


def _adjacency(sets: RowSets) -> "csr_array":
    """The sets as a sparse matrix of records and rows."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(sets.rows)), sets.rows, sets.starts), shape=(len(sets), sets.row_count))


def positions_of_rows(truth: NDArray[np.int64], rows: int) -> NDArray[np.int64]:
    """The known record that each row belongs to, by position; −1 where it belongs to none."""
    positions = np.full(rows, -1, dtype=np.int64)
    released = truth >= 0
    positions[truth[released]] = np.flatnonzero(released)
    return positions
