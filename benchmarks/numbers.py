"""Noise, interval disclosure and IL1s beside plain numpy: CPU seconds, their ratio, and how they grow over three sizes.

Noise is held against drawing as many normal numbers and nothing else, by numpy and by the draws that are keyed by
record; the measures against the shortest numpy code that gives the same figure.
"""

from collections.abc import Callable
from functools import partial
from math import log
from time import process_time

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.losses import Il1s
from sdckit.methods import AdditiveNoise, CorrelatedNoise
from sdckit.microdata import Microdata, Role
from sdckit.release import Release, protect
from sdckit.risks import SdIntervalDisclosure

COLUMNS = 10
SIZES = (62_500, 250_000, 1_000_000)
PLAIN = "numpy's draws"
REPEATS = 7  # runs of noise and of its draws in turn; the least seconds of each are compared, as other work only adds


def file_of(records: int) -> Microdata:
    """Correlated log-normal amounts; all are keys."""
    rng = np.random.default_rng(1)
    logs = 0.8 * rng.standard_normal((records, COLUMNS)) + 0.6 * rng.standard_normal((records, 1))
    columns = {f"x{index}": np.exp(logs[:, index]) for index in range(COLUMNS)}
    return Microdata.from_frame(pl.DataFrame(columns)).with_roles(**dict.fromkeys(columns, Role.KEY))


def drawn(values: NDArray[np.float64]) -> None:
    """The numbers that noise takes, from numpy."""
    np.random.default_rng(1).standard_normal(values.shape)


def drawn_by_record(values: NDArray[np.float64]) -> None:
    """As many numbers, keyed by record."""
    Draws.of(1, len(values)).normal(values.shape[1])


def inside_intervals(original: NDArray[np.float64], masked: NDArray[np.float64]) -> float:
    """The mean share of values near the masked ones, over widths of 1 %, 2 % … of a standard deviation."""
    widths = np.arange(1, round(100 * SdIntervalDisclosure().widest) + 1) / 100
    deviation, gap = masked.std(axis=0, ddof=1), np.abs(original - masked)
    return float(np.mean([(gap <= width * deviation).mean() for width in widths]))


def il1s(original: NDArray[np.float64], masked: NDArray[np.float64]) -> float:
    """The mean change in standard deviations times √2."""
    scale = np.sqrt(2) * original.std(axis=0, ddof=1)
    return float((np.abs(original - masked) / scale).mean())


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of the second run: kernels are compiled by then."""
    work()
    start = process_time()
    work()
    return process_time() - start


def row(title: str, ours: list[float], plain: list[float]) -> None:
    """CPU seconds at the largest size, beside plain numpy, and the exponent between the smallest and the largest."""
    growth = log(max(ours[-1], 1e-9) / max(ours[0], 1e-9)) / log(SIZES[-1] / SIZES[0])
    print(
        f"   {title:34} {ours[-1]:7.2f} s  plain {plain[-1]:6.2f} s  ratio {ours[-1] / plain[-1]:5.2f}  n^{growth:.2f}"
    )


def beside_draws(data: Microdata) -> None:
    """Noise beside drawing its numbers by numpy and nothing else: nanoseconds of CPU a number, and their ratio."""
    values = data.matrix(data.names())
    works: dict[str, Callable[[], object]] = {
        PLAIN: partial(drawn, values),
        "keyed draws": partial(drawn_by_record, values),
        AdditiveNoise().name: partial(protect, data, AdditiveNoise(), seed=1),
        CorrelatedNoise().name: partial(protect, data, CorrelatedNoise(), seed=1),
    }
    least = dict.fromkeys(works, float("inf"))
    for work in works.values():  # compiled before the clock starts
        work()
    for _ in range(REPEATS):
        for title, work in works.items():
            start = process_time()
            work()
            least[title] = min(least[title], process_time() - start)
    print(f"   noise beside drawing the numbers, {len(data):,} × {COLUMNS}")
    for title, taken in least.items():
        print(f"   {title:34} {1e9 * taken / values.size:7.1f} ns a number, ratio {taken / least[PLAIN]:5.2f}")


def main() -> None:
    """Print a row for each method and measure."""
    figures: dict[str, tuple[list[float], list[float]]] = {}

    def add(title: str, ours: Callable[[], object], plain: Callable[[], object]) -> None:
        both = figures.setdefault(title, ([], []))
        both[0].append(seconds(ours))
        both[1].append(seconds(plain))

    for records in SIZES:
        data = file_of(records)
        values = data.matrix(data.names())
        for noise in (AdditiveNoise(), CorrelatedNoise()):
            masking = partial(protect, data, noise, seed=1)
            add(noise.name, masking, partial(drawn, values))
            add(f"{noise.name}, keyed draws", masking, partial(drawn_by_record, values))
        masked = protect(data, CorrelatedNoise(), seed=1).masked
        release, after = Release.in_order(data, masked), masked.matrix(data.names())
        for measure, figure in ((Il1s(), il1s), (SdIntervalDisclosure(), inside_intervals)):
            assert abs(measure.measure(release).value - figure(values, after)) < 1e-6, measure.name
            add(measure.name, partial(measure.measure, release), partial(figure, values, after))
    print(f"   {SIZES[-1]:,} × {COLUMNS}")
    for title, (ours, plain) in figures.items():
        row(title, ours, plain)
    for records in SIZES[1:]:
        beside_draws(file_of(records))


if __name__ == "__main__":
    main()
