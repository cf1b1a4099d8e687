"""Possible rows: how many released rows can really be each record's, by what the recipe promises."""

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.errors import NotApplicableError
from sdckit.intruder import AttackerView, Intruder
from sdckit.kernels.intersections import intersection_sizes
from sdckit.kernels.intervals import wilson
from sdckit.measure import Measure, Need, Score, risk
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.linkage.linkage import sampled
from sdckit.risk.uniqueness.released_keys import ReleasedKeys
from sdckit.row_sets import Constraints


@risk("possible-rows", reference="sweeney2002", needs={Need.RECIPE})
class PossibleRows(Measure):
    r"""Mean probability of a correct match by a random choice among the rows that the recipe leaves possible.

    For each record the rows are counted that the published method and parameters do not rule out, by what theory
    promises. A random choice is correct with probability 1 / their number, at most: where records were left out, the
    record may have no row. The smallest number is the k of the file for an intruder who knows the recipe; it is in the
    details, beside the smallest class by the usual rule, by which a missing key agrees with every value. That rule also
    counts rows that contradict a record: where it counts three rows, only one may be possible. Rows are ruled out
    record by record; an intruder who matches all records jointly, or who repeats a suppression, may rule out more. On
    large files a random part of the known records is counted.

    Formula: $\frac{1}{m} \sum_x \frac{1}{|R(x)|}$,  $R(x)$ the rows that can belong to $x$;  0 where there is none

    Intruder: knows the recipe and the keys of some records, without error, and rules out rows that cannot be theirs.

    Use it when keys were suppressed or recoded, to see whether the classes of k-anonymity hide anybody; for what an
    intruder gains by choosing in these sets, read the intersection attack.
    """

    group_size: int = param(3, "smallest number of rows that must be possible (k)", low=1, grid=(2, 3, 5, 10))
    max_records: int = param(10_000, "largest number of known records to count rows for, drawn at random", low=1)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = intruder.view(release, seed=seed)
        judged = sampled(len(view), self.max_records, seed)
        sizes = possible_row_counts(view, judged)
        some = sizes[sizes > 0]
        probability = np.where(sizes > 0, 1.0 / np.maximum(sizes, 1), 0.0)
        keys = ReleasedKeys.seen_by(intruder, release)
        details: dict[str, object] = {
            "attributes": view.attributes,
            "smallest_set": int(some.min(initial=len(release.masked))),
            "records_in_smaller_sets": int((some < self.group_size).sum()),
            "one_possible_row": float((sizes == 1).mean()),
            "mean_set": float(sizes.mean()),
            "smallest_class": int(keys.frequency.min()),
        }
        if len(judged) < len(view):
            details["records_counted"] = len(judged)
        return Score(
            float(probability.mean()),
            by_record=release.on_records(view.records[judged], probability),
            interval=wilson(float(probability.sum()), len(probability)),
            baseline=1.0 / len(release.masked),
            details=details,
        )


def possible_row_counts(view: AttackerView, judged: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """How many released rows can be the row of each known record, or of some of them, by what the recipe promises."""
    if not view.exact:
        raise NotApplicableError(
            "rows are ruled out by values that are known exactly; leave out the intruder's noise and own file"
        )
    recipe = view.published_recipe
    known = Candidates.known(view.known, view.attributes, complete=view.everyone, original=view.original)
    possible = recipe.candidates(known, view.released)
    chosen = np.arange(len(view)) if judged is None else judged
    if possible is None:
        return np.full(len(chosen), len(view.released))
    return intersection_sizes(*Constraints.of(possible.promised(), view.released).of_records(chosen))
