"""Linkage over attributes of every kind."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import Intruder
from sdckit.kernels.mixed_distances import mixed_links
from sdckit.measure import Finds, Need, risk
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.linkage.linkage import Linkage, Links, linked, some_records
from sdckit.risk.linkage.mixed_space import mixed_space


@risk("mixed-linkage", reference="gower1971", finds=Finds.RECORDS, needs={Need.ROWS})
class MixedLinkage(Linkage):
    """Share of records found by linking each to the nearest, over ordered, hierarchical and unordered attributes alike.

    Each attribute adds between 0 and 1: ordered ones their difference as a share of the original's range, hierarchical
    ones their distance in the tree, unordered ones 0 if equal and else 1. A coarser value, such as a district for one
    of its post codes, is at distance 0 from all it stands for. Attributes missing on either side are left out and the
    others count for them. On large files a random part of the known records is linked.

    Formula: d(a, b) = (1 / |J|) · Σ_{j ∈ J} dⱼ(aⱼ, bⱼ),  J the attributes that both records have

    Intruder: holds the known attributes of a record exactly and takes the nearest released record for it.

    Use it when keys are of several kinds, as in most files on persons, or categories were recoded or suppressed.
    """

    kinds: ClassVar[Kind] = Kind.ANY

    reverse: bool = param(False, "link each released record to the nearest known one instead")
    max_records: int = param(10_000, "known records to link at most, drawn at random", low=1, formerly="most")

    def links(self, release: Release, intruder: Intruder, *, seed: int | None) -> Links:
        intruder = some_records(release, intruder, self.max_records, seed=seed)
        space = mixed_space(release, intruder, seed=seed)
        records = intruder.known_records(release, seed)

        def link(reverse: bool, truth: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
            here, there = (space.released, space.known) if reverse else (space.known, space.released)
            found = mixed_links(here, there, space.trees, truth)
            return found.ties, found.truth_tied

        return linked(link, records, release.true_rows(records), len(release.masked), reverse=self.reverse)
