"""A default sweep against the sum of its parts, and the tuner against the best of the sweep for the same budget.

`python -m benchmarks.sweep [census] [eia] [seeds]`; by default Census with three seeds and EIA with one.
"""

import sys
from time import perf_counter, process_time

from sdckit.datasets import census, eia
from sdckit.evaluation.sweep import sweep
from sdckit.evaluation.trials import Ground, Trial, chosen_measures
from sdckit.evaluation.tune import tune
from sdckit.evaluation.workers import cores
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe

FILES = {"census": (census, 3), "eia": (eia, 1)}
BOUNDS = (0.05, 0.1, 0.2)
PARTS = ("mdav", "rank-swapping", "additive-noise", "top-coding")  # a slice of the sweep, also timed by hand


def overhead(data: Microdata) -> None:
    """What sweeping costs beyond masking and measuring, in processor time of one worker: the clock may be shared."""
    ground = Ground(data, chosen_measures(None))
    ground.tried(Trial.of(Recipe.of("additive-noise"), 9))  # compiled before the clock starts
    start = process_time()
    swept = sweep(data, PARTS, seeds=1, workers=1)
    whole = process_time() - start
    start = process_time()
    for point in swept.points:
        release = ground._release(Trial(point.method, point.steps, point.seed))
        for measure in ground.measures:
            ground._score(measure, release)
    parts = process_time() - start
    more = 100 * (whole / parts - 1)
    print(f"overhead over the single maskings and measures: {more:.1f} % ({len(swept.points)} points)")


def main(names: list[str], asked: int | None) -> None:
    for name in names:
        load, usual = FILES[name]
        data, seeds = load(), asked or usual
        print(f"{name}: {len(data)} records, {cores()} cores")
        overhead(data)
        start = perf_counter()
        swept = sweep(data, seeds=seeds)
        print(f"default sweep: {len(swept.points)} points in {perf_counter() - start:.0f} s", flush=True)
        for bound in BOUNDS:
            risk, loss = swept.axes()
            best = swept.best(bound)
            told = "nothing" if best is None else f"{best.mean[loss]:.4f} by {best.label}"
            start = perf_counter()
            found = tune(data, bound, risk=risk, loss=loss, trials=len(swept.points), draws=seeds)
            took = perf_counter() - start
            ours = "nothing" if found.best is None else f"{found.best.mean[loss]:.4f} by {found.best.label}"
            print(f"{risk} ≤ {bound:g}, least {loss}: sweep {told}; tuned {ours} ({took:.0f} s)", flush=True)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(
        [each for each in given if each in FILES] or list(FILES),
        next((int(each) for each in given if each.isdigit()), None),
    )
