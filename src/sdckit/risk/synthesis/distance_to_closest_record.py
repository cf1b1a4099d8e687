"""Distance to the closest record: do released rows lie suspiciously near to somebody?"""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.gower_neighbours import gower_neighbours
from sdckit.kernels.intervals import wilson
from sdckit.measure import Cost, Measure, Score, risk
from sdckit.microdata import Microdata
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.linkage.mixed_space import ranges
from sdckit.risk.synthesis.plain_columns import are_categories, canonical_order, plain_values, released_attributes

WARNING = "A low figure proves nothing: files that leak pass this test. Judge by the membership game."
QUANTILE = 0.05


@risk("distance-to-closest-record", reference="yao2025", cost=Cost.SLOW, by_default=False)
class DistanceToClosestRecord(Measure):
    r"""Share of released rows nearer to a record of the original than 95 % of other people are.

    The threshold is the 5 % quantile of the distance from a person of the control file to the closest record of the
    original; without a control, of the distance between the records themselves. The baseline is 5 %: what a file of
    other people would have. Distances are Gower's, over all attributes.

    **A low figure proves nothing.** The test detects copies and nothing else: synthetic files that pass it have been
    shown to disclose who is in the original. It is offered because others report it; judge a file by the membership
    game, singling out and attribute inference.

    Formula: $\frac{1}{n'} \cdot |\{r : d(r, X) < t\}|$,  $t$ the 5 % quantile of $d(y, X)$ over the control records $y$

    Intruder: none; the figure compares distances.

    Use it when a reviewer asks for it, and never alone.
    """

    for_synthesis: ClassVar[bool] = True

    warning: ClassVar[str] = WARNING

    max_records: int = param(5000, "largest number of rows, and of control records, to compare", low=1)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = released_attributes(release)
        original = release.original
        if len(original) < 2:
            raise NotApplicableError("the original has one record; there is no distance between people to compare with")
        control = release.control
        with_control = control is not None and all(name in control for name in names)
        if control is not None and with_control:
            others = distances(release, self._some(control, names), names, None)
        else:
            records = evenly(len(original), self.max_records)
            others = distances(release, original.take(records), names, records)
        threshold = float(np.quantile(others, QUANTILE))
        near = distances(release, self._some(release.masked, names), names, None)
        closer = near < threshold if threshold > 0 else near <= 0
        return Score(
            float(closer.mean()),
            interval=wilson(float(closer.sum()), len(closer)),
            baseline=float((others < threshold).mean()) if threshold > 0 else float((others <= 0).mean()),
            details={
                "warning": WARNING,
                "threshold": threshold,
                "copies": float((near <= 0).mean()),
                "median": float(np.median(near)),
                "median_of_others": float(np.median(others)),
                "compared_with": "control" if with_control else "the records themselves",
            },
        )

    def _some(self, file: Microdata, names: tuple[str, ...]) -> Microdata:
        """At most `max_records` records, evenly from the file sorted by its values."""
        order = canonical_order(plain_values(file, names))
        return file.take(order[evenly(len(file), self.max_records)])


def evenly(records: int, most: int) -> NDArray[np.int64]:
    """The positions of at most so many records, at equal distances."""
    return np.unique(np.linspace(0, records - 1, min(records, most)).round().astype(np.int64))


def distances(
    release: Release, people: Microdata, names: tuple[str, ...], own: NDArray[np.int64] | None
) -> NDArray[np.float64]:
    """The distance of each of these people to the closest record of the original, other than their own."""
    original, categorical = plain_values(release.original, names), are_categories(release.original, names)
    scale = np.where(categorical, 1.0, ranges(original))
    priority = np.arange(len(original))
    found = gower_neighbours(plain_values(people, names) / scale, original / scale, categorical, priority, 2)
    if own is None:
        return found.distances[:, 0]
    return np.where(found.rows[:, 0] == own, found.distances[:, -1], found.distances[:, 0])
