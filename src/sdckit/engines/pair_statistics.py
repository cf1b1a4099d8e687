"""Sufficient statistics of a release in parts: moments of both files, and how far the values moved.

Each part is summed by itself and the sums of the parts are added without rounding (`math.fsum`), so the figures agree
with those from memory to about twelve digits, whatever the size of the parts.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Kind
from sdckit.engines.engine import Engine
from sdckit.engines.pair import Pair
from sdckit.kernels.pairwise_correlations import correlations_of_sums
from sdckit.loss.statistics.mean_variation import variation
from sdckit.progress import NoProgress, Progress

Sums = Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class FileSums:
    """Means of the columns of one file, and sums of centred values over the records that have both of two columns."""

    means: NDArray[np.float64]
    constant: NDArray[np.bool_]
    counts: NDArray[np.float64]
    sums: NDArray[np.float64]
    squares: NDArray[np.float64]
    products: NDArray[np.float64]

    @property
    def moments(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Means and covariances (n − 1)."""
        return self.means, self.products / np.maximum(self.counts - 1, 1)

    @property
    def correlations(self) -> NDArray[np.float64]:
        """The correlation of every two columns."""
        ratio, _ = correlations_of_sums(self.counts, self.sums, self.squares, self.products)
        return np.asarray(np.clip((ratio + ratio.T) / 2, -1.0, 1.0))

    @property
    def deviations(self) -> NDArray[np.float64]:
        """The standard deviation (n − 1) of each column; 0 for a constant one."""
        own = np.diag(self.products) / np.maximum(np.diag(self.counts) - 1, 1)
        return np.where(self.constant, 0.0, np.sqrt(own))


@dataclass(frozen=True, eq=False)
class PairStatistics:
    """Statistics of the ordered attributes of a release, each computed once when it is asked for."""

    pair: Pair
    engine: Engine
    progress: Progress = NoProgress()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The ordered attributes that losses are measured on."""
        return self.pair.evaluated(Kind.ORDERED)

    @cached_property
    def files(self) -> tuple[FileSums, FileSums]:
        """The sums of the original and of the masked file."""
        pair, names = self.pair, self.names
        first = self._over_parts(lambda part: _totals(pair, part, names))
        means = [first[f"sum{side}"] / np.maximum(first[f"count{side}"], 1) for side in (0, 1)]
        # The mean of equal values may differ from them by rounding: only the range shows that a column is constant.
        constant = [first[f"high{side}"] <= first[f"low{side}"] for side in (0, 1)]
        means = [np.where(constant[side], first[f"low{side}"], means[side]) for side in (0, 1)]
        second = self._over_parts(lambda part: _products(pair, part, names, means))
        found = [
            FileSums(
                means[side],
                constant[side],
                second[f"counts{side}"],
                second[f"sums{side}"],
                second[f"squares{side}"],
                second[f"products{side}"],
            )
            for side in (0, 1)
        ]
        return found[0], found[1]

    def moved(self, cap: float = math.inf) -> Sums:
        """Sums over the cells of how far values moved: absolutely, relative to themselves, and what was removed."""
        pair, names = self.pair, self.names
        return self._over_parts(lambda part: _moved(pair, part, names, cap))

    def changed(self, names: Sequence[str], deviations: Mapping[str, float]) -> Sums:
        """For attributes of every kind, the sum of the distances of their values and the number of values."""
        pair = self.pair
        return self._over_parts(lambda part: _changed(pair, part, names, deviations))

    def _over_parts(self, kernel: Any) -> Sums:
        parts = self.engine.run(kernel, range(len(self.pair.original.cut)), self.progress)
        return {name: _added(name, [part[name] for part in parts]) for name in parts[0]}


def _added(name: str, parts: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The sums of all parts, without rounding; for ranges, the outermost ends."""
    stacked = np.stack(parts)
    if name.startswith("low"):
        return np.asarray(stacked.min(axis=0))
    if name.startswith("high"):
        return np.asarray(stacked.max(axis=0))
    flat = stacked.reshape(len(parts), -1)
    return np.array([math.fsum(column) for column in flat.T]).reshape(stacked.shape[1:])


def _matrices(pair: Pair, part: int, names: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    original, masked = pair.chunks(part, names)
    return original.matrix(names), masked.matrix(names)


def _totals(pair: Pair, part: int, names: Sequence[str]) -> Sums:
    found: dict[str, NDArray[np.float64]] = {}
    for side, values in enumerate(_matrices(pair, part, names)):
        observed = ~np.isnan(values)
        found |= {
            f"count{side}": observed.sum(axis=0).astype(np.float64),
            f"sum{side}": np.where(observed, values, 0.0).sum(axis=0),
            f"low{side}": np.where(observed, values, np.inf).min(axis=0),
            f"high{side}": np.where(observed, values, -np.inf).max(axis=0),
        }
    return found


def _products(pair: Pair, part: int, names: Sequence[str], means: Sequence[NDArray[np.float64]]) -> Sums:
    found: dict[str, NDArray[np.float64]] = {}
    for side, values in enumerate(_matrices(pair, part, names)):
        observed = (~np.isnan(values)).astype(np.float64)
        centred = np.where(observed > 0, values - means[side], 0.0)
        found |= {
            f"counts{side}": observed.T @ observed,
            f"sums{side}": centred.T @ observed,
            f"squares{side}": (centred**2).T @ observed,
            f"products{side}": centred.T @ centred,
        }
    return found


def _moved(pair: Pair, part: int, names: Sequence[str], cap: float) -> Sums:
    original, masked = _matrices(pair, part, names)
    ratio, zeros = variation(original, masked, cap)
    both = ~np.isnan(original) & ~np.isnan(masked)
    return {
        "distance": np.where(both, np.abs(original - masked), 0.0).sum(axis=0),
        "removed": (~np.isnan(original) & np.isnan(masked)).sum(axis=0).astype(np.float64),
        "both": both.sum(axis=0).astype(np.float64),
        "ratio": np.nansum(ratio, axis=0),
        "ratios": (~np.isnan(ratio)).sum(axis=0).astype(np.float64),
        "zeros": np.array([float(zeros)]),
        "differing": np.array([float((np.nan_to_num(original) != np.nan_to_num(masked)).sum())]),
    }


def _changed(pair: Pair, part: int, names: Sequence[str], deviations: Mapping[str, float]) -> Sums:
    original, masked = pair.chunks(part, names)
    sums, counts = np.zeros(len(names)), np.zeros(len(names))
    for index, name in enumerate(names):
        attribute = original.attribute(name)
        before, after = original.columns[name], masked.columns[name]
        if attribute.coded:
            known = len(attribute.categories or ())
            steps = np.abs(before - after) / max(known - 1, 1)
            ordered = bool(attribute.kind & Kind.ORDERED)
            change = np.where(after < known, steps, 1.0) if ordered else (before != after).astype(np.float64)
        else:
            change = 2 / np.pi * np.arctan(np.abs(before - after) / (deviations[name] or 1.0))
        change = np.where(masked.absent(name), 1.0, change)[~original.absent(name)]
        sums[index], counts[index] = change.sum(), len(change)
    return {"sums": sums, "counts": counts}
