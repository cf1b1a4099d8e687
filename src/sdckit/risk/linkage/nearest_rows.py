"""Links made one by one: each known record to the rows nearest to it, or each row to the nearest known records."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.kernels.nearest import nearest_links
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.linkage.linkage import Linkage, ScoredLinks

Found = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]  # the nearest, how many tie, is the true one so
Link = Callable[[NDArray[np.int64], NDArray[np.int64]], Found]


@dataclass(frozen=True, eq=False)
class NearestRows:
    """Links that do not depend on one another.

    `link` takes which of the records to link (rows, if `reverse`), and for each its own partner, −1 if it has none.
    """

    known: int
    rows: int
    link: Link
    reverse: bool

    def targets(self) -> NDArray[np.int64]:
        """The nearest row of each known record; in reverse, the nearest known record of each row."""
        linking = np.arange(self.rows if self.reverse else self.known)
        return self.link(linking, np.full(len(linking), -1))[0]

    def score(self, truth: NDArray[np.int64], judged: NDArray[np.int64]) -> ScoredLinks:
        """Score the links of the judged records; in reverse, those of their rows."""
        own = truth[judged]
        if not self.reverse:
            _, ties, truth_tied = self.link(judged, own)
            return ScoredLinks.tied(ties, truth_tied, self.rows)
        released = own >= 0
        ties, truth_tied = np.ones(len(own), dtype=np.int64), np.zeros(len(own), dtype=bool)
        _, ties[released], truth_tied[released] = self.link(own[released], judged[released])
        return ScoredLinks.tied(ties, truth_tied, self.known)


def nearest_points(known: NDArray[np.float64], released: NDArray[np.float64], *, reverse: bool) -> NearestRows:
    """Links by the Euclidean distance of points."""
    linking, linked = (released, known) if reverse else (known, released)

    def link(which: NDArray[np.int64], partner: NDArray[np.int64]) -> Found:
        found = nearest_links(linking[which], linked, partner)
        return found.nearest, found.ties, found.truth_tied

    return NearestRows(len(known), len(released), link, reverse)


@dataclass(frozen=True, kw_only=True)
class EuclideanLinkage(Linkage):
    """A linkage by the Euclidean distance in a space that each of the two files is brought into."""

    reverse: bool = param(False, "link each released record to the nearest known one instead")

    def space(self, view: AttackerView) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The known and the released records as points."""
        raise TypeError(f"{type(self).__name__} must define space")

    def attempt(self, view: AttackerView, *, seed: int | None, taught: Release | None = None) -> NearestRows:
        return nearest_points(*self.space(view), reverse=self.reverse)
