"""How long graph kernels take in CPU seconds, beside igraph, networkit and networkx where they are installed."""

from collections.abc import Callable
from importlib.util import find_spec
from time import process_time

import numpy as np

from sdckit.graph import Graph
from sdckit.kernels.degree_realisation import random_realisation
from sdckit.kernels.edge_switching import switched
from sdckit.kernels.neighbourhood_refinement import refined
from sdckit.kernels.triangles import triangles
from sdckit.release import protect

NODES, EDGES = 100_000, 500_000
TRIALS = 5_000_000
LARGE_NODES, LARGE_EDGES = 1_000_000, 10_000_000


def random_graph(nodes: int, edges: int, seed: int = 0) -> Graph:
    """A graph with a heavy tail of degrees."""
    rng = np.random.default_rng(seed)
    ends = (nodes * rng.random((2, edges)) ** 1.5).astype(np.int64)
    return Graph.from_edges(nodes, *ends)


def seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def show(label: str, ours: float, others: dict[str, float]) -> None:
    beside = "".join(f", {name} {time:.2f} s ({time / ours:.1f}x)" for name, time in others.items())
    print(f"{label}: here {ours:.2f} s{beside}")


def main() -> None:
    small, rng = random_graph(200, 600), np.random.default_rng(1)
    for method in ("k-degree-anonymity", "edge-switching", "configuration-graph"):
        protect(small, method, seed=1)  # compiled before the clock starts
    refined(small.indptr, small.indices, 3)
    triangles(small.indptr, small.indices)
    graph = random_graph(NODES, EDGES)
    print(graph)
    show("k-degree-anonymity", seconds(lambda: protect(graph, "k-degree-anonymity:group_size=10", seed=1)), {})
    show("H1 to H3", seconds(lambda: refined(graph.indptr, graph.indices, 3)), {})
    others: dict[str, dict[str, float]] = {"switching": {}, "configuration": {}, "triangles": {}}
    if find_spec("igraph"):
        import igraph

        from sdckit.frames.networks import to_igraph

        theirs = to_igraph(graph)
        degrees = graph.degrees.tolist()
        others["triangles"]["igraph"] = seconds(lambda: theirs.transitivity_local_undirected(mode="zero"))
        others["switching"]["igraph"] = seconds(lambda: theirs.rewire(n=TRIALS))
        others["configuration"]["igraph"] = seconds(
            lambda: igraph.Graph.Degree_Sequence(degrees, method="edge_switching_simple")
        )
    if find_spec("networkx"):
        import networkx

        from sdckit.frames.networks import to_networkx

        theirs = to_networkx(graph)
        part = TRIALS // 100
        others["switching"]["networkx"] = 100 * seconds(
            lambda: networkx.double_edge_swap(theirs, nswap=part, max_tries=10 * part, seed=1)
        )
        others["configuration"]["networkx"] = seconds(
            lambda: networkx.Graph(networkx.configuration_model(graph.degrees.tolist(), seed=1))
        )
    if find_spec("networkit"):
        import networkit

        theirs = networkit.GraphFromCoo((graph.edges[0], graph.edges[1]), n=len(graph), directed=False)
        algorithm = networkit.randomization.EdgeSwitching(theirs, TRIALS / graph.edge_count)
        others["switching"]["networkit"] = seconds(algorithm.run)
    show(
        f"{TRIALS:,} switches",
        seconds(lambda: switched(len(graph), graph.edge_keys, TRIALS, rng, trials=TRIALS)),
        others["switching"],
    )
    show(
        "simple configuration graph",
        seconds(lambda: random_realisation(graph.degrees, rng)),
        others["configuration"],
    )
    show("triangles", seconds(lambda: triangles(graph.indptr, graph.indices)), others["triangles"])
    large = random_graph(LARGE_NODES, LARGE_EDGES)
    print(large)
    show("edge-switching", seconds(lambda: protect(large, "edge-switching:share=0.1", seed=1)), {})
    show("H2", seconds(lambda: refined(large.indptr, large.indices, 2)), {})


if __name__ == "__main__":
    main()
