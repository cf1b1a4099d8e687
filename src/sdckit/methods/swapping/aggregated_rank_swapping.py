"""Aggregated rank swapping: exchange whole records of values between records near in one common order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates, Groups
from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.fuzzy.operators import Operator, WeightedMean
from sdckit.fuzzy.scaling import Scaling
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.ranks import swap_within_rank_window
from sdckit.kernels.standardisation import mean_and_deviation
from sdckit.likelihood import Law, sum_of_tables
from sdckit.masking import Locality, Masking, masking
from sdckit.methods.swapping.swapping_law import SwappingLaw
from sdckit.microdata import Kind, Microdata
from sdckit.normal_law import every_number
from sdckit.parameters import param
from sdckit.randomness import generator

STEPS = 200  # of the order that candidates are listed by: bounds their number
MARGIN = 1e-9  # of the axis from 0 to 1: rounding errors of the aggregation


@masking("aggregated-rank-swapping", kind=Kind.ORDERED, reference="nin2008")
class AggregatedRankSwapping(Masking):
    r"""Order the records by an aggregation of their attributes, and swap all of these with a record near in that order.

    The attributes of a record are swapped together: their joint distribution survives exactly, with all correlations
    and all edits among them, and only their relation to the other attributes of the file weakens as the window widens.
    Each attribute is scaled to 0..1 before the aggregation. Records with missing values are swapped among those with
    missing values in the same attributes; a missing value counts as the mean in the order. An intruder who knows the
    method knows that the aggregated value moved no further than the window.

    Formula: $(x_i, x_j) \to (x_j, x_i)$,  $|r(i) - r(j)| \le p \cdot n$,  $r$ the rank of $A(s_1(x_1), \ldots,
    s_d(x_d))$

    Use it when the relations among the masked attributes, or edits that link them, must be unchanged, and the relations
    to the rest of the file matter less.
    """

    locality = Locality.SORT
    keeps_missing = True
    preserves = frozenset({Statistic.MEANS, Statistic.COVARIANCES, Statistic.DISTRIBUTIONS})

    window: float = param(
        0.05, "widest rank gap, as a share of the records (the papers' p%)", low=0, high=1, grid=(0.02, 0.05, 0.1, 0.2)
    )
    operator: Operator = param(
        WeightedMean(),
        "an operator of sdckit.fuzzy, such as weighted-mean(0.7+0.3), owa(0.5), choquet(2), sugeno(linear+0.3+0.8)",
    )
    scaling: Scaling = param(Scaling.RANKS, "how attributes are brought to 0..1: min-max, ranks or normal")

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        filled = np.where(np.isnan(values), mean_and_deviation(values)[0], values)
        axis = self.project(filled, filled)
        rng = draws.generator()
        masked = values.copy()
        for records in same_holes(values):
            order = records[np.lexsort((*filled[records].T[::-1], axis[records]))]
            partner = swap_within_rank_window(np.arange(len(order)), self.reach(len(order)), rng)
            masked[order] = values[order[partner]]
        return masked

    def project(self, values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
        """The position of each record on the axis from 0 to 1, scaled by a reference file."""
        try:
            return self.operator(self.scaling(values, reference))
        except ValueError as problem:
            raise SchemaError(f"{self.name}: {problem}") from None

    def reach(self, records: int) -> int:
        """The widest rank gap in records; the tolerance keeps 0.29 · 100 at 29."""
        return int(self.window * records + 1e-9)

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return means, covariances

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        alone = sum(1 for each in same_holes(original.matrix(attributes)) if len(each) == 1 < len(original))
        if alone:
            return [f"{alone} records were not swapped: no other has missing values in the same attributes"]
        if self.reach(len(original)) > 0:
            return []
        return [f"a window of {self.window:g} is less than one of the {len(original)} records: nothing was swapped"]

    def law(self, released: Microdata, original: Microdata | None = None) -> Law | None:
        rows = every_number(released)
        if np.isnan(rows).any():
            return None
        rng = generator(0)  # the trials are the intruder's own
        axis = self.project(rows, rows)[:, None]
        swap = SwappingLaw.learned(axis, lambda ranks: swap_within_rank_window(ranks, self.reach(len(ranks)), rng))
        return AxisLaw(self, rows, swap)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """The rows whose aggregated value is at most the window away; operators are monotone, so intervals carry over.

        The released values are those of the original in other rows: the scaling and the order are the same.
        """
        names = [] if released is None else [each.name for each in released.attributes]
        if released is None or known.left_out or not any(name in known.lower for name in names):
            return None
        rows = released.matrix(names)
        if np.isnan(rows).any():
            return None
        nothing = np.full(known.records, np.inf)
        low, high = (
            self.project(np.column_stack([side.get(name, end) for name in names]), rows)
            for side, end in ((known.lower, -nothing), (known.upper, nothing))
        )
        groups = steps_in_window(low, high, self.project(rows, rows), self.reach(len(rows)))
        return Candidates(known.records, groups=(groups,))


@dataclass(frozen=True, eq=False)
class AxisLaw:
    """The probability that a record gets the values of one of another rank in the aggregated order."""

    masking: AggregatedRankSwapping
    file: NDArray[np.float64]
    of_ranks: SwappingLaw

    def tables(
        self, known: NDArray[np.float64], released: NDArray[np.float64]
    ) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]]:
        records, rows = (self.masking.project(each, self.file)[:, None] for each in (np.nan_to_num(known), released))
        for table, of_record, of_row in self.of_ranks.tables(records, rows):
            # The rank of a record with missing values is not known: every rank is equally likely.
            yield np.pad(table, ((0, 1), (0, 0))), np.where(np.isnan(known).any(axis=1), len(table), of_record), of_row

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        return sum_of_tables(self, known, released)


def same_holes(values: NDArray[np.float64]) -> list[NDArray[np.int64]]:
    """The records that have missing values in the same attributes, set by set."""
    of = equal_rows(np.isnan(values).astype(np.float64)).of
    return [np.flatnonzero(of == label) for label in range(int(of.max(initial=-1)) + 1)]


def steps_in_window(
    low: NDArray[np.float64], high: NDArray[np.float64], axis: NDArray[np.float64], reach: int
) -> Groups:
    """The steps of the order of the rows that are at most `reach` ranks below the low ends or above the high ends."""
    order = np.argsort(axis, kind="stable")
    ordered = axis[order]
    count = min(STEPS, len(axis))
    step = np.empty(len(axis), dtype=np.int64)
    step[order] = np.arange(len(axis)) * count // len(axis)
    last = len(axis) - 1
    below = np.clip(np.searchsorted(ordered, low - MARGIN, side="left") - reach, 0, last)
    above = np.clip(np.searchsorted(ordered, high + MARGIN, side="right") - 1 + reach, 0, last)
    # Rows that tie at an end of the window may be in any order among themselves.
    first = np.searchsorted(ordered, ordered[below] - MARGIN, side="left") * count // len(axis)
    end = (np.searchsorted(ordered, ordered[above] + MARGIN, side="right") - 1) * count // len(axis) + 1
    starts = np.concatenate([[0], np.cumsum(end - first)])
    listed = np.arange(starts[-1]) - np.repeat(starts[:-1] - first, end - first)
    return Groups(step, starts, listed.astype(np.int64))
