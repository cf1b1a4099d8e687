"""Every row in which sdckit is compared with another tool: CPU seconds, the exponent of three sizes, and a peer beside.

The peer is the R package sdcMicro on the same values, timed inside R, where it is installed; otherwise scipy, or the
definition followed literally in numpy, which gives the same result. Either is timed at a size that it can do, and
sdckit at the same size in the same run. `python -m benchmarks beside_peers [--row TEXT]` prints a line of Markdown for
each row, or for those whose title contains the text.
"""

import argparse
from collections.abc import Callable
from functools import cache, partial
from math import log
from time import process_time
from typing import NamedTuple

import numpy as np
from benchmarks import _sdcmicro, categorical, frequency, linkage, microaggregation, numbers, swapping
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from sdckit.kernels.assignment import best_assignment
from sdckit.kernels.equivalence_classes import wildcard_frequencies, wildcard_sums
from sdckit.kernels.mdav import mdav
from sdckit.kernels.nearest import nearest_links
from sdckit.kernels.partitions import group_means
from sdckit.kernels.ranks import swap_within_rank_window
from sdckit.kernels.standardisation import standardise
from sdckit.kernels.suda import elliot_weight, special_uniques
from sdckit.kernels.suppression import suppress_to_k_anonymity
from sdckit.losses import Il1s
from sdckit.methods import AdditiveNoise, CorrelatedNoise
from sdckit.release import Release, protect
from sdckit.risks import RecordIntervalDisclosure

Work = Callable[[], object]
Of = Callable[[int], Work]  # the work on a file of so many records
Table = NDArray[np.number]
K = 3
GROUP_SIZE = 5
SHARE = 0.05  # reach of an interval, in standard deviations
SMALL = 300  # records
COLUMNS = 20  # of the linkage in which a tree excludes nothing
FACTORS = "for (column in names(x)) x[[column]] <- as.factor(x[[column]])"


class InR(NamedTuple):
    """The same work by sdcMicro: R code, the tables that it reads, and the number of records."""

    work: str
    tables: Callable[[int], dict[str, Table]]
    records: int
    prepare: str = ""


class Row(NamedTuple):
    """A comparison: the work at three sizes, a twin at the smallest of them, and sdcMicro at a size of its own."""

    title: str
    ours: Of
    sizes: tuple[int, int, int]
    twin: str
    twin_work: Of
    sdcmicro: InR | None = None


def timed(work: Work) -> float:
    """CPU seconds: the least of three runs, or of a single one where that is long."""
    times: list[float] = []
    while len(times) < 3 and (not times or times[0] < _sdcmicro.LONG):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def printed(row: Row) -> str:
    """A line of the table."""
    works = [row.ours(size) for size in row.sizes]
    works[0]()  # compiled before the clock starts
    taken = dict(zip(row.sizes, map(timed, works), strict=True))
    growth = log(taken[row.sizes[-1]] / taken[row.sizes[0]]) / log(row.sizes[-1] / row.sizes[0])
    if row.sdcmicro and _sdcmicro.version():
        peer, at = "sdcMicro", row.sdcmicro.records
        theirs = _sdcmicro.cpu_seconds(row.sdcmicro.work, row.sdcmicro.prepare, **row.sdcmicro.tables(at))
    else:
        peer, at = row.twin, row.sizes[0]
        row.twin_work(SMALL)()
        theirs = timed(row.twin_work(at))
    ours = taken[at] if at in taken else timed(row.ours(at))
    times = theirs / max(ours, 1e-9)
    last = row.sizes[-1]
    return (
        f"| {row.title} | {last:,} | {taken[last]:.2f} s | {growth:.2f} "
        f"| {peer} | {at:,} | {theirs:.2f} s | {ours:.3f} s | {times:,.{0 if times >= 10 else 1}f} |"
    )


# What is compared ----------------------------------------------------------------------------------------------------


@cache
def amounts(size: int, noise: bool = False) -> NDArray[np.float64]:
    """Ten correlated amounts, or the same with correlated noise."""
    data = numbers.file_of(size)
    if noise:
        data = protect(data, CorrelatedNoise(), seed=1).masked
    return data.matrix(data.names())


