"""How long the linkage attacks take, against the matrix of all pairs, and how it grows."""

from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

import numpy as np
import polars
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from sdckit import Release, build
from sdckit.kernels.assignment import best_assignment
from sdckit.kernels.boxes import box_links
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.fellegi_sunter import agree_when_equal, best_matches, fit, pattern_counts
from sdckit.kernels.mixed_distances import mixed_links
from sdckit.kernels.mixed_tree import MixedRecords, Trees
from sdckit.kernels.nearest import nearest_links
from sdckit.kernels.ranks import swap_within_rank_window
from sdckit.kernels.standardisation import standardise

Matrix = NDArray[np.float64]
T = TypeVar("T")

KEYS = 6
SWAP = 0.05
WINDOW = 0.01


def timed(work: Callable[[], T]) -> tuple[float, T]:
    start = perf_counter()
    result = work()
    return perf_counter() - start, result


def file_and_twin(n: int, swap: float) -> tuple[Matrix, Matrix]:
    """Six correlated keys and the same file after rank swapping."""
    rng = np.random.default_rng(n)
    values = rng.normal(size=(n, KEYS)) + rng.normal(size=(n, 1))
    masked = np.column_stack([swap_within_rank_window(column, int(swap * n), rng) for column in values.T])
    return standardise(values), standardise(masked)


def rank_boxes(known: Matrix, released: Matrix, reach: int) -> tuple[Matrix, Matrix]:
    lower, upper = np.empty_like(known), np.empty_like(known)
    for j, column in enumerate(np.sort(released, axis=0).T):
        first = np.searchsorted(column, known[:, j], side="left") - reach
        last = np.searchsorted(column, known[:, j], side="right") - 1 + reach
        lower[:, j], upper[:, j] = column[np.maximum(first, 0)], column[np.minimum(last, len(column) - 1)]
    return lower, upper


def link_nearest(n: int) -> tuple[float, float]:
    known, released = file_and_twin(n, SWAP)
    ours, links = timed(lambda: nearest_links(known, released, np.arange(n)))
    if n > 10_000:
        return ours, np.nan
    pairs, nearest = timed(lambda: cdist(known, released, "sqeuclidean").argmin(axis=1))
    assert np.array_equal(links.nearest, nearest)
    return ours, pairs


def link_in_boxes(n: int) -> tuple[float, float]:
    known, released = file_and_twin(n, WINDOW)
    lower, upper = rank_boxes(known, released, int(WINDOW * n))
    ours, links = timed(lambda: box_links(lower, upper, known, released, np.arange(n)))
    if n > 10_000:
        return ours, np.nan
    pairs, counts = timed(
        lambda: [
            ((low <= released) & (released <= high)).all(axis=1).sum() for low, high in zip(lower, upper, strict=True)
        ]
    )
    assert links.count.tolist() == counts
    return ours, pairs


def link_one_to_one(n: int) -> tuple[float, float]:
    known, released = file_and_twin(n, 0.02)
    ours, found = timed(lambda: best_assignment(known, released))
    if n > 4_000:
        return ours, np.nan

    def all_pairs() -> float:
        cost = cdist(known, released, "sqeuclidean")
        return float(cost[linear_sum_assignment(cost)].sum())

    pairs, cost = timed(all_pairs)
    assert np.isclose(cost, found.cost)
    return ours, pairs


def link_by_agreement(n: int) -> tuple[float, float]:
    rng = np.random.default_rng(n)
    known = rng.integers(0, 10, size=(n, 10))
    released = np.where(rng.random(known.shape) < 0.2, rng.integers(0, 10, size=known.shape), known)
    agreement = agree_when_equal(known, released)

    def all_pairs() -> NDArray[np.int64]:
        bits = 1 << np.arange(10)
        return sum(np.bincount((record == released) @ bits, minlength=1024) for record in known)

    def ours() -> NDArray[np.int64]:
        counts = pattern_counts(agreement)
        best_matches(agreement, fit(counts, 1 / n), np.arange(n))
        return counts

    time, counts = timed(ours)
    if n > 3_000:
        return time, np.nan
    pairs, expected = timed(all_pairs)
    assert np.array_equal(counts, expected)
    return time, pairs


def link_mixed(n: int) -> tuple[float, float]:
    known, released = file_and_twin(n, SWAP)
    rng = np.random.default_rng(n)
    town = rng.integers(0, 50, size=(n, 1)).astype(np.int32)
    moved = np.where(rng.random((n, 1)) < 0.1, rng.integers(0, 50, size=(n, 1)), town).astype(np.int32)
    trees = Trees.of([([[node] for node in range(50)], 1)])
    ours, links = timed(
        lambda: mixed_links(MixedRecords(known, town), MixedRecords(released, moved), trees, np.arange(n))
    )
    if n > 10_000:
        return ours, np.nan

    def all_pairs() -> NDArray[np.int64]:
        return (cdist(known, released, "cityblock") + (town != moved.T)).argmin(axis=1)

    pairs, nearest = timed(all_pairs)
    assert np.array_equal(links.nearest, nearest)
    return ours, pairs


def link_global(n: int) -> tuple[float, float]:
    """The whole risk, as it is assessed: both files standardised, linked one to one, and each attribute left out."""
    known, released = file_and_twin(n, 0.02)
    columns = [f"x{index}" for index in range(KEYS)]
    release = Release(*(polars.DataFrame(dict(zip(columns, values.T, strict=True))) for values in (known, released)))
    ours, score = timed(lambda: build("risk", "global-linkage").measure(release, seed=1))
    assert score.value > 0
    return ours, np.nan


def classify(n: int) -> tuple[float, float]:
    codes = np.random.default_rng(n).integers(0, 10, size=(n, 5))
    ours, classes = timed(lambda: class_of(codes))
    sort, sizes = timed(lambda: np.unique(codes, axis=0, return_counts=True)[1])
    assert len(sizes) == len(classes.sizes)
    return ours, sort


TASKS: dict[str, tuple[Callable[[int], tuple[float, float]], tuple[int, ...]]] = {
    "distance linkage": (link_nearest, (10_000, 100_000, 1_000_000)),
    "linkage within rank windows": (link_in_boxes, (10_000, 100_000, 1_000_000)),
    "one-to-one linkage": (link_one_to_one, (1_000, 4_000, 16_000)),
    "global linkage, the whole risk": (link_global, (1_000, 4_000)),
    "mixed linkage": (link_mixed, (2_500, 10_000, 20_000)),
    "probabilistic linkage": (link_by_agreement, (2_500, 5_000, 10_000)),
    "equivalence classes": (classify, (10_000, 100_000, 1_000_000)),
}


def main() -> None:
    for name, (task, sizes) in TASKS.items():
        task(300)  # compiled before the clock starts
        times = []
        print(name)
        for n in sizes:
            ours, twin = task(n)
            times.append(ours)
            ratio = "" if np.isnan(twin) else f", its plain twin {twin:.3f} s: {twin / ours:.1f} times faster"
            print(f"  {n:>9} records in {ours:.3f} s{ratio}", flush=True)
        print(f"  grows as n^{np.polyfit(np.log(sizes), np.log(times), 1)[0]:.2f}")


if __name__ == "__main__":
    main()
