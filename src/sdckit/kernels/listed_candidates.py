"""Candidates of nodes in large graphs: lists of released nodes are scored and refined without comparing all pairs.

An adjacency is given by direction: row 0 has the links from each node, row 1, where links have directions, those to it.
"""

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

    `probability` are those of each released degree for each known one, `background` that of the end of an edge in each
    direction.
    """
    directions, values = background.shape
    scores = np.empty(candidates.shape)
    likely, fits = np.empty(values), np.empty((directions, values))
    for node in range(len(candidates)):
        for way in range(directions):
            likely[:] = 0.0
            links = max(known_starts[way, node + 1] - known_starts[way, node], 1)
            for entry in range(known_starts[way, node], known_starts[way, node + 1]):
                of_neighbour = probability[known_value[known_nodes[way, entry]]]
                for value in range(values):
                    likely[value] += of_neighbour[value] / links
            for value in range(values):
                ratio = likely[value] / background[way, value] if background[way, value] > 0 else 0.0
                fits[way, value] = np.log(stays * ratio + 1 - stays)
        for position in range(candidates.shape[1]):
            row = candidates[node, position]
            score = degree_ratio[known_value[node], released_value[row]]
            for way in range(directions):
                for entry in range(released_starts[way, row], released_starts[way, row + 1]):
                    score += fits[way, released_value[released_nodes[way, entry]]]
            scores[node, position] = score
    return scores


@njit(cache=True)
def refined_lists(
    known_starts: Indices,
    known_nodes: Indices,
    known_bins: Indices,
    released_starts: Indices,
    released_nodes: Indices,
    released_bins: Indices,
    known_value: Indices,
    released_value: Indices,
    degree_ratio: Floats,
    moves: Floats,
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

    Only nodes that are linked with a candidate of a neighbour gain; the others have the score of their degree.
    Candidates of a share below `least` are skipped. Links have bins of weights, and `moves` are the probabilities of
    each bin after the masking.
    """
    directions, nodes, rows = known_starts.shape[0], known_starts.shape[1] - 1, released_starts.shape[1] - 1
    bins = moves.shape[1]
    ends = float(released_nodes.shape[1])
    image, lead, gain = np.zeros(rows), np.zeros((rows, bins)), np.zeros(rows)
    near, touched = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    seen = np.full(rows, -1)
    best = np.zeros((nodes, listed), dtype=np.int64)
    scores, left_out = np.full((nodes, listed), -np.inf), np.zeros(nodes)
    unexplained = np.log(1 - stays)
    values = degree_ratio.shape[1]
    sizes, rest, degree_of = np.zeros(values), np.empty(values), np.zeros(values)
    in_bin, fits = np.empty(bins), np.empty(bins)
    for row in range(rows):
        sizes[released_value[row]] += 1
        degree = 0
        for way in range(directions):
            degree += released_starts[way, row + 1] - released_starts[way, row]
        degree_of[released_value[row]] = degree
    for node in range(nodes):
        count = 0
        for way in range(directions):
            back = directions - 1 - way  # a link from a node is a link to its neighbour
            links = max(known_starts[way, node + 1] - known_starts[way, node], 1)
            candidates = 0
            for entry in range(known_starts[way, node], known_starts[way, node + 1]):
                other, weight = known_nodes[way, entry], known_bins[way, entry]
                for position in range(list_starts[other], list_starts[other + 1]):
                    if shares[position] >= least:
                        row = list_nodes[position]
                        if image[row] == 0.0:
                            near[candidates] = row
                            candidates += 1
                        image[row] += shares[position]
                        for number in range(bins):
                            lead[row, number] += shares[position] * moves[weight, number]
            for position in range(candidates):
                row = near[position]
                in_bin[:] = 0.0
                for entry in range(released_starts[back, row], released_starts[back, row + 1]):
                    in_bin[released_bins[back, entry]] += 1
                absent = missing * np.log1p(-stay * min(image[row], 1.0))
                for number in range(bins):
                    if in_bin[number] > 0:
                        ratio = lead[row, number] / links * ends / in_bin[number]
                        fits[number] = np.log(stays * ratio + 1 - stays) - absent - unexplained
                    lead[row, number] = 0.0
                image[row] = 0.0
                for entry in range(released_starts[back, row], released_starts[back, row + 1]):
                    other = released_nodes[back, entry]
                    if seen[other] != node:
                        seen[other] = node
                        touched[count] = other
                        count += 1
                    gain[other] += fits[released_bins[back, entry]]
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
        for value in range(values):
            if rest[value] > 0:
                top = max(top, degree_ratio[known_value[node], value] + degree_of[value] * unexplained)
        order = np.argsort(-found)[:listed]
        total, inside = 0.0, 0.0
        for position in range(count):
            total += np.exp(found[position] - top)
        for value in range(values):
            if rest[value] > 0:
                score = degree_ratio[known_value[node], value] + degree_of[value] * unexplained
                total += rest[value] * np.exp(score - top)
        for position in range(len(order)):
            best[node, position] = touched[order[position]]
            scores[node, position] = found[order[position]]
            inside += np.exp(found[order[position]] - top)
        left_out[node] = max(1 - inside / total, 0.0) if total > 0 else 0.0
    return best, scores, left_out
