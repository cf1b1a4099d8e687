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
from sdckit.intruder import Intruder, View
from sdckit.kernels.intervals import wilson
from sdckit.linear_distances import Learned, LinearDistance, learn, learn_on_a_share
from sdckit.measure import Measure, Score
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release

FIRST = 0.3  # share of the budget for a family that is contained in the one asked for


@dataclass(frozen=True, kw_only=True)
class LearnedLinkage(Measure):
    """Share of records that the best distance of a family links to their own row, and a proven limit on it."""

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
    max_records: int = param(2000, "records to learn on at most, drawn at random", low=1, formerly="most")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view, possible = self.view(release, intruder, seed)
        rng = child(generator(seed or 0), self.name)
        queries, targets, truth = view.known, view.released, view.truth
        if self.reverse:
            queries, targets, truth, possible = turned(view, possible)
        if not (truth >= 0).any():
            raise NotApplicableError("no known record is in the release")
        told: dict[str, Any] = {"rng": rng, "strict": self.strict, "candidates": possible}
        starts, left = [], self.budget
        if self.contained is not None:  # what a smaller family links, a larger one links at least
            starts = [learn(queries, targets, truth, self.contained, budget=FIRST * self.budget, **told)]
            left -= FIRST * self.budget
        learned = learn(queries, targets, truth, self.model, budget=left, starts=starts, **told)
        linked = self.by_known_record(view, learned)
        details: dict[str, Any] = {
            "attributes": view.names,
            "records_learnt_on": len(view.known),
            "proof": learned.proof.value,
            "margin": learned.margin,
            "proven": learned.proven,
        }
        importance = self.model.importance(learned.parameters, len(view.names))
        interactions = self.model.interactions(learned.parameters, len(view.names))
        if interactions.any():
            details["interactions"] = interactions
        if self.holdout:
            kept = learn_on_a_share(
                queries, targets, truth, self.model,
                share=self.holdout, budget=self.budget, rng=rng, strict=self.strict, candidates=possible,
            )  # fmt: skip
            details["held_out"] = kept.share
        return Score(
            float(linked.mean()),
            by_record=release.on_records(view.records, linked),
            by_attribute=dict(zip(view.names, importance.tolist(), strict=True)),
            interval=wilson(float(linked.sum()), len(linked)),
            baseline=1.0 / len(view.released),
            bound=min(1.0, learned.bound / len(view.known)),
            details=details,
        )

    def view(self, release: Release, intruder: Intruder, seed: int | None) -> tuple[View, NDArray[np.bool_] | None]:
        """The standardised files, a missing value as the mean, and which rows each record can be."""
        view = intruder.standardised_view(release, seed=seed)
        if len(view.names) > self.most_attributes:
            raise NotApplicableError(
                f"{len(view.names)} attributes are known and {self.name} learns on {self.most_attributes} at most"
            )
        chosen = np.arange(len(view.known))
        if len(chosen) > self.max_records:
            chosen = np.sort(child(generator(seed or 0), "worst case").choice(chosen, self.max_records, replace=False))
        possible = None
        if self.within:
            if release.recipe is None or not intruder.knows_method:
                raise NotApplicableError("the intruder does not know how the file was masked; give the recipe")
            known = Candidates.known(intruder.known_file(release, seed=seed), view.names)
            told = release.recipe.candidates(known, release.masked)
            assert told is not None
            possible = np.array([told.admits(release.masked, int(record)) for record in chosen])
        known_points, released = np.nan_to_num(view.known[chosen]), np.nan_to_num(view.released)
        return View(view.names, known_points, released, view.truth[chosen], view.records[chosen]), possible

    def by_known_record(self, view: View, learned: Learned) -> NDArray[np.float64]:
        """Which known records are linked, whichever way the links were made."""
        if not self.reverse:
            return learned.linked.astype(float)
        here = view.truth >= 0
        return np.where(here, learned.linked[np.maximum(view.truth, 0)], False).astype(float)


def turned(
    view: View, possible: NDArray[np.bool_] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_] | None]:
    """The problem seen from the release: its rows are linked to known records."""
    mine = np.full(len(view.released), -1, dtype=np.int64)
    here = view.truth >= 0
    mine[view.truth[here]] = np.flatnonzero(here)
    return view.released, view.known, mine, None if possible is None else np.ascontiguousarray(possible.T)
