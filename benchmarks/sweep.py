"""A default sweep against the sum of its parts, and the tuner against the best of the sweep for the same budget.

`python -m benchmarks.sweep [census] [eia] [seeds] [overhead]`: by default both files with three seeds; `overhead` adds
the parts of the sweep done one after the other. The tuner may mask as many files as the sweep did. Both choose by the
draws that they saw, so that the choice of either is drawn again by seeds that neither has seen, and compared by these.
"""

import sys
from time import perf_counter, process_time

import numpy as np

from sdckit.datasets import census, eia
from sdckit.evaluation.experiment import Experiment, Outcome, Trial, chosen_measures
from sdckit.evaluation.risk_utility_map import RiskUtilityMap, Setting
from sdckit.evaluation.sweep import sweep
from sdckit.evaluation.tune import tune
from sdckit.evaluation.worker_pool import cores
from sdckit.microdata import Microdata

FILES = {"census": census, "eia": eia}
BOUNDS = (0.05, 0.1, 0.2)
FRESH = range(1000, 1010)  # seeds by which neither the sweep nor the tuner draws


def main(names: list[str], seeds: int, *, with_parts: bool) -> None:
    for name in names:
        data = FILES[name]()
        start = perf_counter()
        swept = sweep(data, seeds=seeds)
        took = perf_counter() - start
        print(f"{name}, {len(data)} records: default sweep of {len(swept.points)} files in {took:.0f} s", flush=True)
        if with_parts:
            print(f"  {overhead(data, swept, took)}", flush=True)
        for bound in BOUNDS:
            compare(data, swept, bound, seeds)


def overhead(data: Microdata, swept: RiskUtilityMap, took: float) -> str:
    """What sweeping on all cores costs beyond the same maskings and measures one after the other in this process."""
    experiment = Experiment(data, chosen_measures(None, data))
    experiment.run(Trial(swept.points[-1].method, swept.points[-1].steps, 0))  # compiled before the clock starts
    first: dict[str, Outcome] = {}
    start = process_time()
    for point in swept.points:
        outcome = experiment.run(Trial(point.method, point.steps, point.seed), first.get(point.label))
        first.setdefault(point.label, outcome)
    one_core = process_time() - start
    more = 100 * (cores() * took / one_core - 1)
    return f"{cores()} cores for {took:.0f} s; the parts take {one_core:.0f} s of one: {more:+.0f} %"


def compare(data: Microdata, swept: RiskUtilityMap, bound: float, seeds: int) -> None:
    """The least loss under a bound, as swept and as tuned, where they were chosen and on fresh draws."""
    risk, loss = swept.axes()
    start = perf_counter()
    found = tune(data, bound, trials=len(swept.points), draws=seeds)
    took = perf_counter() - start
    print(f"  {risk} ≤ {bound:g}, {loss}; tuned in {took:.0f} s, {len(found.map.points)} files", flush=True)
    for source, best in (("sweep", swept.best(bound)), ("tuned", found.best)):
        outcome = "nothing" if best is None else f"{best.mean[loss]:.4f}; {drawn_again(data, best, risk, loss)}"
        print(f"    {source}: {outcome}", flush=True)


def drawn_again(data: Microdata, setting: Setting, risk: str, loss: str) -> str:
    """Loss and risk of a setting on fresh draws."""
    experiment = Experiment(data, chosen_measures(None, data))
    points = [experiment.run(Trial(setting.method, setting.steps, seed)).point for seed in FRESH]
    again = RiskUtilityMap(
        tuple(filter(None, points)), {each.name: each.kind for each in experiment.measures}, len(data)
    )
    (fresh,) = again.settings
    error = fresh.spread[loss] / np.sqrt(fresh.seeds)
    return (
        f"on {fresh.seeds} fresh draws {fresh.mean[loss]:.4f} ± {error:.4f}, "
        f"{risk} {fresh.mean[risk]:.4f} (at most {fresh.highest[risk]:.4f}) by {setting.label}"
    )


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(
        [each for each in arguments if each in FILES] or list(FILES),
        next((int(each) for each in arguments if each.isdigit()), 3),
        with_parts="overhead" in arguments,
    )
