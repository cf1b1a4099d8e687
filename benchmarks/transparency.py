"""What knowing the method costs in seconds: the intersection attack, the posterior attack, and fuzzy c-means."""

import resource
from time import perf_counter

import numpy as np
import polars as pl

from sdckit.fuzzy.c_means import c_means, memberships
from sdckit.microdata import Microdata
from sdckit.release import protect
from sdckit.risk.transparency.intersection_attack import IntersectionAttack
from sdckit.risk.transparency.posterior_attack import PosteriorAttack

SIZES = (10_000, 100_000, 1_000_000)
ATTRIBUTES, WINDOW = 6, 0.01


def file_of(records: int, attributes: int = ATTRIBUTES) -> Microdata:
    """Correlated amounts."""
    rng = np.random.default_rng(1)
    values = rng.standard_normal((records, attributes)) + rng.standard_normal((records, 1))
    return Microdata.from_frame(pl.DataFrame({f"x{j}": values[:, j] for j in range(attributes)}))


def intersection() -> None:
    print(f"intersection attack, {ATTRIBUTES} attributes, window {WINDOW:.0%}")
    took = []
    for records in SIZES:
        release = protect(file_of(records), f"rank-swapping:window={WINDOW}", seed=1)
        start = perf_counter()
        score = IntersectionAttack().measure(release)
        took.append(perf_counter() - start)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"  {records:>9,} records {took[-1]:8.2f} s, peak {peak:.2f} GB, found {score.value:.3f}, "
            f"coverage {score.details['coverage']:.0%}, mean set {score.details['mean_set']:.1f}",
            flush=True,
        )
    print(f"  grows like n to the {np.polyfit(np.log(SIZES), np.log(took), 1)[0]:.2f}")


def posterior() -> None:
    release = protect(file_of(5_000), "rank-swapping-buckets", seed=1)
    start = perf_counter()
    PosteriorAttack().measure(release)
    print(f"posterior attack, 5,000 × 5,000: {perf_counter() - start:.2f} s")


def fuzzy_c_means() -> None:
    points = np.random.default_rng(1).standard_normal((5_000, 10))
    centres = points[:1_000] + 0.1
    for fuzziness in (1.05, 1.1, 1.3, 1.5, 2.0):
        c_means(points, centres, fuzziness, max_rounds=1)
        start = perf_counter()
        c_means(points, centres, fuzziness, max_rounds=10, tolerance=0)
        ours = (perf_counter() - start) / 10
        line = f"fuzzy c-means, 5,000 × 10, 1,000 centres, m = {fuzziness}: {ours:.3f} s an iteration"
        try:
            import skfuzzy
        except ImportError:
            print(f"{line} (scikit-fuzzy is not installed)")
            continue
        start = perf_counter()
        skfuzzy.cmeans(points.T, 1_000, fuzziness, error=0, maxiter=3, init=memberships(points, centres, fuzziness).T)
        print(f"{line}, scikit-fuzzy {(perf_counter() - start) / 3 / ours:.0f} times as long", flush=True)


if __name__ == "__main__":
    intersection()
    posterior()
    fuzzy_c_means()
