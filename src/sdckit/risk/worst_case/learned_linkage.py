"""What the learned linkages share: the best distance of a family is learnt on the true links themselves.

No intruder has the true links, so this is an upper limit by design: whoever links by a distance of the family links no
more than `bound`. An intruder who has the truth for some records only is what `holdout` shows.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.errors import NotApplicableError
from sdckit.intruder import AttackerView, Intruder
from sdckit.kernels.intervals import wilson
from sdckit.linear_distances import Learned, LinearDistance, learn, learn_on_a_share
from sdckit.measure import Measure, Score
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release

FIRST = 0.3  # share of the budget for a family that is contained in the one asked for


@dataclass(frozen=True, kw_only=True)
class LearnedLinkage(Measure):
    """Share of records that the best distance of a family links to their own row, and a proven bound on it."""

    model: ClassVar[LinearDistance]
    contained: ClassVar[LinearDistance | None] = None
    most_attributes: ClassVar[int] = 30
    anytime: ClassVar[bool] = True

    budget: float = param(2.0, "seconds to search and to prove", low=0)
    reverse: bool = param(False, "link each released record to the nearest known one instead")
    strict: bool = param(True, "count a tie as no link")
    within: bool = param(False, "link only to rows that the published recipe leaves possible")
    holdout: float = param(
        0.0, "share of the records to learn on; links on the others are in the details", low=0, high=1
    )
    max_records: int = param(2000, "largest number of records to learn on, drawn at random", low=1, formerly="most")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view, known, released, possible = self.files(release, intruder, seed)
        rng = child(generator(seed or 0), self.name)
        truth = release.true_rows(view.records)
        queries, targets, partner = known, released, truth
        if self.reverse:
            queries, targets, partner = released, known, positions_of_rows(truth, len(released))
            possible = None if possible is None else np.ascontiguousarray(possible.T)
        if not (truth >= 0).any():
            raise NotApplicableError("no known record is in the release")
        options: dict[str, Any] = {"rng": rng, "strict": self.strict, "candidates": possible}
        starts, left = [], self.budget
        if self.contained is not None:  # a larger family links at least what a smaller one does
            starts = [learn(queries, targets, partner, self.contained, budget=FIRST * self.budget, **options)]
            left -= FIRST * self.budget
        learned = learn(queries, targets, partner, self.model, budget=left, starts=starts, **options)
        linked = self.by_known_record(truth, learned)
        details: dict[str, Any] = {
            "attributes": view.attributes,
            "records_learnt_on": len(known),
            "proof": learned.proof.value,
            "margin": learned.margin,
            "proven": learned.proven,
        }
        importance = self.model.importance(learned.parameters, len(view.attributes))
        interactions = self.model.interactions(learned.parameters, len(view.attributes))
        if interactions.any():
            details["interactions"] = interactions
        if self.holdout:
            tested = learn_on_a_share(
                queries, targets, partner, self.model,
                share=self.holdout, budget=self.budget, rng=rng, strict=self.strict, candidates=possible,
            )  # fmt: skip
            details["held_out"] = tested.share
        return Score(
            float(linked.mean()),
            by_record=release.on_records(view.records, linked),
            by_attribute=dict(zip(view.attributes, importance.tolist(), strict=True)),
            interval=wilson(float(linked.sum()), len(linked)),
            baseline=1.0 / len(released),
            bound=min(1.0, learned.bound / len(known)),
            details=details,
        )

    def files(
        self, release: Release, intruder: Intruder, seed: int | None
    ) -> tuple[AttackerView, NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_] | None]:
        """The view, both files standardised, a missing value as the mean, and which rows each record can be."""
        view = intruder.view(release, seed=seed)
        names = view.names(Kind.ORDERED)
        if not names:
            raise NotApplicableError("the intruder knows no ordered attribute that the release still has")
        if len(names) > self.most_attributes:
            raise NotApplicableError(
                f"{len(names)} attributes are known and {self.name} learns on {self.most_attributes} at most"
            )
        chosen = np.arange(len(view))
        if len(chosen) > self.max_records:
            chosen = np.sort(child(generator(seed or 0), "worst case").choice(chosen, self.max_records, replace=False))
        possible = None
        if self.within:
            candidates = view.published_recipe.candidates(Candidates.known(view.known, names), view.released)
            assert candidates is not None
            possible = np.array([candidates.admits(view.released, int(record)) for record in chosen])
        view = view.only(names).take(chosen)
        known, released = view.standardised()
        return view, np.nan_to_num(known), np.nan_to_num(released), possible

    def by_known_record(self, truth: NDArray[np.int64], learned: Learned) -> NDArray[np.float64]:
        """Which known records are linked, whichever way the links were made."""
        if not self.reverse:
            return learned.linked.astype(float)
        return np.where(truth >= 0, learned.linked[np.maximum(truth, 0)], False).astype(float)


def positions_of_rows(truth: NDArray[np.int64], rows: int) -> NDArray[np.int64]:
    """The known record that each row belongs to, by position; −1 where it belongs to none."""
    positions = np.full(rows, -1, dtype=np.int64)
    released = truth >= 0
    positions[truth[released]] = np.flatnonzero(released)
    return positions
