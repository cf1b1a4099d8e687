"""Graph generalisation: blocks of nodes, of which only the numbers of edges are published."""

from collections.abc import Sequence

import numpy as np

from sdckit.errors import SchemaError
from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw, any_degrees
from sdckit.graph_masking import GraphMasking
from sdckit.kernels.graph_blocks import annealed_blocks, block_counts, sampled_world
from sdckit.masking import masking
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.parameters import param

MOST_BLOCKS = 8_000  # the numbers of edges between them take half a gigabyte
BLOCK = "block"  # the attribute that publishes the block of each node


@masking("graph-generalisation", kind=Kind.ANY, reference="hay2008", domain=Graph)
class GraphGeneralisation(GraphMasking):
    r"""Group nodes into blocks of at least `group_size` and publish only how many edges are within and between them.

    The partition is searched by simulated annealing so that as few graphs as possible have these counts, which
    preserves most information on the original. What is released is one of these graphs, drawn uniformly, with the block
    of every node; users can compute the counts from it and draw further graphs. Within a block nodes are exchangeable:
    whatever is known of the structure, at most one node in `group_size` is re-identified on average. The informed
    intruder is assumed to recognise every block by its counts.

    Formula: $\min \sum_X \log \binom{\binom{|X|}{2}}{c(X, X)} + \sum_{X < Y} \log \binom{|X| \cdot |Y|}{c(X,
    Y)}$,  $|X| \ge k$

    Use it when nobody must be distinguishable from `group_size` − 1 others by any structural knowledge.

    Excludes nothing within a block: every node of a block may be any of its people.
    """

    adds = (BLOCK,)

    group_size: int = param(5, "nodes of a block, at least (the paper's k)", low=1, grid=(2, 5, 10))
    search: int = param(20, "exchanges tried for each node (the search takes time in proportion)", low=0)

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """No attribute; an error where there are too few nodes for a block, or an attribute has its name."""
        graph = self.graph(data, attributes)
        if len(graph) < self.group_size:
            raise SchemaError(
                f"{self.name} needs blocks of {self.group_size} nodes, and the graph has {len(graph)}; use a smaller "
                "group_size"
            )
        if len(graph) // self.group_size > MOST_BLOCKS:
            raise SchemaError(
                f"{self.name} would need {len(graph) // self.group_size:,} blocks, above {MOST_BLOCKS:,}; use a larger "
                "group_size"
            )
        if BLOCK in graph:
            raise SchemaError(f"{self.name} publishes an attribute {BLOCK!r}, and the graph has one; rename it")
        return ()

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        self.applicable(graph, ())
        if not len(graph):
            return graph
        steps = self.search * len(graph)
        block = annealed_blocks(graph.indptr, graph.indices, self.group_size, steps, rng)
        blocks = int(block.max()) + 1
        number = rng.permutation(blocks)[block]
        counts = block_counts(number, blocks, *graph.edges)
        masked = graph.with_keys(sampled_world(number, counts, rng))
        attribute = Attribute(BLOCK, Kind.UNORDERED, Role.OTHER, categories=tuple(f"{each}" for each in range(blocks)))
        return Graph(
            (*masked.attributes, attribute),
            {**masked.columns, BLOCK: number},
            masked.edits,
            masked.form,
            masked.lineage,
            masked.indptr,
            masked.indices,
        )

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """Blocks are recognised by the numbers of edges within and between them; nobody is within a block."""
        block = released.columns[BLOCK] if BLOCK in released else np.zeros(len(released), dtype=np.int64)
        return GraphLaw(any_degrees, 0.0, blocks=block.astype(np.int64), block_size=self.group_size)
