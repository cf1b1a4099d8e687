"""Every matching of a small graph: the posterior of who is who, exactly, where the law says how many edges stayed."""

from itertools import permutations

import numpy as np

from sdckit.graph_law import Floats, GraphLaw
from sdckit.risk.graph.known_graph import KnownGraph
from sdckit.risk.graph.node_attributes import NodeAttributes

MOST = 8  # nodes: there are 40,320 ways to match them


def of_every_matching(view: KnownGraph, law: GraphLaw, attributes: NodeAttributes | None) -> Floats | None:
    """The posterior of each released node (columns) for each known one (rows); None where there is none of this kind.

    All matchings under which as many edges stayed as the law says are equally likely, but for the attributes.
    """
    nodes, same_edges = len(view.known), view.known.edge_count == view.released.edge_count
    weighted = view.known.weight is not None or view.released.weight is not None
    if law.common is None or weighted or not same_edges or not 0 < nodes == len(view.released) <= MOST:
        return None
    every = np.array(list(permutations(range(nodes))), dtype=np.int64)
    linked = np.asarray(view.released.to_scipy().toarray() > 0)
    one, other = view.known.edges
    possible = every[linked[every[:, one], every[:, other]].sum(axis=1) == law.common]
    log_weight = np.zeros(len(possible))
    if attributes is not None:
        log_weight = attributes.of_nodes(np.arange(nodes))[np.arange(nodes), possible].sum(axis=1)
    top = log_weight.max(initial=-np.inf)
    if not np.isfinite(top):
        return None
    weight = np.exp(log_weight - top)
    posterior = np.zeros((nodes, nodes))
    for node in range(nodes):
        posterior[node] = np.bincount(possible[:, node], weights=weight, minlength=nodes)
    return np.asarray(posterior / weight.sum())
