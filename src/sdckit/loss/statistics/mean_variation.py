"""Mean variation: the average of |a − a′| / |a| over statistics a of the original and a′ of the masked file."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.microdata import Kind
from sdckit.release import Release

ROUNDING = 1e-12  # a statistic this small relative to its scale is 0, except for the rounding of sums


def with_values(release: Release, kind: Kind = Kind.ORDERED) -> tuple[str, ...]:
    """The attributes that a loss is measured on, without those that had no value to lose."""
    names = tuple(name for name in release.evaluated_attributes(kind) if not release.original.absent(name).all())
    if not names:
        raise NotApplicableError(f"no {kind.title} attribute of the original has a value")
    return names


def variation(
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    cap: float = np.inf,
    scale: NDArray[np.float64] | float = 0.0,
) -> tuple[NDArray[np.float64], int]:
    """|a − a′| / |a| for each pair, at most `cap`; NaN where a is 0 or missing, and how many a were 0.

    A value that the masking removed has variation 1. `scale` is the magnitude of the terms summed in a.
    """
    zero = np.abs(before) <= ROUNDING * scale
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.abs(before - after) / np.abs(before)
    ratio = np.where(zero, np.nan, np.minimum(removed_counts_whole(ratio, before, after), cap))
    return ratio, int(zero.sum())


def removed_counts_whole(
    change: NDArray[np.float64], before: NDArray[np.float64], after: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The changes, 1 where the masking removed a value."""
    return np.where(np.isnan(after) & ~np.isnan(before), 1.0, change)


def mean_of(
    ratio: NDArray[np.float64],
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    scale: NDArray[np.float64] | float = 0.0,
) -> float:
    """The mean over what could be compared; with nothing to compare, 0 if nothing changed and 1 if something did."""
    seen = ~np.isnan(ratio)
    if seen.any():
        return float(ratio[seen].mean())
    return float((np.abs(np.nan_to_num(before) - np.nan_to_num(after)) > ROUNDING * scale).any())


def by_column(ratio: NDArray[np.float64], names: Sequence[str]) -> dict[str, float]:
    """The mean of each column; 0 where nothing could be compared."""
    counts = (~np.isnan(ratio)).sum(axis=0)
    sums = np.nansum(ratio, axis=0)
    return {
        name: float(total / count) if count else 0.0 for name, total, count in zip(names, sums, counts, strict=True)
    }
