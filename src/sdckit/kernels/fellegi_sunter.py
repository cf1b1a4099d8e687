"""Probabilistic linkage (Fellegi and Sunter 1969): links by the weight of agreements and disagreements.

A pair of records is reduced to its agreement pattern, one bit per key. A key that is missing in either record counts
neither for nor against the pair: its weight is 0. The probabilities that a key agrees, between records of the same
individual (m) and of different individuals (u), are estimated from the table of patterns by expectation-maximisation
(Jaro 1989).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.row_blocks import over_row_blocks

SPAN = 4096  # released rows compared at a time: their patterns stay in the cache
KNOWN_BLOCK = 64  # known records given to a core at a time
MOST_BLOCKS = 64  # tables of counts, which bounds the memory
MAX_KEYS = 24  # a table of patterns has 2^keys entries
CLIP = 1e-6  # estimated probabilities stay this far from 0 and 1
NEVER = np.iinfo(np.int32).max  # lower end of a window that overlaps none
UNITS = 2.0**32  # weights are multiples of 1 / UNITS
TOLERANCE = 1e-12  # of the log-likelihood: a step that adds less is the last


class Agreement(NamedTuple):
    """Intervals of codes; a known record and a released row agree on a key where their intervals overlap."""

    lower: NDArray[np.int32]  # known records by keys
    upper: NDArray[np.int32]
    codes: NDArray[np.int32]  # released rows by keys: the lower end, often also the upper one
    last: NDArray[np.int32]  # the upper end

    def observed(self) -> NDArray[np.float64]:
        """The share of pairs in which neither value of a key is missing."""
        share: NDArray[np.float64] = (self.lower != NEVER).mean(axis=0) * (self.codes >= 0).mean(axis=0)
        return share


class FellegiSunter(NamedTuple):
    """The probabilities of agreement estimated from a table of patterns."""

    match: NDArray[np.float64]  # probability that a key agrees between records of one individual (m)
    nonmatch: NDArray[np.float64]  # between records of two individuals (u)
    prior: float  # share of pairs that belong to one individual
    log_likelihood: NDArray[np.float64]  # before each step

    def pattern_weights(self) -> NDArray[np.float64]:
        """The weight log2(m/u) of the agreements plus log2((1-m)/(1-u)) of the disagreements, for every pattern.

        The terms are rounded, so that sums of weights are exact: assignments of the same total weight are very many,
        and which one is found must not depend on how a machine rounds.
        """
        agree = np.round(np.log2(self.match / self.nonmatch) * UNITS) / UNITS
        weights: NDArray[np.float64] = np.where(_bits(len(self.match)), agree, self._disagreements()).sum(axis=1)
        return weights

    def missing_weights(self) -> NDArray[np.float64]:
        """For every set of keys, as a pattern, the weight of disagreeing on them: not to be counted where missing."""
        weights: NDArray[np.float64] = np.where(_bits(len(self.match)), self._disagreements(), 0.0).sum(axis=1)
        return weights

    def among_observed(self, observed: NDArray[np.float64]) -> "FellegiSunter":
        """The probabilities of agreement where neither value is missing, given the share of such pairs by key.

        They were estimated over all pairs, and a missing value agrees with none.
        """
        share = np.maximum(observed, CLIP)
        match, nonmatch = (np.clip(each / share, CLIP, 1 - CLIP) for each in (self.match, self.nonmatch))
        return self._replace(match=match, nonmatch=nonmatch)

    def _disagreements(self) -> NDArray[np.float64]:
        weights: NDArray[np.float64] = np.round(np.log2((1 - self.match) / (1 - self.nonmatch)) * UNITS) / UNITS
        return weights


class Matches(NamedTuple):
    """Per known record: the greatest weight and the rows that reach it."""

    weight: NDArray[np.float64]
    ties: NDArray[np.int64]
    truth_tied: NDArray[np.bool_]
    nearest: NDArray[np.int64]  # the lowest of the tied rows


def agree_when_equal(known: NDArray[np.integer], released: NDArray[np.integer]) -> Agreement:
    """Two records agree on a key when they have the same code; a missing code, below 0, agrees with none."""
    lower = np.where(known < 0, NEVER, known).astype(np.int32)
    upper = np.where(known < 0, -1, known).astype(np.int32)
    codes = np.where(released < 0, -1, released).astype(np.int32)
    return Agreement(lower, upper, codes, codes)


def agree_when_meeting(
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    first: NDArray[np.float64],
    last: NDArray[np.float64],
) -> Agreement:
    """Two records agree on a key when their windows overlap; a missing window agrees with none."""
    low, high = np.empty(lower.shape, np.int32), np.empty(lower.shape, np.int32)
    codes, ends = np.full(first.shape, -1, np.int32), np.full(first.shape, -1, np.int32)
    for j in range(first.shape[1]):
        observed = ~np.isnan(first[:, j]) & ~np.isnan(last[:, j])
        values = np.unique([first[observed, j], last[observed, j]])
        codes[observed, j] = np.searchsorted(values, first[observed, j])
        ends[observed, j] = np.searchsorted(values, last[observed, j])
        empty = np.isnan(lower[:, j]) | np.isnan(upper[:, j])
        low[:, j] = np.where(empty, NEVER, np.searchsorted(values, lower[:, j], side="left"))
        high[:, j] = np.where(empty, -1, np.searchsorted(values, upper[:, j], side="right") - 1)
    return Agreement(low, high, codes, ends)


def pattern_counts(agreement: Agreement) -> NDArray[np.int64]:
    """The number of pairs of a known record and a released row with each agreement pattern (bit j is key j)."""
    lower, upper, of_known, codes, ends, of_released, _ = _distinct(agreement)
    tables = [np.zeros(1 << lower.shape[1], np.int64)]

    def count(start: int, stop: int) -> None:
        table = np.zeros_like(tables[0])
        _count_patterns(lower[start:stop], upper[start:stop], of_known[start:stop], codes, ends, of_released, table)
        tables.append(table)

    over_row_blocks(len(lower), count, max(KNOWN_BLOCK, len(lower) // MOST_BLOCKS))
    total: NDArray[np.int64] = np.sum(tables, axis=0, dtype=np.int64)
    return total


def fit(
    counts: NDArray[np.int64],
    prior: float,
    *,
    learn_prior: bool = False,
    match: float = 0.9,
    nonmatch: float = 0.1,
    steps: int = 200,
) -> FellegiSunter:
    """Estimate the probabilities of agreement from the counts of the patterns, with the same start for every key.

    `prior` is the share of pairs that belong to one individual: 1 / n where n records are released and every known
    record is one of them.
    """
    seen = np.flatnonzero(counts)
    keys = len(counts).bit_length() - 1
    frequency, agree = counts[seen].astype(np.float64), _bits(keys)[seen]
    m, u = np.full(keys, match), np.full(keys, nonmatch)
    path = []
    for _ in range(steps):
        joint_match = prior * np.where(agree, m, 1 - m).prod(axis=1)
        joint_nonmatch = (1 - prior) * np.where(agree, u, 1 - u).prod(axis=1)
        path.append(float((frequency * np.log(joint_match + joint_nonmatch)).sum()))
        if len(path) > 1 and path[-1] - path[-2] <= TOLERANCE * abs(path[-1]):
            break
        matches = frequency * joint_match / (joint_match + joint_nonmatch)
        nonmatches = frequency - matches
        m = np.clip(_sums(matches, agree) / matches.sum(), CLIP, 1 - CLIP)
        u = np.clip(_sums(nonmatches, agree) / nonmatches.sum(), CLIP, 1 - CLIP)
        if learn_prior:
            prior = float(np.clip(matches.sum() / frequency.sum(), np.finfo(np.float64).tiny, 1 - CLIP))
    return FellegiSunter(m, u, prior, np.array(path))


def thresholds(model: FellegiSunter, false_links: float, missed_links: float) -> tuple[float, float]:
    """The decision thresholds: a pair is a link from the first weight on, a non-link up to the second, else undecided.

    Under the model, a pair of two individuals is called a link with probability at most `false_links`, and a pair of
    one individual a non-link with probability at most `missed_links`. Infinite where no pattern is that decisive.
    """
    weights, bits = model.pattern_weights(), _bits(len(model.match))
    joint_nonmatch = np.where(bits, model.nonmatch, 1 - model.nonmatch).prod(axis=1)
    joint_match = np.where(bits, model.match, 1 - model.match).prod(axis=1)
    order = np.argsort(weights, kind="stable")
    called = np.cumsum(joint_nonmatch[order[::-1]]) <= false_links
    missed = np.cumsum(joint_match[order]) <= missed_links
    upper = weights[order[::-1]][called].min(initial=np.inf)
    return float(upper), float(weights[order][missed].max(initial=-np.inf))


def best_matches(agreement: Agreement, model: FellegiSunter, truth: NDArray[np.int64]) -> Matches:
    """Link each known record to the released rows of the greatest weight; `truth` is its true row or -1."""
    weights, uncounted = model.pattern_weights(), model.missing_weights()  # sums of these are exact, and so are ties
    lower, upper, _, codes, ends, of_released, first = _distinct(agreement)
    lacks, lacking = _patterns_of(lower == NEVER), _patterns_of(codes.T < 0)
    weight, ties, nearest = np.full(len(lower), -np.inf), np.zeros(len(lower), np.int64), np.full(len(lower), -1)
    passed = (lower, upper, codes, ends, of_released, first, weights, uncounted, lacks, lacking)
    over_row_blocks(len(lower), lambda start, stop: _best(*passed, start, stop, weight, ties, nearest), KNOWN_BLOCK)
    known = class_of(np.hstack([agreement.lower, agreement.upper])).of
    row = np.maximum(truth, 0)
    agree = (agreement.lower <= agreement.last[row]) & (agreement.codes[row] <= agreement.upper)
    missing = _patterns_of((agreement.lower == NEVER) | (agreement.codes[row] < 0))
    own = weights[_patterns_of(agree)] - uncounted[missing]
    return Matches(weight[known], ties[known], (truth >= 0) & (own == weight[known]), nearest[known])


def one_to_one_matches(agreement: Agreement, model: FellegiSunter) -> NDArray[np.int64]:
    """Link records and rows one to one so that the sum of weights is maximal; -1 for an unlinked record.

    The matrix of all pairs is stored: for files of a few thousand records.
    """
    from scipy.optimize import linear_sum_assignment

    weights, uncounted = model.pattern_weights(), model.missing_weights()
    lower, upper = np.ascontiguousarray(agreement.lower), np.ascontiguousarray(agreement.upper)
    lacks, lacking = _patterns_of(agreement.lower == NEVER), _patterns_of(agreement.codes < 0)
    table = np.empty((len(lower), len(agreement.codes)))
    codes, ends = np.ascontiguousarray(agreement.codes.T), np.ascontiguousarray(agreement.last.T)
    passed = (lower, upper, codes, ends, weights, uncounted, lacks, lacking)
    over_row_blocks(len(lower), lambda start, stop: _weigh(*passed, start, stop, table), KNOWN_BLOCK)
    link = np.full(len(lower), -1, np.int64)
    records, rows = linear_sum_assignment(table, maximize=True)
    link[records] = rows
    return link


def _sums(weights: NDArray[np.float64], agree: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The weights of the patterns that agree, key by key; not a matrix product, which machines add up differently."""
    return np.array([weights[column].sum() for column in agree.T])


