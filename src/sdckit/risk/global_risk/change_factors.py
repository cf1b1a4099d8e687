"""Inversion and change factors: how much the masking moved the values of a key, from 0 for not at all to 1.

A cell that is missing in the original is skipped. A value that was suppressed counts as changed altogether, and pairs
with it as inverted half the time, as at random.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError, private
from sdckit.hierarchy import category_text
from sdckit.kernels.inversions import count_inversions
from sdckit.microdata import Kind
from sdckit.release import Release
from sdckit.risk.global_risk.weak_change import WeakChange


def factor_of(
    release: Release, name: str, records: NDArray[np.int64], rows: NDArray[np.int64], rule: WeakChange
) -> float:
    """The inversion-change factor of a key, over the records beside their rows."""
    attribute = release.original.attribute(name)
    if attribute.kind & Kind.ORDERED:
        before, after = release.original.matrix([name])[records, 0], release.masked.matrix([name])[rows, 0]
        if attribute.categories is not None:
            after = np.where(after < len(attribute.categories), after, np.nan)  # a new category is not in the order
        return inversion_factor(before, after)
    old, new = release.original.columns[name][records], release.masked.columns[name][rows]
    seen = old >= 0
    old, new = old[seen], new[seen]
    if attribute.hierarchy is None:
        return float((old != new).mean()) if len(old) else 0.0
    return weak_change_factor(release, name, old, new, rule)


def inversion_factor(before: NDArray[np.float64], after: NDArray[np.float64]) -> float:
    """Inversions as a share of half of all pairs, 1 at most."""
    seen = ~np.isnan(before)
    before, after = before[seen], after[seen]
    kept = ~np.isnan(after)
    records, left = len(before), int(kept.sum())
    if records < 2:
        return 0.0 if left == records else 1.0
    with_suppressed = (records * (records - 1) - left * (left - 1)) / 2
    inversions = count_inversions(before[kept], after[kept]) + with_suppressed / 2
    return min(1.0, 4 * inversions / (records * (records - 1)))


def weak_change_factor(
    release: Release, name: str, old: NDArray[np.int32], new: NDArray[np.int32], rule: WeakChange
) -> float:
    """The mean weak change factor of pairs of codes; what was suppressed counts 1."""
    tree = release.original.attribute(name).hierarchy
    assert tree is not None
    texts = [category_text(category) for category in release.masked.attribute(name).categories or ()]
    pairs, times = np.unique(np.column_stack([old, new]), axis=0, return_counts=True)
    total = 0.0
    for (one, other), count in zip(pairs.tolist(), times.tolist(), strict=True):
        if other < 0:
            total += count
        elif one != other:
            if texts[other] not in tree:
                raise NotApplicableError(
                    f"{private(texts[other])} is not in the hierarchy of {name!r}; add it there, or recode it"
                )
            total += count * rule.factor(tree, texts[one], texts[other])
    return min(1.0, total / len(old)) if len(old) else 0.0