def with_noise(method: AdditiveNoise | CorrelatedNoise, size: int) -> Work:
    return partial(protect, numbers.file_of(size), method, seed=1)


def as_much_noise(size: int) -> Work:
    """Correlated normal numbers added by numpy."""
    values = amounts(size)
    root = np.linalg.cholesky(0.1 * np.cov(values, rowvar=False)).T
    return lambda: values + np.random.default_rng(1).standard_normal(values.shape) @ root


def measured(measure: RecordIntervalDisclosure | Il1s, size: int) -> Work:
    original = numbers.file_of(size)
    release = Release.in_order(original, protect(original, CorrelatedNoise(), seed=1).masked)
    return partial(measure.measure, release)


def records_inside(size: int) -> Work:
    """The share of records all of whose values are near the masked ones, by numpy."""
    original, masked = amounts(size), amounts(size, noise=True)
    return lambda: (np.abs(original - masked) <= SHARE * masked.std(axis=0, ddof=1)).all(axis=1).mean()


def both(size: int) -> dict[str, Table]:
    return {"x": amounts(size), "y": amounts(size, noise=True)}


def averaged(group: Callable[..., NDArray[np.int64]], size: int) -> Work:
    """MDAV of ten attributes: standardised, grouped, and the means of the groups."""
    values = microaggregation.correlated(size)
    return lambda: group_means(values, group(standardise(values), GROUP_SIZE))


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


def keys(size: int) -> NDArray[np.int32]:
    return frequency.keys(size, frequency.FIVE_KEYS)


def weights(size: int) -> NDArray[np.float64]:
    return np.random.default_rng(1).uniform(5, 500, size)


def counted(size: int) -> Work:
    """The sample and the estimated population frequency of each record."""
    codes, weight = keys(size), weights(size)
    return lambda: (wildcard_frequencies(codes), wildcard_sums(codes, weight))


def keys_and_weights(size: int) -> dict[str, Table]:
    return {"x": np.column_stack([keys(size), weights(size)])}


def assigned(size: int) -> Work:
    """One-to-one linkage of all pairs by scipy."""
    known, released = linkage.file_and_twin(size, 0.02)

    def all_pairs() -> float:
        cost = cdist(known, released, "sqeuclidean")
        return float(cost[linear_sum_assignment(cost)].sum())

    return all_pairs


