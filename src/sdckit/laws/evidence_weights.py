"""Weights of evidence: how much each block of a learned law counts, as trials of the intruder's own show.

Blocks that are learned one by one and multiplied count the same evidence twice where attributes are masked together,
and a block that was smoothed too much counts too little. In a replay the intruder knows which row is whose. The weights
are those under which the true rows of replayed records are likeliest among all rows that have the record's unchanged
values: a conditional logit with a coefficient for each block, 1 beforehand for what is learned of single attributes, 0
for other blocks. Half of the records judge what the other half gives: where the blocks predict their rows worse than
guessing does, as where a synthesis shows nothing of a record, none counts.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sdckit.laws.blocks import Block, Floats, Indices, Table
from sdckit.laws.learned_equality import Unchanged

RECORDS = 150  # of a trial that are judged
ROWS = 1_000  # of a trial that they are compared with
RIDGE = 1.0  # judged records that the first weights count as
LEAST_GAIN = 0.01  # in log-likelihood for each judged record, from which weights other than the first are used


class Trial(NamedTuple):
    """Blocks for the records and rows of a replay, and the row of each record (−1: none).

    `unchanged` has a code of each record and of each row: others than those with an equal code are impossible anyway.
    A method that reads unchanged attributes, as a regression does, gives rows that resemble the record through these:
    who knows them must not count the resemblance again.
    """

    blocks: Sequence[Block | Unchanged]
    row_of: Indices
    unchanged: tuple[Indices, Indices] | None = None


class Judged(NamedTuple):
    """What each block says of judged records and some rows, the record's own first.

    `again` is −∞ where a row is the record's own once more, and else 0.
    """

    lifts: Floats
    again: Floats

    def half(self, side: int) -> "Judged":
        """Every other record."""
        return Judged(self.lifts[:, side::2], self.again[side::2])


def weights_of_blocks(trials: Sequence[Trial], first: Floats, rng: np.random.Generator) -> Floats:
    """The weight of each block; `first` are those before any trial is looked at."""
    judged = [_judged(trial, rng) for trial in trials]
    judged = [each for each in judged if each.lifts.size]
    if not judged:
        return first
    fitted_on, judged_by = ([each.half(side) for each in judged] for side in (0, 1))
    none = np.zeros(len(first))
    guessing, before, after = (
        _loss(weights, judged_by, first, 0.0)[0] for weights in (none, first, _fitted(fitted_on, first))
    )
    if guessing < min(before, after):
        return none
    return _fitted(judged, first) if before - after > LEAST_GAIN else first


def weighted(block: Table | Unchanged, weight: float) -> list[Block]:
    """The block with its log-likelihoods multiplied."""
    if isinstance(block, Unchanged):
        equality = replace(block.equality, unequal=weight * block.equality.unequal)
        return [equality, *weighted(block.gain, weight)]
    return [replace(block, entries=weight * block.entries)]


def _fitted(parts: Sequence[Judged], first: Floats) -> Floats:
    """The weights under which the own rows are likeliest; none is negative."""
    from scipy.optimize import minimize

    bounds = [(0.0, None)] * len(first)
    result = minimize(_loss, first, args=(parts, first, RIDGE), jac=True, method="L-BFGS-B", bounds=bounds)
    return np.asarray(result.x, dtype=np.float64)


def _loss(weights: Floats, parts: Sequence[Judged], first: Floats, ridge: float) -> tuple[float, Floats]:
    """Minus the log-likelihood of the own rows for each judged record, and its slope."""
    value, slope, count = 0.0, np.zeros(len(weights)), 0
    for lifts, again in parts:
        total = np.tensordot(weights, lifts, axes=1) + again
        top = total.max(axis=1, keepdims=True)
        share = np.exp(total - top)
        sums = share.sum(axis=1, keepdims=True)
        value -= float((total[:, 0] - top[:, 0] - np.log(sums[:, 0])).sum())
        slope -= lifts[:, :, 0].sum(axis=1) - np.einsum("kij,ij->k", lifts, share / sums)
        count += len(total)
    value += 0.5 * ridge * float(((weights - first) ** 2).sum())
    return value / max(count, 1), (slope + ridge * (weights - first)) / max(count, 1)


def _judged(trial: Trial, rng: np.random.Generator) -> Judged:
    """Some records of a trial with some of its rows."""
    present = np.flatnonzero(trial.row_of >= 0)
    rows = int(trial.row_of.max(initial=-1)) + 1
    records = rng.permutation(present)[:RECORDS]
    if not len(records) or rows < 2:
        return Judged(np.zeros((len(trial.blocks), 0, 0)), np.zeros((0, 0)))
    compared = np.column_stack([trial.row_of[records], _others(trial, records, rows, rng)])
    flat = np.repeat(records, compared.shape[1])
    lifts = np.array([block.of_pairs(flat, compared.ravel()).reshape(compared.shape) for block in trial.blocks])
    again = np.where(compared == compared[:, :1], -np.inf, 0.0)
    again[:, 0] = 0.0
    return Judged(lifts, again)


def _others(trial: Trial, records: Indices, rows: int, rng: np.random.Generator) -> Indices:
    """The rows that each record is compared with; where it has fewer than others, its own fills the line."""
    if trial.unchanged is None:
        others = np.arange(rows) if rows <= ROWS else np.sort(rng.choice(rows, ROWS, replace=False))
        return np.tile(others, (len(records), 1))
    of_record, of_row = trial.unchanged
    order = np.argsort(of_row[:rows], kind="stable")
    starts, ends = (np.searchsorted(of_row[order], of_record[records], side=side) for side in ("left", "right"))
    width = max(min(int((ends - starts).max()), ROWS), 1)
    lines = np.tile(trial.row_of[records][:, None], (1, width))
    for line, start, end in zip(lines, starts, ends, strict=True):
        own = order[start:end] if end - start <= ROWS else rng.choice(order[start:end], ROWS, replace=False)
        line[: len(own)] = own
    return lines
