"""Scores of listed nodes are those of a sum over all links, and refined lists those of a comparison of all pairs."""

import numpy as np
import pytest

from sdckit.kernels.listed_candidates import profile_scores, refined_lists


def random_links(rng, nodes, directions, bins):
    """Links by direction, as lists of neighbours with a bin of weights each; the second direction is the first back."""
    weights = np.where(rng.random((nodes, nodes)) < 0.5, rng.integers(1, bins + 1, (nodes, nodes)), 0)
    np.fill_diagonal(weights, 0)
    if directions == 1:
        weights = np.maximum(weights, weights.T)
    ways = [weights, weights.T][:directions]
    starts = np.array([np.concatenate([[0], np.cumsum((way > 0).sum(axis=1))]) for way in ways])
    ends = np.array([np.nonzero(way)[1] for way in ways]).reshape(directions, -1)
    kept = np.array([way[way > 0] - 1 for way in ways]).reshape(directions, -1)
    return ways, starts.astype(np.int64), ends.astype(np.int64), kept.astype(np.int64)


def values_of(ways):
    """The number of each distinct set of degrees, and their sum."""
    degrees = [tuple(int((way[node] > 0).sum()) for way in ways) for node in range(len(ways[0]))]
    distinct = sorted(set(degrees))
    return np.array([distinct.index(each) for each in degrees]), np.array([sum(each) for each in distinct])


@pytest.mark.parametrize("directions", [1, 2])
@pytest.mark.parametrize("seed", range(15))
def test_a_profile_is_scored_by_the_degrees_of_its_neighbours(seed, directions):
    rng = np.random.default_rng(seed)
    known, known_starts, known_ends, _ = random_links(rng, 5, directions, 1)
    released, released_starts, released_ends, _ = random_links(rng, 6, directions, 1)
    known_value, _ = values_of(known)
    released_value, _ = values_of(released)
    shape = known_value.max() + 1, released_value.max() + 1
    ratio, probability = rng.normal(size=shape), rng.random(shape)
    background = np.where(rng.random((directions, shape[1])) < 0.2, 0.0, rng.random((directions, shape[1])) + 0.1)
    candidates = np.array([rng.permutation(6)[:3] for _ in range(5)])
    arrays = (known_starts, known_ends, released_starts, released_ends, known_value, released_value)
    found = profile_scores(*arrays, ratio, probability, background, 0.7, candidates)
    for node in range(5):
        for position, row in enumerate(candidates[node]):
            score = ratio[known_value[node], released_value[row]]
            for way in range(directions):
                mine = np.flatnonzero(known[way][node])
                for other in np.flatnonzero(released[way][row]):
                    value = released_value[other]
                    likely = np.mean([probability[known_value[each], value] for each in mine]) if len(mine) else 0.0
                    fit = likely / background[way, value] if background[way, value] > 0 else 0.0
                    score += np.log(0.7 * fit + 0.3)
            assert found[node, position] == pytest.approx(score)


@pytest.mark.parametrize("directions", [1, 2])
@pytest.mark.parametrize("bins", [1, 2])
@pytest.mark.parametrize("seed", range(15))
def test_refined_lists_are_those_of_all_pairs(seed, bins, directions):
    """A node fits where its links lead to candidates of the neighbours, by direction and bin of weights."""
    rng = np.random.default_rng(seed)
    rows, nodes, listed, least = 7, 5, int(rng.integers(1, 5)), 0.1
    stays, stay, missing = 0.6, 0.8, 0.3
    known, known_starts, known_ends, known_bins = random_links(rng, nodes, directions, bins)
    released, released_starts, released_ends, released_bins = random_links(rng, rows, directions, bins)
    (known_value, _), (released_value, degree) = values_of(known), values_of(released)
    ratio = rng.normal(size=(known_value.max() + 1, released_value.max() + 1))
    moves = rng.random((bins, bins)) + 0.1
    lists = [np.sort(rng.permutation(rows)[: rng.integers(0, 4)]) for _ in range(nodes)]
    list_starts = np.concatenate([[0], np.cumsum([len(each) for each in lists])]).astype(np.int64)
    list_nodes = np.concatenate(lists).astype(np.int64)
    shares = rng.choice([0.05, 0.1, 0.3, 0.9], len(list_nodes))
    best, scores, left_out = refined_lists(
        *(known_starts, known_ends, known_bins, released_starts, released_ends, released_bins),
        *(known_value, released_value, ratio, moves, list_starts, list_nodes, shares),
        *(stays, stay, missing, listed, least),
    )
    links = released_ends.shape[1]
    for node in range(nodes):
        total = ratio[known_value[node], released_value] + degree[released_value] * np.log(1 - stays)
        touched = np.zeros(rows, dtype=bool)
        for way in range(directions):
            back = directions - 1 - way
            neighbours = np.flatnonzero(known[way][node])
            image, lead = np.zeros(rows), np.zeros((rows, bins))
            for other in neighbours:
                for position in range(list_starts[other], list_starts[other + 1]):
                    if shares[position] >= least:
                        image[list_nodes[position]] += shares[position]
                        lead[list_nodes[position]] += shares[position] * moves[known[way][node, other] - 1]
            for row in np.flatnonzero(image):
                absent = missing * np.log(1 - stay * min(image[row], 1.0))
                for other in np.flatnonzero(released[back][row]):
                    bin_of = released[back][row, other]
                    alike = (released[back][row] == bin_of).sum()
                    fit = lead[row, bin_of - 1] / len(neighbours) * links / alike
                    total[other] += np.log(stays * fit + 1 - stays) - absent - np.log(1 - stays)
                    touched[other] = True
        order = sorted(np.flatnonzero(touched), key=lambda row: -total[row])[:listed]
        assert scores[node, : len(order)] == pytest.approx(total[order])
        assert sorted(total[best[node, : len(order)]]) == pytest.approx(sorted(total[order]))
        assert len(set(best[node, : len(order)])) == len(order)
        assert np.isneginf(scores[node, len(order) :]).all() and not best[node, len(order) :].any()
        everything = np.exp(total).sum()
        assert left_out[node] == pytest.approx(1 - np.exp(total[order]).sum() / everything, abs=1e-9)
