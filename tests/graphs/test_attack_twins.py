"""The attacks that start from known nodes, and the detection of added edges, against brute force on small graphs."""

from itertools import combinations

import numpy as np
import pytest

from sdckit.errors import NotApplicableError
from sdckit.recipe import Recipe
from sdckit.release import Release
from sdckit.risk.graph.added_edge_detection import AddedEdgeDetection
from sdckit.risk.graph.hub_fingerprint_attack import HubFingerprintAttack
from sdckit.risk.graph.known_links_attack import KnownLinksAttack
from sdckit.risk.graph.seed_propagation_attack import SHARED, SeedPropagationAttack
from sdckit.risk.graph.subgraph_attack import embeds, known_links
from tests.graphs.test_graph_attacks import all_graphs, dense, expected_found, one_of_each_structure

RECIPE = Recipe.of("edge-randomisation:share=0.3")
SMALL = [[*all_graphs(nodes)] for nodes in (2, 3, 4)]


def pairs(graphs):
    """Each graph released unchanged and as the next one, all with the same recipe."""
    for graph, other in zip(graphs, [*graphs[1:], graphs[0]], strict=True):
        yield Release(graph, graph, RECIPE, Release.in_order(graph, graph).rows)
        yield Release(graph, other, RECIPE, Release.in_order(graph, other).rows)


def measured(attack, release):
    try:
        return attack.measure(release, seed=3)
    except NotApplicableError:
        return None


def path_lengths(graph):
    """All distances by relaxation over every intermediate node."""
    far = np.where(dense(graph) > 0, 1.0, np.inf)
    np.fill_diagonal(far, 0)
    for middle in range(len(graph)):
        far = np.minimum(far, far[:, [middle]] + far[[middle], :])
    return far


def among_the_rest(release, chosen, known, released):
    rest = [node for node in range(len(release.original)) if node not in chosen]
    return expected_found([known[node] for node in rest], [released[node] for node in rest])


def hub_twin(release):
    score = measured(HubFingerprintAttack(hubs=2, radius=2), release)
    if score is None:
        return len(release.original) < 2
    hubs = np.flatnonzero(np.isnan(score.by_record))
    degrees = release.original.degrees
    assert sorted(degrees[hubs]) == sorted(degrees)[-len(hubs) :]
    prints = [
        [tuple(min(far[node, hub], 3) for hub in hubs) for node in range(len(far))]
        for far in map(path_lengths, (release.original, release.masked))
    ]
    return score.value == pytest.approx(among_the_rest(release, hubs, *prints))


def links_twin(release):
    score = measured(KnownLinksAttack(identified=2), release)
    if score is None:
        return len(release.original) < 2
    anchors = np.flatnonzero(np.isnan(score.by_record))
    links = [[tuple(row) for row in dense(graph)[:, anchors]] for graph in (release.original, release.masked)]
    return score.value == pytest.approx(among_the_rest(release, anchors, *links))


def seed_twin(release, margin=0.02):
    """Narayanan and Shmatikov's propagation with loops over all pairs of nodes."""
    score = measured(SeedPropagationAttack(seeds=3, margin=margin), release)
    if score is None:
        return len(release.original) < 2
    known, released = dense(release.original), dense(release.masked)
    nodes = range(len(known))
    matched = {int(node): int(node) for node in np.flatnonzero(np.isnan(score.by_record))}
    seeds = set(matched)
    while True:
        height = {}
        for i in set(nodes) - set(matched):
            for r in set(nodes) - set(matched.values()):
                common = sum(known[i, s] * released[r, t] for s, t in matched.items())
                size = np.sqrt(max(known[i].sum(), 1) * max(released[r].sum(), 1))
                height[i, r] = common / size if common >= SHARED else 0.0
        claims = {}
        for i in {i for i, _ in height}:
            own = sorted(((score, r) for (j, r), score in height.items() if j == i), reverse=True)
            best, r = own[0]
            second = own[1][0] if len(own) > 1 else 0.0
            rivals = [score for (_, other), score in height.items() if other == r]
            if best > 0 and best - second > margin and best >= max(rivals) - 1e-12:
                claims.setdefault(r, []).append(i)
        new = {owners[0]: r for r, owners in claims.items() if len(owners) == 1}
        if not new:
            break
        matched |= new
    found = [matched.get(node) == node for node in nodes if node not in seeds]
    return score.value == pytest.approx(np.mean(found))


def added_twin(release):
    """The mean share of added edges over all choices of the edges with fewest common neighbours for their degrees."""
    score = measured(AddedEdgeDetection(), release)
    after, before = dense(release.masked), dense(release.original)
    edges = [(a, b) for a, b in combinations(range(len(after)), 2) if after[a, b]]
    named = round(0.3 * len(edges))
    if not named:
        return score is None
    near = {(a, b): round((after[a] @ after[b]) / np.sqrt(after[a].sum() * after[b].sum()), 12) for a, b in edges}
    choices = list(combinations(edges, named))
    heights = [tuple(sorted(near[edge] for edge in chosen)) for chosen in choices]
    best = [chosen for chosen, height in zip(choices, heights, strict=True) if height == min(heights)]
    share = np.mean([np.mean([not before[edge] for edge in chosen]) for chosen in best])
    return score.value == pytest.approx(share)


def subgraph_twin(release):
    """Whether known links fit around a node, over all ways to place them."""
    graph, after = release.original, dense(release.masked)
    near = [set(np.flatnonzero(row).tolist()) for row in after]
    for node in range(len(graph)):
        pattern = known_links(graph, node, 3, np.random.default_rng(node))
        for row in range(len(after)):
            if embeds(near, pattern, [row]) != placed(after, pattern, [row]):
                return False
    return True


def placed(after, pattern, chosen):
    if len(chosen) == len(pattern):
        return True
    return any(
        placed(after, pattern, [*chosen, node])
        for node in range(len(after))
        if node not in chosen and all(after[node, chosen[earlier]] for earlier in pattern[len(chosen)])
    )


TWINS = (hub_twin, links_twin, seed_twin, added_twin, subgraph_twin)


@pytest.mark.parametrize("twin", TWINS)
@pytest.mark.parametrize("graphs", SMALL, ids=lambda graphs: f"{len(graphs[0])} nodes")
def test_attacks_equal_brute_force_on_all_graphs_up_to_four_nodes(twin, graphs):
    assert all(map(twin, pairs(graphs)))


@pytest.mark.slow
@pytest.mark.parametrize("twin", TWINS)
@pytest.mark.parametrize("nodes", [5, 6])
def test_attacks_equal_brute_force_on_the_graphs_of_five_and_six_nodes(twin, nodes):
    assert all(map(twin, pairs(one_of_each_structure(nodes))))