def _bits(keys: int) -> NDArray[np.bool_]:
    """The agreements of every pattern, key by key."""
    bits: NDArray[np.bool_] = (np.arange(1 << keys)[:, None] >> np.arange(keys)) & 1 == 1
    return bits


def _patterns_of(bits: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Rows of bits as patterns."""
    patterns: NDArray[np.int64] = bits @ (np.int64(1) << np.arange(bits.shape[1], dtype=np.int64))
    return patterns


class _Distinct(NamedTuple):
    """Distinct windows with numbers of records; distinct codes, keys by rows, with numbers of rows and first rows."""

    lower: NDArray[np.int32]
    upper: NDArray[np.int32]
    records: NDArray[np.int64]
    codes: NDArray[np.int32]
    ends: NDArray[np.int32]
    rows: NDArray[np.int64]
    first: NDArray[np.int64]


def _distinct(agreement: Agreement) -> _Distinct:
    if agreement.codes.shape[1] > MAX_KEYS:
        raise ValueError(f"a table of agreement patterns holds at most {MAX_KEYS} keys")
    windows = class_of(np.hstack([agreement.lower, agreement.upper]))
    rows = class_of(np.hstack([agreement.codes, agreement.last]))
    lower, upper = agreement.lower[windows.first()], agreement.upper[windows.first()]
    codes = np.ascontiguousarray(agreement.codes[rows.first()].T)
    ends = np.ascontiguousarray(agreement.last[rows.first()].T)
    return _Distinct(lower, upper, windows.sizes, codes, ends, rows.sizes, rows.first())


@njit(cache=True, nogil=True)
def _patterns(
    lower: NDArray[np.int32],
    upper: NDArray[np.int32],
    codes: NDArray[np.int32],
    ends: NDArray[np.int32],
    start: int,
    stop: int,
    pattern: NDArray[np.int32],
) -> None:
    """The patterns of one record with the released rows from `start` to `stop`."""
    size = stop - start
    pattern[:size] = 0
    for j in range(len(lower)):
        low, high, bit = lower[j], upper[j], np.int32(1 << j)
        first, last = codes[j, start:stop], ends[j, start:stop]
        for at in range(size):
            pattern[at] |= np.int32((last[at] >= low) & (first[at] <= high)) * bit


@njit(cache=True, nogil=True)
def _count_patterns(
    lower: NDArray[np.int32],
    upper: NDArray[np.int32],
    of_known: NDArray[np.int64],
    codes: NDArray[np.int32],
    ends: NDArray[np.int32],
    of_released: NDArray[np.int64],
    table: NDArray[np.int64],
) -> None:
    pattern = np.empty(SPAN, np.int32)
    n = codes.shape[1]
    for start in range(0, n, SPAN):
        stop = min(start + SPAN, n)
        for record in range(len(lower)):
            _patterns(lower[record], upper[record], codes, ends, start, stop, pattern)
            for at in range(stop - start):
                table[pattern[at]] += of_known[record] * of_released[start + at]


@njit(cache=True, nogil=True)
def _best(
    lower: NDArray[np.int32],
    upper: NDArray[np.int32],
    codes: NDArray[np.int32],
    ends: NDArray[np.int32],
    of_released: NDArray[np.int64],
    first: NDArray[np.int64],
    weights: NDArray[np.float64],
    uncounted: NDArray[np.float64],
    lacks: NDArray[np.int64],
    lacking: NDArray[np.int64],
    begin: int,
    end: int,
    weight: NDArray[np.float64],
    ties: NDArray[np.int64],
    nearest: NDArray[np.int64],
) -> None:
    pattern = np.empty(SPAN, np.int32)
    n = codes.shape[1]
    for start in range(0, n, SPAN):
        stop = min(start + SPAN, n)
        for record in range(begin, end):
            _patterns(lower[record], upper[record], codes, ends, start, stop, pattern)
            for at in range(stop - start):
                found = weights[pattern[at]] - uncounted[lacks[record] | lacking[start + at]]
                if found < weight[record]:
                    continue
                if found > weight[record]:
                    weight[record], ties[record], nearest[record] = found, 0, first[start + at]
                ties[record] += of_released[start + at]
                nearest[record] = min(nearest[record], first[start + at])


@njit(cache=True, nogil=True)
def _weigh(
    lower: NDArray[np.int32],
    upper: NDArray[np.int32],
    codes: NDArray[np.int32],
    ends: NDArray[np.int32],
    weights: NDArray[np.float64],
    uncounted: NDArray[np.float64],
    lacks: NDArray[np.int64],
    lacking: NDArray[np.int64],
    begin: int,
    end: int,
    table: NDArray[np.float64],
) -> None:
    n = codes.shape[1]
    pattern = np.empty(n, np.int32)
    for record in range(begin, end):
        _patterns(lower[record], upper[record], codes, ends, 0, n, pattern)
        for at in range(n):
            table[record, at] = weights[pattern[at]] - uncounted[lacks[record] | lacking[at]]
