"""What the global measures share: clusters in both files, factors by key, and the keys that give most away."""

import heapq
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.holes import Holes
from sdckit.intruder import Intruder
from sdckit.kernels.equivalence_classes import MISSING, wildcard_frequencies
from sdckit.measure import Measure, Score
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.global_risk.change_factors import factor_of
from sdckit.risk.global_risk.weak_change import WeakChange
from sdckit.risk.global_risk.weights import Weights
from sdckit.risk.uniqueness.key_measure import RULES, WHAT_A_HOLE_IS, check_rule, side_by_side

MOST_SUBSETS = 4096  # subsets of keys examined before the exact search gives way to a greedy climb
LARGEST_CELLS = 12  # cells of the classification matrix that are reported


class Cells(NamedTuple):
    """For each record in both files the size of its cluster in the release and in the original."""

    released: NDArray[np.int64]
    original: NDArray[np.int64]

    def counted(self) -> dict[str, int]:
        """The classification matrix, sparse: its largest cells as `i,j` and how many records are in each."""
        wide = int(self.original.max(initial=0)) + 1
        cells, times = np.unique(self.released * wide + self.original, return_counts=True)
        most = np.argsort(-times, kind="stable")[:LARGEST_CELLS]
        return {f"{cells[cell] // wide},{cells[cell] % wide}": int(times[cell]) for cell in most}


@dataclass(frozen=True, eq=False)
class Keys:
    """The keys of a release that an intruder knows, the records known, and the records that are in both files."""

    names: tuple[str, ...]
    factors: tuple[float, ...]
    original: NDArray[np.int32]
    masked: NDArray[np.int32]
    records: NDArray[np.int64]
    rows: NDArray[np.int64]
    known: int

    @classmethod
    def of(cls, release: Release, intruder: Intruder, rule: WeakChange, seed: int | None) -> "Keys":
        """Look at a release; the factors are those of all records that are in both files."""
        names = intruder.known_attributes(release)
        if not names:
            raise NotApplicableError("the intruder knows no attribute that the release still has")
        everybody = np.arange(len(release.original))
        rows = release.true_rows(everybody)
        both = rows >= 0
        if not both.any():
            raise NotApplicableError("no row of the masked file came from a record of the original")
        factors = tuple(factor_of(release, name, everybody[both], rows[both], rule) for name in names)
        known = intruder.known_records(release, seed)
        found = known[rows[known] >= 0]
        return cls(
            names,
            factors,
            release.original.codes(names),
            release.masked.codes(names),
            found,
            rows[found],
            len(known),
        )

    @property
    def has_holes(self) -> bool:
        """Whether a key is missing in one of the files."""
        return bool((self.masked == MISSING).any() or (self.original == MISSING).any())

    def holes_as_values(self) -> "Keys":
        """The same keys, a missing one being a value of its own."""
        own = max(self.masked.max(initial=0), self.original.max(initial=0)) + 1
        return replace(
            self,
            masked=np.where(self.masked == MISSING, own, self.masked),
            original=np.where(self.original == MISSING, own, self.original),
        )

    def cells(self, subset: tuple[int, ...]) -> Cells:
        """The clusters by a subset of the keys; a missing key agrees with every value."""
        columns = list(subset)
        return Cells(
            wildcard_frequencies(self.masked[:, columns])[self.rows],
            wildcard_frequencies(self.original[:, columns])[self.records],
        )

    def trust(self, subset: tuple[int, ...]) -> float:
        """What the moved values leave: the product of one minus the factor of each key."""
        return float(np.prod([1.0 - self.factors[key] for key in subset]))

    @cached_property
    def useful(self) -> tuple[int, ...]:
        """The keys whose factor is not 1; with the others no record is re-identified."""
        return tuple(key for key, factor in enumerate(self.factors) if factor < 1.0)


class Found(NamedTuple):
    """The subset of keys with the largest risk, its cells, the risk, and how many subsets were examined.

    `bound` is what no subset exceeds; it is the risk itself where the search was exact.
    """

    subset: tuple[int, ...]
    cells: Cells
    value: float
    looked_at: int
    bound: float = 0.0


