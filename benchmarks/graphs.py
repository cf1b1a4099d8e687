"""How long graph kernels take in CPU seconds, beside igraph, networkit and networkx where they are installed.

`--part kernels`, `--part intruder` or `--part large` runs one part: the kernels on 100,000 nodes, the informed intruder
on as many, or a file of 1,000,000 nodes and 10,000,000 edges that is loaded, masked and attacked.
"""

import argparse
import resource
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import process_time

import numpy as np

from sdckit.files import read
from sdckit.graph import Graph
from sdckit.kernels.degree_realisation import random_realisation
from sdckit.kernels.edge_switching import switched
from sdckit.kernels.neighbourhood_refinement import refined
from sdckit.kernels.triangles import triangles
from sdckit.release import protect
from sdckit.risks import DegreeAttack, InformedGraphIntruder, RefinementAttack

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


def kernels() -> None:
    """The kernels on 100,000 nodes and 500,000 edges, beside other packages."""
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

        networkit.setNumberOfThreads(1)
        theirs = networkit.GraphFromCoo((graph.edges[0], graph.edges[1]), n=len(graph), directed=False)
        algorithm = networkit.randomization.EdgeSwitching(theirs, TRIALS / graph.edge_count)
        others["switching"]["networkit"] = seconds(algorithm.run)
        generator = networkit.generators.EdgeSwitchingMarkovChainGenerator(graph.degrees.tolist(), False, 10)
        others["configuration"]["networkit"] = seconds(generator.generate)
        local = networkit.centrality.LocalClusteringCoefficient(theirs)
        others["triangles"]["networkit"] = seconds(local.run)
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


def intruder() -> None:
    """The informed intruder on 100,000 nodes and 500,000 edges, a tenth of which are replaced."""
    release = protect(random_graph(NODES, EDGES), "edge-randomisation:share=0.1", seed=1)
    start = process_time()
    score = InformedGraphIntruder().measure(release)
    print(
        f"informed-graph-intruder: {process_time() - start:.1f} s, {peak():.2f} GB at most; found {score.value:.3f}, "
        f"expected {score.details['expected_found']:.3f}"
    )


def large() -> None:
    """A file of 1,000,000 nodes and 10,000,000 edges: loaded, masked, and attacked by degree and H2."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.edges"
        np.savetxt(path, np.column_stack(random_graph(LARGE_NODES, LARGE_EDGES).edges), fmt="%d")
        start = process_time()
        graph = read(path)
        print(f"{graph}: loaded in {process_time() - start:.1f} s, {peak():.2f} GB at most")
        assert isinstance(graph, Graph)
        for method in ("edge-switching:share=0.1", "edge-randomisation", "k-degree-anonymity"):
            start = process_time()
            release = protect(graph, method, seed=1)
            print(f"{method}: masked in {process_time() - start:.1f} s, {peak():.2f} GB at most")
            for attack in (DegreeAttack(), RefinementAttack(rounds=2)):
                start = process_time()
                found = attack.measure(release).value
                print(f"  {attack.name} finds {found:.4f} in {process_time() - start:.1f} s, {peak():.2f} GB at most")


def peak() -> float:
    """The memory used so far at most, in gigabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


PARTS = {"kernels": kernels, "intruder": intruder, "large": large}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", choices=[*PARTS])
    wanted = parser.parse_known_args()[0].part
    for name, part in PARTS.items():
        if wanted in (None, name):
            part()


if __name__ == "__main__":
    main()
