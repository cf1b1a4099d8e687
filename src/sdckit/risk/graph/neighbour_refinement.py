"""Candidates refined by the candidates of their neighbours: a released node fits where its neighbours fit as well.

At first a neighbour is known by its degree alone. In each round it is known by the released nodes that it was likely to
be in the round before. Rounds reinforce themselves, right or wrong. How many help, and how much their scores are to be
believed, is judged on a graph that the intruder masks again, whose true nodes are known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.graph_law import Floats, GraphLaw
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares
from sdckit.risk.graph.node_attributes import NodeAttributes
from sdckit.risk.graph.pair_likelihoods import (
    MOST_KEPT,
    KindOfEdges,
    ProfilePair,
    degree_likelihoods,
    explained,
    kinds_of_edges,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

JOINT = 5_000  # nodes up to which all pairs are compared
LISTED = 40  # candidates of each node
UNLISTED = 1e-6  # share of the likelihood that other nodes have at least, so that a matching exists
BLOCK = 128  # nodes compared at a time: bounds memory
ROUNDS, FEWEST = 10, 3
WORK = 2_000_000_000  # comparisons of a node with an edge, in all rounds
WORK_AGAIN = 4_000_000_000  # the same, in all graphs masked again
STEADY = 2  # rounds in which the likeliest nodes stay the same, after which nothing changes
AGAIN = 8  # graphs masked again by which that is judged


@dataclass(frozen=True, eq=False)
class Lists:
    """The likeliest released nodes of each known node, their scores, and the share of the likelihood of all others."""

    nodes: NDArray[np.int64]
    scores: Floats
    left_out: Floats

    @classmethod
    def joined(cls, parts: Sequence["Lists"]) -> "Lists":
        """The lists of several parts of the nodes, one after the other."""
        return cls(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(cls)))

    def graph(self) -> CandidateGraph:
        """The candidate graph."""
        possible = np.isfinite(self.scores)
        starts = np.concatenate([[0], np.cumsum(possible.sum(axis=1))])
        rows = np.ones(len(self.nodes), dtype=np.int64)
        graph = CandidateGraph.of(starts, self.nodes[possible], self.scores[possible], rows)
        return graph.with_unlisted(np.maximum(self.left_out, UNLISTED))

    @cached_property
    def shares(self) -> "csr_array":
        """The share of each candidate, where no two nodes share one."""
        from scipy.sparse import csr_array

        graph = self.graph()
        return csr_array((balanced_shares(graph), graph.classes, graph.starts), shape=(len(self.nodes),) * 2)

    @cached_property
    def likeliest(self) -> NDArray[np.int64]:
        """The likeliest candidate of each node."""
        return np.asarray(self.shares.argmax(axis=1)).ravel().astype(np.int64)


def graphs_again(graph: Graph) -> int:
    """How many graphs are masked again: one where rounds take long."""
    return int(np.clip(WORK_AGAIN // max(len(graph) * len(graph.indices) * ROUNDS, 1), 1, AGAIN))


def is_preserved(known: Graph, released: Graph, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the released graph has each known edge too if these are the known nodes in it."""
    one, other = (nodes[end] for end in known.edges)
    low, high = (one, other) if known.directed else (np.minimum(one, other), np.maximum(one, other))
    return np.isin(low * max(len(released), 1) + high, released.edge_keys)


def agreement(known: Graph, released: Graph, nodes: NDArray[np.int64]) -> tuple[Floats, float]:
    """The share of the known edges that are preserved if these are the known nodes: that of each node, that of all."""
    there = is_preserved(known, released, nodes).astype(np.float64)
    count = sum(np.bincount(end, there, len(known)) for end in known.edges)
    return count / np.maximum(known.degrees, 1), float(there.mean()) if len(there) else 0.0


def preserved(known: Graph, released: Graph, nodes: NDArray[np.int64]) -> float:
    """The share of all known edges that the released graph has too if these are the known nodes in it."""
    return agreement(known, released, nodes)[1]


class Refinement(Protocol):
    """How lists are made and refined: the `first` ones, those by attributes, most `rounds`, and the `work` of one."""

    @property
    def first(self) -> Lists: ...

    @property
    def by_attributes(self) -> Lists: ...

    @property
    def rounds(self) -> int: ...

    @property
    def work(self) -> float: ...

    def refined(self, lists: Lists) -> Lists:
        """The lists by degrees and by the candidates of neighbours."""
        ...


def rounds_from(refinement: Refinement, lists: Lists) -> list[Lists]:
    """These lists, then those after each round; they end where the likeliest nodes no longer change."""
    rounds = [lists]
    while len(rounds) <= refinement.rounds:
        rounds.append(refinement.refined(rounds[-1]))
        if len(rounds) > STEADY and all(
            np.array_equal(each.likeliest, rounds[-1].likeliest) for each in rounds[-1 - STEADY : -1]
        ):
            break
    return rounds


