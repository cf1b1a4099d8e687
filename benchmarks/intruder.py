"""What the one intruder costs in processor time and memory, and how near a ball is to the whole file."""

import resource
import sys
from time import perf_counter, process_time

import numpy as np
import polars as pl

from sdckit.intruder import Intruder
from sdckit.laws.inference import inferred
from sdckit.laws.informed import informed_law
from sdckit.microdata import Microdata, Role
from sdckit.randomness import generator
from sdckit.release import protect
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.risk.intruder.joint_attack import JointAttack
from sdckit.risk.intruder.ordinary_intruder import OrdinaryIntruder

LARGE = 1_000_000


def file_of(records: int, numbers: int, categories: int = 0) -> Microdata:
    """Correlated log-normal amounts, one of them in whole units, and categories; all are keys."""
    rng = np.random.default_rng(1)
    logs = 0.8 * rng.standard_normal((records, numbers)) + 0.6 * rng.standard_normal((records, 1))
    columns = {f"x{j}": np.round(1000 * np.exp(logs[:, j]), 0 if j == 0 else 2) for j in range(numbers)}
    frame = pl.DataFrame(columns)
    for number in range(categories):
        count = 5 + 3 * number
        labels = np.array([f"v{each}" for each in range(count)])
        frame = frame.with_columns(pl.Series(f"c{number}", labels[rng.integers(0, count, records)]))
    return Microdata.from_frame(frame).with_roles(**dict.fromkeys(frame.columns, Role.KEY))


def attack(data: Microdata, recipe: str, risk: JointAttack) -> None:
    """One measurement, printed."""
    release = protect(data, recipe, seed=1)
    start, cpu = perf_counter(), process_time()
    score = risk.measure(release)
    wall, cpu = perf_counter() - start, process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    attacked = "everyone" if not risk.targets else f"{risk.targets} targets"
    print(
        f"  {len(data):>9,} × {len(data.attributes)} {recipe}, {type(risk).__name__}, {attacked}: {wall:.1f} s, "
        f"{cpu:.1f} s of processor time, peak {peak:.2f} GB; found {score.value:.3f}, "
        f"expected {score.details['expected_found']:.3f}, left out {score.details['likelihood_left_out']:.1e}",
        flush=True,
    )


def ball_and_whole(records: int = 2_000, targets: int = 200) -> None:
    """The posteriors of some targets from their ball, beside those from the whole file and a second chain of it."""
    print(f"ball against whole file, {records:,} × 4, {targets} targets")
    for recipe in ("rank-swapping:window=0.05", "rank-swapping:window=0.1", "additive-noise:variance_share=0.01"):
        release = protect(file_of(records, 4), recipe, seed=2)
        view = Intruder().view(release)
        truth = release.true_rows(view.records)
        law = informed_law(view, generator(1))
        chosen = np.sort(generator(3).choice(records, targets, replace=False))
        first, second = (inferred(view, law, generator(seed)) for seed in (5, 6))
        near = inferred(view, law, generator(5), targets=chosen, largest=0)
        own, at = near.of_truth(truth[near.records]), near.index(chosen)
        posteriors = [each.of_truth(truth)[chosen] for each in (first, second)]
        print(
            f"  {recipe}: {len(near.records)} records in the ball; "
            f"found {near.correct(truth[near.records])[at].mean():.3f} ({first.correct(truth)[chosen].mean():.3f}), "
            f"expected {near.confidence[at].mean():.3f} ({first.confidence[chosen].mean():.3f}), "
            f"mean absolute difference of the posteriors {np.abs(own[at] - posteriors[0]).mean():.4f} "
            f"(two chains {np.abs(posteriors[0] - posteriors[1]).mean():.4f})",
            flush=True,
        )


def main() -> None:
    """Small files first, so that nothing is compiled while the large ones are timed."""
    swapping, noise = "rank-swapping:window=0.01", "additive-noise:variance_share=0.1"
    ball_and_whole()
    small = file_of(10_000, 6, 2)
    for recipe in (swapping, noise):
        for risk in (InformedIntruder(), OrdinaryIntruder(), InformedIntruder(targets=0)):
            attack(small, recipe, risk)
    if "--small" not in sys.argv:
        attack(file_of(LARGE, 6), swapping, InformedIntruder())
        attack(file_of(LARGE, 6), swapping, OrdinaryIntruder())


if __name__ == "__main__":
    main()
