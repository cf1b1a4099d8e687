"""The structure of a graph in a few figures: size, degrees, components, clustering, and who is unique by links."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from sdckit.formatting import percent
from sdckit.graph import Graph
from sdckit.kernels.neighbourhood_refinement import refined_by_direction
from sdckit.kernels.triangles import clustering, transitivity, triangles

ROUNDS = 3


@dataclass(frozen=True)
class GraphDescription:
    """Figures of a graph; `unique` are the shares of nodes singled out by their degree, H₂ and H₃."""

    nodes: int
    edges: int
    mean_degree: float
    median_degree: float
    max_degree: int
    isolated: int
    components: int
    largest_component: int
    mean_clustering: float
    transitivity: float
    unique: tuple[float, ...]
    directed: bool = False
    weighted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self) | {"unique": {f"H{number}": share for number, share in enumerate(self.unique, start=1)}}

    def lines(self) -> list[tuple[str, str]]:
        """Labels and figures for a table."""
        degrees = f"mean {self.mean_degree:.1f}, median {self.median_degree:g}, highest {self.max_degree:,}"
        knowledge = (
            "degrees in and out" if self.directed else "degree",
            "degrees of neighbours",
            "degrees two steps away",
        )
        largest = f"the largest of {self.largest_component:,} node{'' if self.largest_component == 1 else 's'}"
        return [
            ("degree, in and out together" if self.directed else "degree", degrees),
            ("isolated nodes", f"{self.isolated:,}"),
            ("components", f"{self.components:,}, {largest}" if self.components else "none"),
            ("mean clustering", f"{self.mean_clustering:.3f}"),
            ("transitivity", f"{self.transitivity:.3f}"),
            *((f"unique by {known}", percent(share)) for known, share in zip(knowledge, self.unique, strict=True)),
        ]


def graph_description(graph: Graph) -> GraphDescription:
    """The description of a graph."""
    from scipy.sparse.csgraph import connected_components

    by_direction, kind = graph.adjacencies, {"directed": graph.directed, "weighted": graph.weight is not None}
    edges, all_degrees, graph = graph.edge_count, graph.degrees, graph.plain
    nodes, degrees = len(graph), graph.degrees
    _, component = connected_components(graph.to_scipy(), directed=False) if nodes else (0, np.zeros(0, dtype=int))
    sizes = np.bincount(component) if nodes else np.zeros(0, dtype=int)
    count = triangles(graph.indptr, graph.indices)
    unique = []
    for colours in refined_by_direction(by_direction, ROUNDS):
        times = np.unique(colours, return_counts=True)[1]
        unique.append(float((times == 1).sum() / nodes) if nodes else 0.0)
    return GraphDescription(
        nodes,
        edges,
        float(all_degrees.mean()) if nodes else 0.0,
        float(np.median(all_degrees)) if nodes else 0.0,
        int(all_degrees.max(initial=0)),
        int((degrees == 0).sum()),
        len(sizes),
        int(sizes.max(initial=0)),
        float(clustering(count, degrees).mean()) if nodes else 0.0,
        transitivity(count, degrees),
        tuple(unique),
        **kind,
    )
