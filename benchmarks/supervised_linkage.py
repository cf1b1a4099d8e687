"""Worst-case linkage on the six microaggregated Census files of the literature, and on a large synthetic one.

    python -m benchmarks.supervised_linkage --budget 6 --draws 6 0 1 2 --families bilinear
    python -m benchmarks.supervised_linkage --records 10000 --sets M6-385 --budget 10

Each set takes the first attributes of Census in file order, in blocks microaggregated by MDAV on the raw values; the
query is the masked record, the targets are the originals, both files standardised, each by its own moments.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.mdav import mdav
from sdckit.linear_distances import (
    OWA,
    Bilinear,
    BilinearMetric,
    Choquet,
    ChoquetMetric,
    LinearDistance,
    NonNegativeBilinear,
    WeightedMean,
    WeightedMeanMetric,
    learn,
)
from sdckit.linear_distances.learn import compiled

Array = NDArray[np.float64]

BANDWIDTH = 0.025  # of the smoothed bootstrap, in standard deviations: the arithmetic mean then links about two thirds
BLOCKS = {  # (attributes, group size) of each block
    "M4-33": ((2, 3), (2, 3)),
    "M4-28": ((2, 2), (2, 8)),
    "M4-82": ((2, 8), (2, 2)),
    "M5-38": ((3, 3), (2, 8)),
    "M6-385": ((2, 3), (2, 8), (2, 5)),
    "M6-853": ((2, 8), (2, 5), (2, 3)),
}
FAMILIES: dict[str, LinearDistance] = {
    family.name: family
    for family in (
        WeightedMean(),
        WeightedMeanMetric(),
        OWA(),
        Choquet(),
        ChoquetMetric(),
        Bilinear(),
        NonNegativeBilinear(),
        BilinearMetric(),
    )
}


def standardised(values: Array) -> Array:
    """Mean 0 and standard deviation 1 in each attribute."""
    return np.asarray((values - values.mean(axis=0)) / values.std(axis=0, ddof=1))


def microaggregated(values: Array, name: str) -> tuple[Array, Array]:
    """The masked file and the original one, standardised, of a set with these blocks."""
    attributes = sum(count for count, _ in BLOCKS[name])
    original = values[:, :attributes]
    masked = original.copy()
    first = 0
    for count, group_size in BLOCKS[name]:
        block = original[:, first : first + count]
        groups = mdav(np.ascontiguousarray(block), group_size)
        for group in np.unique(groups):
            masked[groups == group, first : first + count] = block[groups == group].mean(axis=0)
        first += count
    return standardised(masked), standardised(original)


def drawn(census: Array, draw: int, records: int) -> Array:
    """A sample without replacement, or, where more records are asked for than there are, a smoothed bootstrap."""
    rng = np.random.default_rng(draw)
    if records <= len(census):
        return census[rng.choice(len(census), records, replace=False)]
    blur = BANDWIDTH * census.std(axis=0) * rng.normal(size=(records, census.shape[1]))
    return np.asarray(census[rng.integers(0, len(census), records)] + blur)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--census", type=Path, default=Path(os.environ.get("SDCKIT_DATA", ".")) / "CASCrefmicrodata.csv"
    )
    parser.add_argument("--budget", type=float, default=6.0)
    parser.add_argument("--records", type=int, default=400)
    parser.add_argument("--draws", type=int, nargs="+", default=[6, 0, 1, 2])
    parser.add_argument("--sets", nargs="+", choices=BLOCKS, default=list(BLOCKS))
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    arguments = parser.parse_args()
    if not arguments.census.exists():
        print("Census is not available: set SDCKIT_DATA to the folder of CASCrefmicrodata.csv, or give --census")
        return
    census = np.loadtxt(arguments.census, delimiter=",", skiprows=1)
    compiled()
    for family in arguments.families:
        for name in arguments.sets:
            for draw in arguments.draws:
                masked, original = microaggregated(drawn(census, draw, arguments.records), name)
                wall, processor = perf_counter(), process_time()
                learned = learn(
                    masked, original, np.arange(len(masked)), FAMILIES[family],
                    budget=arguments.budget, rng=np.random.default_rng(1),
                )  # fmt: skip
                last = learned.trail[-1]
                print(
                    f"{family:22} {name:7} draw {draw}: [{learned.found:g}, {learned.bound:g}]",
                    f"{'proven' if learned.proven else '      '} {learned.proof.name.lower()},",
                    f"wall {perf_counter() - wall:.1f} s, cpu {process_time() - processor:.1f} s,",
                    f"best after {last.seconds:.1f} s by {last.by}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
