"""What the joint intruders cost in processor time and memory, against their limits and against a dense twin.

`--small` leaves out the file of a million records.
"""

import resource
import sys
from collections.abc import Callable
from math import exp
from time import perf_counter, process_time
from typing import TypeVar

import numpy as np
import polars as pl

from sdckit.intruder import Intruder
from sdckit.laws.inference import inferred
from sdckit.laws.informed import informed_law
from sdckit.matching.chain import Chain
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.randomness import generator
from sdckit.release import Release, protect
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.risk.intruder.joint_attack import JointAttack
from sdckit.risk.intruder.ordinary_intruder import OrdinaryIntruder

LARGE = 1_000_000

T = TypeVar("T")
RECIPES: tuple[str | tuple[str, ...], ...] = (
    "rank-swapping:window=0.1",
    "additive-noise",
    "rank-swapping-buckets",
    "mdav",
    ("pram", "rank-swapping"),
    ("local-suppression", "rank-swapping"),
    ("rank-swapping", "additive-noise"),
    ("simple-sampling", "mdav"),
)


def timed(work: Callable[[], T]) -> tuple[float, float, T]:
    """CPU seconds, seconds and the result."""
    start, cpu = perf_counter(), process_time()
    result = work()
    return process_time() - cpu, perf_counter() - start, result


