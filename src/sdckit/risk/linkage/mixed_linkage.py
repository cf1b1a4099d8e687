"""Linkage over attributes of every kind."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.kernels.mixed_distances import mixed_links
from sdckit.measure import Finds, Need, risk
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.linkage.linkage import Linkage
from sdckit.risk.linkage.mixed_space import mixed_space
from sdckit.risk.linkage.nearest_rows import Found, NearestRows


@risk("mixed-linkage", reference="gower1971", finds=Finds.RECORDS, needs={Need.ROWS})
class MixedLinkage(Linkage):
    r"""Share of records re-identified by linking each to the nearest, over attributes of every kind.

    Each attribute adds between 0 and 1: ordered ones their difference as a share of the original's range, hierarchical
    ones their distance in the tree, unordered ones 0 if equal and else 1. A coarser value, such as a district for one
    of its postcodes, is at distance 0 from all the values below it. A missing value of a released record counts as a
    fifth of the expected distance to another record; an attribute that is not known is left out. On large files a
    random part of the known records is linked.

    Formula: $d(a, b) = \frac{1}{|J|} \sum_{j \in J} d_j(a_j, b_j)$,  $J$ the attributes known,  $d_j(a_j,
    \text{missing}) = \frac{1}{5} \mathrm{E}[d_j(a_j, B)]$

    Intruder: knows some attributes of a record exactly and takes the nearest released record for it.

    Use it when keys are of several kinds, as in most files on persons, or categories were recoded or suppressed.
    """

    kinds: ClassVar[Kind] = Kind.ANY

    reverse: bool = param(False, "link each released record to the nearest known one instead")

    def attempt(self, view: AttackerView, *, seed: int | None, taught: Release | None = None) -> NearestRows:
        space = mixed_space(view)
        linking, linked = (space.released, space.known) if self.reverse else (space.known, space.released)

        def link(which: NDArray[np.int64], partner: NDArray[np.int64]) -> Found:
            found = mixed_links(linking.take(which), linked, space.trees, partner)
            return found.nearest, found.ties, found.truth_tied

        return NearestRows(len(view), len(view.released), link, self.reverse)
