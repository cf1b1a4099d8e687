"""Candidates of nodes in large graphs: lists of released nodes are scored and refined without comparing all pairs."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@njit(cache=True)
def profile_scores(
    known_starts: Indices,
    known_nodes: Indices,
    released_starts: Indices,
    released_nodes: Indices,
    known_value: Indices,
    released_value: Indices,
    degree_ratio: Floats,
    probability: Floats,
    background: Floats,
    stays: float,
    candidates: Indices,
) -> Floats:
    """The score of each candidate by its degree and by the degrees of its neighbours.

    `probability` are those of each released degree for each known one, `background` that of the end of an edge.
    """
    scores = np.empty(candidates.shape)
    likely, fits = np.empty(len(background)), np.empty(len(background))
    for node in range(len(candidates)):
        likely[:] = 0.0
        links = max(known_starts[node + 1] - known_starts[node], 1)
        for entry in range(known_starts[node], known_starts[node + 1]):
            of_neighbour = probability[known_value[known_nodes[entry]]]
            for value in range(len(likely)):
                likely[value] += of_neighbour[value] / links
        for value in range(len(likely)):
            ratio = likely[value] / background[value] if background[value] > 0 else 0.0
            fits[value] = np.log(stays * ratio + 1 - stays)
        for position in range(candidates.shape[1]):
            row = candidates[node, position]
            score = degree_ratio[known_value[node], released_value[row]]
            for entry in range(released_starts[row], released_starts[row + 1]):
                score += fits[released_value[released_nodes[entry]]]
            scores[node, position] = score
    return scores


@njit(cache=True)
def refined_lists(
    known_starts: Indices,
    known_nodes: Indices,
    released_starts: Indices,
    released_nodes: Indices,
    known_value: Indices,
    released_value: Indices,
    degree_ratio: Floats,
    sizes: Floats,
    list_starts: Indices,
    list_nodes: Indices,
    shares: Floats,
    stays: float,
    stay: float,
    missing: float,
    listed: int,
    least: float,
) -> tuple[Indices, Floats, Floats]:
    """The best candidates of each node by the candidates of its neighbours, their scores, and what the lists leave out.

    Only nodes that are linked with a candidate of a neighbour gain; the others have the score of their degree, and are
    counted by `sizes`, the number of released nodes of each degree. Candidates of a share below `least` are skipped.
    """
    nodes, rows = len(known_starts) - 1, len(released_starts) - 1
    ends = float(len(released_nodes))
    lead, gain = np.zeros(rows), np.zeros(rows)
    near, touched = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    best = np.zeros((nodes, listed), dtype=np.int64)
    scores, left_out = np.full((nodes, listed), -np.inf), np.zeros(nodes)
    unexplained = np.log(1 - stays)
    rest = np.empty(len(sizes))
    degree_of = np.zeros(len(sizes))
    for row in range(rows):
        degree_of[released_value[row]] = released_starts[row + 1] - released_starts[row]
    for node in range(nodes):
        links = max(known_starts[node + 1] - known_starts[node], 1)
        candidates = 0
        for entry in range(known_starts[node], known_starts[node + 1]):
            other = known_nodes[entry]
            for position in range(list_starts[other], list_starts[other + 1]):
                if shares[position] >= least:
                    row = list_nodes[position]
                    if lead[row] == 0.0:
                        near[candidates] = row
                        candidates += 1
                    lead[row] += shares[position]
        count = 0
        for position in range(candidates):
            row = near[position]
            degree = released_starts[row + 1] - released_starts[row]
            if degree > 0:
                ratio = lead[row] / links * ends / degree
                fits = np.log(stays * ratio + 1 - stays) - missing * np.log1p(-stay * min(lead[row], 1.0)) - unexplained
                for entry in range(released_starts[row], released_starts[row + 1]):
                    other = released_nodes[entry]
                    if gain[other] == 0.0:
                        touched[count] = other
                        count += 1
                    gain[other] += fits
            lead[row] = 0.0
        rest[:] = sizes
        found = np.empty(count)
        top = -np.inf
        for position in range(count):
            row = touched[position]
            value = released_value[row]
            rest[value] -= 1
            found[position] = degree_ratio[known_value[node], value] + degree_of[value] * unexplained + gain[row]
            gain[row] = 0.0
            top = max(top, found[position])
        for value in range(len(sizes)):
            if rest[value] > 0:
                top = max(top, degree_ratio[known_value[node], value] + degree_of[value] * unexplained)
        order = np.argsort(-found)[:listed]
        total, inside = 0.0, 0.0
        for position in range(count):
            total += np.exp(found[position] - top)
        for value in range(len(sizes)):
            if rest[value] > 0:
                score = degree_ratio[known_value[node], value] + degree_of[value] * unexplained
                total += rest[value] * np.exp(score - top)
        for position in range(len(order)):
            best[node, position] = touched[order[position]]
            scores[node, position] = found[order[position]]
            inside += np.exp(found[order[position]] - top)
        left_out[node] = max(1 - inside / total, 0.0) if total > 0 else 0.0
    return best, scores, left_out
