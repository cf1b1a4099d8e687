"""Log-likelihoods of pairs of a query and an item: sums of tables, equalities, normal deviations and intervals.

Queries are known records and items classes of released rows, or, transposed, the other way round.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Codes = NDArray[np.int32]

UNKNOWN = -1  # the code of a query that says nothing
ANY = -2  # the code of an item that equals every code
NO_OTHER = np.iinfo(np.int32).max  # the code of a query that no item has


class Side(NamedTuple):
    """What the queries or the items contribute; one line for each table, equality, deviation or interval.

    `tables`       lines of the tables (queries; −1 says nothing) or their columns (items)
    `codes`        what equalities compare
    `penalty`      what is added where the codes differ, the sum of both sides
    `points`       normal deviations add −½ (a − b)²; NaN is missing
    `hole`         what is added where this side misses a point that the other side has
    `low`, `high`  intervals: a pair whose intervals are disjoint is impossible; a value is an interval of length 0
    """

    tables: Codes
    codes: Codes
    penalty: Floats
    points: Floats
    hole: Floats
    low: Floats
    high: Floats

    def taken(self, positions: Indices) -> "Side":
        """Some of the queries or items, in this order."""
        low = np.ascontiguousarray(self.low[:, positions])
        return Side(
            np.ascontiguousarray(self.tables[:, positions]),
            np.ascontiguousarray(self.codes[:, positions]),
            np.ascontiguousarray(self.penalty[:, positions]),
            np.ascontiguousarray(self.points[:, positions]),
            self.hole,
            low,
            low if self.high is self.low else np.ascontiguousarray(self.high[:, positions]),
        )


class Evidence(NamedTuple):
    """Tables of log-likelihoods, one after the other in `entries`, and both sides."""

    entries: Floats
    starts: Indices
    widths: Indices
    queries: Side
    items: Side

    @property
    def lines(self) -> Indices:
        """The number of lines of each table."""
        return np.diff(np.append(self.starts, len(self.entries))) // np.maximum(self.widths, 1)


def transposed(evidence: Evidence) -> Evidence:
    """The same pairs with queries and items exchanged; what says nothing fits every other."""
    tables, columns = [], []
    for index, lines in enumerate(evidence.lines):
        start, width = evidence.starts[index], evidence.widths[index]
        entries = evidence.entries[start : start + lines * width].reshape(lines, width)
        tables.append(np.concatenate([entries.T, np.zeros((width, 1))], axis=1))
        own = evidence.queries.tables[index]
        columns.append(np.where(own == UNKNOWN, lines, own))
    sizes = [each.size for each in tables]
    queries, items = evidence.queries, evidence.items
    return Evidence(
        np.concatenate([np.empty(0), *(each.ravel() for each in tables)]),
        np.concatenate([[0], np.cumsum(sizes)])[: len(sizes)].astype(np.int64),
        evidence.lines + 1,
        items._replace(codes=np.where(items.codes == UNKNOWN, np.int32(NO_OTHER), items.codes)),
        queries._replace(
            tables=np.array(columns, dtype=np.int32).reshape(queries.tables.shape),
            codes=np.where(queries.codes == UNKNOWN, np.int32(ANY), queries.codes),
        ),
    )


@njit(cache=True, nogil=True)
def log_likelihoods_at(
    entries: Floats,
    starts: Indices,
    widths: Indices,
    queries: Side,
    items: Side,
    query: int,
    positions: Indices,
    count: int,
    values: Floats,
) -> None:
    """Write the log-likelihoods of a query and each of `count` items into `values`, summed up one part after the other.

    Parts are the outer loop, so that the sums of the items do not wait for each other.
    """
    values[:count] = 0.0
    for index in range(len(queries.codes)):
        code, penalty = queries.codes[index, query], queries.penalty[index, query]
        if code != UNKNOWN:
            for line in range(count):
                item = positions[line]
                other = items.codes[index, item]
                if code != other and other != ANY:
                    values[line] += items.penalty[index, item] + penalty
    for index in range(len(queries.points)):
        point = queries.points[index, query]
        if point == point:
            hole = items.hole[index]
            for line in range(count):
                gap = point - items.points[index, positions[line]]
                values[line] += -0.5 * gap * gap if gap == gap else hole
        else:
            hole = queries.hole[index]
            for line in range(count):
                other_point = items.points[index, positions[line]]
                values[line] += hole if other_point == other_point else 0.0
    for index in range(len(widths)):
        row = queries.tables[index, query]
        if row >= 0:
            begin = starts[index] + row * widths[index]
            of_row = entries[begin : begin + widths[index]]
            for line in range(count):
                values[line] += of_row[items.tables[index, positions[line]]]
    for index in range(len(queries.low)):
        low, high = queries.low[index, query], queries.high[index, query]
        for line in range(count):
            item = positions[line]
            if items.high[index, item] < low or items.low[index, item] > high:
                values[line] = -np.inf
