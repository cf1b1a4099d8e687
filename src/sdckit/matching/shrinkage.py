"""Posteriors estimated from few matchings, improved by a closed approximation.

The share of samples in which a pair is matched is unbiased but varies; balanced shares b do not vary but ignore that a
row which one record takes is lost to the others. Between balancing and belief propagation lies the approximation

    p (1 − p)^κ ∝ ℓ(r | x),   here   p = balanced(ℓ(r | x) · (1 − b)^−κ)

with κ = 0 for balancing and κ = 1 for belief propagation (Chertkov and Yedidia, 2013); κ is fitted to the samples. The
estimates are then shrunk towards it, as far as their variance, which two independent chains show, explains the
difference (Efron and Morris, 1973). Where the approximation is poor, both chains differ from it in the same direction,
and nothing is shrunk.
"""

from dataclasses import replace

import numpy as np

from sdckit.matching.graph import CandidateGraph, Floats, Indices
from sdckit.matching.sinkhorn import balanced_shares

EXPONENTS = np.linspace(0.0, 2.0, 11)
FITTED = 500  # records that the exponent is fitted to
GROUPS, IN_GROUP = 10, 50  # groups of records that are shrunk alike, and records of each at least
ROUNDS, BALANCED = (30, 500), 10_000_000  # of the balancing, and edges balanced in all rounds
LEAST = 1e-9  # that a row is somebody else's


class Approximation:
    """Balanced shares of the edges of a graph, as a centre for estimates."""

    def __init__(self, graph: CandidateGraph) -> None:
        self.graph = graph
        self._rounds = int(np.clip(BALANCED / max(len(graph.classes), 1), *ROUNDS))
        self.shares = balanced_shares(graph, self._rounds)
        self._record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
        self._log_others = np.log(np.maximum(1.0 - self.shares / graph.capacity[graph.classes], LEAST))
        self._group = self._groups()[self._record_of]

    def shrunk(self, halves: tuple[Floats, Floats]) -> tuple[Floats, tuple[Floats, Floats]]:
        """The joint estimate and those of the two chains, shrunk towards the approximation that fits them."""
        mean = (halves[0] + halves[1]) / 2
        weights = self.graph.weights * np.exp(-self._fitted(mean) * self._log_others)
        centre = balanced_shares(replace(self.graph, weights=weights), self._rounds)
        common = np.bincount(self._group, weights=(halves[0] - centre) * (halves[1] - centre))
        noise = np.bincount(self._group, weights=(halves[0] - halves[1]) ** 2) / 4  # variance of the mean

        def towards(estimate: Floats, variance: Floats) -> Floats:
            signal = np.maximum(common, 0.0)
            trust = np.where(variance > 0, signal / np.maximum(signal + variance, 1e-300), 1.0)
            result: Floats = centre + trust[self._group] * (estimate - centre)
            return result

        one, other = (towards(half, 2 * noise) for half in halves)
        return towards(mean, noise), (one, other)

    def _fitted(self, mean: Floats) -> float:
        """The exponent whose approximation, balanced for each record by itself, is nearest to the estimates."""
        records = np.zeros(self.graph.records, dtype=bool)
        records[np.linspace(0, self.graph.records - 1, min(self.graph.records, FITTED)).astype(np.int64)] = True
        some = np.flatnonzero(records[self._record_of])
        record_of = self._record_of[some]
        elsewhere = np.maximum(1.0 - np.bincount(record_of, weights=self.shares[some]), 0.0)
        gaps = []
        for exponent in EXPONENTS:
            weight = self.shares[some] * np.exp(-exponent * self._log_others[some])
            total = np.bincount(record_of, weights=weight) + elsewhere
            gaps.append(float(((weight / np.maximum(total, 1e-300)[record_of] - mean[some]) ** 2).sum()))
        best = int(np.argmin(gaps))
        if not 0 < best < len(gaps) - 1:
            return float(EXPONENTS[best])
        left, middle, right = gaps[best - 1 : best + 2]
        bend = left - 2 * middle + right
        step = 0.5 * (left - right) / bend if bend > 0 else 0.0
        return float(EXPONENTS[best] + step * (EXPONENTS[1] - EXPONENTS[0]))

    def _groups(self) -> Indices:
        """The group of each record: records are grouped by their largest share."""
        largest = np.zeros(self.graph.records)
        np.maximum.at(largest, self._record_of, self.shares)
        groups = int(np.clip(self.graph.records // IN_GROUP, 1, GROUPS))
        limits = np.quantile(largest, np.arange(1, groups) / groups) if groups > 1 else np.empty(0)
        return np.searchsorted(limits, largest)
