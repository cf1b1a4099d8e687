"""Evidence: which attributes support a claim of high confidence. It names records, so it is never published."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sdckit.laws.blocks import Floats, Indices, Intervals
from sdckit.laws.inference import Inference
from sdckit.laws.release_law import ReleaseLaw
from sdckit.measure import plain
from sdckit.risk.intruder.joint_attack import Claims

LIMIT = 5  # records that are explained
OTHER_RECORDS = "the other records"


@dataclass(frozen=True)
class Weight:
    """What some attributes add to the log-likelihood ratio of the claimed row and the next one.

    Infinite where they make the next row impossible.
    """

    label: str
    log_ratio: float

    @property
    def decisive(self) -> bool:
        """Whether the next row is impossible."""
        return self.log_ratio == math.inf

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, where an infinite ratio is None."""
        return {"attributes": self.label, "log_ratio": plain(self.log_ratio), "decisive": self.decisive}


@dataclass(frozen=True)
class Explanation:
    """Why one record is claimed to have the row that it has: the weights by attribute, the largest first.

    `record`       its number in the original file, from 0
    `confidence`   the probability of the claim, as the intruder sees it
    `rows_open`    how many rows are left open
    """

    record: int
    confidence: float
    rows_open: float
    weights: tuple[Weight, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: a record number and names of attributes, no value."""
        return {
            "record": self.record,
            "confidence": self.confidence,
            "rows_open": self.rows_open,
            "weights": [each.to_dict() for each in self.weights],
        }


def explanations(claims: Claims, limit: int = LIMIT) -> tuple[Explanation, ...]:
    """The correct claims of highest confidence, with what distinguishes the row of each from the next one."""
    inference, records = claims.inference, claims.view.records[claims.judged]
    order = np.lexsort((records, -np.round(claims.confidence, 9)))
    surest = [int(index) for index in order if claims.correct[index] > 0 and records[index] >= 0][:limit]
    return tuple(
        Explanation(
            int(records[index]),
            min(float(claims.confidence[index]), 1.0),
            max(float(inference.rows_open[claims.index[index]]), 1.0),
            weights_of(inference, int(claims.judged[index])),
        )
        for index in surest
    )


def weights_of(inference: Inference, known: int) -> tuple[Weight, ...]:
    """The weights that distinguish the claimed row of a known record, given by position, from the next one.

    The last weight is what the other records add, since no two records share a row. Where the posterior leaves no other
    row open, the next row is the one that the fewest attributes exclude; if none does, the other records exclude it.
    """
    claimed = int(inference.claimed[inference.index(np.array([known]))[0]])
    rival, log_odds = _next_in_posterior(inference, known, claimed)
    if rival is None:
        rival, log_odds = _next_in_likelihood(inference, known, claimed), math.inf
    if rival is None:
        return ()
    pair = _by_attribute(inference.law, known, np.array([claimed, rival]))
    weights = [Weight(" + ".join(names), _ratio(float(own), float(other))) for names, (own, other) in pair.items()]
    weights = sorted((each for each in weights if each.log_ratio), key=lambda each: -each.log_ratio)
    total = sum(each.log_ratio for each in weights)
    if math.isfinite(total):
        weights.append(Weight(OTHER_RECORDS, log_odds - total))
    return tuple(weights)


def _by_attribute(law: ReleaseLaw, known: int, classes: Indices) -> dict[tuple[str, ...], Floats]:
    """What each block adds to the log-likelihood of a record and each of some classes; intervals by attribute."""
    boxes = tuple(block for block in law.blocks if isinstance(block, Intervals))
    others = replace(law, blocks=tuple(block for block in law.blocks if not isinstance(block, Intervals)))
    parts = dict(others.of_pairs(np.full(len(classes), known), classes))
    for box in boxes:
        outside = (box.of_row[classes] < box.lower[known]) | (box.of_row[classes] > box.upper[known])
        for index, name in enumerate(box.names):
            excluded = np.where(outside[:, index], -np.inf, 0.0)
            parts[(name,)] = parts.get((name,), np.zeros(len(classes))) + excluded
    return parts


def _ratio(own: float, other: float) -> float:
    return 0.0 if own == other else own - other  # both may be impossible


def _next_in_posterior(inference: Inference, known: int, claimed: int) -> tuple[int | None, float]:
    """The class of the second likeliest row, and the logarithm of how much likelier one row of the claimed class is."""
    graph = inference.posterior.graph
    record = int(inference.index(np.array([known]))[0])
    edges = slice(graph.starts[record], graph.starts[record + 1])
    classes = inference.classes[graph.classes[edges]]
    of_row = inference.posterior.probability[edges] / graph.capacity[graph.classes[edges]]
    others = np.flatnonzero((classes != claimed) & (of_row > 0))
    if not len(others):
        return None, math.inf
    best = others[np.argmax(of_row[others])]
    return int(classes[best]), float(np.log(of_row.max() / of_row[best]))


def _next_in_likelihood(inference: Inference, known: int, claimed: int) -> int | None:
    """The class that the fewest blocks exclude, and of these the likeliest; None where there is no other."""
    count = len(inference.law.rows.sizes)
    others = np.flatnonzero(np.arange(count) != claimed)
    if not len(others):
        return None
    parts = np.array(list(_by_attribute(inference.law, known, others).values()))
    excluded = np.isneginf(parts)
    likelihood = np.where(excluded, 0.0, parts).sum(axis=0)
    return int(others[np.lexsort((-likelihood, excluded.sum(axis=0)))[0]])
