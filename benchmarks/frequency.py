"""How fast frequencies and the risks that rest on them are, beside plain twins timed in the same run."""

import time
from collections.abc import Callable
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import hyp2f1

from sdckit import Microdata, Release, build
from sdckit.kernels.equivalence_classes import wildcard_frequencies, wildcard_sums
from sdckit.kernels.individual_risk import individual_risks
from sdckit.kernels.suda import elliot_weight, special_uniques

RECORDS = 1_000_000
FEW = 20_000  # records that the plain twins are timed on, which would take minutes on all
FIVE_KEYS = (2, 5, 8, 10, 90)


def seconds(task: Callable[[], object], repeats: int = 3) -> float:
    """The shortest of a few runs, which the rest of the machine disturbs least."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)


def keys(records: int, categories: tuple[int, ...]) -> NDArray[np.int32]:
    """Skewed keys: small codes are common."""
    rng = np.random.default_rng(0)
    columns = [np.minimum(rng.geometric(min(0.5, 3 / count), records), count) - 1 for count in categories]
    return np.column_stack(columns).astype(np.int32)


def plain_frequencies(codes: NDArray[np.int32]) -> NDArray[np.int64]:
    """Sort the rows and count the runs."""
    _, of, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    return np.asarray(counts[of.ravel()], dtype=np.int64)


def plain_individual_risk(codes: NDArray[np.int32], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The hypergeometric form of each record, by scipy."""
    _, of, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    f = counts[of.ravel()]
    p = f / np.bincount(of.ravel(), weights=weights)[of.ravel()]
    return np.asarray(p / f * hyp2f1(1, 1, f + 1, 1 - p), dtype=np.float64)


def plain_suda(codes: NDArray[np.int32], largest: int) -> NDArray[np.float64]:
    """Every set of keys counted on every record."""
    count = codes.shape[1]
    scores = np.zeros(len(codes))
    unique: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    for size in range(1, largest + 1):
        for chosen in combinations(range(count), size):
            sample_unique = plain_frequencies(codes[:, chosen]) == 1
            parts = [unique[chosen[:out] + chosen[out + 1 :]] for out in range(size)] if size > 1 else []
            known = np.any(parts, axis=0) if parts else np.zeros(len(codes), dtype=bool)
            scores += elliot_weight(size, count) * (sample_unique & ~known)
            unique[chosen] = sample_unique
    return scores


def report(what: str, ours: float, ours_on_few: float, twin: float) -> None:
    print(f"{what}, {RECORDS} x 5 keys: {ours:.3f} s")
    print(f"  {twin / ours_on_few:.0f} times as fast as a plain twin on {FEW} records")


def individual(codes: NDArray[np.int32], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return individual_risks(wildcard_frequencies(codes), wildcard_sums(codes, weights))


def bench_kernels() -> None:
    codes = keys(RECORDS, FIVE_KEYS)
    weights = np.random.default_rng(1).uniform(5, 500, RECORDS)
    few, light = codes[:FEW], weights[:FEW]
    assert np.array_equal(wildcard_frequencies(few), plain_frequencies(few))
    assert np.allclose(individual(few, light), plain_individual_risk(few, light))
    assert np.array_equal(special_uniques(few, elliot_weight, 5).scores, plain_suda(few, 5))
    tasks: list[tuple[str, Callable[..., object], Callable[..., object], tuple[object, ...], tuple[object, ...]]] = [
        ("frequencies", wildcard_frequencies, plain_frequencies, (codes,), (few,)),
        ("individual risk", individual, plain_individual_risk, (codes, weights), (few, light)),
        (
            "suda2",
            lambda rows: special_uniques(rows, elliot_weight, 5),
            lambda rows: plain_suda(rows, 5),
            (codes,),
            (few,),
        ),
    ]
    for what, fast, plain, on_all, on_few in tasks:
        ours = seconds(lambda fast=fast, on_all=on_all: fast(*on_all))
        own = seconds(lambda fast=fast, on_few=on_few: fast(*on_few))
        report(what, ours, own, seconds(lambda plain=plain, on_few=on_few: plain(*on_few), 1))
    holes = np.where(np.random.default_rng(2).random(codes.shape) < 0.02, -1, codes)
    print(f"frequencies with 2 % of the cells missing: {seconds(lambda: wildcard_frequencies(holes), 1):.2f} s")
    many = keys(100_000, (2, 3, 4, 5, 6, 7, 8, 9, 10, 90))
    for largest in (5, 10):
        took = seconds(lambda largest=largest: special_uniques(many, elliot_weight, largest), 1)
        print(f"suda2, 100000 x 10 keys, up to {largest} in a set: {took:.1f} s")


def bench_models() -> None:
    """k, l and t beside pycanon, where it is installed."""
    codes = keys(FEW, FIVE_KEYS[:4])
    names = [f"key{index}" for index in range(4)]
    columns = dict(zip(names, codes.T.astype(str).tolist(), strict=True))
    columns["ill"] = np.random.default_rng(3).integers(0, 6, FEW).astype(str).tolist()
    data = Microdata.from_frame(pl.DataFrame(columns), roles={**dict.fromkeys(names, "key"), "ill": "confidential"})
    release = Release(data, data)
    measures = {"k-anonymity": (), "distinct-l-diversity": (["ill"],), "t-closeness": (["ill"],)}
    ours = {name: seconds(lambda name=name: build("risk", name).measure(release), 2) for name in measures}
    print(f"{FEW} x 4 keys: " + ", ".join(f"{name} {took * 1000:.0f} ms" for name, took in ours.items()))
    try:
        from pycanon import anonymity
    except ImportError:
        print("  pycanon is not installed")
        return
    frame = data.to_frame("pandas")
    for (name, more), theirs in zip(measures.items(), ("k_anonymity", "l_diversity", "t_closeness"), strict=True):
        took = seconds(lambda theirs=theirs, more=more: getattr(anonymity, theirs)(frame, names, *more), 1)
        print(f"  {name}: {took / ours[name]:.0f} times as fast as pycanon")


def main() -> None:
    bench_kernels()
    bench_models()


if __name__ == "__main__":
    main()
