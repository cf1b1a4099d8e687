"""Refinement in graphs that are too large to compare all pairs of nodes: candidates are listed, and lists refined.

The first list of a node has the released nodes whose degree and neighbours' degrees are nearest. In each round it has
the best of those that are linked with candidates of its neighbours.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.graph_law import Floats, GraphLaw
from sdckit.kernels.listed_candidates import profile_scores, refined_lists
from sdckit.risk.graph.neighbour_refinement import LISTED, Lists
from sdckit.risk.graph.pair_likelihoods import MOST_KEPT, ProfilePair, degree_likelihoods, explained

LEAST_SHARE = 1e-3  # of a candidate that is followed to its neighbours
FIRST_LEFT_OUT = 0.5  # of the likelihood, by the first lists: the nearest nodes need not contain the true one
ROUNDS = 4  # most of what is found is found in three
WORK = 6_000_000_000  # links followed from candidates to their neighbours, in a round


def can_be_listed(known: Graph, released: Graph, law: GraphLaw) -> bool:
    """Whether candidates can be listed: links without directions and weights, and not too many to follow."""
    plain = not known.directed and known.weight is None and released.weight is None and law.exists is None
    follow = LISTED * float(known.degrees @ known.degrees) if plain else 0.0
    return plain and law.statistic is None and law.kept > 0 and len(known) == len(released) and follow <= WORK


def listed_refinements(known: Graph, released: Graph, law: GraphLaw, rounds: int = ROUNDS) -> list[Lists]:
    """The lists by degrees and neighbours' degrees, then after each round."""
    pair = ProfilePair.of_graphs(known, released, law)
    degree, ratio = degree_likelihoods(pair.known, pair.released, law)
    kept = explained(pair.known, pair.released, law)
    value = pair.known.value[pair.known.of], pair.released.value[pair.released.of]
    graphs = (known.indptr, known.indices, released.indptr, released.indices, *value)
    sizes = np.bincount(value[1], minlength=len(pair.released.values)).astype(np.float64)
    nearest = _nearest(known, released)
    probability = np.exp(degree - degree.max(axis=1, keepdims=True, initial=-700.0))
    probability /= np.maximum(probability.sum(axis=1, keepdims=True), 1e-300)
    ends = np.bincount(value[1][released.indices], minlength=len(sizes)) / max(len(released.indices), 1)
    scores = profile_scores(*graphs, ratio, probability, ends, kept, nearest)
    made = [Lists(nearest, scores, np.full(len(known), FIRST_LEFT_OUT))]
    stay = min(law.kept, MOST_KEPT)
    for _ in range(rounds):
        graph = made[-1].graph()
        shares = made[-1].shares.data
        nodes, scores, left_out = refined_lists(
            *graphs,
            ratio,
            sizes,
            graph.starts,
            graph.classes,
            shares,
            kept,
            stay,
            1 - kept / stay,
            LISTED,
            LEAST_SHARE,
        )
        made.append(Lists(nodes, scores, left_out))
    return made


def _nearest(known: Graph, released: Graph) -> NDArray[np.int64]:
    """The released nodes whose degree and neighbours' degrees are most like those of each known node."""
    from scipy.spatial import cKDTree

    mine, theirs = _features(known), _features(released)
    scale = np.maximum(theirs.std(axis=0), 1e-9)
    _, rows = cKDTree(theirs / scale).query(mine / scale, k=min(LISTED, len(released)))
    return np.asarray(rows, dtype=np.int64).reshape(len(known), -1)


def _features(graph: Graph) -> Floats:
    """The logarithm of the degree, and the mean, deviation and largest of the neighbours'."""
    degree = np.log1p(graph.degrees.astype(np.float64))
    rows = np.repeat(np.arange(len(graph)), np.diff(graph.indptr))
    near = degree[graph.indices]
    links = np.maximum(np.diff(graph.indptr), 1)
    mean = np.bincount(rows, near, len(graph)) / links
    spread = np.sqrt(np.maximum(np.bincount(rows, near**2, len(graph)) / links - mean**2, 0.0))
    highest = np.zeros(len(graph))
    np.maximum.at(highest, rows, near)
    return np.column_stack([degree, mean, spread, highest])
