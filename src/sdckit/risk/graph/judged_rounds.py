"""How many rounds of refinement help and how far to believe them, judged on graphs that the intruder masks again."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.graph_law import Floats, GraphLaw
from sdckit.risk.graph.calibrated_claims import Calibration, Evidence
from sdckit.risk.graph.claims import TIE
from sdckit.risk.graph.coherent_parts import restarted
from sdckit.risk.graph.large_graphs import ListedPairs
from sdckit.risk.graph.neighbour_refinement import JOINT, ROUNDS, AllPairs, Lists, Refinement, agreement, rounds_from
from sdckit.risk.graph.node_attributes import NodeAttributes

CLEARLY = 3.0  # standard errors by which more nodes must be found than without a round
ALIKE = 0.1  # difference in the share of edges preserved by which graphs masked again count as like the release
LEAST = 1e-3  # weight of a graph masked again that is unlike the release
FEW_ALIKE = 0.3  # of a graph: less than that, and no graph masked again is like the release
CONTRADICT = 0.3  # difference in the share found by which graphs that are alike contradict each other


@dataclass(frozen=True, eq=False)
class Trial:
    """The lists on a graph by stage, and what the intruder sees of each.

    The stages are the first lists, those after each round, where nothing changes after the last one made, and those of
    the best restart; before them, where attributes are known, the lists by these alone. `made` are the rounds behind
    each, `first` the number of the first lists.
    """

    stages: list[Lists]
    evidence: list[Evidence]
    made: list[int]
    first: int = 0

    @classmethod
    def of_graphs(
        cls, known: Graph, released: Graph, law: GraphLaw, attributes: NodeAttributes | None = None
    ) -> "Trial":
        """The stages on a known and a released graph."""
        kind = AllPairs if len(known) <= JOINT else ListedPairs
        refinement: Refinement = kind.of_graphs(known, released, law, attributes)
        rounds = rounds_from(refinement, refinement.first)
        again, further = restarted(known, released, law.kept, refinement, rounds[-1])
        evidence = [evidence_of(known, released, each) for each in (*rounds, again)]
        last, more = len(rounds) - 1, ROUNDS + 1 - len(rounds)
        alone = [] if attributes is None else [refinement.by_attributes]
        return cls(
            [*alone, *rounds, *rounds[-1:] * more, again],
            [
                *(evidence_of(known, released, each) for each in alone),
                *evidence[:-1],
                *evidence[last:-1] * more,
                evidence[-1],
            ],
            [*(0 for _ in alone), *range(last), *[last] * (more + 1), last + further],
            len(alone),
        )


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
    """The stage that helps most, what makes its claims honest, and what speaks against believing that.

    `rounds`   the rounds behind it
    `weights`  how much each graph masked again is like the release
    `found`    the share of nodes found in each
    """

    stage: int = 0
    rounds: int = 0
    calibration: Calibration | None = None
    weights: tuple[float, ...] = ()
    found: tuple[float, ...] = ()
    doubt: str | None = None


def judged(trial: Trial, again: Sequence[Trial]) -> Judged:
    """How far to refine a release, by graphs masked again whose nodes are those of the known one in their order."""
    if not again:
        return Judged()
    truth = np.arange(len(trial.stages[0].nodes))
    observed = trial.evidence[-1].preserved
    off = np.array([each.evidence[-1].preserved - observed for each in again]) / ALIKE
    weights = np.exp(-0.5 * off**2) + LEAST
    by_stage = np.array([[float(credit(lists, truth).mean()) for lists in each.stages] for each in again])
    found = np.minimum(weights @ by_stage / weights.sum(), 1.0)
    stage = len(found) - 1 - int(np.argmax(found[::-1]))  # of several that find the same, the last: it is the surest
    unrefined = trial.first - int(np.argmax(found[trial.first :: -1]))  # the first lists, or attributes alone
    chance = np.sqrt(found.max() * (1 - found[unrefined]) / max(len(truth) * max(weights.sum(), 1.0), 1))
    if found[stage] <= found[unrefined] + CLEARLY * chance:
        stage = unrefined
    calibration = _calibration(trial.evidence[stage].preserved, stage, again, weights, truth)
    shares = by_stage[:, stage]
    return Judged(stage, trial.made[stage], calibration, tuple(weights), tuple(shares), _doubt(weights, shares))


def _calibration(
    observed: float, stage: int, again: Sequence[Trial], weights: Floats, truth: NDArray[np.int64]
) -> Calibration:
    """How often claims are correct in graphs masked again, at this stage and at any other that looks like the release.

    A release whose rounds got stuck resembles the first stages of graphs whose rounds did not: these show how often
    such claims are wrong, where the last stages show only correct ones.
    """
    evidence, correct, counts = [], [], []
    for each, weight in zip(again, weights.tolist(), strict=True):
        stages = {id(lists): number for number, lists in enumerate(each.stages)} | {id(each.stages[stage]): stage}
        for number in stages.values():
            like = np.exp(-0.5 * ((each.evidence[number].preserved - observed) / ALIKE) ** 2)
            evidence.append(each.evidence[number])
            correct.append(credit(each.stages[number], truth))
            counts.append(weight if number == stage else float(like))
    return Calibration.learned(evidence, correct, counts)


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
