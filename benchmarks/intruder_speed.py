"""How long the joint intruders take: CPU seconds on small and larger files, and against a dense twin in one run."""

import resource
from collections.abc import Callable
from math import exp
from time import perf_counter, process_time
from typing import TypeVar

import numpy as np

from sdckit.intruder import Intruder
from sdckit.laws.informed import informed_law
from sdckit.matching.chain import Chain
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import protect
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.risk.intruder.ordinary_intruder import OrdinaryIntruder

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


def headline(records: int, numbers: int, codes: int, targets: int, limit: float) -> None:
    """Both intruders under every recipe, warm."""
    who = "everyone" if not targets else f"{targets:,} targets at most"
    print(f"{records:,} × {numbers + codes}, {who}, limit {limit:g} CPU s")
    data = mixed_file(records, numbers, codes)
    for recipe in RECIPES if records <= 1000 else RECIPES[:2]:
        steps = [recipe] if isinstance(recipe, str) else list(recipe)
        release = protect(data, steps, seed=1)
        for attack in (InformedIntruder(targets=targets), OrdinaryIntruder(targets=targets)):
            cpu, took, score = timed(lambda attack=attack, release=release: attack.measure(release))
            late = "  LATE" if cpu > limit else ""
            left = score.details["likelihood_left_out"]
            print(
                f"  {attack.name:18} {', '.join(steps):48} {cpu:7.2f} CPU s {took:7.2f} s, found {score.value:.3f}, "
                f"left out {left:.1e}, peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB{late}",
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
    headline(800, 3, 4, 1000, limit=4)
    headline(10_000, 4, 4, 1000, limit=10)
    headline(10_000, 4, 4, 0, limit=60)
    dense_twin()


if __name__ == "__main__":
    main()
