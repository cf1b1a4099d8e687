"""How likely a released row is for anybody: by the attributes, and by the pairs of them that depend most on each other.

Attributes depend on each other: somebody of the same age is likely to have the same status. If a row were compared with
a product of margins, everybody who is like a known person would look like that person. The attributes are therefore
joined by a tree of pairs (Chow and Liu, 1968), the one under which the rows are likeliest.
"""

from collections.abc import Sequence

import numpy as np

from sdckit.laws.blocks import Block, Equality, Floats, Indices, Intervals, Margin, Table
from sdckit.laws.release_law import ReleaseLaw

SAMPLE = 300  # known records that a margin is estimated from
JUDGED = 500  # classes of rows by which the pairs are chosen
BLOCK = 2_000  # classes evaluated at a time: bounds memory
PSEUDO = 5.0  # records that a product of margins counts as in the margin of a pair
LEAST = 1e-12


def log_row_density(law: ReleaseLaw, own: float = 0.0) -> Floats:
    """How likely each class of rows is for anybody else, as a logarithm.

    `own` is the share of the rows that belong to a known record, which is then the one that the row fits best.
    """
    parts = _by_names(law.blocks)
    records = np.linspace(0, law.records - 1, min(law.records, SAMPLE)).astype(np.int64)
    classes = np.arange(len(law.rows.sizes))
    if not parts or not len(records):
        return np.zeros(len(classes))
    judged = classes[np.linspace(0, len(classes) - 1, min(len(classes), JUDGED)).astype(np.int64)]
    lift = [_is_lift(part) for part in parts]
    if all(lift):
        return np.zeros(len(classes))
    weights = law.rows.sizes[judged].astype(np.float64)
    pairs = likeliest_pairs(_likelihoods(parts, records, judged), weights, lift, own)
    total = np.empty(len(classes))
    for start in range(0, len(classes), BLOCK):
        some = classes[start : start + BLOCK]
        likelihoods = _likelihoods(parts, records, some)
        total[some] = log_margins(likelihoods, lift) + log_gains(likelihoods, pairs, own)
    return total


def likeliest_pairs(
    likelihoods: Sequence[Floats], weights: Floats, lift: Sequence[bool] | None = None, own: float = 0.0
) -> list[tuple[int, int]]:
    """The tree of pairs of parts under which the rows are likeliest; a pair that gains nothing is left out.

    Each part has a line for each record and a column for each row; rows count by their weights. Two parts that are
    lifts are no pair: the weights of learned blocks allow for their dependence.
    """
    lift = [False] * len(likelihoods) if lift is None else lift
    gains = {
        (one, other): float((weights * _log_gain(likelihoods[one], likelihoods[other], own)).sum())
        for one in range(len(likelihoods))
        for other in range(one + 1, len(likelihoods))
        if not (lift[one] and lift[other])
    }
    tree = list(range(len(likelihoods)))  # the part of the tree that each belongs to
    chosen = []
    for (one, other), gain in sorted(gains.items(), key=lambda each: -each[1]):
        if gain > 0 and tree[one] != tree[other]:
            chosen.append((one, other))
            tree = [tree[one] if each == tree[other] else each for each in tree]
    return chosen


def log_margins(likelihoods: Sequence[Floats], lift: Sequence[bool]) -> Floats:
    """The product of the margins of all parts, as a logarithm; lifts compare with anybody already."""
    compared = [each for each, is_lift in zip(likelihoods, lift, strict=True) if not is_lift]
    return sum((np.log(each.mean(axis=0) + LEAST) for each in compared), np.zeros(likelihoods[0].shape[1]))


def log_gains(likelihoods: Sequence[Floats], pairs: Sequence[tuple[int, int]], own: float) -> Floats:
    """What the pairs add to the margins."""
    rows = likelihoods[0].shape[1]
    return sum((_log_gain(likelihoods[one], likelihoods[other], own) for one, other in pairs), np.zeros(rows))


def _log_gain(one: Floats, other: Floats, own: float) -> Floats:
    """How much likelier each row is by two parts together than by each alone."""
    apart = one.mean(axis=0) * other.mean(axis=0)
    both = one * other
    together = (both.sum(axis=0) - own * both.max(axis=0) + PSEUDO * apart) / (len(one) - own + PSEUDO)
    result: Floats = np.log(together + LEAST) - np.log(apart + LEAST)
    return result


def _is_lift(part: Sequence[Block]) -> bool:
    """Whether the blocks of a part compare a row with what anybody has."""
    return all(isinstance(block, Margin) or (isinstance(block, Equality | Table) and block.lift) for block in part)


def _likelihoods(parts: Sequence[Sequence[Block]], records: Indices, classes: Indices) -> list[Floats]:
    """For each part, the likelihood of each class (columns) for each record (lines)."""
    shape = len(records), len(classes)
    lines, columns = np.repeat(records, len(classes)), np.tile(classes, len(records))
    return [
        np.exp(sum((block.of_pairs(lines, columns) for block in part), np.zeros(len(lines)))).reshape(shape)
        for part in parts
    ]


def _by_names(blocks: Sequence[Block]) -> list[list[Block]]:
    """The blocks of the same attributes together; promised intervals rule out, and are no densities."""
    parts: dict[tuple[str, ...], list[Block]] = {}
    for block in blocks:
        if not isinstance(block, Intervals):
            parts.setdefault(block.names, []).append(block)
    return list(parts.values())