@dataclass(frozen=True, eq=False)
class AllPairs:
    """The refinement that compares every known node with every released one."""

    known: Graph
    released: Graph
    pair: ProfilePair

    @classmethod
    def of_graphs(
        cls, known: Graph, released: Graph, law: GraphLaw, attributes: NodeAttributes | None = None
    ) -> "AllPairs":
        """The refinement of a known and a released graph."""
        return cls(known, released, ProfilePair.of_graphs(known, released, law, attributes))

    @property
    def rounds(self) -> int:
        """As many as a graph of this size can have."""
        return int(np.clip(WORK // max(self.work, 1), FEWEST, ROUNDS))

    @property
    def work(self) -> float:
        """Comparisons of a node with an edge, in a round."""
        return float(len(self.released) * len(self.released.indices))

    @cached_property
    def first(self) -> Lists:
        """The lists by degrees and by the degrees of neighbours."""
        return _by_profiles(self.pair)

    @property
    def by_attributes(self) -> Lists:
        """The lists by attributes alone."""
        assert self.pair.attributes is not None
        starts = range(0, len(self.known), BLOCK)
        return Lists.joined(
            [listed(self.pair.attributes.of_nodes(slice(each, min(each + BLOCK, len(self.known))))) for each in starts]
        )

    @cached_property
    def _degrees(self) -> Floats:
        return degree_likelihoods(self.pair.known, self.pair.released, self.pair.law)[1]

    def refined(self, lists: Lists) -> Lists:
        """The lists by degrees and by the candidates of neighbours."""
        return _refined(lists, self.known, self.released, self.pair, self._degrees)


def _by_profiles(pair: ProfilePair) -> Lists:
    """The lists by degrees and by the degrees of neighbours."""
    count = len(pair.known.sizes)
    parts = []
    for start in range(0, count, BLOCK):
        block = pair.log_likelihoods(np.arange(start, min(start + BLOCK, count)))[:, pair.released.of]
        parts.append(listed(block))
    lists = Lists.joined(parts)
    return Lists(*(getattr(lists, each.name)[pair.known.of] for each in fields(Lists)))


def _refined(lists: Lists, known: Graph, released: Graph, pair: ProfilePair, degrees: Floats) -> Lists:
    """The lists by degrees and by the candidates of neighbours."""
    shares = lists.shares
    others = np.maximum(1.0 - shares.sum(axis=1), 0.0) / len(released)
    mine = [(_matrix(each, known), each) for each in kinds_of_edges(known, None, pair.bins)]
    kept = explained(pair.known, pair.released, pair.law)
    theirs = [(_matrix(each, released), each) for each in kinds_of_edges(released, pair.law, pair.bins)]
    # Where edges were added, a known one that is missing says more than a released one that is new.
    stay = min(pair.law.kept, MOST_KEPT)
    missing = 1 - kept / stay if pair.law.exists is None and stay > 0 else 0.0
    parts = []
    for start in range(0, len(known), BLOCK):
        some = slice(start, min(start + BLOCK, len(known)))
        score = degrees[pair.known.value[pair.known.of[some]]][:, pair.released.value[pair.released.of]]
        if pair.attributes is not None:
            score = score + pair.attributes.of_nodes(some)
        for direction in {each.direction for _, each in mine}:
            near = [(matrix[some], each.bin) for matrix, each in mine if each.direction == direction]
            links = np.maximum(sum(matrix.sum(axis=1) for matrix, _ in near), 1.0)[:, None]
            leads = [(((matrix @ shares).todense() + (matrix @ others)[:, None]) / links, bin) for matrix, bin in near]
            image = np.minimum(links * sum(part for part, _ in leads), 1.0)
            total = sum(len(each.one) for _, each in theirs if each.direction == direction)
            for matrix, each in theirs:
                if each.direction == direction:
                    lead = sum(_moved(pair, bin, each.bin) * part for part, bin in leads)
                    share = 1.0 / (total if pair.law.exists is None else len(each.one))
                    ends = share * np.bincount(each.other, minlength=len(released))
                    ratio = np.divide(lead, ends[None, :], out=np.zeros_like(lead), where=ends > 0)
                    stays = kept * each.exists
                    fits = np.log(stays * ratio + (1 - stays)) - missing * np.log1p(-stay * image)
                    score = score + (matrix @ fits.T).T
        parts.append(listed(score))
    return Lists.joined(parts)


def _matrix(kind: KindOfEdges, graph: Graph) -> "csr_array":
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(kind.one)), (kind.one, kind.other)), shape=(len(graph),) * 2)


def _moved(pair: ProfilePair, before: int, after: int) -> float:
    """The probability of a bin of weights after the masking."""
    moves = pair.transitions
    return float(moves[min(before, len(moves) - 1), min(after, moves.shape[1] - 1)])


def finite_rows(scores: Floats) -> Floats:
    """The scores, where a node for which nothing is possible may be any."""
    top = scores.max(axis=1, keepdims=True, initial=-np.inf)
    return np.where(np.isfinite(top), scores, 0.0)


def listed(scores: Floats) -> Lists:
    """The likeliest nodes of some scores."""
    scores = finite_rows(scores)
    most = min(LISTED, scores.shape[1])
    nodes = np.sort(np.argpartition(-scores, most - 1, axis=1)[:, :most], axis=1)
    best = np.take_along_axis(scores, nodes, 1)
    top = scores.max(axis=1, keepdims=True)
    inside, total = np.exp(best - top).sum(axis=1), np.exp(scores - top).sum(axis=1)
    return Lists(nodes, best, np.maximum(1 - inside / total, 0.0))