@dataclass(frozen=True, kw_only=True)
class GlobalRisk(Measure):
    """The largest risk over all subsets of keys, with weights for the cells of the classification matrix."""

    weak_change: WeakChange = param(
        WeakChange(), "rule for changes within a hierarchy: by-depth, by-leaves or any-change"
    )

    holes: Holes = param(Holes.STRICTER, WHAT_A_HOLE_IS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rule(self.holes, RULES, self.name)

    def cell_weights(self) -> Weights:
        """The disclosure risk weights."""
        raise TypeError(f"{type(self).__name__} must define cell_weights")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        keys = Keys.of(release, intruder, self.weak_change, seed)
        score = self.of_keys(keys, release, intruder, seed)
        if not keys.has_holes:
            return score
        own_value = self.of_keys(keys.holes_as_values(), release, intruder, seed)
        return side_by_side(score, own_value, self.holes, int((keys.masked == MISSING).all(axis=1).sum()))

    def of_keys(self, keys: Keys, release: Release, intruder: Intruder, seed: int | None) -> Score:
        """The score by one reading of missing keys."""
        found = self.search(keys)
        figures = np.zeros(len(release.original))
        figures[keys.records] = keys.trust(found.subset) * self.shares(found.cells)
        known = intruder.known_records(release, seed)
        return Score(
            min(found.value, 1.0),
            by_record=release.on_records(known, figures[known]),
            bound=min(found.bound, 1.0) if found.bound > found.value else None,
            details={
                "attributes": keys.names,
                "subset": tuple(keys.names[key] for key in found.subset) if found.value > 0 else (),
                "factors": dict(zip(keys.names, keys.factors, strict=True)),
                "classification": found.cells.counted(),
                "subsets_looked_at": found.looked_at,
            },
        )

    def by_subset(self, release: Release, intruder: Intruder = Intruder()) -> dict[tuple[str, ...], float]:
        """The risk of every non-empty subset of the keys."""
        keys = Keys.of(release, intruder, self.weak_change, None)
        every = range(len(keys.names))
        subsets = [subset for size in range(1, len(every) + 1) for subset in combinations(every, size)]
        return {tuple(keys.names[key] for key in subset): self.risk(keys, subset) for subset in subsets}

    def risk(self, keys: Keys, subset: tuple[int, ...]) -> float:
        """The risk by one subset of the keys."""
        return keys.trust(subset) * float(self.shares(keys.cells(subset)).sum()) / keys.known

    def shares(self, cells: Cells) -> NDArray[np.float64]:
        """What each record adds, before the factors."""
        return self.cell_weights()(*cells) / np.maximum(*cells)

    def search(self, keys: Keys) -> Found:
        """The best subset of keys by branch and bound: exact, whatever the weights, up to `MOST_SUBSETS` subsets.

        Where there are more, a greedy climb goes on from the best one so far, and the bound of what was not examined is
        kept: the true figure lies between the two.

        With more keys clusters only split, so what a set of keys gives before the factors bounds what its subsets give,
        if the weights fall with the larger size alone. That is so for the minimal and maximal ones, where keys of
        factor 0 then always stay in. In another matrix a record may move from cell (2, 2) to (1, 2), which can
        weigh less; no weight exceeds the first one, though, so the equal weights bound them all.
        """
        weights = self.cell_weights()
        looked_at, ticket = 0, count()
        waiting: list[tuple[float, int, tuple[int, ...], tuple[int, ...], float]] = []
        best = Found((0,), keys.cells((0,)), 0.0, 0)

        def look(chosen: tuple[int, ...], undecided: tuple[int, ...]) -> None:
            """All undecided keys taken: a value, and a bound for every choice among them."""
            nonlocal best, looked_at
            looked_at += 1
            subset = tuple(sorted(chosen + undecided))
            cells = keys.cells(subset)
            share = float(self.shares(cells).sum()) / keys.known
            if keys.trust(subset) * share > best.value:
                best = Found(subset, cells, keys.trust(subset) * share, 0)
            most = share if weights.by_larger_size else float((1.0 / np.maximum(*cells)).sum()) / keys.known
            heapq.heappush(waiting, (-keys.trust(chosen) * most, next(ticket), chosen, undecided, most))

        if keys.useful:
            look((), tuple(sorted(keys.useful, key=lambda key: keys.factors[key])))
        while waiting:
            bound, _, chosen, undecided, most = heapq.heappop(waiting)
            if -bound <= best.value:
                break
            if looked_at >= MOST_SUBSETS:
                return self.climb(keys, best._replace(looked_at=looked_at, bound=-bound))
            if undecided:
                *rest, doubtful = undecided
                taken = (*chosen, doubtful)
                heapq.heappush(waiting, (-keys.trust(taken) * most, next(ticket), taken, tuple(rest), most))
                if chosen or rest:
                    look(chosen, tuple(rest))
        return best._replace(looked_at=looked_at, bound=best.value)

    def climb(self, keys: Keys, found: Found) -> Found:
        """Add or drop one key at a time, the one that raises the risk most, until none does."""
        while True:
            chosen = set(found.subset)
            others = [tuple(sorted(chosen ^ {key})) for key in keys.useful if chosen ^ {key}]
            risks = [self.risk(keys, subset) for subset in others]
            looked_at = found.looked_at + len(others)
            best = int(np.argmax(risks)) if risks else 0
            if not risks or risks[best] <= found.value:
                return found._replace(looked_at=looked_at)
            subset = others[best]
            found = Found(subset, keys.cells(subset), risks[best], looked_at, max(found.bound, risks[best]))