def mixed_file(records: int, numbers: int, codes: int, seed: int = 1) -> Microdata:
    """Correlated amounts and skewed categories."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((records, numbers)) + rng.standard_normal((records, 1))
    return Microdata(
        (
            *(Attribute(f"x{index}", Kind.CONTINUOUS, Role.KEY) for index in range(numbers)),
            *(
                Attribute(f"c{index}", Kind.UNORDERED, Role.KEY, categories=tuple("abcdefghijkl"))
                for index in range(codes)
            ),
        ),
        {f"x{index}": values[:, index] for index in range(numbers)}
        | {f"c{index}": np.minimum(rng.geometric(0.35, records) - 1, 11) for index in range(codes)},
    )


def amounts(records: int, numbers: int) -> Microdata:
    """Correlated log-normal amounts, one of them in whole units; all are keys."""
    rng = np.random.default_rng(1)
    logs = 0.8 * rng.standard_normal((records, numbers)) + 0.6 * rng.standard_normal((records, 1))
    columns = {f"x{j}": np.round(1000 * np.exp(logs[:, j]), 0 if j == 0 else 2) for j in range(numbers)}
    return Microdata.from_frame(pl.DataFrame(columns)).with_roles(**dict.fromkeys(columns, Role.KEY))


def headline(data: Microdata, recipes: tuple[str | tuple[str, ...], ...], targets: int, limit: float) -> None:
    """Both intruders under some recipes, warm."""
    who = "everyone" if not targets else f"{targets:,} targets at most"
    print(f"{len(data):,} × {len(data.attributes)}, {who}, limit {limit:g} s of processor time")
    for recipe in recipes:
        steps = [recipe] if isinstance(recipe, str) else list(recipe)
        release = protect(data, steps, seed=1)
        for attack in (InformedIntruder(targets=targets), OrdinaryIntruder(targets=targets)):
            _attack(release, attack, ", ".join(steps), limit)


def _attack(release: Release, attack: JointAttack, label: str, limit: float) -> None:
    cpu, took, score = timed(lambda: attack.measure(release))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    details = score.details
    print(
        f"  {attack.name:18} {label:40} {cpu:7.2f} CPU s {took:7.2f} s, found {score.value:.3f}, "
        f"expected {details['expected_found']:.3f}, left out {details['likelihood_left_out']:.1e} "
        f"and {details['competition_left_out']:.1e}, peak {peak:.2f} GB{'  LATE' if cpu > limit else ''}",
        flush=True,
    )


def ball_and_whole(records: int = 2_000, targets: int = 200) -> None:
    """The posteriors of some targets from their ball, beside those from the whole file and a second chain of it."""
    print(f"ball against whole file, {records:,} × 4, {targets} targets")
    for recipe in ("rank-swapping:window=0.05", "rank-swapping:window=0.1", "additive-noise:variance_share=0.01"):
        release = protect(amounts(records, 4), recipe, seed=2)
        view = Intruder().view(release)
        truth = release.true_rows(view.records)
        law = informed_law(view, generator(1))
        chosen = np.sort(generator(3).choice(records, targets, replace=False))
        first, second = (inferred(view, law, generator(seed)) for seed in (5, 6))
        posteriors = [each.of_truth(truth)[chosen] for each in (first, second)]
        for limit in (records, records // 2, records // 5):
            near = inferred(view, law, generator(5), targets=chosen, largest=0, ball=limit)
            own, at = near.of_truth(truth[near.records]), near.index(chosen)
            print(
                f"  {recipe}: {len(near.records)} records in the ball; found "
                f"{near.correct(truth[near.records])[at].mean():.3f} ({first.correct(truth)[chosen].mean():.3f}), "
                f"expected {near.confidence[at].mean():.3f} ({first.confidence[chosen].mean():.3f}), "
                f"mean absolute difference of the posteriors {np.abs(own[at] - posteriors[0]).mean():.4f} "
                f"(two chains {np.abs(posteriors[0] - posteriors[1]).mean():.4f})",
                flush=True,
            )


def dense_twin(records: int = 2_000) -> None:
    """Row-wise and balanced shares of all pairs in NumPy, and a plain chain of exchanges, against ours."""
    release = protect(mixed_file(records, 3, 0), "additive-noise:variance_share=0.1", seed=1)
    view = Intruder().view(release)
    law = informed_law(view, np.random.default_rng(1))
    pairs = np.divmod(np.arange(records * records), records)
    table = np.asarray(sum(law.of_pairs(pairs[0], law.rows.of[pairs[1]]).values())).reshape(records, records)
    twin = np.exp(table - table.max(axis=1, keepdims=True))

    def balanced_twin() -> np.ndarray:
        shares = twin.copy()
        for _ in range(50):
            shares /= shares.sum(axis=1, keepdims=True)
            shares /= shares.sum(axis=0, keepdims=True)
        result: np.ndarray = shares / shares.sum(axis=1, keepdims=True)
        return result

    found = law.candidates(records)
    full = CandidateGraph.of(found.starts, found.classes, found.log_likelihood, law.rows.sizes)
    record_of = np.repeat(np.arange(records), np.diff(full.starts))

    def table_of(graph: CandidateGraph, of_edge: np.ndarray) -> np.ndarray:
        out = np.zeros((records, records))
        out[np.repeat(np.arange(records), np.diff(graph.starts)), graph.classes] = of_edge
        return out[:, law.rows.of]

    row_wise = full.weights / np.bincount(record_of, weights=full.weights)[record_of]
    gap = np.abs(table_of(full, row_wise) - twin / twin.sum(axis=1, keepdims=True)).max()
    print(f"dense twin, {records:,} records: row-wise shares differ by {gap:.1e} at most")
    dense_seconds, _, dense = timed(balanced_twin)
    print(f"  balanced shares differ by {np.abs(table_of(full, balanced_shares(full, 50)) - dense).max():.1e} at most")
    short = law.candidates(100)
    graph = CandidateGraph.of(short.starts, short.classes, short.log_likelihood, law.rows.sizes, background=1e-8)
    ours, _, _ = timed(lambda: balanced_shares(graph, 50))
    print(f"  balancing: twin {dense_seconds:.2f} CPU s, lists {ours:.3f}: {dense_seconds / ours:.0f} times as long")
    sweeps = 150
    plain_seconds, _, plain = timed(lambda: exchanges(table, 100, sweeps, np.random.default_rng(2)))
    seeds = (np.random.default_rng(seed) for seed in range(4))
    chain_seconds, _, first = timed(lambda: Chain(graph, next(seeds)).sample(sweeps).posterior)
    more = [first, *(Chain(graph, seed).sample(sweeps).posterior for seed in seeds)]
    true = np.array([table_of(graph, each).diagonal() for each in more])
    error = float(true.mean(axis=1).std(ddof=1))
    print(f"  mean posterior of the true row {true.mean():.4f}, standard error {error:.4f}; twin {plain.mean():.4f}")
    print(
        f"  chain: twin {plain_seconds:.1f} CPU s, ours {chain_seconds:.2f}: {plain_seconds / chain_seconds:.0f} times"
    )


def exchanges(table: np.ndarray, listed: int, sweeps: int, rng: np.random.Generator) -> np.ndarray:
    """The posterior of the true rows by a plain chain: a record proposes one of its likeliest rows to its owner."""
    count = len(table)
    likeliest = np.argsort(-table, axis=1)[:, :listed]
    near = np.zeros((count, count), bool)
    near[np.arange(count)[:, None], likeliest] = True
    row_of, owner, true = list(range(count)), list(range(count)), np.zeros(count)
    log_weight, possible = table.tolist(), near.tolist()
    for sweep in range(-60, sweeps):
        records = rng.integers(0, count, 10 * count)
        rows = likeliest[records, rng.integers(0, listed, len(records))]
        levels = rng.random(len(records))
        for one, row, level in zip(records.tolist(), rows.tolist(), levels.tolist(), strict=True):
            other, old = owner[row], row_of[one]
            if other == one:
                continue
            change = log_weight[one][row] + log_weight[other][old] - log_weight[one][old] - log_weight[other][row]
            forth = possible[one][row] + possible[other][old]
            back = possible[one][old] + possible[other][row]
            if level * forth < exp(min(change, 50.0)) * back:
                row_of[one], row_of[other], owner[row], owner[old] = row, old, one, other
        if sweep >= 0:
            true += np.array(row_of) == np.arange(count)
    return true / sweeps


def main() -> None:
    for recipe in RECIPES:  # compiled before the clock starts
        release = protect(mixed_file(60, 3, 4), [recipe] if isinstance(recipe, str) else list(recipe), seed=1)
        InformedIntruder().measure(release)
        OrdinaryIntruder().measure(release)
    headline(mixed_file(800, 3, 4), RECIPES, 1000, limit=4)
    small = mixed_file(10_000, 4, 4)
    headline(small, RECIPES[:2], 1000, limit=10)
    headline(small, RECIPES[:2], 0, limit=60)
    ball_and_whole()
    dense_twin()
    if "--small" not in sys.argv:
        headline(amounts(LARGE, 6), ("rank-swapping:window=0.01",), 1000, limit=120)


if __name__ == "__main__":
    main()
