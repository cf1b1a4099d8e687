"""Refinement in graphs that are too large to compare all pairs of nodes: candidates are listed, and lists refined.

The first list of a node has the released nodes whose degree and neighbours' degrees are nearest. In each round it has
the best of those that are linked with candidates of its neighbours.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.graph_law import Floats, GraphLaw
from sdckit.kernels.listed_candidates import profile_scores, refined_lists
from sdckit.risk.graph.listed_attributes import best_by_attributes, nearest_by_attributes
from sdckit.risk.graph.neighbour_refinement import LISTED, Lists
from sdckit.risk.graph.node_attributes import NodeAttributes
from sdckit.risk.graph.pair_likelihoods import MOST_KEPT, ProfilePair, bins_of_links, degree_likelihoods, explained

LEAST_SHARE = 1e-3  # of a candidate that is followed to its neighbours
FIRST_LEFT_OUT = 0.5  # of the likelihood, by the first lists: the nearest nodes need not contain the true one
WIDE = 3 * LISTED  # candidates by links, of which the attributes choose
ROUNDS = 4  # most of what is found is found in three
WORK = 6_000_000_000  # links followed from candidates to their neighbours, in a round


def can_be_listed(known: Graph, released: Graph, law: GraphLaw) -> bool:
    """Whether candidates can be listed: links that are certain, and not too many to follow."""
    certain = law.exists is None and law.statistic is None and known.directed == released.directed
    return certain and law.kept > 0 and len(known) == len(released) and _followed(known) <= WORK


def _followed(known: Graph) -> float:
    """The links followed in a round."""
    return LISTED * float(known.degrees @ known.degrees)


@dataclass(frozen=True, eq=False)
class ListedPairs:
    """The refinement that compares every known node with the released nodes that are likeliest."""

    known: Graph
    released: Graph
    pair: ProfilePair
    rounds: int = ROUNDS

    @classmethod
    def of_graphs(
        cls, known: Graph, released: Graph, law: GraphLaw, attributes: NodeAttributes | None = None
    ) -> "ListedPairs":
        """The refinement of a known and a released graph."""
        return cls(known, released, ProfilePair.of_graphs(known, released, law, attributes))

    @property
    def work(self) -> float:
        """Links followed in a round."""
        return _followed(self.known)

    @cached_property
    def _values(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """What stands for the degree of each known and each released node."""
        return self.pair.known.value[self.pair.known.of], self.pair.released.value[self.pair.released.of]

    @cached_property
    def _links(self) -> tuple["Links", "Links"]:
        return _by_direction(self.known, self.pair.bins), _by_direction(self.released, self.pair.bins)

    @cached_property
    def _degrees(self) -> tuple[Floats, Floats]:
        return degree_likelihoods(self.pair.known, self.pair.released, self.pair.law)

    @cached_property
    def _kept(self) -> float:
        return explained(self.pair.known, self.pair.released, self.pair.law)

    @cached_property
    def first(self) -> Lists:
        """The nearest nodes, scored by degrees and by the degrees of neighbours."""
        degree, ratio = self._degrees
        probability = np.exp(degree - degree.max(axis=1, keepdims=True, initial=-700.0))
        probability /= np.maximum(probability.sum(axis=1, keepdims=True), 1e-300)
        (known_starts, known_nodes, _), (starts, nodes, _) = self._links
        ends = np.array([np.bincount(self._values[1][each], minlength=ratio.shape[1]) for each in nodes])
        background = ends / max(nodes.shape[1], 1)
        nearest = self._nearest
        scores = profile_scores(
            known_starts, known_nodes, starts, nodes, *self._values, ratio, probability, background, self._kept, nearest
        )
        if self.pair.attributes is not None:
            nearest, scores = best_by_attributes(self.pair.attributes, nearest, scores)
        return Lists(nearest, scores, np.full(len(self.known), FIRST_LEFT_OUT))

    @property
    def by_attributes(self) -> Lists:
        """The lists by attributes alone."""
        assert self.pair.attributes is not None
        nodes, scores = best_by_attributes(self.pair.attributes, self._nearest, np.zeros(self._nearest.shape))
        return Lists(nodes, scores, np.full(len(self.known), FIRST_LEFT_OUT))

    @cached_property
    def _nearest(self) -> NDArray[np.int64]:
        """The released nodes with the most similar links, among all and among those whose attributes are likeliest."""
        weights = self.pair.bins is not None
        mine, theirs = (_features(each, weights=weights) for each in (self.known, self.released))
        scale = np.maximum(theirs.std(axis=0), 1e-9)
        nearest = _nearest(mine / scale, theirs / scale)
        if self.pair.attributes is None:
            return nearest
        return np.hstack([nearest, nearest_by_attributes(self.pair.attributes, mine / scale, theirs / scale, LISTED)])

    def refined(self, lists: Lists) -> Lists:
        """The lists by degrees and by the candidates of neighbours."""
        shares, stay = lists.shares, min(self.pair.law.kept, MOST_KEPT)
        known, released = self._links
        attributes = self.pair.attributes
        found = Lists(
            *refined_lists(
                *known,
                *released,
                *self._values,
                self._degrees[1],
                self.pair.transitions,
                shares.indptr.astype(np.int64),
                shares.indices.astype(np.int64),
                shares.data,
                self._kept,
                stay,
                1 - self._kept / stay,
                LISTED if attributes is None else WIDE,
                LEAST_SHARE,
            )
        )
        if attributes is None:
            return found
        # A node without a recognised neighbour is found by its attributes alone, if at all.
        mine, theirs = self._values
        others = self.first.nodes
        links = self.released.degrees[others] * np.log(1 - self._kept)
        scores = np.hstack([found.scores, self._degrees[1][mine[:, None], theirs[others]] + links])
        nodes, scores = best_by_attributes(attributes, np.hstack([found.nodes, others]), scores)
        return Lists(nodes, scores, found.left_out)


class Links(NamedTuple):
    """Row pointers, neighbours, and the bins of the weights of links, with a row for each direction."""

    starts: NDArray[np.int64]
    nodes: NDArray[np.int64]
    bins: NDArray[np.int64]


def _by_direction(graph: Graph, bins: Floats | None) -> Links:
    starts, nodes = (np.stack(each) for each in zip(*graph.adjacencies, strict=True))
    return Links(starts, nodes, np.stack([bins_of_links(graph, way, bins) for way in range(len(nodes))]))


def _nearest(known: Floats, released: Floats) -> NDArray[np.int64]:
    """The released nodes whose degree and neighbours' degrees are most like those of each known node."""
    from scipy.spatial import cKDTree

    _, rows = cKDTree(released).query(known, k=min(LISTED, len(released)))
    return np.asarray(rows, dtype=np.int64).reshape(len(known), -1)


def _features(graph: Graph, *, weights: bool) -> Floats:
    """In each direction the logarithm of the degree and the mean, deviation and largest of the neighbours'.

    Of weights, the logarithm of their sum.
    """
    columns = []
    near_degree = np.log1p(graph.degrees.astype(np.float64))
    for indptr, indices in graph.adjacencies:
        links = np.diff(indptr)
        rows, near = np.repeat(np.arange(len(graph)), links), near_degree[indices]
        mean = np.bincount(rows, near, len(graph)) / np.maximum(links, 1)
        square = np.bincount(rows, near**2, len(graph)) / np.maximum(links, 1)
        highest = np.zeros(len(graph))
        np.maximum.at(highest, rows, near)
        columns += [np.log1p(links), mean, np.sqrt(np.maximum(square - mean**2, 0.0)), highest]
    if weights:
        one, other = graph.edges
        values = np.abs(graph.of_edges(graph.weight))
        columns.append(np.log1p(np.bincount(one, values, len(graph)) + np.bincount(other, values, len(graph))))
    return np.column_stack(columns)
