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


@njit(cache=True, nogil=True, inline="always")
def log_likelihood(
    entries: Floats, starts: Indices, widths: Indices, queries: Side, items: Side, query: int, item: int
) -> float:
    """The log-likelihood of one pair."""
    for index in range(queries.low.shape[0]):
        if items.high[index, item] < queries.low[index, query] or items.low[index, item] > queries.high[index, query]:
            return -np.inf
    value = 0.0
    for index in range(queries.codes.shape[0]):
        code, other = queries.codes[index, query], items.codes[index, item]
        if code != UNKNOWN and code != other and other != ANY:
            value += items.penalty[index, item] + queries.penalty[index, query]
    for index in range(queries.points.shape[0]):
        point, other_point = queries.points[index, query], items.points[index, item]
        gap = point - other_point
        if gap == gap:
            value -= 0.5 * gap * gap
        elif point == point:
            value += items.hole[index]
        elif other_point == other_point:
            value += queries.hole[index]
    for index in range(len(widths)):
        line = queries.tables[index, query]
        if line >= 0:
            value += entries[starts[index] + line * widths[index] + items.tables[index, item]]
    return value
