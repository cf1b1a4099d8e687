"""Every row in which sdckit is compared with another tool: CPU seconds, the exponent of three sizes, and a peer beside.

The peer runs in the same process on a size that it can do: scipy, or the definition followed literally in numpy, which
gives the same result. `python -m benchmarks beside_peers` prints a line of Markdown for each row. Where R and sdcMicro
are installed, the benchmarks `frequency` and `microaggregation` time that package, too.
"""

from collections.abc import Callable
from functools import partial
from math import log
from time import process_time

import numpy as np
from benchmarks import categorical, frequency, linkage, microaggregation, swapping
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from sdckit.kernels.assignment import best_assignment
from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.kernels.mdav import mdav
from sdckit.kernels.nearest import nearest_links
from sdckit.kernels.ranks import swap_within_rank_window
from sdckit.kernels.suda import elliot_weight, special_uniques
from sdckit.kernels.suppression import suppress_to_k_anonymity
from sdckit.release import protect

Work = Callable[[], object]
K = 3
SMALL = 300  # records
COLUMNS = 20  # of the linkage in which a tree excludes nothing


def timed(work: Work) -> float:
    """CPU seconds of one run."""
    start = process_time()
    work()
    return process_time() - start


def row(title: str, ours: Callable[[int], Work], sizes: tuple[int, int, int], peer: Callable[[int], Work]) -> None:
    """One line: the seconds at the largest size, how they grow, and how many times as long the peer takes.

    The peer is timed at the smallest size, and sdckit there as well.
    """
    works = [ours(size) for size in sizes]
    for work in (works[0], peer(SMALL)):  # compiled before the clock starts
        work()
    taken = [timed(work) for work in works]
    growth = log(taken[-1] / taken[0]) / log(sizes[-1] / sizes[0])
    times = timed(peer(sizes[0])) / max(taken[0], 1e-9)
    peer_text = f"{times:,.{0 if times >= 10 else 1}f} ({sizes[0]:,})"
    print(f"| {title} | {sizes[-1]:,} | {taken[-1]:.2f} s | {growth:.2f} | {peer_text} |", flush=True)


def of_columns(swap: Callable[..., object], size: int) -> Work:
    """Rank swapping of ten columns."""
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(swapping.ATTRIBUTES, size))
    return lambda: [swap(column, int(swapping.WINDOW * size), rng) for column in columns]


def flipped(codes: NDArray[np.int64], shares: NDArray[np.float64]) -> NDArray[np.int64]:
    """PRAM literally: a category is drawn for each record by itself."""
    rng = np.random.default_rng(0)
    return np.array([rng.choice(len(shares), p=shares[code]) for code in codes])


def pram_literally(size: int) -> Work:
    """The first key, by a matrix that keeps most values."""
    codes, count = categorical.keys(size)[:, 0], categorical.CATEGORIES[0]
    return partial(flipped, codes, 0.8 * np.eye(count) + 0.2 / count)


def disturbed(size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Many attributes and much noise: the nearest row is hardly nearer than any other."""
    known = np.random.default_rng(1).standard_normal((size, COLUMNS))
    return known, known + np.random.default_rng(2).standard_normal(known.shape)


def assigned(size: int) -> Work:
    """One-to-one linkage of all pairs by scipy."""
    known, released = linkage.file_and_twin(size, 0.02)

    def all_pairs() -> float:
        cost = cdist(known, released, "sqeuclidean")
        return float(cost[linear_sum_assignment(cost)].sum())

    return all_pairs


def main() -> None:
    """Print the table."""
    keys = partial(frequency.keys, categories=frequency.FIVE_KEYS)

    def weights(size: int) -> NDArray[np.float64]:
        return np.random.default_rng(1).uniform(5, 500, size)

    def of_file(method: str, size: int) -> Work:
        return partial(protect, categorical.file(size), method, attributes=["key 0"], seed=1)

    print("| what | records | CPU | exponent | times as long takes the peer (records) |")
    print("| --- | --- | --- | --- | --- |")
    row(
        "MDAV, 10 attributes, beside a compiled scan",
        lambda size: partial(mdav, microaggregation.correlated(size), 5),
        (8_000, 16_000, 32_000),
        lambda size: partial(microaggregation.plain_mdav, microaggregation.correlated(size), 5),
    )
    row(
        "rank swapping, 10 attributes, beside numpy",
        partial(of_columns, swap_within_rank_window),
        (8_000, 64_000, 512_000),
        partial(of_columns, swapping.swap_literally),
    )
    row(
        "local suppression, k = 3, beside numpy",
        lambda size: partial(suppress_to_k_anonymity, categorical.keys(size), K, np.ones(len(categorical.CATEGORIES))),
        (2_000, 16_000, 128_000),
        lambda size: partial(categorical.by_the_book, categorical.keys(size), K),
    )
    row("PRAM, one attribute, beside numpy", partial(of_file, "pram"), (20_000, 200_000, 1_000_000), pram_literally)
    row(
        "SUDA2, 5 keys, beside numpy",
        lambda size: partial(special_uniques, keys(size), elliot_weight, 5),
        (20_000, 140_000, 1_000_000),
        lambda size: partial(frequency.plain_suda, keys(size), 5),
    )
    row(
        "frequencies, 5 keys, beside numpy",
        lambda size: partial(wildcard_frequencies, keys(size)),
        (20_000, 140_000, 1_000_000),
        lambda size: partial(frequency.plain_frequencies, keys(size)),
    )
    row(
        "individual risk, 5 keys, beside scipy",
        lambda size: partial(frequency.individual, keys(size), weights(size)),
        (20_000, 140_000, 1_000_000),
        lambda size: partial(frequency.plain_individual_risk, keys(size), weights(size)),
    )
    row(
        "one-to-one linkage, beside scipy",
        lambda size: partial(best_assignment, *linkage.file_and_twin(size, 0.02)),
        (2_000, 8_000, 32_000),
        assigned,
    )
    row(
        "nearest linkage, 20 attributes, noise as large as they, beside scipy",
        lambda size: partial(nearest_links, *disturbed(size), np.arange(size)),
        (5_000, 10_000, 20_000),
        lambda size: lambda: cdist(*disturbed(size), "sqeuclidean").argmin(axis=1),
    )


if __name__ == "__main__":
    main()
