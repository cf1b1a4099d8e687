"""How fast microaggregation is, beside plain twins timed in the same run, and how its time grows."""

import resource
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.kd_order import kd_order
from sdckit.kernels.mdav import mdav
from sdckit.kernels.ordered_partition import best_partition_of_order
from sdckit.kernels.partitions import share_of_variation_lost
from sdckit.kernels.refinement import refine
from sdckit.kernels.univariate_microaggregation import optimal_univariate

GROUP_SIZE = 5


def seconds(task: Callable[[], object], repeats: int = 3) -> float:
    """The least processor time of a few runs; all that is timed here runs on one core."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return min(times)


def growth(sizes: list[int], times: list[float]) -> float:
    """The exponent e of time ~ records^e, by least squares on logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def standardised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return (values - values.mean(axis=0)) / values.std(axis=0)


def correlated(count: int, skewed: bool = False) -> NDArray[np.float64]:
    """Ten correlated normal attributes, or their exponentials."""
    values = np.random.default_rng(0).normal(size=(count, 10)) @ np.random.default_rng(1).normal(size=(10, 10))
    return standardised(np.exp(values / 4) if skewed else values)


@njit(cache=True)
def plain_mdav(points: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    """MDAV by full scans, compiled like the kernel, over rows kept together in memory."""
    labels = np.full(len(points), -1)
    rows, records = points.copy(), np.arange(len(points))
    distances = np.empty(len(points))
    group, left = 0, len(points)
    while left >= 2 * group_size:
        centroid = np.zeros(points.shape[1])
        for index in range(left):
            centroid += rows[index]
        plain_distances(rows, left, centroid / left, distances)
        seed = np.argmax(distances[:left])
        for _ in range(2 if left >= 3 * group_size else 1):
            query = rows[seed].copy()
            plain_distances(rows, left, query, distances)
            distances[seed] = -1.0
            reach = np.partition(distances[:left], group_size - 1)[group_size - 1]
            close = np.flatnonzero(distances[:left] <= reach)
            close = close[np.argsort(distances[close], kind="mergesort")[:group_size]]
            labels[records[close]] = group
            group += 1
            kept, seed = 0, 0
            for index in range(left):
                if labels[records[index]] < 0:
                    rows[kept], records[kept], distances[kept] = rows[index], records[index], distances[index]
                    seed = kept if distances[kept] > distances[seed] else seed
                    kept += 1
            left = kept
    labels[records[:left]] = group
    return labels


@njit(cache=True)
def plain_distances(
    rows: NDArray[np.float64], left: int, query: NDArray[np.float64], distances: NDArray[np.float64]
) -> None:
    for index in range(left):
        total = 0.0
        for axis in range(len(query)):
            total += (rows[index, axis] - query[axis]) ** 2
        distances[index] = total


def bench_mdav() -> None:
    mdav(correlated(1000), GROUP_SIZE)
    plain_mdav(correlated(1000), GROUP_SIZE)
    sizes = [16_000, 32_000, 64_000]
    times = [seconds(lambda points=correlated(size): mdav(points, GROUP_SIZE)) for size in sizes]
    points = correlated(sizes[-1])
    twin = seconds(lambda: plain_mdav(points, GROUP_SIZE), repeats=1)
    same = np.array_equal(plain_mdav(points, GROUP_SIZE), mdav(points, GROUP_SIZE))
    print(f"MDAV, 64000 x 10, k=5: {times[-1]:.2f} s, {twin / times[-1]:.1f} times as fast as a compiled plain scan")
    print(f"  same partition as the plain scan: {same}; time grows as records^{growth(sizes, times):.2f}")


def bench_univariate() -> None:
    sizes = [250_000, 500_000, 1_000_000]
    columns = [np.random.default_rng(0).normal(size=size) for size in sizes]
    optimal_univariate(columns[0][:1000], GROUP_SIZE)
    times = [seconds(lambda column=column: optimal_univariate(column, GROUP_SIZE), 7) for column in columns]
    sort = seconds(lambda: np.sort(columns[-1]), 7)
    print(f"optimal univariate, 1000000, k=5: {times[-1]:.3f} s, {times[-1] / sort:.1f} times one np.sort")
    print(f"  time grows as records^{growth(sizes, times):.2f}")


def ordered_and_settled(points: NDArray[np.float64]) -> NDArray[np.int64]:
    start = best_partition_of_order(points, kd_order(points, 2 * GROUP_SIZE), GROUP_SIZE)
    return refine(points, start, GROUP_SIZE, np.random.default_rng(0), rounds=0)


def bench_large_files() -> None:
    ordered_and_settled(correlated(2000))
    for name, points in (("normal", correlated(64_000)), ("lognormal", correlated(64_000, skewed=True))):
        ours, theirs = (
            share_of_variation_lost(points, form(points)) for form in (ordered_and_settled, lambda p: mdav(p, 5))
        )
        print(f"kd-order, cut and settled, 64000 x 10 {name}: {ours / theirs:.3f} of the loss of MDAV")
    sizes = [64_000, 250_000, 1_000_000]
    times = [seconds(lambda points=correlated(size): ordered_and_settled(points), 1) for size in sizes]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(f"kd-order, cut and settled, 1000000 x 10, k=5: {times[-1]:.0f} s, at most {peak:.2f} GB")
    print(f"  time grows as records^{growth(sizes, times):.2f}")


def main() -> None:
    bench_mdav()
    bench_univariate()
    bench_large_files()


if __name__ == "__main__":
    main()