def disturbed(size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Many attributes and much noise: the nearest row is hardly nearer than any other."""
    known = np.random.default_rng(1).standard_normal((size, COLUMNS))
    return known, known + np.random.default_rng(2).standard_normal(known.shape)


MILLION = (62_500, 250_000, 1_000_000)
ROWS = [
    Row(
        "additive noise, 10 attributes",
        partial(with_noise, AdditiveNoise()),
        MILLION,
        "numpy",
        as_much_noise,
        InR('addNoise(x, noise = 10, method = "additive")', lambda size: {"x": amounts(size)}, 1_000_000),
    ),
    Row(
        "correlated noise, 10 attributes",
        partial(with_noise, CorrelatedNoise()),
        MILLION,
        "numpy",
        as_much_noise,
        InR('addNoise(x, noise = 10, method = "correlated")', lambda size: {"x": amounts(size)}, 1_000_000),
    ),
    Row(
        "interval disclosure, 10 attributes",
        partial(measured, RecordIntervalDisclosure(share=SHARE)),
        MILLION,
        "numpy",
        records_inside,
        InR(f"dRisk(x, xm = y, k = {SHARE})", both, 1_000_000),
    ),
    Row(
        "IL1s, 10 attributes",
        partial(measured, Il1s()),
        MILLION,
        "numpy",
        lambda size: partial(numbers.il1s, amounts(size), amounts(size, noise=True)),
        InR('dUtility(x, xm = y, method = "IL1s")', both, 1_000_000),
    ),
    Row(
        "MDAV, 10 attributes",
        partial(averaged, mdav),
        (8_000, 16_000, 64_000),
        "a compiled scan",
        partial(averaged, microaggregation.plain_mdav),
        InR(
            f'microaggregation(x, method = "mdav", aggr = {GROUP_SIZE})',
            lambda size: {"x": microaggregation.correlated(size)},
            64_000,
        ),
    ),
    Row(
        "rank swapping, 10 attributes",
        partial(of_columns, swap_within_rank_window),
        (8_000, 256_000, 1_000_000),
        "numpy",
        partial(of_columns, swapping.swap_literally),
        InR(
            f"rankSwap(x, TopPercent = 0, BottomPercent = 0, P = {swapping.WINDOW})",
            lambda size: {"x": np.random.default_rng(0).normal(size=(size, swapping.ATTRIBUTES))},
            1_000_000,
        ),
    ),
    Row(
        f"local suppression, {len(categorical.CATEGORIES)} keys, k = {K}",
        lambda size: partial(suppress_to_k_anonymity, categorical.keys(size), K, np.ones(len(categorical.CATEGORIES))),
        (4_000, 16_000, 128_000),
        "numpy",
        lambda size: partial(categorical.by_the_book, categorical.keys(size), K),
        InR(
            f"localSuppression(x, keyVars = names(x), k = {K})",
            lambda size: {"x": categorical.keys(size)},
            16_000,
            FACTORS,
        ),
    ),
    Row(
        "PRAM, one attribute",
        lambda size: partial(protect, categorical.file(size), "pram", attributes=["key 0"], seed=1),
        (20_000, 200_000, 1_000_000),
        "numpy",
        pram_literally,
        InR('pram(x, variables = "V1")', lambda size: {"x": categorical.keys(size)[:, :1]}, 1_000_000, FACTORS),
    ),
    Row(
        "SUDA2, 5 keys",
        lambda size: partial(special_uniques, keys(size), elliot_weight, 5),
        (20_000, 140_000, 1_000_000),
        "numpy",
        lambda size: partial(frequency.plain_suda, keys(size), 5),
        InR("suda2(x, variables = names(x))", lambda size: {"x": keys(size)}, 1_000_000),
    ),
    Row(
        "frequencies, 5 keys",
        counted,
        (20_000, 140_000, 1_000_000),
        "numpy",
        lambda size: partial(frequency.plain_frequencies, keys(size)),
        InR("freqCalc(x, keyVars = 1:5, w = 6)", keys_and_weights, 1_000_000),
    ),
    Row(
        "individual risk, 5 keys",
        lambda size: partial(frequency.individual, keys(size), weights(size)),
        (20_000, 140_000, 1_000_000),
        "scipy",
        lambda size: partial(frequency.plain_individual_risk, keys(size), weights(size)),
        InR("indivRisk(freqCalc(x, keyVars = 1:5, w = 6))", keys_and_weights, 1_000_000),
    ),
    Row(
        "one-to-one linkage, 6 attributes",
        lambda size: partial(best_assignment, *linkage.file_and_twin(size, 0.02)),
        (2_000, 4_000, 16_000),
        "scipy",
        assigned,
        InR(
            'recordLinkage(x, y, vars = names(x), distance = "euclidean")',
            lambda size: dict(zip("xy", linkage.file_and_twin(size, 0.02), strict=True)),
            4_000,
        ),
    ),
    Row(
        "nearest linkage, 20 attributes, noise as large as they",
        lambda size: partial(nearest_links, *disturbed(size), np.arange(size)),
        (5_000, 10_000, 20_000),
        "scipy",
        lambda size: lambda: cdist(*disturbed(size), "sqeuclidean").argmin(axis=1),
    ),
]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks beside_peers")
    parser.add_argument("--row", default="", metavar="TEXT", help="only the rows whose title contains this")
    chosen = parser.parse_known_args()[0]
    print(f"sdcMicro {_sdcmicro.version() or 'is not installed'}")
    print("| what | records | CPU | exponent | peer | records | its CPU | ours | times as long takes the peer |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in ROWS:
        if chosen.row in row.title:
            print(printed(row), flush=True)


if __name__ == "__main__":
    main()
