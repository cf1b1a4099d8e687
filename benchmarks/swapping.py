"""How long rank swapping takes, against the definition followed literally, and how that grows."""

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.ranks import swap_between_buckets, swap_by_distance_law, swap_within_rank_window

WINDOW = 0.05
ATTRIBUTES = 10
SIZES = (64_000, 256_000, 1_024_000)
TWIN_SIZE = 8_000
BUCKETS = 20


def swap_literally(column: NDArray[np.float64], reach: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Rank swapping with the candidates of every value listed."""
    order = np.argsort(column, kind="stable")
    values = column[order]
    free = np.ones(len(column), dtype=bool)
    for i in range(len(values)):
        if not free[i]:
            continue
        free[i] = False
        candidates = i + 1 + np.flatnonzero(free[i + 1 : i + 1 + reach])
        if len(candidates):
            partner = rng.choice(candidates)
            free[partner] = False
            values[i], values[partner] = values[partner], values[i]
    swapped = np.empty_like(values)
    swapped[order] = values
    return swapped


def seconds(swap, columns: NDArray[np.float64]) -> float:
    start = perf_counter()
    for column in columns:
        swap(column)
    return perf_counter() - start


def main() -> None:
    rng = np.random.default_rng(0)
    variants = {
        "within a rank window": lambda column: swap_within_rank_window(column, int(WINDOW * len(column)), rng),
        "between buckets": lambda column: swap_between_buckets(column, BUCKETS, rng),
        "by a distance law": lambda column: swap_by_distance_law(column, WINDOW * len(column), rng),
    }
    for swap in variants.values():
        swap(rng.normal(size=100))  # compiled before the clock starts
    columns = rng.normal(size=(ATTRIBUTES, TWIN_SIZE))
    literal = seconds(lambda column: swap_literally(column, int(WINDOW * TWIN_SIZE), rng), columns)
    ours = seconds(variants["within a rank window"], columns)
    print(f"{TWIN_SIZE} records x {ATTRIBUTES}: literally {literal:.3f} s, here {ours:.4f} s, {literal / ours:.0f}x")
    for name, swap in variants.items():
        times = [seconds(swap, rng.normal(size=(ATTRIBUTES, size))) for size in SIZES]
        growth = np.polyfit(np.log(SIZES), np.log(times), 1)[0]
        print(
            f"{name}: "
            + ", ".join(f"{n} in {t:.3f} s" for n, t in zip(SIZES, times, strict=True))
            + f"; grows as n^{growth:.2f}"
        )


if __name__ == "__main__":
    main()
