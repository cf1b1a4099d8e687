"""How many rounds of refinement help and how far to believe them, judged on graphs that the intruder masks again."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.graph_law import Floats, GraphLaw
from sdckit.risk.graph.calibrated_claims import Calibration, Evidence
from sdckit.risk.graph.claims import TIE
from sdckit.risk.graph.large_graphs import listed_refinements
from sdckit.risk.graph.neighbour_refinement import JOINT, ROUNDS, Lists, agreement, refinements

CLEARLY = 3.0  # standard errors by which more nodes must be found than without a round
ALIKE = 0.1  # difference in the share of edges preserved by which graphs masked again count as like the release
LEAST = 1e-3  # weight of a graph masked again that is unlike the release
FEW_ALIKE = 0.3  # of a graph: less than that, and no graph masked again is like the release
CONTRADICT = 0.3  # difference in the share found by which graphs that are alike contradict each other


@dataclass(frozen=True, eq=False)
class Trial:
    """The rounds on a graph, and what the intruder sees of each; after the last one made, nothing changes."""

    rounds: list[Lists]
    evidence: list[Evidence]
    made: int

    @classmethod
    def of_graphs(cls, known: Graph, released: Graph, law: GraphLaw) -> "Trial":
        """The rounds on a known and a released graph."""
        rounds = (refinements if len(known) <= JOINT else listed_refinements)(known, released, law)
        evidence = [evidence_of(known, released, each) for each in rounds]
        more = ROUNDS + 1 - len(rounds)
        return cls([*rounds, *rounds[-1:] * more], [*evidence, *evidence[-1:] * more], len(rounds) - 1)


def evidence_of(known: Graph, released: Graph, lists: Lists) -> Evidence:
    """What the intruder sees of the claims by these lists."""
    share = np.asarray(lists.shares.max(axis=1).todense()).ravel()
    return Evidence(share, *agreement(known, released, lists.likeliest))


def credit(lists: Lists, truth: NDArray[np.int64]) -> Floats:
    """How much of each claim is correct; candidates that tie share it."""
    shares = lists.shares
    top = np.asarray(shares.max(axis=1).todense()).ravel()
    rows = np.repeat(np.arange(len(top)), np.diff(shares.indptr))
    tied = (shares.data >= top[rows] * (1 - TIE)) & (shares.data > 0)
    right = tied & (shares.indices == truth[rows])
    return np.bincount(rows, right, len(top)) / np.maximum(np.bincount(rows, tied, len(top)), 1)


@dataclass(frozen=True, eq=False)
class Judged:
    """How many rounds help, what makes their claims honest, and what speaks against believing that.

    `weights`  how much each graph masked again is like the release
    `found`    the share of nodes found in each
    """

    rounds: int = 0
    calibration: Calibration | None = None
    weights: tuple[float, ...] = ()
    found: tuple[float, ...] = ()
    doubt: str | None = None


def judged(trial: Trial, again: Sequence[Trial]) -> Judged:
    """How far to refine a release, by graphs masked again whose nodes are those of the known one in their order."""
    if not again:
        return Judged()
    truth = np.arange(len(trial.rounds[0].nodes))
    observed = trial.evidence[-1].preserved
    off = np.array([each.evidence[-1].preserved - observed for each in again]) / ALIKE
    weights = np.exp(-0.5 * off**2) + LEAST
    by_round = np.array([[float(credit(lists, truth).mean()) for lists in each.rounds] for each in again])
    found = np.minimum(weights @ by_round / weights.sum(), 1.0)
    rounds = ROUNDS - int(np.argmax(found[::-1]))  # of several that find the same, the last: it is the surest
    chance = np.sqrt(found.max() * (1 - found[0]) / max(len(truth) * max(weights.sum(), 1.0), 1))
    if found[rounds] <= found[0] + CLEARLY * chance:
        rounds = 0
    correct = [credit(each.rounds[rounds], truth) for each in again]
    calibration = Calibration.learned([each.evidence[rounds] for each in again], correct, weights.tolist())
    shares = by_round[:, rounds]
    return Judged(min(rounds, trial.made), calibration, tuple(weights), tuple(shares), _doubt(weights, shares))


def _doubt(weights: Floats, found: Floats) -> str | None:
    """Why the expectation may be far off; None where nothing speaks against it."""
    if weights.sum() < FEW_ALIKE:
        return "no graph that the intruder masked again preserves about as many edges as the release seems to"
    alike = found[weights >= 0.5]
    if len(alike) > 1 and np.ptp(alike) > CONTRADICT:
        return (
            f"graphs masked again that look like the release contradict each other: {100 * alike.min():.0f} to "
            f"{100 * alike.max():.0f} % of their nodes are found"
        )
    return None
