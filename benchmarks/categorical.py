"""How long the maskings of categories and the global risk take, beside a plain twin."""

from collections.abc import Callable
from time import process_time

import numpy as np
from numpy.typing import NDArray

from sdckit.hierarchy import Hierarchy
from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.kernels.inversions import count_inversions
from sdckit.kernels.mondrian import Sensitive, mondrian
from sdckit.kernels.suppression import suppress_to_k_anonymity
from sdckit.methods.generalisation.optimal_generalisation import OptimalGeneralisation
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import protect
from sdckit.risk.global_risk.maximal_disclosure_risk import MaximalDisclosureRisk

CATEGORIES = (90, 2, 37, 5, 9)  # such as age, sex, roof, region and relation


def seconds(task: Callable[[], object]) -> float:
    """The processor time of a task; all that is timed here runs on one core."""
    start = process_time()
    task()
    return process_time() - start


def keys(records: int, seed: int = 1) -> NDArray[np.int64]:
    """Skewed, correlated categories."""
    rng = np.random.default_rng(seed)
    common = rng.random(records)
    columns = [np.floor(size * (0.5 * common + 0.5 * rng.random(records)) ** 2) for size in CATEGORIES]
    return np.column_stack(columns).astype(np.int64)


def file(records: int) -> Microdata:
    """The same as a file, the first key under intervals."""
    names = [f"key {index}" for index in range(len(CATEGORIES))]
    tree = Hierarchy.by_intervals(range(CATEGORIES[0]), [5, 10, 30])
    attributes = [
        Attribute(name, Kind.UNORDERED, Role.KEY, tuple(range(size)))
        for name, size in zip(names, CATEGORIES, strict=True)
    ]
    attributes[0] = Attribute(names[0], Kind.PARTIALLY_ORDERED, Role.KEY, tuple(range(CATEGORIES[0])), tree)
    return Microdata(tuple(attributes), dict(zip(names, keys(records).T, strict=True)))


def by_the_book(codes: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """The plain heuristic: while a record is too rare, lose the first key that adds to its frequency."""
    codes = codes.copy()
    order = np.argsort([-len(np.unique(column)) for column in codes.T], kind="stable")

    def frequency(row: NDArray[np.int64]) -> int:
        return int(((codes == row) | (codes < 0) | (row < 0)).all(axis=1).sum())

    for record in np.flatnonzero(wildcard_frequencies(codes) < k):
        while frequency(codes[record]) < k:
            for key in (key for key in order if codes[record, key] >= 0):
                tried = codes[record].copy()
                tried[key] = -1
                if frequency(tried) > frequency(codes[record]):
                    break
            codes[record, key] = -1
    return codes


def report(what: str, took: float, more: str = "") -> None:
    print(f"{what:<46} {took:8.2f} s{more}")


def main() -> None:
    costs = np.ones(len(CATEGORIES))
    suppress_to_k_anonymity(keys(200), 3, costs)
    for records in (16_000, 100_000, 1_000_000):
        codes = keys(records)
        rare = int((wildcard_frequencies(codes) < 3).sum())
        masked: list[NDArray[np.int64]] = []
        took = seconds(lambda: masked.append(suppress_to_k_anonymity(codes, 3, costs)))  # noqa: B023 - run at once
        lost = int((masked[0] < 0).sum())
        more = f"   {rare:,} records too rare, {lost:,} values lost"
        if records == 16_000:
            more += f", by the plain heuristic {int((by_the_book(codes, 3) < 0).sum()):,}"
        report(f"local suppression, {records:,}", took, more)
    million = file(1_000_000)
    protect(file(100), "pram", seed=1)
    report("PRAM, one variable, 1,000,000", seconds(lambda: protect(million, "pram", ["key 2"], seed=1)))
    report("invariant PRAM, five variables, 1,000,000", seconds(lambda: protect(million, "invariant-pram", seed=1)))
    release = protect(million, "pram:stay=0.9", seed=1)
    report("global risk, best subset, 1,000,000", seconds(lambda: MaximalDisclosureRisk().measure(release)))
    report("global risk, all 31 subsets, 1,000,000", seconds(lambda: MaximalDisclosureRisk().by_subset(release)))
    rng = np.random.default_rng(2)
    count_inversions(rng.random(10), rng.random(10))
    report("inversions, 1,000,000", seconds(lambda: count_inversions(rng.random(1_000_000), rng.random(1_000_000))))
    points = keys(1_000_000).astype(np.float64)
    nothing = Sensitive(np.empty((len(points), 0), dtype=np.int64), np.empty(0, dtype=bool))
    mondrian(points[:50], 5, Sensitive(nothing.codes[:50], nothing.ordered), strict=True)
    for strict, name in ((True, "strict"), (False, "relaxed")):
        report(f"Mondrian, {name}, k = 5, 1,000,000", seconds(lambda: mondrian(points, 5, nothing, strict=strict)))  # noqa: B023
    found = OptimalGeneralisation(group_size=5)
    names = million.names()
    report("optimal generalisation, 80 nodes, 1,000,000", seconds(lambda: found.search(million, names)))


if __name__ == "__main__":
    main()
