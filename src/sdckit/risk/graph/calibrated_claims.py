"""How often claims on nodes are correct: learned from graphs whose true nodes are known, and applied to a release."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sdckit.graph_law import Floats

RIDGE = 1.0  # penalty of a slope, in units of one claim
STEPS = 50  # of Newton's method
LEAST_TRUST = 1e-7  # of a posterior mixed with a guess: the likeliest row stays the likeliest
SMALLEST = 1e-9  # share of a candidate whose logarithm is finite


class Evidence(NamedTuple):
    """What an intruder sees of its own claims.

    `share`      that of the likeliest released node
    `agreement`  the share of the known edges of each node that the likeliest nodes preserve
    `preserved`  the same share of all known edges
    """

    share: Floats
    agreement: Floats
    preserved: float

    @property
    def columns(self) -> Floats:
        """The evidence as numbers for a logistic regression."""
        share = np.clip(self.share, SMALLEST, 1 - SMALLEST)
        return np.column_stack([np.log(share) - np.log1p(-share), self.agreement, np.full(len(share), self.preserved)])


@dataclass(frozen=True, eq=False)
class Calibration:
    """A logistic regression of being correct on the evidence: it expects as many correct claims as there were."""

    centre: Floats
    scale: Floats
    slopes: Floats
    intercept: float

    @classmethod
    def learned(
        cls, evidence: Sequence[Evidence], correct: Sequence[Floats], weights: Sequence[float]
    ) -> "Calibration":
        """The regression on the claims in several graphs, each of which counts by its weight."""
        columns, found = np.concatenate([each.columns for each in evidence]), np.concatenate(correct)
        weight = np.repeat(weights, [len(each) for each in correct])
        total = weight.sum()
        centre = weight @ columns / total
        scale = np.sqrt(weight @ (columns - centre) ** 2 / total)
        scale = np.where(scale > SMALLEST, scale, np.inf)
        design = np.column_stack([np.ones(len(found)), (columns - centre) / scale])
        wanted = (found * total + 0.5) / (total + 1)  # half a claim either way: nothing is certain
        penalty = np.diag([0.0, *[RIDGE] * columns.shape[1]])
        mean = float(weight @ wanted / total)
        values = np.array([np.log(mean / (1 - mean)), *np.zeros(columns.shape[1])])
        for _ in range(STEPS):
            expected = _logistic(design @ values)
            slope = design.T @ (weight * (wanted - expected)) - penalty @ values
            curve = (design * (weight * np.maximum(expected * (1 - expected), SMALLEST))[:, None]).T @ design + penalty
            step = np.linalg.solve(curve, slope)
            values = values + step / max(1.0, float(np.abs(step).max()))
            if np.abs(step).max() < 1e-8:
                break
        return cls(centre, scale, values[1:], float(values[0]))

    def expected(self, evidence: Evidence) -> Floats:
        """The probability that each claim is correct."""
        return _logistic(self.intercept + (evidence.columns - self.centre) / self.scale @ self.slopes)


def _logistic(values: Floats) -> Floats:
    from scipy.special import expit

    out: Floats = expit(values)
    return out


def restated(of_row: Floats, sizes: Floats, confidence: Floats) -> Floats:
    """The posteriors in which the likeliest rows have this confidence, at least that of a guess.

    Where it was too high, the posterior is mixed with a guess among all rows; where it was too low, the other rows
    lose in proportion.
    """
    guess, top = 1.0 / sizes.sum(), of_row.max(axis=1)
    tied = of_row >= top[:, None] * (1 - SMALLEST)
    rows = tied @ sizes
    wanted = np.clip(confidence, guess, 1.0 / rows)
    above = np.maximum(top - guess, SMALLEST * guess)
    mixed = np.clip((wanted - guess) / above, LEAST_TRUST, 1.0)[:, None]
    lower = mixed * of_row + (1 - mixed) * guess
    rest = np.maximum(1 - rows * top, 0.0)
    shrunk = np.where(rest > 0, (1 - rows * wanted) / np.where(rest > 0, rest, 1.0), 0.0)
    higher = np.where(tied, wanted[:, None], of_row * shrunk[:, None])
    return np.where((wanted > top)[:, None], higher, lower)
